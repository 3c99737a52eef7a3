import type { EditId } from '../../../domain/edit.js';
import type { ItemId } from '../../../domain/item.js';
import { nextTimestamp } from '../acceptance-rules.js';
import type { ListAssignment, ListedOwners } from '../outbox.js';
import { append, findItems } from './accept.js';
import type { Database, Queries, Transaction } from './tables/database.js';
import { findUnlisted, assignOwner, listingVendors, portionsOf, throwItemsUnknown } from './ownership.js';
import { findEdits } from './read.js';

/**
 * Stores the ids of the list of a vendor, and replaces the previous ones. An id that several lists name keeps the order
 * in which they named it, even over restarts.
 *
 * @returns for each id that another list has too, or that was removed from this one, the vendors whose lists have it
 */
export async function recordList(database: Database, vendor: string, ids: readonly ItemId[]): Promise<ListedOwners> {
  const before = await database.query<{ id: ItemId }>('SELECT id FROM item_owner WHERE vendor = $1', vendor);
  const known = new Set(before.map(({ id }) => id));
  const named = new Set(ids);
  const removed = [...known].filter((id) => !named.has(id));
  for (const portion of portionsOf(removed)) {
    await database.transaction(
      (transaction) =>
        transaction.query(
          `DELETE FROM item_owner WHERE vendor = $1
           AND id IN (SELECT id FROM ${transaction.dialect.rows(2, 'removed', { id: 'text' })})`,
          vendor,
          jsonOf(portion),
        ),
      { vendor },
    );
  }
  for (const portion of portionsOf([...named].filter((id) => !known.has(id)))) {
    await database.transaction(
      (transaction) =>
        transaction.query(
          `INSERT INTO item_owner (id, vendor)
           SELECT id, $1 FROM ${transaction.dialect.rows(2, 'added', { id: 'text' })} WHERE true
           ON CONFLICT (id, vendor) DO NOTHING`,
          vendor,
          jsonOf(portion),
        ),
      { vendor },
    );
  }
  return contestedOf(database, vendor, removed);
}

async function contestedOf(queries: Queries, vendor: string, removed: readonly ItemId[]): Promise<ListedOwners> {
  const owners = new Map<ItemId, string[]>(removed.map((id) => [id, []]));
  const rows = await queries.query<{ id: ItemId; vendor: string }>(
    `SELECT owner.id, owner.vendor FROM item_owner AS own CROSS JOIN item_owner AS owner
     WHERE own.vendor = $1 AND owner.id = own.id
       AND EXISTS (SELECT 1 FROM item_owner AS other WHERE other.id = own.id AND other.vendor <> $1)
     ORDER BY owner.key`,
    vendor,
  );
  for (const row of rows) owners.set(row.id, [...(owners.get(row.id) ?? []), row.vendor]);
  for (const portion of portionsOf(removed)) {
    for (const [id, vendors] of await listingVendors(queries, portion)) owners.set(id, vendors);
  }
  return owners;
}

/**
 * Assigns to a vendor the ids that its list names and that another vendor has in the lane. If the portal may have a
 * value of that other vendor, the owner's delivered value is accepted again, as a new edit with a later timestamp.
 */
export async function assignListed(database: Database, assignment: ListAssignment): Promise<readonly ItemId[]> {
  const { vendor, lane, sharesLane } = assignment;
  const current = await database.query<{ id: ItemId }>(
    `SELECT item.id FROM item_owner AS owner CROSS JOIN item
     WHERE owner.vendor = $1 AND item.lane = $2 AND item.id = owner.id AND item.owned_by_other = 0 AND item.vendor <> $1
     ORDER BY item.key`,
    vendor,
    lane,
  );
  const assigned: ItemId[] = [];
  for (const portion of portionsOf(current.map(({ id }) => id))) {
    await database.transaction(async (transaction) => {
      const unlisted = await findUnlisted(transaction, vendor, portion, { sharesLane, isRead: true });
      const ids = portion.filter((id) => !unlisted.has(id));
      await assign(transaction, ids, assignment);
      assigned.push(...ids);
    });
  }
  return assigned;
}

async function assign(transaction: Transaction, ids: readonly ItemId[], assignment: ListAssignment): Promise<void> {
  const { vendor, lane, now } = assignment;
  const touched = await transaction.query<{ id: ItemId; last_stamp: number }>(
    `SELECT item.id, item.last_stamp FROM ${transaction.dialect.rows(1, 'wanted', { id: 'text' })} CROSS JOIN item
     WHERE item.lane = $2 AND item.id = wanted.id AND item.owned_by_other = 0 AND item.vendor <> $3
       AND EXISTS (SELECT 1 FROM edit WHERE edit.item = item.key AND edit.attempts > 0)`,
    jsonOf(ids),
    lane,
    vendor,
  );
  await assignOwner(
    transaction,
    lane,
    ids.map((id) => ({ id, vendor })),
    now,
  );
  for (const { id, last_stamp } of touched) await sendAgain(transaction, id, last_stamp, assignment);
}

/**
 * @param otherTimestamp the newest timestamp of the previous owner: the portal keeps the value with the newest timestamp
 */
async function sendAgain(
  transaction: Transaction,
  id: ItemId,
  otherTimestamp: number,
  { vendor, lane, now, portalOffset, timestampUnit, newId }: ListAssignment,
): Promise<void> {
  const items = await findItems(transaction, vendor, [id]);
  const item = items.get(id);
  if (item === undefined || item.newest_pending === null) return;
  const [newest] = await transaction.query<{ edit_id: EditId; state: string }>(
    'SELECT edit_id, state FROM edit WHERE vendor = $1 AND number = $2',
    vendor,
    item.newest_pending,
  );
  const row = newest && (await findEdits(transaction, vendor, [newest.edit_id])).get(newest.edit_id);
  if (row?.state !== 'delivered') return;
  const origin = { vendor, lane, subject: row.subject, name: row.name, bulk: 0, now } as const;
  await append(transaction, origin, items, [
    {
      edit_id: newId(),
      item_id: id,
      label: null,
      available: row.available,
      previous_value: row.available,
      clicked_at: row.clicked_at,
      base: row.base,
      stamp: nextTimestamp(now + portalOffset, Math.max(item.last_stamp, otherTimestamp), timestampUnit),
      retry_of: row.edit_id,
      state: 'received',
      reason: null,
    },
  ]);
  transaction.changed.add(vendor);
}

/**
 * Ends a vendor's ownership of an id, by first use or by a list. Its waiting edits are refused.
 *
 * @returns whether the vendor owned it
 */
export async function releaseItem(transaction: Transaction, vendor: string, id: ItemId, now: number): Promise<boolean> {
  const listed = await transaction.query(
    'DELETE FROM item_owner WHERE vendor = $1 AND id = $2 RETURNING id',
    vendor,
    id,
  );
  const used = await transaction.query<{ key: number }>(
    'UPDATE item SET owned_by_other = 1 WHERE vendor = $1 AND id = $2 AND owned_by_other = 0 RETURNING key',
    vendor,
    id,
  );
  await throwItemsUnknown(
    transaction,
    used.map(({ key }) => key),
    now,
  );
  return listed.length + used.length > 0;
}

function jsonOf(ids: readonly ItemId[]): string {
  return JSON.stringify(ids.map((id) => ({ id })));
}
