import { LeaseLost, type Lease } from '../outbox.js';
import { listed, listOf, wholeTime, type Transaction } from './tables/database.js';
import type { EditRow } from './tables/rows.js';

/** At most so many leave a pause at once, so that no transaction grows with what waits. The others follow. */
const MOST_ENDED_PAUSES = 1000;

/**
 * The queue of what may leave now: what a person waits for before bulk, then the vendors in turn, then the order of acceptance. A
 * vendor with ten thousand edits delays another's one by a single place.
 *
 * Sorting all that waits for each call would cost more the longer a portal is down. Here an edit is given its position when it
 * is queued, as in fair queueing: the one after its vendor's last, but never one that the queue is past already. What comes
 * back (its pause is over, its older edit is done) takes the position of the head of the queue: its vendor waited for it.
 */
const headOf = (edit: string): string => `coalesce((SELECT head.queue_position FROM edit AS head
  WHERE head.lane = ${edit}.lane AND head.bulk = ${edit}.bulk AND head.queue_position IS NOT NULL
  ORDER BY head.queue_position LIMIT 1), 0)`;

/** Queues what has paused long enough: the edits of one vendor one position after the other. */
export async function endPauses(transaction: Transaction, lane: string, now: number): Promise<void> {
  await transaction.query(
    `UPDATE edit SET queue_position = placed.place
     FROM (
       SELECT ended.seq, ${headOf('ended')}
         + row_number() OVER (PARTITION BY ended.bulk, ended.vendor ORDER BY ended.seq) - 1 AS place
       FROM (
         SELECT seq, lane, bulk, vendor FROM edit
         WHERE lane = $1 AND queue_position IS NULL AND due_at <= $2 ORDER BY due_at LIMIT ${String(MOST_ENDED_PAUSES)}
       ) AS ended
     ) AS placed
     WHERE edit.seq = placed.seq`,
    lane,
    now,
  );
}

/** Of each item the oldest edit that waits, or else the delivered one that has to be resent, unless it is placed already. */
export async function bringForward(transaction: Transaction, items: readonly number[]): Promise<void> {
  if (items.length === 0) return;
  const wanted = transaction.dialect.rows(1, 'wanted', { value: 'integer' });
  const oldestWaiting = (item: string): string => `SELECT next.seq FROM edit AS next
    WHERE next.item = ${item} AND next.state IN ('received', 'refused', 'conflict') AND next.state = 'received'
      AND next.confirm_at IS NULL ORDER BY next.seq LIMIT 1`;
  const next = await transaction.query<{ lane: string }>(
    `UPDATE edit SET due_at = 0, queue_position = ${headOf('edit')}
     WHERE seq IN (SELECT (${oldestWaiting('wanted.value')}) FROM ${wanted}) AND due_at IS NULL AND open_attempt IS NULL
     RETURNING lane`,
    listOf(items),
  );
  const resent = await transaction.query<{ lane: string }>(
    `UPDATE edit SET due_at = (SELECT resend_at FROM item WHERE item.key = edit.item)
     WHERE seq IN (
       SELECT (SELECT last.seq FROM edit AS last WHERE last.item = item.key AND last.state = 'delivered'
         ORDER BY last.stamp DESC LIMIT 1)
       FROM ${wanted} CROSS JOIN item
       WHERE item.key = wanted.value AND item.resend_at IS NOT NULL AND NOT EXISTS (${oldestWaiting('item.key')})
     ) AND due_at IS NULL AND open_attempt IS NULL RETURNING lane`,
    listOf(items),
  );
  // Where settings have changed, the next edit of an item may wait in another lane.
  await refreshLanes(
    transaction,
    [...next, ...resent].map(({ lane }) => lane),
  );
}

/** For a query with `lane`: when it has something to do. */
export const NEXT_AT = `CASE
  WHEN EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND queue_position IS NOT NULL)
    OR EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND open_attempt IS NOT NULL) THEN 0
  ELSE (SELECT due_at FROM edit WHERE edit.lane = lane.name AND queue_position IS NULL AND due_at IS NOT NULL
    ORDER BY due_at LIMIT 1) END`;

/**
 * Notes when these lanes have something to do. Each transaction that changes what waits in a lane ends with it, except those of
 * the lane's holder: a leased lane is claimed by no other, and `releaseLease` notes it.
 */
export async function refreshLanes(transaction: Transaction, lanes: Iterable<string>): Promise<void> {
  const names = [...new Set(lanes)].map((name) => ({ name }));
  if (names.length === 0) return;
  // A row that stays as it is is not written: acceptance by several vendors into one lane would wait for it.
  await transaction.query(
    `UPDATE lane SET next_at = ${NEXT_AT}
     WHERE name IN (SELECT touched.name FROM ${transaction.dialect.rows(1, 'touched', { name: 'text' })})
       AND next_at IS DISTINCT FROM ${NEXT_AT}`,
    JSON.stringify(names.sort((a, b) => (a.name < b.name ? -1 : 1))),
  );
}

/**
 * A newer edit comes: the delivered ones of these items are not resent before it.
 *
 * @returns of each whether it is being resent right now
 */
export async function standBack(
  transaction: Transaction,
  items: readonly number[],
): Promise<{ readonly item: number; readonly open: boolean }[]> {
  if (items.length === 0) return [];
  const delivered = await transaction.query<Pick<EditRow, 'seq' | 'item' | 'open_attempt'>>(
    `SELECT e.seq, e.item, e.open_attempt FROM ${transaction.dialect.rows(1, 'wanted', { value: 'integer' })} CROSS JOIN edit AS e
     WHERE e.item = wanted.value AND e.stamp = (
       SELECT newest.stamp FROM edit AS newest WHERE newest.item = wanted.value AND newest.state = 'delivered'
       ORDER BY newest.stamp DESC LIMIT 1)`,
    listOf(items),
  );
  await transaction.query(
    `UPDATE edit SET due_at = NULL, queue_position = NULL WHERE seq IN ${listed(transaction, 1)}`,
    listOf(delivered.map(({ seq }) => seq)),
  );
  return delivered.map(({ item, open_attempt }) => ({ item, open: open_attempt !== null }));
}

/** Until the transaction ends no other process claims the lane. @throws {LeaseLost} */
export async function expectHeld(transaction: Transaction, { lane, fence }: Lease): Promise<void> {
  const [row] = await transaction.query<{ fence: number }>(
    `SELECT fence FROM lane WHERE name = $1 ${transaction.dialect.forUpdate}`,
    lane,
  );
  if (row?.fence !== fence) throw new LeaseLost(lane);
}

/** @throws {LeaseLost} */
export async function renewLease(transaction: Transaction, lease: Lease, now: number): Promise<void> {
  const { lane, fence, want } = lease;
  const renewed = await transaction.query(
    'UPDATE lane SET lease_until = $3, leased_at = $4 WHERE name = $1 AND fence = $2 RETURNING name',
    lane,
    fence,
    wholeTime(now + want.leaseMs),
    wholeTime(now),
  );
  if (renewed.length === 0) throw new LeaseLost(lane);
}
