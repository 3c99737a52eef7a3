import { compareIds, isItemId, type ItemId } from '../../domain/item.js';
import type { CatalogItem, ListedItem, Listing } from '../../contract/widget.js';
import { jsonResponse, ApiError, permissionMissing } from '../http/problem-response.js';
import { scopeOf } from '../access/session-scope.js';
import type { ListedPage } from '../outbox/portal-lists.js';
import type { ItemSelection, RevisedItem } from '../outbox/outbox.js';
import { hasPermission } from '../access/permissions.js';
import { pageForSession, yieldToEventLoop } from '../http/paging.js';
import type { RouteContext } from '../http/route-context.js';
import type { ProxySession } from '../access/session.js';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/**
 * `GET /v1/inventory?limit=&cursor=&since=`: what the proxy knows of the vendor's items, page by page to the end: what
 * people did here, and of the other items what the portal's own list and the operator's list say. With `since`, only what people
 * did after that revision, and what changed at the portal of what they did; `revision` is where the next `since` goes on, and less
 * than `since` where no such revision is known.
 */
export async function listInventory(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  const query = readQuery(new URL(request.url).searchParams);
  await context.portalLists?.onPage(session.vendor);
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
    read: (from = since, max) => context.outbox.list(session, { since: from, limit: max }),
    cursorOf: ({ revision }) => revision,
    signal: request.signal,
  });
  const merged = rows.map((row) => mergeCatalogItem(row, known));
  const body: Listing = {
    inventory: await withPortalValues(merged, session, context),
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
  context: RouteContext,
  known: readonly CatalogItem[],
): Promise<{ readonly rows: (ListedItem | CatalogItem)[]; readonly next?: ItemId | undefined }> {
  const rows: (ListedItem | CatalogItem)[] = [];
  for (const within of scopeOf(session)?.selectionsAfter(after) ?? [undefined]) {
    if (signal.aborted) break;
    if (within !== undefined) await yieldToEventLoop();
    const left = limit - rows.length;
    const edited = await context.outbox.list(session, { after, within, limit: left });
    const atPortal = await listedAtPortal(session, context, { after, within, limit: left });
    const others = { known: selectKnown(known, within), atPortal };
    rows.push(...(await withPortalValues(mergeByIds(edited, others, after, left), session, context)));
    if (rows.length === limit) return { rows, next: rows.at(-1)?.id };
  }
  return { rows };
}

/** The next items that the portal's own list has beside those that people edited here. */
async function listedAtPortal(
  { vendor }: ProxySession,
  { outbox, portalLists, itemCatalog }: RouteContext,
  page: Pick<ListedPage, 'after' | 'within' | 'limit'>,
): Promise<readonly CatalogItem[]> {
  const list = portalLists?.listOf(vendor);
  if (list === undefined) return [];
  // The host has signed which items these are. Where each vendor has a list of the operator, that decides.
  const isSigned = page.within !== undefined && itemCatalog?.byVendor !== true;
  return outbox.portalLists.items({ ...list, vendor, isWhole: list.isWhole || isSigned, ...page });
}

/** Of items without an edit, the portal knows better than the operator's list which value they have. */
async function withPortalValues(
  rows: (ListedItem | CatalogItem)[],
  { vendor }: ProxySession,
  { outbox, portalLists }: RouteContext,
): Promise<(ListedItem | CatalogItem)[]> {
  const list = portalLists?.listOf(vendor);
  const ids = rows.flatMap((row) => (row.state === undefined && row.on_portal !== 'changed' ? [row.id] : []));
  const [from] = ids;
  if (list === undefined || from === undefined) return rows;
  const within = { from, to: ids.at(-1) ?? from, ids };
  const listed = await outbox.portalLists.items({ ...list, vendor, isWhole: true, within, limit: ids.length });
  const values = new Map(listed.map((item) => [item.id, item]));
  return rows.map((row) => {
    const value = values.get(row.id);
    if (value?.available === undefined || row.state !== undefined) return row;
    const { updated_at: _older, ...item } = row;
    return { ...value, ...item, available: value.available };
  });
}

function selectKnown(known: readonly CatalogItem[], within: ItemSelection | undefined): readonly CatalogItem[] {
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
  { known, atPortal }: { readonly known: readonly CatalogItem[]; readonly atPortal: readonly CatalogItem[] },
  after: ItemId | undefined,
  limit: number,
): (ListedItem | CatalogItem)[] {
  const edited = new Set(rows.map(({ id }) => id));
  const start = after === undefined ? 0 : indexAfter(known, after);
  // Behind the last row of a full page there may be more of them.
  const last = rows.length === limit ? rows.at(-1)?.id : undefined;
  const end = Math.min(start + limit + rows.length, last === undefined ? known.length : indexAfter(known, last));
  const others = new Map([...atPortal, ...known.slice(start, end)].map((item) => [item.id, item]));
  for (const id of edited) others.delete(id);
  return [...rows.map((row) => mergeCatalogItem(row, known)), ...others.values()]
    .sort((a, b) => compareIds(a.id, b.id))
    .slice(0, limit);
}

/**
 * What people did wins; only what they did not say of how the item is shown is taken from the list, or all where what they
 * did was withdrawn.
 */
function mergeCatalogItem(row: RevisedItem, known: readonly CatalogItem[]): ListedItem | CatalogItem {
  const found = known[indexAfter(known, row.id) - 1];
  const isListed = found?.id === row.id;
  const { revision: _revision, seq: _seq, ...item } = row;
  if (row.available === undefined) return isListed ? found : { id: row.id };
  if (!isListed) return item;
  const { label = found.label, group = found.group } = item;
  return { ...item, ...(label !== undefined && { label }), ...(group !== undefined && { group }) };
}

/** Where in the order the items after this id begin. */
function indexAfter(known: readonly CatalogItem[], id: ItemId): number {
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
