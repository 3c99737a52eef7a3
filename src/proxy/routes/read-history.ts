import type { z } from 'zod/mini';
import { isItemId } from '../../domain/item.js';
import type { history } from '../../contract/widget.js';
import { jsonResponse, ApiError, permissionMissing } from '../http/problem-response.js';
import { hasPermission } from '../access/permissions.js';
import { pageForSession } from '../http/paging.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';

const PAGE = 100;

/** `GET /v1/history?item=&cursor=`: who changed what, when, from, to, with which outcome; newest first. */
export async function readHistory(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'history')) throw permissionMissing('history');
  const query = new URL(request.url).searchParams;
  const item = query.get('item') ?? undefined;
  const cursor = query.get('cursor') ?? undefined;
  const unknown = [...query.keys()].some((key) => key !== 'item' && key !== 'cursor');
  if (unknown || (item !== undefined && !isItemId(item)) || (cursor !== undefined && !/^\d{1,15}$/.test(cursor))) {
    throw new ApiError('invalid_query');
  }
  const { rows, next } = await pageForSession(session, {
    limit: PAGE,
    from: cursor === undefined ? undefined : Number(cursor),
    read: (before, limit) => context.outbox.history(session.vendor, { item, before, limit }),
    cursorOf: ({ seq }) => seq,
    signal: request.signal,
  });
  const body: z.infer<typeof history> = {
    history: rows,
    ...(next !== undefined && { next: String(next) }),
  };
  return jsonResponse(body);
}
