import {
  LeaseLost,
  type LaneRest,
  type LaneState,
  type LaneWanted,
  type Lease,
  type OpenEdit,
  type PresentPortal,
  type Settlement,
} from '../outbox.js';
import { leaseOf, openEditOf, unchanged, wholeTime, type EditRow, type LaneRow, type Written } from './outbox-rows.js';
import type { Queries, Statement } from './postgres-connection.js';
import {
  DUE,
  END_ATTEMPTS,
  FIND_LEFT_OPEN,
  FIND_OPEN,
  FIND_OPENABLE,
  FIND_REFUSED,
  OPEN_ATTEMPT,
  RELEASE,
  RENEW_LEASE,
  UNPARK,
  type HeldFacts,
  type OpenableRow,
  type OpenRow,
  type RefusedRow,
} from './postgres-delivery-statements.js';
import {
  FIND_WANTED,
  FOLLOW_CLOCK,
  LANE_STATE,
  LEASE,
  LIMIT_WAITS,
  LOCK_WANTED,
  NEXT_DUE,
  TRY_OTHERS,
  type WantedRow,
} from './postgres-lanes.js';
import { endPauses } from './postgres-line.js';
import { countEndings, outcomeOf, outcomeOfLost, Settling, VendorRevisions } from './postgres-settling.js';

/** The way of edits to the portal, under a lease. What writes runs inside a transaction. */
export class PostgresDelivery {
  readonly #clock: 'caller' | 'database';
  /** How far the caller's clock is ahead of the one that leases run out on, when last looked. */
  #ahead = 0;
  #isSetBack = false;

  constructor(clock: 'caller' | 'database') {
    this.#clock = clock;
  }

  async hasWork(queries: Queries, { now }: LaneWanted): Promise<boolean> {
    const [found] = await queries.query<WantedRow>(FIND_WANTED, now, this.#time(now));
    if (found === undefined) return false;
    this.#ahead = Math.round(now - found.clock);
    this.#isSetBack = found.set_back;
    return found.set_back || found.name !== null;
  }

  async limitWaits(transaction: Queries, now: number, longestMs: number): Promise<Written<void>> {
    await transaction.query(LIMIT_WAITS, wholeTime(now), wholeTime(now + longestMs));
    return unchanged(undefined);
  }

  async tryOthers(transaction: Queries, now: number, present: PresentPortal): Promise<Written<void>> {
    await transaction.query(TRY_OTHERS, wholeTime(now), present.credentials, present.baseUrl);
    return unchanged(undefined);
  }

  async leaseLane(transaction: Queries, want: LaneWanted): Promise<Written<Lease | undefined>> {
    const { now, leaseMs, unsureMs } = want;
    if (this.#isSetBack) await transaction.query(FOLLOW_CLOCK, this.#time(now));
    const [lane] = await transaction.query<{ name: string }>(LOCK_WANTED, now, this.#time(now));
    if (lane === undefined) return unchanged(undefined);
    const left = await facts<OpenRow>(transaction, FIND_LEFT_OPEN, lane.name);
    if (left.rows.length > 0) {
      // What an earlier holder of the lane left open may have been applied.
      const settling = new Settling(now);
      for (const row of left.rows) settling.add(row, outcomeOfLost(row, now, unsureMs));
      await settling.write(transaction);
    }
    await endPauses(transaction, lane.name, now);
    const [row] = await transaction.query<LaneRow>(LEASE, lane.name, wholeTime(leaseMs), this.#time(now));
    return unchanged(row && leaseOf(row, want));
  }

  async hasEndedPauses(queries: Queries, lease: Lease, now: number): Promise<boolean> {
    const [state] = await queries.query<{ fence: number; ended: boolean }>(LANE_STATE, lease.lane, now);
    expectFence(lease, state?.fence);
    return state?.ended === true;
  }

  async endPauses(transaction: Queries, lease: Lease, now: number): Promise<Written<void>> {
    const [state] = await transaction.query<{ fence: number }>(LANE_STATE, lease.lane, now);
    expectFence(lease, state?.fence);
    return unchanged(await endPauses(transaction, lease.lane, now));
  }

  async due(queries: Queries, lease: Lease, most: number): Promise<OpenEdit[]> {
    return (await queries.query<EditRow>(DUE, lease.lane, most)).map(openEditOf);
  }

  async openAttempt(
    transaction: Queries,
    lease: Lease,
    edits: readonly OpenEdit[],
    now: number,
  ): Promise<Written<OpenEdit[]>> {
    const seqs = edits.map(({ seq }) => seq);
    const { rows } = await heldFacts<OpenableRow>(transaction, FIND_OPENABLE, lease, seqs);
    await transaction.query(RENEW_LEASE, lease.lane, wholeTime(lease.want.leaseMs), this.#time(now));
    const openable = new Map(rows.map((row) => [row.seq, row]));
    const open = edits.flatMap((edit) => {
      const row = openable.get(edit.seq);
      return row?.state === (edit.again ? 'delivered' : 'received') ? [{ ...edit, attempts: row.attempts + 1 }] : [];
    });
    if (open.length === 0) return unchanged([]);
    await transaction.query(
      OPEN_ATTEMPT,
      lease.lane,
      open.map(({ seq }) => seq),
      now,
    );
    const split = open.flatMap(({ seq }) => openable.get(seq)?.open_attempt ?? []);
    if (split.length > 0) {
      const ended = countEndings(split.map((attempt) => [attempt, 'split']));
      await transaction.query(END_ATTEMPTS, now, JSON.stringify(ended));
    }
    return unchanged(open);
  }

  async settle(
    transaction: Queries,
    lease: Lease,
    settlements: readonly Settlement[],
    now: number,
  ): Promise<Written<void>> {
    const seqs = settlements.map(({ edit }) => edit.seq);
    const { rows } = await heldFacts<OpenRow>(transaction, FIND_OPEN, lease, seqs);
    const open = new Map(rows.map((row) => [row.seq, row]));
    const settling = new Settling(now);
    const changed = new Set<string>();
    for (const settlement of settlements) {
      const row = open.get(settlement.edit.seq);
      // Once: a second settlement of the same attempt says nothing.
      if (row === undefined || !open.delete(row.seq)) continue;
      settling.add(row, outcomeOf(row, settlement, lease, now));
      changed.add(row.vendor);
    }
    await settling.write(transaction);
    return { answer: undefined, changed };
  }

  async unpark(
    transaction: Queries,
    lease: Lease,
    edits: readonly OpenEdit[],
    reason: string,
    now: number,
  ): Promise<Written<void>> {
    const seqs = edits.map(({ seq }) => seq);
    const { rows } = await heldFacts<RefusedRow>(transaction, FIND_REFUSED, lease, seqs);
    const revisions = new VendorRevisions();
    const back = rows.map((row) => {
      const { seq, vendor, item, said } = row;
      // While an earlier value is being said again, it stands behind that.
      const behind = said?.open === true;
      return { seq, vendor, item, revision: revisions.next(row), due_at: behind ? null : wholeTime(now), turn: null };
    });
    const stoodBack = rows.flatMap(({ said }) => said?.seq ?? []);
    if (back.length > 0) await transaction.query(UNPARK, JSON.stringify(back), stoodBack, reason);
    return { answer: undefined, changed: new Set(rows.map(({ vendor }) => vendor)) };
  }

  /** A rest is the end of a lease, and on the same clock. */
  async releaseLane(transaction: Queries, lease: Lease, state: LaneState, rest?: LaneRest): Promise<Written<void>> {
    const { held = null, failures, notBefore, provenBy = null } = state;
    const resting = rest === undefined ? [null, null] : [wholeTime(rest.forMs), this.#time(rest.now)];
    const values = [held, failures, wholeTime(notBefore), provenBy, ...resting];
    const [row] = await transaction.query<{ fence: number }>(RELEASE, lease.lane, lease.fence, ...values);
    expectFence(lease, row?.fence);
    return unchanged(undefined);
  }

  async nextDue(queries: Queries): Promise<number | undefined> {
    const [next] = await queries.query<{ due: number | null }>(NEXT_DUE, this.#ahead);
    return next?.due ?? undefined;
  }

  #time(now: number): number | null {
    return this.#clock === 'caller' ? now : null;
  }
}

async function facts<Row>(queries: Queries, statement: Statement, ...values: unknown[]): Promise<HeldFacts<Row>> {
  const [found] = await queries.query<HeldFacts<Row>>(statement, ...values);
  if (found === undefined) throw new TypeError('a statement without a table answers with one row');
  return found;
}

async function heldFacts<Row>(
  queries: Queries,
  statement: Statement,
  lease: Lease,
  seqs: readonly number[],
): Promise<HeldFacts<Row>> {
  const found = await facts<Row>(queries, statement, lease.lane, seqs);
  expectFence(lease, found.fence);
  return found;
}

function expectFence(lease: Lease, fence: number | null | undefined): void {
  if (fence !== lease.fence) throw new LeaseLost(`lane ${lease.lane} was taken over`);
}
