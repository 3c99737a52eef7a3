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
 * `GET /v1/inventory?limit=&cursor=&since=`: the vendor's items in pages. Edited items come from the outbox, the others
 * from the portal's own list and the operator's list. With `since`, only items that were edited after that revision, or
 * whose edited value changed at the portal. `revision` is the next `since`; it is smaller than the `since` of the request
 * if the outbox does not know that revision.
 */
export async function listInventory(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!hasPermission(session, 'view')) throw permissionMissing('view');
  const query = readQuery(new URL(request.url).searchParams);
  await context.portalLists?.onPage(session.vendor);
  const newest = await context.outbox.revision(session.vendor);
  // The store was restored from a backup and is older than `since`. The smaller revision tells the caller to read
  // everything again.
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

/** The next items ordered by id. If the session is confined to some items, only those are read. */
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

/** The next items of the portal's own list. */
async function listedAtPortal(
  { vendor }: ProxySession,
  { outbox, portalLists, itemCatalog }: RouteContext,
  page: Pick<ListedPage, 'after' | 'within' | 'limit'>,
): Promise<readonly CatalogItem[]> {
  const list = portalLists?.listOf(vendor);
  if (list === undefined) return [];
  // The host signed the `items` claim, so these ids count as the vendor's, unless each vendor has a list of the operator.
  const isSigned = page.within !== undefined && itemCatalog?.byVendor !== true;
  return outbox.portalLists.items({ ...list, vendor, isWhole: list.isWhole || isSigned, ...page });
}

/** Fills in the portal's value for items without an edit, because the portal knows it better than the operator's list. */
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

/**
 * @param rows the next `limit` edited items after `after`
 * @returns the next `limit` items of all sources, ordered by id
 */
function mergeByIds(
  rows: readonly RevisedItem[],
  { known, atPortal }: { readonly known: readonly CatalogItem[]; readonly atPortal: readonly CatalogItem[] },
  after: ItemId | undefined,
  limit: number,
): (ListedItem | CatalogItem)[] {
  const edited = new Set(rows.map(({ id }) => id));
  const start = after === undefined ? 0 : indexAfter(known, after);
  // If the page of edited items is full, more of them may follow its last row, so the lists are not read past it.
  const last = rows.length === limit ? rows.at(-1)?.id : undefined;
  const end = Math.min(start + limit + rows.length, last === undefined ? known.length : indexAfter(known, last));
  const others = new Map([...atPortal, ...known.slice(start, end)].map((item) => [item.id, item]));
  for (const id of edited) others.delete(id);
  return [...rows.map((row) => mergeCatalogItem(row, known)), ...others.values()]
    .sort((a, b) => compareIds(a.id, b.id))
    .slice(0, limit);
}

/**
 * Merges an edited item with its entry in the list. The edit wins; the list adds a missing label or group, and replaces the
 * item if its edits were withdrawn.
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

/** Index of the first item after this id. */
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
