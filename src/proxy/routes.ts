import { type EditId, isEditId } from '../domain/edit.js';
import { toTimestamp } from '../domain/item.js';
import { MAX_EDITS } from '../contract/fields.js';
import type { Session } from '../contract/widget.js';
import { VERSION } from '../contract/version.js';
import { acceptEdits } from './routes/accept-edits.js';
import { type Answer, jsonAnswer, Refusal } from './http/problem-response.js';
import { decideEdit } from './routes/decide-edit.js';
import { endSession } from './routes/session-routes.js';
import { eventStream } from './routes/change-stream.js';
import { inventoryList } from './routes/list-inventory.js';
import { mayDo, mayTouch } from './access/permissions.js';
import { readHistory } from './routes/read-history.js';
import type { Route, RouteContext } from './http/route-context.js';
import type { ProxySession } from './access/session.js';

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/session', answer: describeSession },
  { method: 'DELETE', path: '/v1/session', answer: endSession },
  { method: 'GET', path: '/v1/inventory', answer: inventoryList },
  { method: 'POST', path: '/v1/inventory', answer: acceptEdits },
  { method: 'GET', path: '/v1/receipts', answer: readReceipts },
  { method: 'POST', path: '/v1/edits/{edit_id}/retry', answer: (_, ...rest) => decideEdit('retry', ...rest) },
  { method: 'POST', path: '/v1/edits/{edit_id}/discard', answer: (_, ...rest) => decideEdit('discard', ...rest) },
  { method: 'GET', path: '/v1/history', answer: readHistory },
  { method: 'GET', path: '/v1/events', answer: eventStream },
];

export type FoundRoute =
  | { readonly kind: 'found'; readonly route: Route; readonly segment: string }
  | { readonly kind: 'method'; readonly allow: string; readonly path: string }
  | { readonly kind: 'unknown' };

export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute {
  const whole = routes.find((route) => route.path === path && route.method === method);
  if (whole !== undefined) return { kind: 'found', route: whole, segment: '' };
  const here = routes.flatMap((route) => {
    const segment = segmentOf(route.path, path);
    return segment === undefined ? [] : [{ route, segment }];
  });
  if (here.length === 0) return { kind: 'unknown' };
  const found = here.find(({ route }) => route.method === method);
  return found === undefined
    ? { kind: 'method', allow: here.map(({ route }) => route.method).join(', '), path: here[0]?.route.path ?? '' }
    : { kind: 'found', ...found };
}

/** For counting and logging: one word for all paths of a route. */
export function templateOf(found: FoundRoute): string {
  switch (found.kind) {
    case 'found':
      return found.route.path;
    case 'method':
      return found.path;
    case 'unknown':
      return 'other';
  }
}

/** @returns what stands at the placeholder, or nothing much where there is none; `undefined`: another path */
function segmentOf(template: string, path: string): string | undefined {
  if (template === path) return '';
  const [before = '', after] = template.split(/\{[a-z_]+\}/);
  if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  const segment = path.slice(before.length, path.length - after.length);
  return segment === '' || segment.includes('/') ? undefined : segment;
}

async function describeSession(_request: Request, session: ProxySession, context: RouteContext): Promise<Answer> {
  const body: Session = {
    vendor: session.vendor,
    subject: session.subject,
    name: session.name,
    permissions: [...session.permissions],
    ...(session.items !== undefined && { items: [...session.items] }),
    limits: { max_edits: context.limits.maxEdits, max_body_bytes: context.limits.maxBodyBytes },
    server_time: toTimestamp(context.clock.wall()),
    expires_at: toTimestamp(session.expiresAt),
    version: VERSION,
  };
  return Promise.resolve(jsonAnswer(body));
}

async function readReceipts(request: Request, session: ProxySession, context: RouteContext): Promise<Answer> {
  if (!mayDo(session, 'view')) throw new Refusal('permission_missing');
  const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',');
  const wellFormed: EditId[] = ids.filter(isEditId);
  // A page asks for those of several batches at once: a lower limit of one must not keep it from its receipts.
  const most = Math.max(context.limits.maxEdits, MAX_EDITS);
  if (wellFormed.length !== ids.length || ids.length > most) throw new Refusal('invalid_query');
  const receipts = await context.outbox.receipts(session, wellFormed);
  return jsonAnswer({ receipts: receipts.filter((receipt) => mayTouch(session, receipt.id)) });
}
