import type { LanePlace } from './lane-places.js';
import type { Statement, Statements } from './sqlite-statements.js';

/** From one lane into another, where settings have changed. `move` runs inside a transaction. */
export class SqliteMoving {
  readonly #waiting: Statement<[number, number], LanePlace>;
  readonly #saidAgain: Statement<[], LanePlace>;
  readonly #move: Statement<[string, number]>;

  constructor(database: Statements) {
    this.#waiting = database.prepare(
      `SELECT seq, vendor, lane FROM edit INDEXED BY edit_received
       WHERE state = 'received' AND open_attempt IS NULL AND seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#saidAgain = database.prepare(
      `SELECT e.seq, e.vendor, e.lane FROM item CROSS JOIN edit AS e ON e.item = item.key
       WHERE item.again_at IS NOT NULL AND e.state = 'delivered' AND e.due_at IS NOT NULL`,
    );
    // Out of the line: it gets its turn in the other one when that is leased.
    this.#move = database.prepare(
      `UPDATE edit SET lane = ?, turn = NULL
       WHERE seq = ? AND open_attempt IS NULL AND (state = 'received' OR due_at IS NOT NULL)`,
    );
  }

  waiting(after: number, most: number): LanePlace[] {
    return this.#waiting.all(after, most);
  }

  saidAgain(): LanePlace[] {
    return this.#saidAgain.all();
  }

  move(places: readonly LanePlace[]): void {
    for (const { seq, lane } of places) this.#move.run(lane, seq);
  }
}
