import type { ItemId } from '../../../../domain/item.js';
import type { Queries, Statement } from './postgres-connection.js';
import { now } from './postgres-time.js';

/** At most so many leave a pause at once, so that no transaction grows with what waits. The others follow. */
const MOST_ENDED_PAUSES = 1000;

/** The first turn in line; it is what comes back takes. */
export const headOf = (edit: string): string => `coalesce((SELECT head.turn FROM edit AS head
  WHERE head.lane = ${edit}.lane AND head.bulk = ${edit}.bulk AND head.turn IS NOT NULL ORDER BY head.turn LIMIT 1), 0)`;

const ended = (bulk: boolean): string => `(SELECT seq, lane, bulk, vendor FROM edit
  WHERE lane = $1 AND bulk = ${String(bulk)} AND turn IS NULL AND due_at <= ${now('$2')}
  ORDER BY due_at LIMIT ${String(MOST_ENDED_PAUSES)})`;

/** Lets in what has paused long enough: the edits of one vendor one turn after the other. */
const END_PAUSES: Statement = {
  name: 'end_pauses',
  text: `UPDATE edit SET turn = placed.turn
    FROM (
      SELECT seq, ${headOf('ended')} + row_number() OVER (PARTITION BY bulk, vendor ORDER BY seq) - 1 AS turn
      FROM (${ended(false)} UNION ALL ${ended(true)}) AS ended
    ) AS placed
    WHERE edit.seq = placed.seq`,
};

/** The oldest that waits; where none does, the delivered value that has to be said again. Unless it is placed already. */
const BRING_FORWARD: Statement = {
  name: 'bring_forward',
  text: `WITH
    next AS (
      SELECT seq, lane, bulk, due_at, open_attempt FROM edit WHERE vendor = $1 AND item_id = $2 AND state = 'received'
      ORDER BY seq LIMIT 1),
    said AS (
      SELECT edit.seq, item.again_at FROM item, LATERAL (
        SELECT seq, due_at, open_attempt FROM edit
        WHERE edit.vendor = item.vendor AND edit.item_id = item.id AND state = 'delivered'
        ORDER BY stamp DESC LIMIT 1) AS edit
      WHERE item.vendor = $1 AND item.id = $2 AND item.again_at IS NOT NULL AND edit.due_at IS NULL AND edit.open_attempt IS NULL
        AND NOT EXISTS (SELECT 1 FROM next)),
    placed AS (
      SELECT seq, 0 AS due_at, ${headOf('next')} AS turn FROM next WHERE due_at IS NULL AND open_attempt IS NULL
      UNION ALL SELECT seq, again_at, NULL FROM said)
    UPDATE edit SET due_at = placed.due_at, turn = placed.turn FROM placed WHERE edit.seq = placed.seq`,
};

/**
 * The line of what may leave now, kept as in `sqlite-line.ts`: an edit is given its turn when it enters.
 */
export async function endPauses(transaction: Queries, lane: string, given: number | null): Promise<void> {
  await transaction.query(END_PAUSES, lane, given);
}

export async function bringForward(transaction: Queries, vendor: string, item: ItemId): Promise<void> {
  await transaction.query(BRING_FORWARD, vendor, item);
}
