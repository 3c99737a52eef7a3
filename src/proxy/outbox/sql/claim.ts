import { MAX_UNCERTAIN_MS } from '../uncertain-outcome.js';
import {
  type CallRequest,
  LeaseLost,
  type Cooldown,
  type LaneState,
  type LeaseRequest,
  type Lease,
  type OpenEdit,
  type Postponed,
  type PresentPortal,
} from '../outbox.js';
import { wholeTime, type Queries, type Transaction } from './tables/database.js';
import { endPauses, expectLease, NEXT_AT, refreshLanes } from './queue.js';
import {
  EDIT_COLUMNS,
  OTHERS_UNCERTAIN_UNTIL,
  leaseOf,
  openEditOf,
  rejectionsIn,
  type DueRow,
  type Flag,
  type LaneRow,
} from './tables/rows.js';
import { recover } from './settle.js';

/** Whether the clock has been set back since a lane was leased. */
export async function isSetBack(queries: Queries, now: number): Promise<boolean> {
  return (await queries.query('SELECT 1 FROM lane WHERE leased_at > $1 LIMIT 1', now)).length > 0;
}

export interface ClaimedLane {
  readonly lease: Lease;
  /** An earlier holder left attempts open, or pauses are over: see {@link prepareLane}. */
  readonly isUnprepared: boolean;
}

/** For a query with `lane`: 1 if pauses are over at `$2`. */
const HAS_ENDED_PAUSES = `CASE WHEN EXISTS (
  SELECT 1 FROM edit WHERE edit.lane = lane.name AND queue_position IS NULL AND due_at <= $2) THEN 1 ELSE 0 END`;

/** Whether any lane may be claimed. */
export async function isAnyClaimable(queries: Queries, now: number): Promise<boolean> {
  return (await queries.query('SELECT 1 FROM lane WHERE claimable_at <= $1 LIMIT 1', now)).length > 0;
}

/**
 * Leases lanes. It writes only their rows, so that it waits for no other transaction. A lane that was released comes
 * after all lanes that became claimable before it.
 */
export async function leaseLanes(transaction: Transaction, want: LeaseRequest, max: number): Promise<ClaimedLane[]> {
  const now = transaction.now(want.now);
  const rows = await transaction.query<LaneRow & { readonly has_open: Flag; readonly has_ended_pauses: Flag }>(
    `WITH chosen AS MATERIALIZED (
       SELECT name FROM lane WHERE claimable_at <= $2 ORDER BY claimable_at, name LIMIT $1 ${transaction.dialect.skipLocked})
     UPDATE lane SET fence = fence + 1, lease_until = $3, leased_at = $4 WHERE name IN (SELECT name FROM chosen)
     RETURNING name, fence, held, failures, not_before, verified_credential, recent_rejections,
       CASE WHEN EXISTS (SELECT 1 FROM edit WHERE edit.lane = lane.name AND open_attempt IS NOT NULL) THEN 1 ELSE 0 END AS has_open,
       ${HAS_ENDED_PAUSES} AS has_ended_pauses`,
    max,
    now,
    wholeTime(now + want.leaseMs),
    wholeTime(now),
  );
  return rows.map((row) => ({ lease: leaseOf(row, want), isUnprepared: row.has_open + row.has_ended_pauses > 0 }));
}

/** Makes due the edits that an earlier holder left open, and those whose pause is over. @throws {LeaseLost} */
export async function prepareLane(transaction: Transaction, lease: Lease): Promise<void> {
  await expectLease(transaction, lease);
  const now = transaction.now(lease.want.now);
  await recover(transaction, lease.lane, now, lease.want.uncertainMs);
  await endPauses(transaction, lease.lane, now);
}

/**
 * @returns whether pauses in the lane are over
 * @throws {LeaseLost}
 */
export async function hasEndedPauses(queries: Queries, { lane, fence }: Lease, now: number): Promise<boolean> {
  const [row] = await queries.query<{ fence: number; has_ended_pauses: Flag }>(
    `SELECT fence, ${HAS_ENDED_PAUSES} AS has_ended_pauses FROM lane WHERE name = $1`,
    lane,
    now,
  );
  if (row?.fence !== fence) throw new LeaseLost(lane);
  return row.has_ended_pauses === 1;
}

export async function due(queries: Queries, { lane }: Lease, max: number): Promise<OpenEdit[]> {
  const rows = await queries.query<DueRow>(
    `SELECT ${EDIT_COLUMNS}, item.uncertain_from, ${OTHERS_UNCERTAIN_UNTIL} FROM edit AS e JOIN item ON item.key = e.item
     WHERE e.lane = $1 AND e.queue_position IS NOT NULL ORDER BY e.bulk, e.queue_position, e.seq LIMIT $2`,
    lane,
    max,
  );
  return rows.map(openEditOf);
}

/** @throws {LeaseLost} */
export async function postpone(
  transaction: Transaction,
  lease: Lease,
  { vendors, until, except = 0 }: Postponed,
  callersNow: number,
): Promise<void> {
  await expectLease(transaction, lease);
  await transaction.query(
    `UPDATE edit SET due_at = $3, queue_position = NULL
     WHERE lane = $1 AND queue_position IS NOT NULL AND seq <> $4
       AND vendor IN (SELECT name FROM ${transaction.dialect.rows(2, 'postponed', { name: 'text' })})`,
    lease.lane,
    JSON.stringify(vendors.map((name) => ({ name }))),
    wholeTime(until + transaction.now(callersNow) - callersNow),
    except,
  );
}

/**
 * @param state with times on the clock of the transaction
 * @throws {LeaseLost}
 */
export async function releaseLease(
  transaction: Transaction,
  lease: Lease,
  state: LaneState,
  rest?: Cooldown,
): Promise<void> {
  // A rest extends the lease. Without a rest the lane counts as claimable since it was leased, and comes after all
  // lanes that have waited for longer.
  const until = rest === undefined ? null : wholeTime(transaction.now(rest.now) + rest.forMs);
  const released = await transaction.query(
    `UPDATE lane SET lease_until = coalesce(CAST($3 AS bigint), leased_at), held = $4, failures = $5, not_before = $6,
       verified_credential = $7, recent_rejections = $8, leased_at = coalesce(CAST($9 AS bigint), leased_at),
       next_at = ${NEXT_AT}
     WHERE name = $1 AND fence = $2 RETURNING name`,
    lease.lane,
    lease.fence,
    until,
    state.held ?? null,
    state.failures,
    wholeTime(state.notBefore),
    state.verifiedCredential ?? null,
    rejectionsIn(state),
    rest === undefined ? null : wholeTime(transaction.now(rest.now)),
  );
  if (released.length === 0) throw new LeaseLost(lease.lane);
}

/** @returns milliseconds until the call; if more than `maxWaitMs`, nothing is reserved */
export async function reserveCall(transaction: Transaction, call: CallRequest): Promise<number> {
  const now = wholeTime(transaction.now(call.now));
  const reserve = async (): Promise<number | undefined> => {
    const [reserved] = await transaction.query<{ at: number }>(
      `UPDATE pace SET next_call_at = ${transaction.dialect.greatest}(next_call_at, CAST($2 AS bigint)) + $3
       WHERE client = $1 AND next_call_at <= $4 RETURNING next_call_at - $3 AS at`,
      call.client,
      now,
      wholeTime(call.intervalMs),
      Math.floor(Math.min(now + call.maxWaitMs, Number.MAX_SAFE_INTEGER)),
    );
    return reserved && reserved.at - now;
  };
  const wait = await reserve();
  if (wait !== undefined) return wait;
  const newClient = 'INSERT INTO pace (client, next_call_at) VALUES ($1, 0) ON CONFLICT (client) DO NOTHING';
  await transaction.query(newClient, call.client);
  const first = await reserve();
  if (first !== undefined) return first;
  const [pace] = await transaction.query<{ at: number }>(
    'SELECT next_call_at AS at FROM pace WHERE client = $1',
    call.client,
  );
  return (pace?.at ?? now) - now;
}

export async function nextDueAt(queries: Queries): Promise<number | undefined> {
  const rows = await queries.query<{ at: number }>(
    `SELECT at FROM (SELECT claimable_at AS at FROM lane WHERE claimable_at IS NOT NULL ORDER BY claimable_at LIMIT 1) AS lanes
     UNION ALL
     SELECT at FROM (SELECT confirm_at AS at FROM edit WHERE confirm_at IS NOT NULL ORDER BY confirm_at LIMIT 1) AS edits`,
  );
  const times = rows.map(({ at }) => at).filter((at) => at < Number.MAX_SAFE_INTEGER);
  return times.length === 0 ? undefined : Math.min(...times);
}

export async function hasLongWaits(queries: Queries, now: number, maxDelayMs: number): Promise<boolean> {
  const rows = await queries.query(
    `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM edit WHERE queue_position IS NULL AND due_at > $1)
       OR EXISTS (SELECT 1 FROM item WHERE resend_at > $1)
       OR EXISTS (SELECT 1 FROM item WHERE uncertain_until > $2)
       OR EXISTS (SELECT 1 FROM lane WHERE not_before > $1)`,
    wholeTime(now + maxDelayMs),
    wholeTime(now + MAX_UNCERTAIN_MS),
  );
  return rows.length > 0 || (await isSetBack(queries, now));
}

export async function capDelays(transaction: Transaction, now: number, maxDelayMs: number): Promise<void> {
  const [at, furthest, landed] = [wholeTime(now), wholeTime(now + maxDelayMs), wholeTime(now + MAX_UNCERTAIN_MS)];
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

export async function retryHeld(transaction: Transaction, now: number, present: PresentPortal): Promise<void> {
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
 * If the clock was set back, shortens leases, rests and waits by the same amount. Otherwise a lane without a worker
 * would stay closed until the clock has caught up.
 */
export async function followClock(transaction: Transaction, now: number): Promise<void> {
  if (!(await isSetBack(transaction, now))) return;
  const { greatest } = transaction.dialect;
  await transaction.query(
    `UPDATE pace SET next_call_at = ${greatest}(next_call_at - ((SELECT max(leased_at) FROM lane) - CAST($1 AS bigint)), 0)`,
    wholeTime(now),
  );
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
