import { afterDelivery, LONGEST_UNSURE_MS, unsureAfter, type Unsure } from '../../../outbox/uncertain-outcome.js';
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
import { leaseOf, openEditOf, refusalsIn, wholeTime, type Written } from '../outbox-rows.js';
import { prepareDelivery, type DeliveryStatements, type OpenRow } from './sqlite-delivery-statements.js';
import type { SqliteLine } from './sqlite-line.js';
import type { Statements } from './sqlite-statements.js';
import type { SqliteYielding } from './sqlite-yielding.js';

type Ending = 'delivered' | 'refused' | 'waiting' | 'unknown' | 'split';

/** The way of edits to the portal, under a lease. Runs inside a transaction, but for `due`. */
export class SqliteDelivery {
  readonly #line: SqliteLine;
  readonly #yielding: SqliteYielding;
  readonly #sql: DeliveryStatements;

  constructor(database: Statements, line: SqliteLine, yielding: SqliteYielding) {
    this.#line = line;
    this.#yielding = yielding;
    this.#sql = prepareDelivery(database);
  }

  /** The lane that has been without a holder for longest, of those with something to do. */
  wantedLane(now: number): string | undefined {
    return this.#sql.wantedLane.get({ now });
  }

  /** Whether so many edits of this lane may leave now, whoever has it. */
  hasLine(lane: string, edits: number): boolean {
    return this.#sql.moreInLine.get(lane, edits - 1) !== undefined;
  }

  limitWaits(now: number, longestMs: number): void {
    const limit = { now: wholeTime(now), furthest: wholeTime(now + longestMs) };
    this.#sql.limitPauses.run(limit);
    this.#sql.limitAgain.run(limit);
    this.#sql.limitDoubts.run({ landed: wholeTime(now + LONGEST_UNSURE_MS) });
    this.#sql.limitLanes.run(limit);
  }

  tryOthers(now: number, { credentials, baseUrl }: PresentPortal): void {
    this.#sql.tryOthers.run({ now: wholeTime(now), credentials: JSON.stringify(credentials), baseUrl });
  }

  leaseLane(want: LaneWanted): Lease | undefined {
    const name = this.wantedLane(want.now);
    if (name === undefined) return undefined;
    this.#recover(name, want);
    this.#line.endPauses(name, want.now);
    const row = this.#sql.lease.get({ name, until: wholeTime(want.now + want.leaseMs), now: wholeTime(want.now) });
    return row && leaseOf(row, want);
  }

  hasEndedPauses(lease: Lease, now: number): boolean {
    return this.#sql.endedPause.get(lease.lane, now) !== undefined;
  }

  endPauses(lease: Lease, now: number): void {
    this.#expectHeld(lease);
    this.#line.endPauses(lease.lane, now);
  }

  due(lease: Lease, most: number): OpenEdit[] {
    this.#expectHeld(lease);
    return this.#sql.due.all(lease.lane, most).map(openEditOf);
  }

  openAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): Written<OpenEdit[]> {
    this.#expectHeld(lease);
    this.#sql.renew.run(wholeTime(now + lease.want.leaseMs), lease.lane);
    const changed = new Set<string>();
    const wanted = edits.flatMap((edit) => {
      const row = this.#sql.mayOpen.get(edit.seq, lease.lane, edit.again ? 'delivered' : 'received');
      if (row === undefined) return [];
      if (row.yields === 0) return [{ edit: { ...edit, attempts: row.attempts + 1 }, earlier: row.open_attempt }];
      this.#sql.close.run(edit.seq);
      if (row.open_attempt !== null) this.#endAttempts([[row.open_attempt, 'refused']], now);
      if (this.#yielding.refuseAll(row, now)) changed.add(edit.vendor);
      return [];
    });
    if (wanted.length === 0) return { answer: [], changed };
    const seqs = wanted.map(({ edit }) => edit.seq);
    const attempt = this.#sql.openAttempt.run(lease.lane, seqs.join(','), seqs.length, now).lastInsertRowid;
    for (const seq of seqs) this.#sql.open.run(attempt, seq);
    this.#endAttempts(
      wanted.flatMap(({ earlier }) => (earlier === null ? [] : [[earlier, 'split']])),
      now,
    );
    return { answer: wanted.map(({ edit }) => edit), changed };
  }

  settle(lease: Lease, settlements: readonly Settlement[], now: number, note?: LaneNote): Written<void> {
    this.#expectHeld(lease);
    const changed = new Set<string>();
    const endings: [attempt: number, ending: Ending][] = [];
    for (const settlement of settlements) {
      const row = this.#sql.openRow.get(settlement.edit.seq, lease.lane);
      if (row === undefined) continue;
      if (row.state === 'delivered') this.#settleAgain(row, settlement, lease, now);
      else {
        this.#settle(row, settlement, lease, now);
        this.#sql.touch.run(row.item);
      }
      this.#line.bringForward(row.item);
      endings.push([row.open_attempt, settlement.kind]);
      changed.add(row.vendor);
    }
    if (note !== undefined) {
      const { notBefore } = note;
      this.#sql.note.run(refusalsIn(note), notBefore === undefined ? null : wholeTime(notBefore), lease.lane);
    }
    this.#endAttempts(endings, now);
    return { answer: undefined, changed };
  }

  unpark(lease: Lease, edits: readonly RefusedEdit[], reason: string, now: number): Written<void> {
    this.#expectHeld(lease);
    const changed = new Set<string>();
    for (const { seq } of edits) {
      const row = this.#sql.refusedRow.get(seq, lease.lane);
      if (row === undefined) continue;
      this.#sql.unpark.run(reason, seq);
      // While an earlier value is being said again, it stands behind that.
      const behind = row.again_at !== null && this.#line.standBack(row.item);
      if (!behind) this.#sql.wait.run(reason, wholeTime(now), seq);
      this.#sql.touch.run(row.item);
      changed.add(row.vendor);
    }
    return { answer: undefined, changed };
  }

  releaseLane(lease: Lease, state: LaneState, rest?: LaneRest): void {
    this.#expectHeld(lease);
    const { held = null, failures, notBefore, provenBy = null } = state;
    const until = rest === undefined ? 0 : wholeTime(rest.now + rest.forMs);
    this.#sql.release.run(until, held, failures, wholeTime(notBefore), provenBy, refusalsIn(state), lease.lane);
  }

  nextDue(): number | undefined {
    return this.#sql.nextDue.get() ?? undefined;
  }

  /** The process that held them is gone: only one has the file. */
  endLeases(): void {
    this.#sql.endLeases.run();
  }

  /** What an earlier holder of the lane left open may have been applied. */
  #recover(lane: string, want: LaneWanted): void {
    const rows = this.#sql.openRows.all(lane);
    for (const row of rows) {
      this.#sql.close.run(row.seq);
      this.#notSure(row, want.now, want.unsureMs);
      if (row.state === 'received') this.#line.comeBack(row);
      else this.#line.bringForward(row.item);
    }
    this.#endAttempts(
      rows.map((row) => [row.open_attempt, 'unknown']),
      want.now,
    );
  }

  #settle(row: OpenRow, settlement: Settlement, lease: Lease, now: number): void {
    switch (settlement.kind) {
      case 'delivered':
        this.#sql.deliver.run(settlement.settledAt ?? now, row.seq);
        this.#sure(row, now);
        return;
      case 'refused':
        this.#refuse(row, settlement.reason, settlement.settledAt ?? now);
        return;
      case 'waiting':
        this.#doubt(row, settlement, lease, now);
        this.#sql.wait.run(settlement.reason ?? null, wholeTime(settlement.dueAt), row.seq);
    }
  }

  #refuse(row: OpenRow, reason: string, settledAt: number): void {
    // Replaced meanwhile: nobody has to decide about it any more.
    const state = row.plain === row.seq ? 'refused' : 'superseded';
    this.#sql.refuse.run(state, reason, settledAt, row.seq);
  }

  /** A value that was said once more stays delivered, whatever the portal answers; only whether to ask again is open. */
  #settleAgain(row: OpenRow, settlement: Settlement, lease: Lease, now: number): void {
    this.#doubt(row, settlement, lease, now);
    this.#sql.close.run(row.seq);
    if (settlement.kind === 'delivered') this.#sure(row, now);
    else this.#sql.sayAgain.run(settlement.kind === 'waiting' ? wholeTime(settlement.dueAt) : null, row.item);
  }

  #doubt(row: OpenRow, settlement: Settlement, { want }: Lease, now: number): void {
    if (settlement.kind !== 'waiting' || !settlement.uncertain) return;
    this.#notSure(row, now, settlement.uncertain === 'answered' ? 0 : want.unsureMs);
  }

  #sure(row: OpenRow, now: number): void {
    const before = unsureOf(row);
    const delivery = { openedAt: row.opened_at, now, lateUntil: row.late_until ?? undefined };
    const { unsure, againAt } = afterDelivery(before, row.seq, delivery);
    if (unsure !== before) this.#sql.notSure.run(null, null, row.item);
    this.#sql.sayAgain.run(againAt ?? null, row.item);
  }

  #notSure(row: OpenRow, now: number, forMs: number): void {
    const unsure = unsureAfter(unsureOf(row), row.seq, now, forMs);
    this.#sql.notSure.run(wholeTime(unsure.until), unsure.seq, row.item);
  }

  #endAttempts(endings: readonly (readonly [attempt: number, ending: Ending])[], now: number): void {
    const attempts = new Map<number, Record<Ending, number>>();
    for (const [attempt, ending] of endings) {
      const count = attempts.get(attempt) ?? { delivered: 0, refused: 0, waiting: 0, unknown: 0, split: 0 };
      count[ending] += 1;
      attempts.set(attempt, count);
    }
    for (const [id, count] of attempts) {
      const all = Object.values(count).reduce((sum, edits) => sum + edits, 0);
      this.#sql.endAttempt.run({ id, now, all, ...count });
    }
  }

  #expectHeld(lease: Lease): void {
    if (this.#sql.fence.get(lease.lane) !== lease.fence) throw new LeaseLost(lease.lane);
  }
}

function unsureOf({ unsure_until: until, unsure_seq: seq }: OpenRow): Unsure | undefined {
  return until === null || seq === null ? undefined : { until, seq };
}
