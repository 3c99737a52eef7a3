import {
  LeaseLost,
  type LaneNote,
  type LaneRest,
  type LaneState,
  type LaneWanted,
  type Lease,
  type OpenEdit,
  type PresentPortal,
  type Settlement,
} from '../../../outbox/outbox.js';
import type { RefusedEdit } from '../../../outbox/outbox.js';
import {
  leaseOf,
  openEditOf,
  refusalsIn,
  unchanged,
  wholeTime,
  type DueRow,
  type LaneRow,
  type Written,
} from '../outbox-rows.js';
import type { Queries, Statement } from './postgres-connection.js';
import {
  DUE,
  END_ATTEMPTS,
  FIND_LEFT_OPEN,
  FIND_OPEN,
  FIND_OPENABLE,
  FIND_REFUSED,
  NOTE,
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
  type LaneStateRow,
  type WantedRow,
} from './postgres-lanes.js';
import { endPauses } from './postgres-line.js';
import {
  countEndings,
  refuseForeign,
  outcomeOf,
  outcomeOfLost,
  Settling,
  VendorRevisions,
} from './postgres-settling.js';
import { DatabaseTime } from './postgres-time.js';

/** The way of edits to the portal, under a lease. What writes runs inside a transaction. */
export class PostgresDelivery {
  readonly #time: DatabaseTime;
  #isSetBack = false;

  constructor(clock: 'caller' | 'database') {
    this.#time = new DatabaseTime(clock);
  }

  async hasWork(queries: Queries, { now }: LaneWanted): Promise<boolean> {
    const [found] = await queries.query<WantedRow>(FIND_WANTED, this.#time.given(now));
    if (found === undefined) return false;
    this.#time.note(now, found.clock);
    this.#isSetBack = found.set_back;
    return found.set_back || found.name !== null;
  }

  async limitWaits(transaction: Queries, now: number, longestMs: number): Promise<Written<void>> {
    await transaction.query(LIMIT_WAITS, this.#time.given(now), wholeTime(longestMs));
    return unchanged(undefined);
  }

  async tryOthers(transaction: Queries, now: number, present: PresentPortal): Promise<Written<void>> {
    await transaction.query(TRY_OTHERS, this.#time.given(now), present.credentials, present.baseUrl);
    return unchanged(undefined);
  }

  async leaseLane(transaction: Queries, want: LaneWanted): Promise<Written<Lease | undefined>> {
    const { now, leaseMs, unsureMs } = want;
    if (this.#isSetBack) await transaction.query(FOLLOW_CLOCK, this.#time.given(now));
    const [lane] = await transaction.query<{ name: string }>(LOCK_WANTED, this.#time.given(now));
    if (lane === undefined) return unchanged(undefined);
    const left = await facts<OpenRow>(transaction, FIND_LEFT_OPEN, lane.name, this.#time.given(now));
    if (left.rows.length > 0) {
      // What an earlier holder of the lane left open may have been applied.
      const settling = new Settling(left.clock);
      for (const row of left.rows) settling.add(row, outcomeOfLost(row, left.clock, unsureMs));
      await settling.write(transaction);
    }
    await endPauses(transaction, lane.name, this.#time.given(now));
    const values = [lane.name, wholeTime(leaseMs), this.#time.given(now)];
    const [row] = await transaction.query<LaneRow & { readonly clock: number }>(LEASE, ...values);
    if (row === undefined) return unchanged(undefined);
    this.#time.note(now, row.clock);
    return unchanged(leaseOf({ ...row, not_before: this.#time.told(row.not_before) }, want));
  }

  async hasEndedPauses(queries: Queries, lease: Lease, now: number): Promise<boolean> {
    return (await this.#stateOf(queries, lease, now)).ended;
  }

  async endPauses(transaction: Queries, lease: Lease, now: number): Promise<Written<void>> {
    await this.#stateOf(transaction, lease, now);
    return unchanged(await endPauses(transaction, lease.lane, this.#time.given(now)));
  }

  async due(queries: Queries, lease: Lease, most: number): Promise<OpenEdit[]> {
    return (await queries.query<DueRow>(DUE, lease.lane, most)).map(openEditOf);
  }

  async openAttempt(
    transaction: Queries,
    lease: Lease,
    edits: readonly OpenEdit[],
    now: number,
  ): Promise<Written<OpenEdit[]>> {
    const seqs = edits.map(({ seq }) => seq);
    const { rows, clock } = await this.#held<OpenableRow>(transaction, FIND_OPENABLE, lease, seqs, now);
    await transaction.query(RENEW_LEASE, lease.lane, wholeTime(lease.want.leaseMs), this.#time.given(now));
    const openable = new Map(rows.map((row) => [row.seq, row]));
    const wanted = edits.flatMap((edit) => {
      const row = openable.get(edit.seq);
      return row?.state === (edit.again ? 'delivered' : 'received') ? [{ edit, row }] : [];
    });
    const changed = await refuseForeign(transaction, lease, wanted, { clock, now });
    const open = wanted.flatMap(({ edit, row }) => (row.yields ? [] : [{ ...edit, attempts: row.attempts + 1 }]));
    if (open.length === 0) return { answer: [], changed };
    await transaction.query(
      OPEN_ATTEMPT,
      lease.lane,
      open.map(({ seq }) => seq),
      clock,
    );
    const split = open.flatMap(({ seq }) => openable.get(seq)?.open_attempt ?? []);
    if (split.length > 0) {
      const ended = countEndings(split.map((attempt) => [attempt, 'split']));
      await transaction.query(END_ATTEMPTS, clock, JSON.stringify(ended));
    }
    return { answer: open, changed };
  }

  async settle(
    transaction: Queries,
    lease: Lease,
    settlements: readonly Settlement[],
    now: number,
    note?: LaneNote,
  ): Promise<Written<void>> {
    const seqs = settlements.map(({ edit }) => edit.seq);
    const { rows, clock } = await this.#held<OpenRow>(transaction, FIND_OPEN, lease, seqs, now);
    const open = new Map(rows.map((row) => [row.seq, row]));
    const settling = new Settling(clock);
    const changed = new Set<string>();
    for (const settlement of settlements) {
      const row = open.get(settlement.edit.seq);
      // Once: a second settlement of the same attempt says nothing.
      if (row === undefined || !open.delete(row.seq)) continue;
      settling.add(row, outcomeOf(row, this.#stored(settlement, now), lease, clock));
      changed.add(row.vendor);
    }
    await settling.write(transaction);
    if (note !== undefined) {
      const until = note.notBefore === undefined ? null : wholeTime(this.#time.stored(note.notBefore));
      await transaction.query(NOTE, lease.lane, refusalsIn(note), until);
    }
    return { answer: undefined, changed };
  }

  async unpark(
    transaction: Queries,
    lease: Lease,
    edits: readonly RefusedEdit[],
    reason: string,
    now: number,
  ): Promise<Written<void>> {
    const seqs = edits.map(({ seq }) => seq);
    const { rows, clock } = await this.#held<RefusedRow>(transaction, FIND_REFUSED, lease, seqs, now);
    const revisions = new VendorRevisions();
    const back = rows.map((row) => {
      const { seq, vendor, item, said } = row;
      // While an earlier value is being said again, it stands behind that.
      const behind = said?.open === true;
      return { seq, vendor, item, revision: revisions.next(row), due_at: behind ? null : clock, turn: null };
    });
    const stoodBack = rows.flatMap(({ said }) => said?.seq ?? []);
    if (back.length > 0) await transaction.query(UNPARK, JSON.stringify(back), stoodBack, reason);
    return { answer: undefined, changed: new Set(rows.map(({ vendor }) => vendor)) };
  }

  /** A rest is the end of a lease, and on the same clock. */
  async releaseLane(transaction: Queries, lease: Lease, state: LaneState, rest?: LaneRest): Promise<Written<void>> {
    const { held = null, failures, notBefore, provenBy = null } = state;
    const resting = rest === undefined ? [null, null] : [wholeTime(rest.forMs), this.#time.given(rest.now)];
    const values = [held, failures, wholeTime(this.#time.stored(notBefore)), provenBy, ...resting, refusalsIn(state)];
    const [row] = await transaction.query<{ fence: number }>(RELEASE, lease.lane, lease.fence, ...values);
    if (row === undefined) throw new LeaseLost(lease.lane);
    return unchanged(undefined);
  }

  async nextDue(queries: Queries): Promise<number | undefined> {
    const [next] = await queries.query<{ due: number | null }>(NEXT_DUE);
    return typeof next?.due === 'number' ? this.#time.told(next.due) : undefined;
  }

  async #stateOf(queries: Queries, lease: Lease, now: number): Promise<LaneStateRow> {
    const [state] = await queries.query<LaneStateRow>(LANE_STATE, lease.lane, this.#time.given(now));
    if (state?.fence !== lease.fence) throw new LeaseLost(lease.lane);
    this.#time.note(now, state.clock);
    return state;
  }

  async #held<Row>(
    queries: Queries,
    statement: Statement,
    lease: Lease,
    seqs: readonly number[],
    now: number,
  ): Promise<HeldFacts<Row>> {
    const found = await facts<Row>(queries, statement, lease.lane, seqs, this.#time.given(now));
    if (found.fence !== lease.fence) throw new LeaseLost(lease.lane);
    this.#time.note(now, found.clock);
    return found;
  }

  /** On the database's clock, but for what people read. */
  #stored(settlement: Settlement, now: number): Settlement {
    return settlement.kind === 'waiting'
      ? { ...settlement, dueAt: this.#time.stored(settlement.dueAt) }
      : { ...settlement, settledAt: settlement.settledAt ?? now };
  }
}

async function facts<Row>(queries: Queries, statement: Statement, ...values: unknown[]): Promise<HeldFacts<Row>> {
  const [found] = await queries.query<HeldFacts<Row>>(statement, ...values);
  if (found === undefined) throw new TypeError('a statement without a table answers with one row');
  return found;
}
