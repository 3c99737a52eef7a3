import type { ItemId } from '../../../domain/item.js';
import type { ListedItems, Reading } from '../portal-lists.js';
import { storable, wholeTime, type Database, type Queries, type Transaction } from '../sql/tables/database.js';
import type { Flag } from '../sql/tables/rows.js';
import { markDelivered, type AcceptedRow } from '../sql/settle.js';
import { Vendors } from '../sql/tables/vendors.js';

/** An item of a reading, with its time in milliseconds. */
export interface SeenRow {
  readonly id: ItemId;
  readonly available: Flag | null;
  readonly updated_at: number | null;
  readonly label: string | null;
}

interface DriftRow {
  readonly key: number;
  readonly id: ItemId;
  readonly vendor: string;
  /** Since when the portal has the other value, as shown to people; `null`: it has the delivered value again. */
  readonly drift_stamp: number | null;
}

const SEEN = { id: 'text', available: 'integer', updated_at: 'integer' } as const;

/**
 * Applies a reading to edits: confirms accepted edits that the portal has processed, and marks items that have another
 * value at the portal than was delivered.
 *
 * @param isHeld whether the reading still has its claim
 * @returns the number of both; `undefined` if the claim was lost
 */
export async function settleByList(
  database: Database,
  reading: Reading,
  list: Pick<ListedItems, 'lane' | 'vendor'>,
  seen: readonly SeenRow[],
  wall: number,
  isHeld: (transaction: Transaction, reading: Reading) => Promise<boolean>,
): Promise<{ readonly confirmed: number; readonly drifted: number } | undefined> {
  // Usually nothing changes, and no transaction is needed.
  const found = await find(database, reading, list, seen, wall);
  if (found.confirmed.length === 0 && found.drifts.length === 0) return { confirmed: 0, drifted: 0 };
  const ids = new Set([...found.confirmed, ...found.drifts].map(({ id }) => id));
  const rows = seen.filter(({ id }) => ids.has(id));
  return database.transaction(async (transaction) => {
    if (!(await isHeld(transaction, reading))) return undefined;
    const { confirmed, drifts } = await find(transaction, reading, list, rows, wall);
    await markDelivered(transaction, confirmed, wall);
    await changesAt(transaction, drifts, reading.begunAt);
    return { confirmed: confirmed.length, drifted: drifts.filter(({ drift_stamp }) => drift_stamp !== null).length };
  });
}

/**
 * Sets or removes the marks of items and gives them new revisions.
 *
 * @param begunAt start of the reading that found the other value; `null` removes the marks
 */
export async function changesAt(
  transaction: Transaction,
  drifts: readonly (Pick<DriftRow, 'key' | 'vendor'> & Partial<DriftRow>)[],
  begunAt: number | null,
): Promise<void> {
  if (drifts.length === 0) return;
  const vendors = await Vendors.of(
    transaction,
    drifts.map(({ vendor }) => vendor),
  );
  const rows = drifts.map(({ key, vendor, drift_stamp = null }) => {
    transaction.changed.add(vendor);
    const drift_at = drift_stamp === null ? null : begunAt;
    return { key, revision: vendors.nextRevision(vendor), drift_stamp, drift_at };
  });
  const columns = { key: 'integer', revision: 'integer', drift_stamp: 'integer', drift_at: 'integer' } as const;
  await transaction.query(
    `UPDATE item SET revision = drift.revision, drift_at = drift.drift_at, drift_stamp = drift.drift_stamp
     FROM ${transaction.dialect.rows(1, 'drift', columns)} WHERE item.key = drift.key`,
    JSON.stringify(rows),
  );
  await vendors.write();
}

async function find(
  queries: Queries,
  reading: Reading,
  list: Pick<ListedItems, 'lane' | 'vendor'>,
  seen: readonly SeenRow[],
  wall: number,
): Promise<{ readonly confirmed: (AcceptedRow & { readonly id: ItemId })[]; readonly drifts: DriftRow[] }> {
  const json = JSON.stringify(seen);
  const [confirmed, drifts] = await Promise.all([
    findConfirmed(queries, reading, list, json),
    findDrifts(queries, reading, list, json, wall),
  ]);
  return { confirmed, drifts };
}

/** For a query with `item` and `seen`: the item of this lane with that id. */
const ITEM = `item.lane = $2 AND item.id = seen.id AND item.owned_by_other = 0 AND ($3 = '' OR item.vendor = $3)`;

/**
 * Finds accepted edits whose value is in the list. An entry with a time before the edit shows the portal's previous value.
 * Times are compared in whole seconds, because some portals store no more.
 */
function findConfirmed(
  queries: Queries,
  { begunAt }: Reading,
  { lane, vendor = '' }: Pick<ListedItems, 'lane' | 'vendor'>,
  seen: string,
): Promise<(AcceptedRow & { readonly id: ItemId })[]> {
  return queries.query(
    `SELECT e.seq, e.item, e.vendor, item.id FROM ${queries.dialect.rows(1, 'seen', SEEN)} CROSS JOIN item CROSS JOIN edit AS e
     WHERE ${ITEM} AND e.item = item.key AND e.state IN ('received', 'refused', 'conflict') AND e.state = 'received'
       AND e.confirm_at IS NOT NULL AND e.answered_at < $4 AND e.available = seen.available
       AND (seen.updated_at IS NULL OR seen.updated_at >= e.stamp - e.stamp % 1000)`,
    seen,
    lane,
    vendor,
    begunAt,
  );
}

/**
 * Finds items whose mark has to change. Only items without activity count: the current edit is delivered, its value is
 * not going to be resent, and no call can arrive any more that may change the item.
 */
async function findDrifts(
  queries: Queries,
  { name, begunAt }: Reading,
  { lane, vendor = '' }: Pick<ListedItems, 'lane' | 'vendor'>,
  seen: string,
  wall: number,
): Promise<DriftRow[]> {
  const isOther = `seen.available <> e.available AND (item.drift_at IS NULL OR item.drift_at <= e.answered_at)
    AND before.available = seen.available AND last.read_at > e.answered_at`;
  const rows = await queries.query<
    Omit<DriftRow, 'drift_stamp'> & { ends: Flag; updated_at: number | null; stamp: number }
  >(
    `SELECT item.key, item.id, item.vendor, e.stamp, seen.updated_at,
       CASE WHEN seen.available = e.available THEN 1 ELSE 0 END AS ends
     FROM ${queries.dialect.rows(1, 'seen', SEEN)} CROSS JOIN item
       JOIN edit AS e ON e.vendor = item.vendor AND e.number = item.newest_visible
       JOIN portal_list AS last ON last.name = $5
       LEFT JOIN portal_item AS before ON before.list = $5 AND before.id = seen.id
     WHERE ${ITEM} AND e.state = 'delivered' AND e.answered_at < $4 AND item.resend_at IS NULL
       AND (item.uncertain_until IS NULL OR item.uncertain_until < $4)
       AND ((seen.available = e.available AND item.drift_at IS NOT NULL) OR (${isOther}))`,
    seen,
    lane,
    vendor,
    begunAt,
    storable(name),
  );
  return rows.map(({ key, id, vendor: owner, ends, updated_at, stamp }) => ({
    key,
    id,
    vendor: owner,
    // If the entry's time is older than the edit, the portal does not say when the value changed, so the time of the
    // reading is used.
    drift_stamp: ends === 1 ? null : updated_at !== null && updated_at > stamp ? updated_at : wholeTime(wall),
  }));
}
