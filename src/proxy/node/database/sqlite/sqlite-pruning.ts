import type { Statements } from './sqlite-statements.js';

/** Rows looked at in one transaction: acceptance goes on between them. */
const ROWS_AT_ONCE = 500;

interface EndedRow {
  readonly seq: number;
  readonly settled_at: number;
  readonly kept: 0 | 1;
}

/** Where pruning stands, and what has gone so far. */
export interface Pruned {
  readonly rows: number;
  /** The last edit looked at: some are kept, and must not be found again. */
  readonly settledAt: number;
  readonly seq: number;
}

export const NOTHING_PRUNED: Pruned = { rows: 0, settledAt: -1, seq: 0 };

/**
 * Deletes what is old: settled edits, calls to the portal, keys. Kept is the newest edit of an item, the ones that its
 * value is told from, and what waits for a person or is going to be said again. What was delivered is old when the next of
 * its item is: it may have stood for years, and a wish that was made upon it has to be known until then.
 */
export class SqlitePruning {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Statements) {
    this.#sql = prepare(database);
  }

  keys(before: number): number {
    return this.#sql.keys.run(before, ROWS_AT_ONCE).changes;
  }

  attempts(before: number): number {
    return this.#sql.attempts.run(ROWS_AT_ONCE, before).changes;
  }

  /** @returns `undefined` when no more are old enough */
  edits(before: number, { rows, settledAt, seq }: Pruned): Pruned | undefined {
    const ended = this.#sql.ended.all(before, before, settledAt, seq, ROWS_AT_ONCE);
    const last = ended.at(-1);
    if (last === undefined) return undefined;
    const gone = ended.filter(({ kept }) => kept === 0);
    for (const row of gone) this.#sql.remove.run(row.seq);
    return { rows: rows + gone.length, settledAt: last.settled_at, seq: last.seq };
  }
}

function prepare(database: Statements) {
  return {
    keys: database.prepare(
      `DELETE FROM idempotency WHERE (vendor, subject, key) IN (
         SELECT vendor, subject, key FROM idempotency WHERE accepted_at < ? ORDER BY accepted_at LIMIT ?)`,
    ),
    // Oldest first, and none after one that is open or younger: ids grow with time.
    attempts: database.prepare(
      `DELETE FROM attempt WHERE id IN (
         SELECT id FROM (SELECT id, closed_at FROM attempt WHERE id > 0 ORDER BY id LIMIT ?) WHERE closed_at < ?)`,
    ),
    ended: database.prepare<[number, number, number, number, number], EndedRow>(
      `SELECT e.seq, e.settled_at, e.state = 'refused' OR e.open_attempt IS NOT NULL
           OR (e.state = 'delivered' AND item.again_at IS NOT NULL)
           OR e.seq IN (coalesce(item.shown, 0), coalesce(item.plain, 0))
           OR coalesce((SELECT iif(e.state = 'delivered', next.settled_at, 0) FROM edit AS next
             WHERE next.item = e.item AND next.stamp > e.stamp ORDER BY next.stamp LIMIT 1) >= ?, 1) AS kept
       FROM edit AS e CROSS JOIN item ON item.key = e.item
       WHERE e.settled_at IS NOT NULL AND e.settled_at < ? AND (e.settled_at, e.seq) > (?, ?)
       ORDER BY e.settled_at, e.seq LIMIT ?`,
    ),
    remove: database.prepare('DELETE FROM edit WHERE seq = ?'),
  };
}
