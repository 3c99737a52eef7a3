import type { CatalogItem } from '../../../contract/widget.js';
import { toTimestamp, type ItemId } from '../../../domain/item.js';
import type {
  ListedItems,
  ListedPage,
  ListedValue,
  ListEffect,
  PortalLists,
  Reading,
  ReadingWanted,
} from '../portal-lists.js';
import { storable, wholeTime, type Database, type Queries, type Transaction } from '../sql/tables/database.js';
import { portionsOf } from '../sql/ownership.js';
import { changesAt, settleByList, type SeenRow } from './settle-by-list.js';

/** The portal's lists in the tables of the outbox. `portal-lists.ts` lists the promises. */
export function createSqlPortalLists(database: Database): PortalLists {
  return {
    async claim(wanted: ReadingWanted): Promise<Reading | number> {
      // Usually it is not due, and no transaction is needed.
      const waitMs = await untilDue(database, wanted, await database.now(wanted.now));
      if (waitMs > 0) return waitMs;
      return database.transaction((transaction) => claim(transaction, wanted), { rowsOnly: true });
    },

    async store(reading: Reading, list: ListedItems, wall: number): Promise<ListEffect | undefined> {
      const seen = { ...list, lane: storable(list.lane), vendor: storable(list.vendor) };
      let effect: ListEffect = { confirmed: 0, drifted: 0, changed: 0 };
      for (const portion of portionsOf(list.values.map(rowOf))) {
        const part = await storePortion(database, reading, seen, portion, wall);
        if (part === undefined) return undefined;
        effect = {
          confirmed: effect.confirmed + part.confirmed,
          drifted: effect.drifted + part.drifted,
          changed: effect.changed + part.changed,
        };
      }
      const gone = await dropMissing(database, reading, list.values);
      return gone === undefined ? undefined : { ...effect, changed: effect.changed + gone };
    },

    async release({ name, begunAt }: Reading): Promise<void> {
      await database.transaction(
        (transaction) =>
          transaction.query(
            'UPDATE portal_list SET claimed_until = 0 WHERE name = $1 AND begun_at = $2',
            storable(name),
            begunAt,
          ),
        { rowsOnly: true },
      );
    },

    async isRead(name: string): Promise<boolean> {
      return (
        (await database.query('SELECT 1 FROM portal_list WHERE name = $1 AND read_at > 0', storable(name))).length > 0
      );
    },

    async awaitingVendors(now: number, forMs: number): Promise<readonly string[]> {
      const rows = await database.query<{ vendor: string }>(
        'SELECT DISTINCT vendor FROM edit WHERE confirm_at IS NOT NULL AND answered_at > $1',
        wholeTime((await database.now(now)) - forMs),
      );
      return rows.map(({ vendor }) => vendor);
    },

    async unreadVendors(now, forMs, nameOf): Promise<readonly string[]> {
      const at = await database.now(now);
      const read = await database.query<{ name: string }>(
        'SELECT name FROM portal_list WHERE begun_at > $1 AND begun_at <= $2',
        wholeTime(at - forMs),
        wholeTime(at),
      );
      const names = new Set(read.map(({ name }) => name));
      const vendors = await database.query<{ name: string }>('SELECT name FROM vendor ORDER BY name');
      return vendors.flatMap(({ name: vendor }) => {
        const name = nameOf(vendor);
        if (name === undefined || names.has(storable(name))) return [];
        names.add(storable(name));
        return [vendor];
      });
    },

    items(page: ListedPage): Promise<CatalogItem[]> {
      return items(database, page);
    },

    async forget(): Promise<void> {
      const [known] = await database.query('SELECT 1 FROM portal_list LIMIT 1');
      if (known === undefined) return;
      await database.transaction(async (transaction) => {
        await transaction.query('DELETE FROM portal_item');
        await transaction.query('DELETE FROM portal_list');
        await changesAt(
          transaction,
          await transaction.query('SELECT key, vendor FROM item WHERE drift_at IS NOT NULL'),
          null,
        );
      });
    },
  };
}

interface ListRow {
  readonly begun_at: number;
  readonly claimed_until: number;
}

async function untilDue(queries: Queries, { name, everyMs, forMs }: ReadingWanted, now: number): Promise<number> {
  const [row] = await queries.query<ListRow>(
    'SELECT begun_at, claimed_until FROM portal_list WHERE name = $1',
    storable(name),
  );
  if (row === undefined) return 0;
  // A clock that was set back must not delay the reading.
  const ends = row.claimed_until > now + forMs ? 0 : row.claimed_until;
  const next = row.begun_at > now ? 0 : row.begun_at + everyMs;
  return Math.max(ends, next, now) - now;
}

async function claim(transaction: Transaction, wanted: ReadingWanted): Promise<Reading | number> {
  const name = storable(wanted.name);
  const now = wholeTime(transaction.now(wanted.now));
  await transaction.query('INSERT INTO portal_list (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', name);
  // Locks the row, so that a second process finds the claim of the first.
  const [row] = await transaction.query<ListRow>(
    'UPDATE portal_list SET read_at = read_at WHERE name = $1 RETURNING begun_at, claimed_until',
    name,
  );
  const waitMs = await untilDue(transaction, wanted, now);
  // Two readings never have the same time, which identifies them.
  if (waitMs > 0 || row?.begun_at === now) return Math.max(waitMs, 1);
  await transaction.query(
    'UPDATE portal_list SET begun_at = $2, claimed_until = $3 WHERE name = $1',
    name,
    now,
    wholeTime(now + wanted.forMs),
  );
  return { name: wanted.name, begunAt: now };
}

/** Whether this reading still has the claim. It locks the row. */
async function isHeld(transaction: Transaction, { name, begunAt }: Reading): Promise<boolean> {
  const rows = await transaction.query(
    'UPDATE portal_list SET begun_at = begun_at WHERE name = $1 AND begun_at = $2 RETURNING name',
    storable(name),
    begunAt,
  );
  return rows.length > 0;
}

function rowOf({ id, available, updated_at, label }: ListedValue): SeenRow {
  const time = updated_at === undefined ? NaN : Date.parse(updated_at);
  return {
    id,
    available: available === undefined ? null : available ? 1 : 0,
    updated_at: Number.isNaN(time) ? null : time,
    label: label === undefined ? null : storable(label),
  };
}

const SEEN = { id: 'text', available: 'integer', updated_at: 'integer', label: 'text' } as const;

/** The effects on edits are decided first, because they depend on the values of the last reading. */
async function storePortion(
  database: Database,
  reading: Reading,
  list: Pick<ListedItems, 'lane' | 'vendor'>,
  seen: readonly SeenRow[],
  wall: number,
): Promise<ListEffect | undefined> {
  const settled = await settleByList(database, reading, list, seen, wall, isHeld);
  if (settled === undefined) return undefined;
  const name = storable(reading.name);
  const known = await database.query<SeenRow>(
    `SELECT known.id, known.available, known.updated_at, known.label
     FROM ${database.dialect.rows(2, 'seen', SEEN)} CROSS JOIN portal_item AS known
     WHERE known.list = $1 AND known.id = seen.id`,
    name,
    JSON.stringify(seen),
  );
  const before = new Map(known.map((row) => [row.id, row]));
  const changed = seen.filter((row) => !isSame(before.get(row.id), row));
  if (changed.length === 0) return { ...settled, changed: 0 };
  const isStored = await database.transaction(
    async (transaction) => {
      if (!(await isHeld(transaction, reading))) return false;
      await transaction.query(
        `INSERT INTO portal_item (list, id, available, updated_at, label)
         SELECT $1, id, available, updated_at, label FROM ${transaction.dialect.rows(2, 'seen', SEEN)} WHERE true ORDER BY id
         ON CONFLICT (list, id) DO UPDATE SET available = excluded.available, updated_at = excluded.updated_at,
           label = excluded.label`,
        name,
        JSON.stringify(changed),
      );
      return true;
    },
    { rowsOnly: true },
  );
  return isStored ? { ...settled, changed: changed.length } : undefined;
}

function isSame(before: SeenRow | undefined, { available, updated_at, label }: SeenRow): boolean {
  return before?.available === available && before.updated_at === updated_at && before.label === label;
}

/** Ends the reading. @returns how many items are no longer in the list */
async function dropMissing(
  database: Database,
  reading: Reading,
  values: readonly ListedValue[],
): Promise<number | undefined> {
  const name = storable(reading.name);
  const named = new Set<string>(values.map(({ id }) => id));
  const known = await database.query<{ id: ItemId }>('SELECT id FROM portal_item WHERE list = $1', name);
  const missing = known.filter(({ id }) => !named.has(id));
  return database.transaction(
    async (transaction) => {
      if (!(await isHeld(transaction, reading))) return undefined;
      await transaction.query(
        `DELETE FROM portal_item WHERE list = $1
           AND id IN (SELECT missing.id FROM ${transaction.dialect.rows(2, 'missing', { id: 'text' })})`,
        name,
        JSON.stringify(missing),
      );
      await transaction.query('UPDATE portal_list SET read_at = begun_at, claimed_until = 0 WHERE name = $1', name);
      return missing.length;
    },
    { rowsOnly: true },
  );
}

interface ListedRow {
  readonly id: ItemId;
  readonly available: number | null;
  readonly updated_at: number | null;
  readonly label: string | null;
}

async function items(
  queries: Queries,
  { name, lane, vendor, isWhole, after, within, limit }: ListedPage,
): Promise<CatalogItem[]> {
  const selected =
    within === undefined
      ? ''
      : within.ids === undefined
        ? 'AND listed.id >= $6 AND listed.id <= $7'
        : `AND listed.id IN (SELECT wanted.id FROM ${queries.dialect.rows(6, 'wanted', { id: 'text' })})`;
  const values =
    within === undefined
      ? []
      : within.ids === undefined
        ? [within.from, within.to]
        : [JSON.stringify(within.ids.map((id) => ({ id })))];
  const own = `AND (EXISTS (SELECT 1 FROM item WHERE item.vendor = $2 AND item.id = listed.id AND item.owned_by_other = 0)
    OR (SELECT owner.vendor FROM item_owner AS owner WHERE owner.id = listed.id ORDER BY owner.key LIMIT 1) = $2)`;
  const rows = await queries.query<ListedRow>(
    `SELECT listed.id, listed.available, listed.updated_at, listed.label FROM portal_item AS listed
     WHERE listed.list = $1 AND listed.id > $4 ${selected} ${isWhole ? '' : own}
       AND NOT EXISTS (SELECT 1 FROM item WHERE item.vendor = $2 AND item.id = listed.id AND item.newest_visible IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM item WHERE item.lane = $3 AND item.id = listed.id AND item.owned_by_other = 0
         AND item.vendor <> $2)
     ORDER BY listed.id LIMIT $5`,
    storable(name),
    storable(vendor),
    storable(lane),
    after ?? '',
    limit,
    ...values,
  );
  return rows.map(({ id, available, updated_at, label }) => ({
    id,
    ...(available !== null && { available: available === 1, on_portal: 'listed' }),
    ...(updated_at !== null && { updated_at: toTimestamp(updated_at) }),
    ...(label !== null && { label }),
  }));
}
