import type { Statement, Statements } from './sqlite-statements.js';

/** The last that a vendor was given. */
export interface LastNumbers {
  readonly number: number;
  readonly revision: number;
}

/** Gives out the numbers of new edits, each once: their place among all, and the next ones of their vendor. */
export class SqliteBook {
  readonly #take: Statement<[Taken], number>;
  readonly #lastOf: Statement<[{ vendor: string }], LastNumbers>;

  constructor(database: Statements) {
    this.#take = database
      .prepare<[Taken], number>(
        `UPDATE book SET seq = seq + @edits, accepted = accepted + @edits, received = received + @edits - @parked,
           parked = parked + @parked RETURNING seq`,
      )
      .pluck();
    this.#lastOf = database.prepare(
      `SELECT coalesce((SELECT max(number) FROM edit WHERE vendor = @vendor), 0) AS number,
         coalesce((SELECT max(revision) FROM item WHERE vendor = @vendor), 0) AS revision`,
    );
  }

  /**
   * Takes so many places. Each is an accepted edit's, so that these are counted here, once for a batch: a trigger for each
   * edit took half the time of acceptance.
   *
   * @param parked how many of the edits wait for a person from the start
   * @returns the first of them
   */
  take(edits: number, parked = 0): number {
    const last = this.#take.get({ edits, parked });
    if (last === undefined) throw new TypeError('the book has one row');
    return last - edits + 1;
  }

  lastOf(vendor: string): LastNumbers {
    return this.#lastOf.get({ vendor }) ?? { number: 0, revision: 0 };
  }
}

interface Taken {
  readonly edits: number;
  readonly parked: number;
}
