import { isItemId, type ItemId } from '../domain/item.js';
import type { Listing } from '../contract/widget.js';
import { jsonAnswer, Refusal } from './answers.js';
import type { RevisedItem } from './outbox.js';
import { mayDo, mayTouch } from './permissions.js';
import type { RouteContext } from './route.js';
import type { ProxySession } from './session.js';

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1000;

/**
 * `GET /v1/inventory?limit=&cursor=&since=`: what the proxy knows of the vendor's items, page by page to the end. With
 * `since`, only what changed after that revision; `revision` is where the next `since` goes on.
 */
export async function inventoryList(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!mayDo(session, 'view')) throw new Refusal('permission_missing');
  const query = readQuery(new URL(request.url).searchParams);
  const newest = await context.outbox.revision(session.vendor);
  const inventory: RevisedItem[] = [];
  let { after, since } = query;
  let more = true;
  // A session that is confined to some items may see few rows of a page; it gets a full one all the same.
  while (more && inventory.length < query.limit) {
    const limit = query.limit - inventory.length;
    const rows = await context.outbox.list(session.vendor, since === undefined ? { after, limit } : { since, limit });
    more = rows.length === limit;
    after = rows.at(-1)?.id ?? after;
    if (since !== undefined) since = rows.at(-1)?.revision ?? since;
    inventory.push(...rows.filter((row) => mayTouch(session, row.id)));
  }
  const next = since === undefined ? after : String(since);
  const body: Listing = {
    inventory: inventory.map(({ revision: _revision, seq: _seq, ...item }) => item),
    revision: since === undefined || !more ? Math.max(newest, since ?? 0) : since,
    ...(more && next !== undefined && { next }),
  };
  return jsonAnswer(body);
}

interface ListQuery {
  readonly limit: number;
  readonly after: ItemId | undefined;
  readonly since: number | undefined;
}

function readQuery(query: URLSearchParams): ListQuery {
  const unknown = [...query.keys()].some((key) => !['limit', 'cursor', 'since'].includes(key));
  const limit = query.get('limit') ?? String(DEFAULT_PAGE);
  const cursor = query.get('cursor') ?? undefined;
  const since = query.get('since') ?? undefined;
  const inRange = /^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LARGEST_PAGE;
  const wellFormed =
    since === undefined ? cursor === undefined || isItemId(cursor) : /^\d{1,15}$/.test(cursor ?? since);
  if (unknown || !inRange || !wellFormed || (since !== undefined && !/^\d{1,15}$/.test(since))) {
    throw new Refusal('invalid_query');
  }
  return {
    limit: Number(limit),
    after: since === undefined ? (cursor as ItemId | undefined) : undefined,
    since: since === undefined ? undefined : Number(cursor ?? since),
  };
}
