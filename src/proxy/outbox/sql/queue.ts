import { LeaseLost, type Lease } from '../outbox.js';
import { listed, listOf, wholeTime, type Transaction } from './tables/database.js';
import type { EditRow } from './tables/rows.js';

/**
 * Largest number of edits whose pauses end in one transaction, which keeps transactions short. The others follow in the
 * next one.
 */
const MAX_ENDED_PAUSES = 1000;

/**
 * The queue of edits that may be sent now: interactive edits before bulk, then the vendors in turn, then the order of
 * acceptance. Ten thousand edits of one vendor delay an edit of another vendor by a single position.
 *
 * Sorting all waiting edits for each call would cost more the longer the portal is down. So an edit gets its position
 * when it is queued, as in fair queueing: the one after its vendor's last, but not before the head of the queue. An
 * edit that is requeued (its pause is over, or its older edit is done) gets the position of the head, because its
 * vendor has waited for it.
 */
const headOf = (edit: string): string => `coalesce((SELECT head.queue_position FROM edit AS head
  WHERE head.lane = ${edit}.lane AND head.bulk = ${edit}.bulk AND head.queue_position IS NOT NULL
  ORDER BY head.queue_position LIMIT 1), 0)`;

/** Queues edits whose pause is over: those of one vendor at successive positions. */
export async function endPauses(transaction: Transaction, lane: string, now: number): Promise<void> {
  await transaction.query(
    `UPDATE edit SET queue_position = placed.place
     FROM (
       SELECT ended.seq, ${headOf('ended')}
         + row_number() OVER (PARTITION BY ended.bulk, ended.vendor ORDER BY ended.seq) - 1 AS place
       FROM (
         SELECT seq, lane, bulk, vendor FROM edit
         WHERE lane = $1 AND queue_position IS NULL AND due_at <= $2 ORDER BY due_at LIMIT ${String(MAX_ENDED_PAUSES)}
       ) AS ended
     ) AS placed
     WHERE edit.seq = placed.seq`,
    lane,
    now,
  );
}

/**
 * Queues the oldest waiting edit of each item, or schedules the resend of its delivered value, unless that has happened
 * already.
 */
export async function enqueueNext(transaction: Transaction, items: readonly number[]): Promise<void> {
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
  // After a change of settings, the next edit of an item may wait in another lane.
  await refreshLanes(
    transaction,
    [...next, ...resent].map(({ lane }) => lane),
  );
}

/** For a query with `lane`: when it has work. */
export const NEXT_AT = `CASE
  WHEN EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND queue_position IS NOT NULL)
    OR EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND open_attempt IS NOT NULL) THEN 0
  ELSE (SELECT due_at FROM edit WHERE edit.lane = lane.name AND queue_position IS NULL AND due_at IS NOT NULL
    ORDER BY due_at LIMIT 1) END`;

/**
 * Updates when these lanes have work. Each transaction that changes the waiting edits of a lane ends with it, except
 * those of the lane's holder: a leased lane cannot be claimed, and `releaseLease` updates it.
 */
export async function refreshLanes(transaction: Transaction, lanes: Iterable<string>): Promise<void> {
  const names = [...new Set(lanes)].map((name) => ({ name }));
  if (names.length === 0) return;
  // An unchanged row is not written: otherwise vendors that add to one lane would wait for each other.
  await transaction.query(
    `UPDATE lane SET next_at = ${NEXT_AT}
     WHERE name IN (SELECT touched.name FROM ${transaction.dialect.rows(1, 'touched', { name: 'text' })})
       AND next_at IS DISTINCT FROM ${NEXT_AT}`,
    JSON.stringify(names.sort((a, b) => (a.name < b.name ? -1 : 1))),
  );
}

/**
 * Stops the resends of these items, because a newer edit will be sent.
 *
 * @returns for each delivered edit whether its resend is in flight
 */
export async function cancelResends(
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

/**
 * Checks that the lease is still valid. No other process can claim the lane until the transaction ends.
 *
 * @throws {LeaseLost}
 */
export async function expectLease(transaction: Transaction, { lane, fence }: Lease): Promise<void> {
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
