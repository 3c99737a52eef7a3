import { compareIds, isItemId, type ItemId } from '../../domain/item.js';
import type { KnownItem, ListedItem, Listing } from '../../contract/widget.js';
import { jsonResponse, ApiError, permissionMissing } from '../http/problem-response.js';
import { scopeOf } from '../access/session-scope.js';
import type { ItemSelection, RevisedItem } from '../outbox/outbox.js';
import { hasPermission } from '../access/permissions.js';
import { pageForSession, yieldToEventLoop } from '../http/paging.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/**
 * `GET /v1/inventory?limit=&cursor=&since=`: what the proxy knows of the vendor's items, page by page to the end: what
 * people did here, and of the other items what the operator's list says. With `since`, only what people did after that
 * revision; `revision` is where the next `since` goes on, and less than `since` where no such revision is known.
 */
export async function listInventory(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  const query = readQuery(new URL(request.url).searchParams);
  const newest = await context.outbox.revision(session.vendor);
  // Of another past than ours: the store was brought back from a copy. The caller sees that it is ahead, and asks again.
  if (query.since !== undefined && query.since > newest) return jsonResponse({ inventory: [], revision: newest });
  const known = (await context.itemCatalog?.itemsOf(session.vendor, context.isIsolated)) ?? [];
  const { limit, after, since } = query;
  if (since === undefined) {
    const { rows, next } = await pageByIds({ limit, after, signal: request.signal }, session, context, known);
    return jsonResponse({ inventory: rows, revision: newest, next } satisfies Listing);
  }
  const { rows, next } = await pageForSession(session, {
    limit,
    from: since,
    read: (from = since, most) => context.outbox.list(session, { since: from, limit: most }),
    cursorOf: ({ revision }) => revision,
    signal: request.signal,
  });
  const body: Listing = {
    inventory: rows.map((row) => mergeCatalogItem(row, known)),
    revision: next ?? newest,
    ...(next !== undefined && { next: String(next) }),
  };
  return jsonResponse(body);
}

/** The next items in the order of ids. Of a session that is confined to some items, only those are read. */
async function pageByIds(
  {
    limit,
    after,
    signal,
  }: { readonly limit: number; readonly after: ItemId | undefined; readonly signal: AbortSignal },
  session: ProxySession,
  { outbox }: RouteContext,
  known: readonly KnownItem[],
): Promise<{ readonly rows: (ListedItem | KnownItem)[]; readonly next?: ItemId | undefined }> {
  const rows: (ListedItem | KnownItem)[] = [];
  for (const within of scopeOf(session)?.selectionsAfter(after) ?? [undefined]) {
    if (signal.aborted) break;
    if (within !== undefined) await yieldToEventLoop();
    const left = limit - rows.length;
    const edited = await outbox.list(session, { after, within, limit: left });
    rows.push(...mergeByIds(edited, selectKnown(known, within), after, left));
    if (rows.length === limit) return { rows, next: rows.at(-1)?.id };
  }
  return { rows };
}

function selectKnown(known: readonly KnownItem[], within: ItemSelection | undefined): readonly KnownItem[] {
  if (within === undefined) return known;
  if (within.ids === undefined) {
    const start = indexAfter(known, within.from as ItemId);
    const isFirst = known[start - 1]?.id === within.from;
    return known.slice(isFirst ? start - 1 : start, indexAfter(known, within.to as ItemId));
  }
  return within.ids.flatMap((id) => {
    const item = known[indexAfter(known, id as ItemId) - 1];
    return item?.id === id ? [item] : [];
  });
}

/** @param rows what people did, the next `limit` after that id @returns the next `limit` of both, in the order of ids */
function mergeByIds(
  rows: readonly RevisedItem[],
  known: readonly KnownItem[],
  after: ItemId | undefined,
  limit: number,
): (ListedItem | KnownItem)[] {
  const edited = new Set(rows.map(({ id }) => id));
  const start = after === undefined ? 0 : indexAfter(known, after);
  // Behind the last row of a full page there may be more of them.
  const last = rows.length === limit ? rows.at(-1)?.id : undefined;
  const end = Math.min(start + limit + rows.length, last === undefined ? known.length : indexAfter(known, last));
  const others = known.slice(start, end).filter(({ id }) => !edited.has(id));
  return [...rows.map((row) => mergeCatalogItem(row, known)), ...others]
    .sort((a, b) => compareIds(a.id, b.id))
    .slice(0, limit);
}

/**
 * What people did wins; only what they did not say of how the item is shown is taken from the list, or all where what they
 * did was withdrawn.
 */
function mergeCatalogItem(row: RevisedItem, known: readonly KnownItem[]): ListedItem | KnownItem {
  const found = known[indexAfter(known, row.id) - 1];
  const isListed = found?.id === row.id;
  if (row.state === undefined) return isListed ? found : { id: row.id };
  const { revision: _revision, seq: _seq, ...item } = row;
  if (!isListed) return item;
  const { label = found.label, group = found.group } = item;
  return { ...item, ...(label !== undefined && { label }), ...(group !== undefined && { group }) };
}

/** Where in the order the items after this id begin. */
function indexAfter(known: readonly KnownItem[], id: ItemId): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = known[middle];
    if (at !== undefined && compareIds(at.id, id) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
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
  const inRange = /^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_PAGE;
  const wellFormed =
    since === undefined ? cursor === undefined || isItemId(cursor) : /^\d{1,15}$/.test(cursor ?? since);
  if (unknown || !inRange || !wellFormed || (since !== undefined && !/^\d{1,15}$/.test(since))) {
    throw new ApiError('invalid_query');
  }
  return {
    limit: Number(limit),
    after: since === undefined ? (cursor as ItemId | undefined) : undefined,
    since: since === undefined ? undefined : Number(cursor ?? since),
  };
}
