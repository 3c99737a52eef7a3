import { isItemId, type ItemId } from '../domain/item.js';
import type { ListedItem, Listing } from '../contract/widget.js';
import { jsonAnswer, Refusal } from './answers.js';
import { mayDo, mayTouch } from './permissions.js';
import type { RouteContext } from './route.js';
import type { ProxySession } from './session.js';

export const DEFAULT_PAGE = 100;
export const LARGEST_PAGE = 1000;

/** `GET /v1/inventory?limit=&cursor=`: what the proxy knows of the vendor's items, page by page to the end. */
export async function inventoryList(request: Request, session: ProxySession, context: RouteContext): Promise<Response> {
  if (!mayDo(session, 'view')) throw new Refusal('permission_missing');
  const { limit, after } = readPage(new URL(request.url).searchParams);
  const inventory: ListedItem[] = [];
  let last = after;
  let more = true;
  // A session that is confined to some items may see few rows of a page; it gets a full one all the same.
  while (more && inventory.length < limit) {
    const rows = await context.outbox.list(session.vendor, { after: last, limit: limit - inventory.length });
    more = rows.length === limit - inventory.length;
    last = rows.at(-1)?.id ?? last;
    inventory.push(...rows.filter((row) => mayTouch(session, row.id)));
  }
  const body: Listing = { inventory, ...(more && last !== undefined && { next: last }) };
  return jsonAnswer(body);
}

function readPage(query: URLSearchParams): { limit: number; after: ItemId | undefined } {
  const unknown = [...query.keys()].some((key) => key !== 'limit' && key !== 'cursor');
  const limit = query.get('limit') ?? String(DEFAULT_PAGE);
  const cursor = query.get('cursor') ?? undefined;
  const inRange = /^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= LARGEST_PAGE;
  if (unknown || !inRange || (cursor !== undefined && !isItemId(cursor))) throw new Refusal('invalid_query');
  return { limit: Number(limit), after: cursor };
}
