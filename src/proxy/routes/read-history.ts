import type { z } from 'zod/mini';
import { isItemId } from '../../domain/item.js';
import type { history } from '../../contract/widget.js';
import { type Answer, jsonAnswer, Refusal } from '../http/problem-response.js';
import { mayDo } from '../access/permissions.js';
import { permittedPage } from '../http/paging.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';

const PAGE = 100;

/** `GET /v1/history?item=&cursor=`: who changed what, when, from, to, with which outcome; newest first. */
export async function readHistory(request: Request, session: ProxySession, context: RouteContext): Promise<Answer> {
  if (!mayDo(session, 'history')) throw new Refusal('permission_missing');
  const query = new URL(request.url).searchParams;
  const item = query.get('item') ?? undefined;
  const cursor = query.get('cursor') ?? undefined;
  const unknown = [...query.keys()].some((key) => key !== 'item' && key !== 'cursor');
  if (unknown || (item !== undefined && !isItemId(item)) || (cursor !== undefined && !/^\d{1,15}$/.test(cursor))) {
    throw new Refusal('invalid_query');
  }
  const { rows, next } = await permittedPage(session, {
    limit: PAGE,
    from: cursor === undefined ? undefined : Number(cursor),
    read: (before, limit) => context.outbox.history(session.vendor, { item, before, limit }),
    placeOf: ({ seq }) => seq,
    signal: request.signal,
  });
  const body: z.infer<typeof history> = {
    history: rows,
    ...(next !== undefined && { next: String(next) }),
  };
  return jsonAnswer(body);
}
