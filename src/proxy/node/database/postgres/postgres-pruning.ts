import { ITS_ITEM } from '../outbox-rows.js';
import type { Queries, Statement } from './postgres-connection.js';

/** Rows looked at in one transaction: acceptance goes on between them. */
const ROWS_AT_ONCE = 500;

interface EndedRow {
  readonly seq: number;
  readonly settled_at: number;
  readonly kept: boolean;
}

/** Where pruning stands, and what has gone so far. */
export interface Pruned {
  readonly rows: number;
  /** The last edit looked at: some are kept, and must not be found again. */
  readonly settledAt: number;
  readonly seq: number;
}

export const NOTHING_PRUNED: Pruned = { rows: 0, settledAt: -1, seq: 0 };

const KEYS: Statement = {
  name: 'prune_keys',
  text: `DELETE FROM idempotency USING (
      SELECT vendor, subject, key FROM idempotency WHERE accepted_at < $1 ORDER BY accepted_at LIMIT $2) AS old
    WHERE (idempotency.vendor, idempotency.subject, idempotency.key) = (old.vendor, old.subject, old.key)
    RETURNING 1`,
};

// Oldest first, and none after one that is open or younger: ids grow with time.
const ATTEMPTS: Statement = {
  name: 'prune_attempts',
  text: `DELETE FROM attempt USING (SELECT id FROM attempt ORDER BY id LIMIT $2) AS old
    WHERE attempt.id = old.id AND closed_at < $1 RETURNING 1`,
};

const ENDED: Statement = {
  name: 'prune_ended',
  text: `SELECT e.seq, e.settled_at, e.state = 'refused' OR e.open_attempt IS NOT NULL
        OR (e.state = 'delivered' AND item.again_at IS NOT NULL)
        OR e.seq IN (coalesce(item.shown, 0), coalesce(item.plain, 0))
        OR coalesce((
          SELECT CASE e.state WHEN 'delivered' THEN next.settled_at ELSE 0 END FROM edit AS next
          WHERE next.vendor = e.vendor AND next.item_id = e.item_id AND next.stamp > e.stamp ORDER BY next.stamp LIMIT 1
        ) >= $1, true) AS kept
    FROM (
      SELECT * FROM edit WHERE settled_at IS NOT NULL AND settled_at < $1 AND (settled_at, seq) > ($2, $3)
      ORDER BY settled_at, seq LIMIT $4
    ) AS e JOIN item ON ${ITS_ITEM} ORDER BY e.settled_at, e.seq`,
};

const REMOVE: Statement = { name: 'prune_remove', text: 'DELETE FROM edit WHERE seq = ANY ($1::bigint[])' };

/** What goes and what is kept is told in `sqlite-pruning.ts`. */
export async function pruneKeys(transaction: Queries, before: number): Promise<number> {
  return (await transaction.query(KEYS, before, ROWS_AT_ONCE)).length;
}

export async function pruneAttempts(transaction: Queries, before: number): Promise<number> {
  return (await transaction.query(ATTEMPTS, before, ROWS_AT_ONCE)).length;
}

/** @returns `undefined` when no more are old enough */
export async function pruneEdits(
  transaction: Queries,
  before: number,
  { rows, settledAt, seq }: Pruned,
): Promise<Pruned | undefined> {
  const ended = await transaction.query<EndedRow>(ENDED, before, settledAt, seq, ROWS_AT_ONCE);
  const last = ended.at(-1);
  if (last === undefined) return undefined;
  const gone = ended.flatMap((row) => (row.kept ? [] : [row.seq]));
  if (gone.length > 0) await transaction.query(REMOVE, gone);
  return { rows: rows + gone.length, settledAt: last.settled_at, seq: last.seq };
}
