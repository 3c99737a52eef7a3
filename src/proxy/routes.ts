import { inventoryList } from './list-inventory.js';
import { acceptEdits } from './accept-edits.js';
import { jsonAnswer, Refusal } from './answers.js';
import { isEditId, type EditId } from '../domain/edit.js';
import { toTimestamp } from '../domain/item.js';
import type { Session } from '../contract/widget.js';
import { VERSION } from '../contract/version.js';
import { mayDo, mayTouch } from './permissions.js';
import type { Route, RouteContext } from './route.js';
import type { ProxySession } from './session.js';

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/session', answer: describeSession },
  { method: 'GET', path: '/v1/inventory', answer: inventoryList },
  { method: 'POST', path: '/v1/inventory', answer: acceptEdits },
  { method: 'GET', path: '/v1/receipts', answer: readReceipts },
];

export type FoundRoute =
  | { readonly kind: 'found'; readonly route: Route }
  | { readonly kind: 'method'; readonly allow: string }
  | { readonly kind: 'unknown' };

export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const here = routes.filter((route) => route.path === path);
  if (here.length === 0) return { kind: 'unknown' };
  const route = here.find((candidate) => candidate.method === method);
  return route === undefined
    ? { kind: 'method', allow: here.map((candidate) => candidate.method).join(', ') }
    : { kind: 'found', route };
}

async function describeSession(_request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  const body: Session = {
    vendor: session.vendor,
    subject: session.subject,
    name: session.name,
    permissions: [...session.permissions],
    limits: { max_edits: context.limits.maxEdits, max_body_bytes: context.limits.maxBodyBytes },
    server_time: toTimestamp(context.clock.wall()),
    expires_at: toTimestamp(session.expiresAt),
    version: VERSION,
  };
  return Promise.resolve(jsonAnswer(body));
}

async function readReceipts(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!mayDo(session, 'view')) throw new Refusal('permission_missing');
  const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',');
  const wellFormed: EditId[] = ids.filter(isEditId);
  if (wellFormed.length !== ids.length || ids.length > context.limits.maxEdits) throw new Refusal('invalid_query');
  const receipts = await context.outbox.receipts(session.vendor, wellFormed);
  return jsonAnswer({ receipts: receipts.filter((receipt) => mayTouch(session, receipt.id)) });
}
