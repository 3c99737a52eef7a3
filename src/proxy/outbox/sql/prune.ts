import type { EditState } from '../../../domain/edit-state.js';
import { listed, listOf, type Database, type Transaction } from './tables/database.js';
import { Vendors } from './tables/vendors.js';

/** Number of rows that one transaction reads, so that batches are accepted between transactions. */
const ROWS_AT_ONCE = 500;

interface EndedRow {
  readonly seq: number;
  readonly vendor: string;
  readonly state: EditState;
  readonly settled_at: number;
  readonly kept: 0 | 1;
}

/**
 * The position after the last edit that was read, and the number of deleted rows. Edits that are kept must not be read
 * again.
 */
interface Progress {
  readonly rows: number;
  readonly settledAt: number;
  readonly seq: number;
}

/**
 * Deletes old settled edits, attempts and idempotency keys. It keeps the newest edit of an item, the edits that its value
 * is read from, and those that await a decision or a resend. A delivered edit is old when the next edit of its item is: it
 * may have been current for years, and an edit that has it as its base needs it until then.
 *
 * @returns the number of deleted rows
 */
export async function prune(
  database: Database,
  before: { readonly settled: number; readonly keys: number },
): Promise<number> {
  let rows = 0;
  for (const [some, time] of [
    [pruneKeys, before.keys],
    [pruneAttempts, before.settled],
  ] as const) {
    for (let gone = 1; gone > 0; rows += gone)
      gone = await database.transaction((transaction) => some(transaction, time), { rowsOnly: true });
  }
  let progress: Progress | undefined = { rows, settledAt: -1, seq: 0 };
  while (progress !== undefined) {
    const last: Progress = progress;
    ({ rows } = last);
    progress = await database.transaction((transaction) => pruneEdits(transaction, before.settled, last));
  }
  return rows;
}

async function pruneKeys(transaction: Transaction, before: number): Promise<number> {
  const gone = await transaction.query(
    `DELETE FROM idempotency WHERE (vendor, subject, key) IN (
       SELECT vendor, subject, key FROM idempotency WHERE accepted_at < $1 ORDER BY accepted_at LIMIT ${String(ROWS_AT_ONCE)})
     RETURNING accepted_at`,
    before,
  );
  return gone.length;
}

/** Deletes the oldest attempts first and stops at an open or younger one, because ids increase with time. */
async function pruneAttempts(transaction: Transaction, before: number): Promise<number> {
  const gone = await transaction.query(
    `DELETE FROM attempt WHERE id IN (
       SELECT id FROM (SELECT id, closed_at FROM attempt WHERE id > 0 ORDER BY id LIMIT ${String(ROWS_AT_ONCE)}) AS old
       WHERE closed_at < $1) RETURNING id`,
    before,
  );
  return gone.length;
}

/** @returns the progress; `undefined` if no more edits are old enough */
async function pruneEdits(
  transaction: Transaction,
  before: number,
  { rows, settledAt, seq }: Progress,
): Promise<Progress | undefined> {
  const ended = await transaction.query<EndedRow>(
    `SELECT ended.seq, ended.vendor, ended.state, ended.settled_at,
       CASE WHEN ended.state = 'refused' OR ended.open_attempt IS NOT NULL
         OR (ended.state = 'delivered' AND item.resend_at IS NOT NULL)
         OR ended.number IN (coalesce(item.newest_visible, 0), coalesce(item.newest_pending, 0))
         OR coalesce((SELECT CASE ended.state WHEN 'delivered' THEN next.settled_at ELSE 0 END FROM edit AS next
           WHERE next.item = ended.item AND next.stamp > ended.stamp ORDER BY next.stamp LIMIT 1) >= $1, true)
       THEN 1 ELSE 0 END AS kept
     FROM (
       SELECT * FROM edit WHERE settled_at IS NOT NULL AND settled_at < $1 AND (settled_at, seq) > ($2, $3)
       ORDER BY settled_at, seq LIMIT ${String(ROWS_AT_ONCE)}
     ) AS ended CROSS JOIN item WHERE item.key = ended.item ORDER BY ended.settled_at, ended.seq`,
    before,
    settledAt,
    seq,
  );
  const last = ended.at(-1);
  if (last === undefined) return undefined;
  const gone = ended.filter(({ kept }) => kept === 0);
  if (gone.length > 0) {
    const vendors = await Vendors.of(
      transaction,
      gone.map(({ vendor }) => vendor),
    );
    for (const { vendor, state } of gone) vendors.move(vendor, state, undefined);
    await transaction.query(
      `DELETE FROM edit WHERE seq IN ${listed(transaction, 1)} RETURNING seq`,
      listOf(gone.map((row) => row.seq)),
    );
    await vendors.write();
  }
  return { rows: rows + gone.length, settledAt: last.settled_at, seq: last.seq };
}
