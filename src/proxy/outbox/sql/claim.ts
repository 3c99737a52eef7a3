import { LONGEST_UNSURE_MS } from '../uncertain-outcome.js';
import type { LaneRest, LaneState, LaneWanted, Lease, OpenEdit, PresentPortal } from '../outbox.js';
import { wholeTime, type Queries, type Transaction } from './database.js';
import { endPauses, expectHeld, refreshLanes } from './queue.js';
import { EDIT_COLUMNS, LATE_UNTIL, leaseOf, openEditOf, rejectionsIn, type DueRow, type LaneRow } from './rows.js';
import { recover } from './settle.js';

/** Looked at for one that may be claimed: each process claims the first that no other has taken in between. */
const MOST_CANDIDATES = 32;

/** Whether the clock has been set back since a lane was leased. */
export async function isSetBack(queries: Queries, now: number): Promise<boolean> {
  return (await queries.query('SELECT 1 FROM lane WHERE leased_at > $1 LIMIT 1', now)).length > 0;
}

/** Lanes that may be claimed. One that was given back is behind all others that could be claimed before. */
export async function claimable(queries: Queries, now: number): Promise<string[]> {
  const rows = await queries.query<{ name: string }>(
    `SELECT name FROM lane WHERE claimable_at <= $1 ORDER BY claimable_at, name LIMIT ${String(MOST_CANDIDATES)}`,
    now,
  );
  return rows.map(({ name }) => name);
}

/** @returns `undefined` where another process has claimed it since */
export async function leaseLane(transaction: Transaction, name: string, want: LaneWanted): Promise<Lease | undefined> {
  const now = transaction.now(want.now);
  const [lane] = await transaction.query<{ name: string }>(
    `SELECT name FROM lane WHERE name = $1 AND claimable_at <= $2 ${transaction.dialect.skipLocked}`,
    name,
    now,
  );
  if (lane === undefined) return undefined;
  await recover(transaction, lane.name, now, want.unsureMs);
  await endPauses(transaction, lane.name, now);
  const [row] = await transaction.query<LaneRow>(
    `UPDATE lane SET fence = fence + 1, lease_until = $2, leased_at = $3 WHERE name = $1
     RETURNING name, fence, held, failures, not_before, verified_credential, recent_rejections`,
    lane.name,
    wholeTime(now + want.leaseMs),
    wholeTime(now),
  );
  await refreshLanes(transaction, [lane.name]);
  return row && leaseOf(row, want);
}

/** Whether pauses in the lane are over. */
export async function hasEndedPauses(queries: Queries, { lane }: Lease, now: number): Promise<boolean> {
  const rows = await queries.query(
    'SELECT 1 FROM edit WHERE lane = $1 AND queue_position IS NULL AND due_at <= $2 LIMIT 1',
    lane,
    now,
  );
  return rows.length > 0;
}

export async function due(queries: Queries, { lane }: Lease, most: number): Promise<OpenEdit[]> {
  const rows = await queries.query<DueRow>(
    `SELECT ${EDIT_COLUMNS}, item.uncertain_from, ${LATE_UNTIL} FROM edit AS e JOIN item ON item.key = e.item
     WHERE e.lane = $1 AND e.queue_position IS NOT NULL ORDER BY e.bulk, e.queue_position, e.seq LIMIT $2`,
    lane,
    most,
  );
  return rows.map(openEditOf);
}

/** @param state with its times on the clock of the transaction @throws {LeaseLost} */
export async function releaseLane(
  transaction: Transaction,
  lease: Lease,
  state: LaneState,
  rest?: LaneRest,
): Promise<void> {
  await expectHeld(transaction, lease);
  // A rest is the end of a lease. Without one the lane may be claimed since it was leased: behind all that wait for longer.
  const until = rest === undefined ? null : wholeTime(transaction.now(rest.now) + rest.forMs);
  await transaction.query(
    `UPDATE lane SET lease_until = coalesce(CAST($2 AS bigint), leased_at), held = $3, failures = $4, not_before = $5,
       verified_credential = $6, recent_rejections = $7,
       leased_at = coalesce(CAST($8 AS bigint), leased_at)
     WHERE name = $1`,
    lease.lane,
    until,
    state.held ?? null,
    state.failures,
    wholeTime(state.notBefore),
    state.provenBy ?? null,
    rejectionsIn(state),
    rest === undefined ? null : wholeTime(transaction.now(rest.now)),
  );
}

export async function nextDue(queries: Queries): Promise<number | undefined> {
  const [row] = await queries.query<{ at: number }>(
    'SELECT claimable_at AS at FROM lane WHERE claimable_at IS NOT NULL ORDER BY claimable_at LIMIT 1',
  );
  return row?.at;
}

export async function limitWaits(transaction: Transaction, now: number, longestMs: number): Promise<void> {
  const [at, furthest, landed] = [wholeTime(now), wholeTime(now + longestMs), wholeTime(now + LONGEST_UNSURE_MS)];
  const moved = await transaction.query<{ lane: string }>(
    'UPDATE edit SET due_at = $1 WHERE queue_position IS NULL AND due_at > $2 RETURNING lane',
    at,
    furthest,
  );
  await transaction.query('UPDATE item SET resend_at = $1 WHERE resend_at > $2', at, furthest);
  await transaction.query('UPDATE item SET uncertain_until = $1 WHERE uncertain_until > $1', landed);
  await transaction.query('UPDATE lane SET not_before = $1 WHERE not_before > $2', at, furthest);
  await refreshLanes(
    transaction,
    moved.map(({ lane }) => lane),
  );
  await followClock(transaction, now);
}

export async function tryOthers(transaction: Transaction, now: number, present: PresentPortal): Promise<void> {
  const credentials = transaction.dialect.rows(2, 'present', { credential: 'text' });
  await transaction.query(
    `UPDATE lane SET not_before = $1 WHERE not_before > $1
       AND (held IS NOT NULL AND verified_credential NOT IN (SELECT credential FROM ${credentials})
         OR failures > 0 AND replace(verified_credential, $3, '') = verified_credential)`,
    wholeTime(now),
    JSON.stringify(present.credentials.map((credential) => ({ credential }))),
    `${present.baseUrl} `,
  );
}

/**
 * Where the clock has been set back, what is left of a lease, of a rest or of a wait is no longer than it was when the lease was
 * written last: a lane would be closed for as long as the clock was set back, with no worker in it.
 */
export async function followClock(transaction: Transaction, now: number): Promise<void> {
  if (!(await isSetBack(transaction, now))) return;
  const { greatest } = transaction.dialect;
  await transaction.query(
    `UPDATE edit SET due_at = ${greatest}(edit.due_at - (lane.leased_at - CAST($1 AS bigint)), 0) FROM lane
     WHERE lane.leased_at > $1 AND edit.lane = lane.name AND edit.queue_position IS NULL AND edit.due_at IS NOT NULL`,
    wholeTime(now),
  );
  const lanes = await transaction.query<{ name: string }>(
    `UPDATE lane SET lease_until = lease_until - (leased_at - CAST($1 AS bigint)), leased_at = CAST($1 AS bigint),
       not_before = ${greatest}(not_before - (leased_at - CAST($1 AS bigint)), 0)
     WHERE leased_at > $1 RETURNING name`,
    wholeTime(now),
  );
  await refreshLanes(
    transaction,
    lanes.map(({ name }) => name),
  );
}
