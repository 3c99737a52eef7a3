import { NEXT_REVISION, type Statement, type Statements } from './sqlite-statements.js';

export interface YieldingItem {
  readonly key: number;
  readonly plain: number | null;
}

/** Items that yield to another vendor's in their lane: nothing of them leaves. Runs inside a transaction. */
export class SqliteYielding {
  readonly #waitingOf: Statement<[number], number>;
  readonly #refuse: Statement<[{ seq: number; plain: number | null; now: number }]>;
  readonly #sayNoMore: Statement<[number]>;
  readonly #leaveLine: Statement<[number]>;
  readonly #touch: Statement<[number]>;

  constructor(database: Statements) {
    this.#waitingOf = database
      .prepare<[number], number>(
        `SELECT seq FROM edit INDEXED BY edit_live
         WHERE item = ? AND state IN ('received', 'refused', 'conflict') AND state = 'received' AND open_attempt IS NULL`,
      )
      .pluck();
    this.#refuse = database.prepare(
      `UPDATE edit SET state = iif(seq = @plain, 'refused', 'superseded'), reason = 'item_unknown', settled_at = @now,
         due_at = NULL, turn = NULL WHERE seq = @seq`,
    );
    this.#sayNoMore = database.prepare('UPDATE item SET again_at = NULL WHERE key = ? AND again_at IS NOT NULL');
    this.#leaveLine = database.prepare(
      `UPDATE edit SET due_at = NULL, turn = NULL WHERE item = ? AND state = 'delivered' AND due_at IS NOT NULL`,
    );
    this.#touch = database.prepare(`UPDATE item SET revision = ${NEXT_REVISION} WHERE key = ?`);
  }

  /** @returns whether anything waited */
  refuseAll({ key, plain }: YieldingItem, now: number): boolean {
    this.#sayNoMore.run(key);
    this.#leaveLine.run(key);
    const waiting = this.#waitingOf.all(key);
    // Replaced meanwhile: nobody has to decide about it any more.
    for (const seq of waiting) this.#refuse.run({ seq, plain, now });
    if (waiting.length > 0) this.#touch.run(key);
    return waiting.length > 0;
  }
}
