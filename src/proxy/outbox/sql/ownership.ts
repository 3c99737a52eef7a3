import type { ItemId } from '../../../domain/item.js';
import type { LaneOf, ListOwnership, OwnedItem } from '../outbox.js';
import type { ScheduleCommand } from '../schedules.js';
import { listed, listOf, type Database, type Queries, type Transaction } from './tables/database.js';
import { refreshLanes } from './queue.js';
import { Vendors } from './tables/vendors.js';

/** An item and its present or future lane. */
interface ItemPlace {
  readonly vendor: string;
  readonly id: ItemId;
  readonly lane: string;
}

/** A waiting edit and its present or future lane. */
interface EditPlace {
  readonly seq: number;
  readonly vendor: string;
  readonly lane: string;
}

/** The settings and lists that decide which vendor owns an id. */
type Ownership = Pick<ScheduleCommand, 'lane' | 'hasOtherOwner' | 'lists'>;

/** Largest number of rows that one transaction moves, so that batches are accepted between transactions. */
const ROWS_AT_ONCE = 1_000;
const VENDORS_AT_ONCE = 100;
const PLACE = { vendor: 'text', id: 'text', lane: 'text', place: 'integer' } as const;

/**
 * Moves items and waiting edits into the present lane of their vendor, in portions. The order of an item is the same in
 * all lanes, so it does not matter which of its edits is moved first.
 *
 * Items are moved first. Two vendors may have used one id in different lanes; in one lane, and so at the portal, it is
 * one item. It stays with the vendor that has it there already, or else with the first that used it. All items leave
 * their old lanes before the first one enters a new lane, so that none loses its id to an item that is about to leave.
 * Edits of the vendor that loses the id are not sent, because they would change another vendor's item. They are not
 * deleted either but refused: the vendor may discard them, or retry them when settings separate both vendors.
 */
export async function moveLanes(
  database: Database,
  laneOf: LaneOf,
  now: number,
  onItemsMoved?: () => void,
): Promise<void> {
  const items = await findMisplacedItems(database, laneOf);
  for (const portion of portionsOf(items)) await database.transaction((transaction) => leave(transaction, portion));
  for (const portion of portionsOf(items))
    await database.transaction((transaction) => enter(transaction, portion, now));
  onItemsMoved?.();
  const move = async (found: readonly EditPlace[]): Promise<void> => {
    const moved = found.flatMap(({ seq, vendor, lane }) => {
      const wanted = laneOf(vendor);
      return wanted === lane ? [] : [{ seq, vendor, lane: wanted, from: lane }];
    });
    if (moved.length > 0) await database.transaction((transaction) => moveEdits(transaction, moved));
  };
  await move(
    await database.query<EditPlace>(
      `SELECT e.seq, e.vendor, e.lane FROM item CROSS JOIN edit AS e
       WHERE item.resend_at IS NOT NULL AND e.item = item.key AND e.state = 'delivered' AND e.due_at IS NOT NULL`,
    ),
  );
  for (let after: number | undefined = 0; after !== undefined;) {
    const found: readonly EditPlace[] = await database.query<EditPlace>(
      `SELECT seq, vendor, lane FROM edit WHERE state = 'received' AND open_attempt IS NULL AND seq > $1
       ORDER BY seq LIMIT ${String(ROWS_AT_ONCE)}`,
      after,
    );
    await move(found);
    after = found.at(-1)?.seq;
  }
}

/** Assigns each id to its vendor in this lane. Other vendors lose it there. */
export async function assignOwner(
  transaction: Transaction,
  lane: string,
  items: readonly OwnedItem[],
  now: number,
): Promise<void> {
  const owners = items.map(({ id, vendor }, place) => ({ id, vendor, lane, place }));
  const given = await transaction.query<{ key: number }>(
    `UPDATE item SET owned_by_other = 1 FROM ${transaction.dialect.rows(1, 'owner', PLACE)}
     WHERE item.lane = owner.lane AND item.id = owner.id AND item.owned_by_other = 0 AND item.vendor <> owner.vendor
     RETURNING item.key`,
    JSON.stringify(owners),
  );
  const others = items.flatMap(({ id, vendor, from = vendor }, place) =>
    from === vendor ? [] : [{ id, vendor: from, lane, place }],
  );
  const keys = new Set([...given.map(({ key }) => key), ...(await yieldingOf(transaction, others))]);
  await throwItemsUnknown(transaction, [...keys], now);
}

/** Stops all edits of items that belong to another vendor in their lane: waiting edits are refused. */
export async function throwItemsUnknown(
  transaction: Transaction,
  items: readonly number[],
  now: number,
): Promise<void> {
  if (items.length === 0) return;
  const keys = listOf(items);
  await transaction.query(
    `UPDATE item SET resend_at = NULL WHERE key IN ${listed(transaction, 1)} AND resend_at IS NOT NULL`,
    keys,
  );
  const stopped = await transaction.query<{ lane: string }>(
    `UPDATE edit SET due_at = NULL, queue_position = NULL
     WHERE item IN ${listed(transaction, 1)} AND state = 'delivered' AND due_at IS NOT NULL RETURNING lane`,
    keys,
  );
  // A replaced edit needs no decision.
  const refused = await transaction.query<{
    vendor: string;
    item: number;
    lane: string;
    state: 'refused' | 'superseded';
  }>(
    `UPDATE edit SET state = CASE WHEN number = (SELECT newest_pending FROM item WHERE key = edit.item) THEN 'refused'
       ELSE 'superseded' END, reason = 'item_unknown', settled_at = $2, due_at = NULL, queue_position = NULL, confirm_at = NULL
     WHERE item IN ${listed(transaction, 1)} AND state IN ('received', 'refused', 'conflict') AND state = 'received'
       AND open_attempt IS NULL
     RETURNING vendor, item, lane, state`,
    keys,
    now,
  );
  const vendors = await Vendors.of(
    transaction,
    refused.map(({ vendor }) => vendor),
  );
  for (const { vendor, state } of refused) {
    vendors.move(vendor, 'received', state);
    transaction.changed.add(vendor);
  }
  const touched = [...new Map(refused.map(({ item, vendor }) => [item, vendor]))].map(([item, vendor]) => ({
    item,
    revision: vendors.nextRevision(vendor),
  }));
  await transaction.query(
    `UPDATE item SET revision = touched.revision
     FROM ${transaction.dialect.rows(1, 'touched', { item: 'integer', revision: 'integer' })} WHERE item.key = touched.item`,
    JSON.stringify(touched),
  );
  await vendors.write();
  await refreshLanes(
    transaction,
    [...stopped, ...refused].map(({ lane }) => lane),
  );
}

/** The vendors whose lists have an id, in the order in which the lists named it. */
export async function listingVendors(queries: Queries, ids: readonly ItemId[]): Promise<Map<ItemId, string[]>> {
  const rows = await queries.query<{ id: ItemId; vendor: string }>(
    `SELECT owner.id, owner.vendor FROM ${queries.dialect.rows(1, 'wanted', { id: 'text' })} CROSS JOIN item_owner AS owner
     WHERE owner.id = wanted.id ORDER BY owner.key`,
    JSON.stringify(ids.map((id) => ({ id }))),
  );
  const vendors = new Map<ItemId, string[]>();
  for (const { id, vendor } of rows) vendors.set(id, [...(vendors.get(id) ?? []), vendor]);
  return vendors;
}

/** The ids that belong to another vendor in this lane. */
export async function findForeign(
  queries: Queries,
  vendor: string,
  lane: string,
  ids: readonly ItemId[],
): Promise<Map<ItemId, { readonly vendor: string; readonly lastTimestamp: number }>> {
  const rows = await queries.query<{ id: ItemId; vendor: string }>(
    `SELECT item.id, item.vendor FROM ${queries.dialect.rows(1, 'wanted', { id: 'text' })} CROSS JOIN item
     WHERE item.lane = $2 AND item.id = wanted.id AND item.owned_by_other = 0 AND item.vendor <> $3`,
    JSON.stringify(ids.map((id) => ({ id }))),
    lane,
    vendor,
  );
  return new Map(rows.map(({ id, vendor: other }) => [id, { vendor: other, lastTimestamp: 0 }]));
}

/** The ids that the lists do not assign to this vendor: those of other vendors, and those on no list. */
export async function findUnlisted(
  queries: Queries,
  vendor: string,
  ids: readonly ItemId[],
  { sharesLane }: ListOwnership,
): Promise<Set<ItemId>> {
  const named = await listingVendors(queries, ids);
  return new Set(ids.filter((id) => named.get(id)?.find(sharesLane) !== vendor));
}

/** The ids that an edit of this vendor may name. @param hasOtherOwner as in `ScheduleCommand` */
export async function findOwn(
  queries: Queries,
  vendor: string,
  ids: readonly ItemId[],
  { lane, hasOtherOwner, lists }: Ownership,
): Promise<ItemId[]> {
  const foreign = await findForeign(queries, vendor, lane, ids);
  const unlisted = lists && (await findUnlisted(queries, vendor, ids, lists));
  return ids.filter((id) => !foreign.has(id) && !hasOtherOwner(id) && unlisted?.has(id) !== true);
}

export async function hasList(queries: Queries, vendor: string): Promise<boolean> {
  return (await queries.query('SELECT 1 FROM item_owner WHERE vendor = $1 LIMIT 1', vendor)).length > 0;
}

/**
 * Items that are not in the lane of their vendor, or owned by another vendor there, in the order of their first use.
 */
async function findMisplacedItems(queries: Queries, laneOf: LaneOf): Promise<ItemPlace[]> {
  const misplaced: (ItemPlace & { readonly key: number })[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const vendors: { name: string }[] = await queries.query<{ name: string }>(
      `SELECT name FROM vendor WHERE name > $1 ORDER BY name LIMIT ${String(VENDORS_AT_ONCE)}`,
      after,
    );
    after = vendors.at(-1)?.name;
    misplaced.push(
      ...(await queries.query<ItemPlace & { readonly key: number }>(
        `SELECT item.key, item.vendor, item.id, wanted.lane
         FROM ${queries.dialect.rows(1, 'wanted', { vendor: 'text', lane: 'text' })} CROSS JOIN item
         WHERE item.vendor = wanted.vendor AND (item.lane <> wanted.lane OR item.owned_by_other = 1)`,
        JSON.stringify(vendors.map(({ name }) => ({ vendor: name, lane: laneOf(name) }))),
      )),
    );
  }
  return misplaced.sort((a, b) => a.key - b.key);
}

/** Moves items into their new lane. Until `enter` they count as owned by another vendor there. */
async function leave(transaction: Transaction, items: readonly ItemPlace[]): Promise<void> {
  await transaction.query(
    `UPDATE item SET lane = stray.lane, owned_by_other = 1 FROM ${transaction.dialect.rows(1, 'stray', PLACE)}
     WHERE item.vendor = stray.vendor AND item.id = stray.id AND item.lane <> stray.lane`,
    placesOf(items),
  );
}

/** The first of the items with one id becomes its owner, unless the lane has an owner already. */
async function enter(transaction: Transaction, items: readonly ItemPlace[], now: number): Promise<void> {
  await transaction.query(
    `UPDATE item SET owned_by_other = 0
     FROM (
       SELECT found.key, row_number() OVER (PARTITION BY found.lane, found.id ORDER BY stray.place) AS rank
       FROM ${transaction.dialect.rows(1, 'stray', PLACE)} CROSS JOIN item AS found
       WHERE found.vendor = stray.vendor AND found.id = stray.id AND found.lane = stray.lane AND found.owned_by_other = 1
         AND NOT EXISTS (SELECT 1 FROM item AS owner
           WHERE owner.lane = stray.lane AND owner.id = stray.id AND owner.owned_by_other = 0)
     ) AS first
     WHERE item.key = first.key AND first.rank = 1`,
    placesOf(items),
  );
  await throwItemsUnknown(transaction, await yieldingOf(transaction, items), now);
}

async function yieldingOf(transaction: Transaction, items: readonly ItemPlace[]): Promise<number[]> {
  const rows = await transaction.query<{ key: number }>(
    `SELECT item.key FROM ${transaction.dialect.rows(1, 'stray', PLACE)} CROSS JOIN item
     WHERE item.vendor = stray.vendor AND item.id = stray.id AND item.lane = stray.lane AND item.owned_by_other = 1`,
    placesOf(items),
  );
  return rows.map(({ key }) => key);
}

/**
 * Moves edits out of the queue; they get a position in the new queue when its lane is leased. An edit is moved only
 * into the lane of its item, and only if its vendor owns the item there. An edit that was accepted, or came back from
 * the portal, after the items were moved stays, and is moved when its old lane is leased.
 */
async function moveEdits(
  transaction: Transaction,
  moved: readonly (EditPlace & { readonly from: string })[],
): Promise<void> {
  const lanes = [...new Set(moved.map(({ lane }) => lane))].map((name) => ({ name }));
  await transaction.query(
    `INSERT INTO lane (name) SELECT name FROM ${transaction.dialect.rows(1, 'new', { name: 'text' })} WHERE true
     ON CONFLICT (name) DO NOTHING`,
    JSON.stringify(lanes),
  );
  await transaction.query(
    `UPDATE edit SET lane = moved.lane, queue_position = NULL
     FROM ${transaction.dialect.rows(1, 'moved', { seq: 'integer', lane: 'text' })}
     WHERE edit.seq = moved.seq AND edit.open_attempt IS NULL AND (edit.state = 'received' OR edit.due_at IS NOT NULL)
       AND EXISTS (SELECT 1 FROM item WHERE item.key = edit.item AND item.lane = moved.lane AND item.owned_by_other = 0)`,
    JSON.stringify(moved),
  );
  await refreshLanes(
    transaction,
    moved.flatMap(({ lane, from }) => [lane, from]),
  );
}

function placesOf(items: readonly ItemPlace[]): string {
  return JSON.stringify(items.map(({ vendor, id, lane }, place) => ({ vendor, id, lane, place })));
}

export function* portionsOf<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) yield all.slice(at, at + ROWS_AT_ONCE);
}
