import type Database from 'better-sqlite3';
import type { EditState } from '../../domain/truth.js';
import { sayAgainAt, unsureAfter, type Unsure } from '../late-landing.js';
import { LeaseLost, type LaneState, type LaneWanted, type Lease, type OpenEdit, type Settlement } from '../outbox.js';
import { EDIT_COLUMNS, leaseOf, openEditOf, wholeTime, type EditRow, type LaneRow } from './outbox-rows.js';
import { WORKING_LANES } from './sqlite-lanes.js';
import type { SqliteBook } from './sqlite-book.js';
import type { SqliteLine } from './sqlite-line.js';

type Ending = 'delivered' | 'refused' | 'waiting' | 'unknown';

interface OpenRow {
  readonly seq: number;
  readonly vendor: string;
  readonly item: number;
  readonly lane: string;
  readonly bulk: 0 | 1;
  readonly state: EditState;
  readonly open_attempt: number;
  readonly plain: number | null;
  readonly unsure_until: number | null;
  readonly unsure_seq: number | null;
}

/** The way of edits to the portal, under a lease. Runs inside a transaction, but for `due`. */
export class SqliteDelivery {
  readonly #book: SqliteBook;
  readonly #line: SqliteLine;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database.Database, book: SqliteBook, line: SqliteLine) {
    this.#book = book;
    this.#line = line;
    this.#sql = prepare(database);
  }

  /** The lane that has been without a holder for longest, of those with something to do. */
  wantedLane(now: number): string | undefined {
    return this.#sql.wantedLane.get({ now });
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

  openAttempt(lease: Lease, edits: readonly OpenEdit[], now: number): OpenEdit[] {
    this.#expectHeld(lease);
    this.#sql.renew.run(wholeTime(now + lease.want.leaseMs), lease.lane);
    const attempt = this.#sql.openAttempt.run(lease.lane, now).lastInsertRowid;
    const open = edits.flatMap((edit) => {
      const attempts = this.#sql.open.get(attempt, edit.seq, lease.lane, edit.again ? 'delivered' : 'received');
      return attempts === undefined ? [] : [{ ...edit, attempts }];
    });
    if (open.length === 0) this.#sql.dropAttempt.run(attempt);
    else this.#sql.fillAttempt.run(open.map(({ seq }) => seq).join(','), open.length, attempt);
    return open;
  }

  /** @returns whose edits changed */
  settle(lease: Lease, settlements: readonly Settlement[], now: number): Set<string> {
    this.#expectHeld(lease);
    const vendors = new Set<string>();
    const endings: [attempt: number, ending: Ending][] = [];
    let { revision } = this.#book.take(settlements.length, 0);
    for (const settlement of settlements) {
      const row = this.#sql.openRow.get(settlement.edit.seq, lease.lane);
      if (row === undefined) continue;
      if (row.state === 'delivered') this.#settleAgain(row, settlement, lease, now);
      else this.#settle(row, settlement, lease, now);
      this.#sql.touch.run(revision++, row.item);
      this.#line.bringForward(row.item, now);
      endings.push([row.open_attempt, settlement.kind]);
      vendors.add(row.vendor);
    }
    this.#endAttempts(endings, now);
    return vendors;
  }

  releaseLane(lease: Lease, { held, failures, notBefore, provenBy }: LaneState): void {
    this.#expectHeld(lease);
    this.#sql.release.run(held ?? null, failures, wholeTime(notBefore), provenBy ?? null, lease.lane);
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
      if (row.state === 'received') this.#line.comeBack({ ...row, due_at: null }, want.now);
      else this.#line.bringForward(row.item, want.now);
    }
    this.#endAttempts(
      rows.map((row) => [row.open_attempt, 'unknown']),
      want.now,
    );
  }

  #settle(row: OpenRow, settlement: Settlement, lease: Lease, now: number): void {
    switch (settlement.kind) {
      case 'delivered':
        this.#sql.deliver.run(now, row.seq);
        this.#sql.sayAgain.run(sayAgainAt(unsureOf(row), row.seq, now) ?? null, row.item);
        return;
      case 'refused':
        // Replaced meanwhile: nobody has to decide about it any more.
        this.#sql.refuse.run(row.plain === row.seq ? 'refused' : 'superseded', settlement.reason, now, row.seq);
        return;
      case 'waiting':
        if (settlement.uncertain) this.#notSure(row, now, lease.want.unsureMs);
        this.#sql.wait.run(settlement.reason, wholeTime(settlement.dueAt), row.seq);
    }
  }

  /** A value that was said once more stays delivered, whatever the portal answers; only whether to ask again is open. */
  #settleAgain(row: OpenRow, settlement: Settlement, lease: Lease, now: number): void {
    const waits = settlement.kind === 'waiting';
    if (waits && settlement.uncertain) this.#notSure(row, now, lease.want.unsureMs);
    this.#sql.close.run(row.seq);
    this.#sql.sayAgain.run(waits ? wholeTime(settlement.dueAt) : null, row.item);
  }

  #notSure(row: OpenRow, now: number, forMs: number): void {
    const unsure = unsureAfter(unsureOf(row), row.seq, now, forMs);
    this.#sql.notSure.run(wholeTime(unsure.until), unsure.seq, row.item);
  }

  #endAttempts(endings: readonly (readonly [attempt: number, ending: Ending])[], now: number): void {
    const attempts = new Map<number, Record<Ending, number>>();
    for (const [attempt, ending] of endings) {
      const count = attempts.get(attempt) ?? { delivered: 0, refused: 0, waiting: 0, unknown: 0 };
      count[ending] += 1;
      attempts.set(attempt, count);
    }
    for (const [id, count] of attempts) this.#sql.endAttempt.run({ id, now, ...count });
  }

  #expectHeld(lease: Lease): void {
    if (this.#sql.fence.get(lease.lane) !== lease.fence) throw new LeaseLost(`lane ${lease.lane} was taken over`);
  }
}

function unsureOf({ unsure_until: until, unsure_seq: seq }: OpenRow): Unsure | undefined {
  return until === null || seq === null ? undefined : { until, seq };
}

function prepare(database: Database.Database) {
  const openRow = `SELECT e.seq, e.vendor, e.item, e.lane, e.bulk, e.state, e.open_attempt, item.plain, item.unsure_until,
    item.unsure_seq FROM edit AS e JOIN item ON item.key = e.item`;
  return {
    wantedLane: database
      .prepare<[{ now: number }], string>(
        `WITH ${WORKING_LANES} SELECT work.name FROM work LEFT JOIN lane USING (name)
         WHERE coalesce(lane.lease_until, 0) <= @now AND coalesce(lane.not_before, 0) <= @now
           AND (EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND turn IS NOT NULL)
             OR EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND open_attempt IS NOT NULL)
             OR EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND bulk IN (0, 1) AND turn IS NULL AND due_at <= @now))
         ORDER BY coalesce(lane.leased_at, 0), work.name LIMIT 1`,
      )
      .pluck(),
    lease: database.prepare<[{ name: string; until: number; now: number }], LaneRow>(
      `INSERT INTO lane (name, fence, lease_until, leased_at) VALUES (@name, 1, @until, @now)
       ON CONFLICT (name) DO UPDATE SET fence = fence + 1, lease_until = @until, leased_at = @now
       RETURNING name, fence, held, failures, not_before, proven_by`,
    ),
    fence: database.prepare<[string], number>('SELECT fence FROM lane WHERE name = ?').pluck(),
    renew: database.prepare('UPDATE lane SET lease_until = ? WHERE name = ?'),
    release: database.prepare(
      'UPDATE lane SET lease_until = 0, held = ?, failures = ?, not_before = ?, proven_by = ? WHERE name = ?',
    ),
    endLeases: database.prepare('UPDATE lane SET lease_until = 0'),
    endedPause: database.prepare<[string, number]>(
      'SELECT 1 FROM edit WHERE lane = ? AND bulk IN (0, 1) AND turn IS NULL AND due_at <= ? LIMIT 1',
    ),
    due: database.prepare<[string, number], EditRow>(
      `SELECT ${EDIT_COLUMNS} FROM edit AS e CROSS JOIN item ON item.key = e.item
       WHERE e.lane = ? AND e.turn IS NOT NULL ORDER BY e.bulk, e.turn, e.seq LIMIT ?`,
    ),
    nextDue: database
      .prepare<[], number | null>(
        `WITH ${WORKING_LANES} SELECT min(max(coalesce(lane.lease_until, 0), coalesce(lane.not_before, 0),
           CASE WHEN EXISTS (SELECT 1 FROM edit WHERE lane = work.name AND open_attempt IS NOT NULL) THEN 0 ELSE min(
             coalesce((SELECT due_at FROM edit WHERE lane = work.name AND turn IS NOT NULL ORDER BY bulk, turn LIMIT 1), 9e15),
             coalesce((SELECT due_at FROM edit WHERE lane = work.name AND bulk = 0 AND turn IS NULL AND due_at IS NOT NULL
                       ORDER BY due_at LIMIT 1), 9e15),
             coalesce((SELECT due_at FROM edit WHERE lane = work.name AND bulk = 1 AND turn IS NULL AND due_at IS NOT NULL
                       ORDER BY due_at LIMIT 1), 9e15)) END))
         FROM work LEFT JOIN lane USING (name)`,
      )
      .pluck(),
    open: database
      .prepare<[number | bigint, number, string, string], number>(
        `UPDATE edit SET open_attempt = ?, attempts = attempts + 1, due_at = NULL, turn = NULL
         WHERE seq = ? AND lane = ? AND state = ? AND due_at IS NOT NULL RETURNING attempts`,
      )
      .pluck(),
    openAttempt: database.prepare(`INSERT INTO attempt (lane, edits, opened_at, still_open) VALUES (?, '', ?, 1)`),
    fillAttempt: database.prepare('UPDATE attempt SET edits = ?, still_open = ? WHERE id = ?'),
    dropAttempt: database.prepare('DELETE FROM attempt WHERE id = ?'),
    endAttempt: database.prepare(
      `UPDATE attempt SET delivered = delivered + @delivered, refused = refused + @refused, waiting = waiting + @waiting,
         unknown = unknown + @unknown, still_open = still_open - @delivered - @refused - @waiting - @unknown,
         closed_at = iif(still_open = @delivered + @refused + @waiting + @unknown, @now, NULL)
       WHERE id = @id`,
    ),
    openRow: database.prepare<[number, string], OpenRow>(
      `${openRow} WHERE e.seq = ? AND e.lane = ? AND e.open_attempt IS NOT NULL`,
    ),
    openRows: database.prepare<[string], OpenRow>(
      `${openRow} WHERE e.lane = ? AND e.open_attempt IS NOT NULL ORDER BY e.seq`,
    ),
    close: database.prepare('UPDATE edit SET open_attempt = NULL WHERE seq = ?'),
    deliver: database.prepare(
      `UPDATE edit SET state = 'delivered', reason = NULL, settled_at = ?, open_attempt = NULL WHERE seq = ?`,
    ),
    refuse: database.prepare(
      'UPDATE edit SET state = ?, reason = ?, settled_at = ?, open_attempt = NULL WHERE seq = ?',
    ),
    wait: database.prepare('UPDATE edit SET reason = ?, due_at = ?, open_attempt = NULL WHERE seq = ?'),
    touch: database.prepare('UPDATE item SET revision = ? WHERE key = ?'),
    notSure: database.prepare('UPDATE item SET unsure_until = ?, unsure_seq = ? WHERE key = ?'),
    sayAgain: database.prepare('UPDATE item SET again_at = ? WHERE key = ?'),
  };
}
