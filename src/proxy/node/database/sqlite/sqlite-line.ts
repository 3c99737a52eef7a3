import type { Statement, Statements } from './sqlite-statements.js';

/** At most so many leave a pause at once, so that no transaction grows with what waits. The others follow. */
const MOST_ENDED_PAUSES = 1000;

interface InLane {
  readonly seq: number;
  readonly lane: string;
  readonly bulk: 0 | 1;
}

interface Placed extends InLane {
  readonly vendor: string;
  readonly due_at: number | null;
  readonly open_attempt: number | null;
}

/**
 * The line of what may leave now: hands before bulk, vendors in turn, then the order of acceptance (`sending-order.ts`).
 *
 * Sorting all that waits for each call would cost more the longer a portal is down. Here an edit is given its turn when it
 * enters the line, as in fair queueing: the one after its vendor's last, but never one that the line is past already. What
 * comes back (its pause is over, its elder is done) takes the turn of the head of the line: its vendor waited for it.
 */
export class SqliteLine {
  readonly #head: Statement<[string, number], number>;
  readonly #last: Statement<[string, number, string], number>;
  readonly #enter: Statement<[number, number]>;
  readonly #pause: Statement<[number, number]>;
  readonly #ended: Statement<[string, 0 | 1, number, number], Placed>;
  readonly #oldestReceived: Statement<[number], Placed>;
  readonly #newestDelivered: Statement<[number], Placed>;
  readonly #againAt: Statement<[number], number | null>;
  readonly #leave: Statement<[number]>;

  constructor(database: Statements) {
    const placed = 'SELECT seq, lane, bulk, vendor, due_at, open_attempt FROM edit';
    const inLine = 'FROM edit WHERE lane = ? AND bulk = ? AND turn IS NOT NULL';
    this.#head = database.prepare<[string, number], number>(`SELECT turn ${inLine} ORDER BY turn LIMIT 1`).pluck();
    this.#last = database
      .prepare<[string, number, string], number>(`SELECT turn ${inLine} AND vendor = ? ORDER BY turn DESC LIMIT 1`)
      .pluck();
    this.#enter = database.prepare('UPDATE edit SET due_at = coalesce(due_at, 0), turn = ? WHERE seq = ?');
    this.#pause = database.prepare('UPDATE edit SET due_at = ? WHERE seq = ?');
    this.#ended = database.prepare(
      `${placed} WHERE lane = ? AND bulk = ? AND turn IS NULL AND due_at <= ? ORDER BY due_at LIMIT ?`,
    );
    this.#oldestReceived = database.prepare(
      `${placed} INDEXED BY edit_live WHERE item = ? AND state IN ('received', 'refused', 'conflict') AND state = 'received'
       ORDER BY seq LIMIT 1`,
    );
    this.#newestDelivered = database.prepare(
      `${placed} WHERE item = ? AND state = 'delivered' ORDER BY stamp DESC LIMIT 1`,
    );
    this.#againAt = database.prepare<[number], number | null>('SELECT again_at FROM item WHERE key = ?').pluck();
    this.#leave = database.prepare('UPDATE edit SET due_at = NULL, turn = NULL WHERE seq = ?');
  }

  /** The turn of the next newcomer of this vendor. */
  newcomer(lane: string, bulk: 0 | 1, vendor: string): number {
    return Math.max(this.#head.get(lane, bulk) ?? 0, (this.#last.get(lane, bulk, vendor) ?? -1) + 1);
  }

  /** Puts an edit that comes back at the head of the line. */
  comeBack({ seq, lane, bulk }: InLane): void {
    this.#enter.run(this.#head.get(lane, bulk) ?? 0, seq);
  }

  /** Lets in what has paused long enough. */
  endPauses(lane: string, now: number): void {
    for (const bulk of [0, 1] as const) {
      const ended = this.#ended.all(lane, bulk, now, MOST_ENDED_PAUSES);
      if (ended.length === 0) continue;
      const head = this.#head.get(lane, bulk) ?? 0;
      const turns = new Map<string, number>();
      for (const { seq, vendor } of ended.sort((a, b) => a.seq - b.seq)) {
        const turn = turns.get(vendor) ?? head;
        turns.set(vendor, turn + 1);
        this.#enter.run(turn, seq);
      }
    }
  }

  /** Brings forward what is first of its item now, if it is not placed yet. */
  bringForward(item: number): void {
    const next = this.#oldestReceived.get(item);
    if (next !== undefined) {
      if (next.due_at === null && next.open_attempt === null) this.comeBack(next);
      return;
    }
    const againAt = this.#againAt.get(item) ?? null;
    if (againAt === null) return;
    const delivered = this.#newestDelivered.get(item);
    if (delivered?.due_at === null && delivered.open_attempt === null) this.#pause.run(againAt, delivered.seq);
  }

  /**
   * A newer edit comes: the delivered one is not said again before it.
   *
   * @returns whether it is being said again right now
   */
  standBack(item: number): boolean {
    const delivered = this.#newestDelivered.get(item);
    if (delivered === undefined) return false;
    this.#leave.run(delivered.seq);
    return delivered.open_attempt !== null;
  }
}
