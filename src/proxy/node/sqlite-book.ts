import type { Kept } from './database/sqlite/sqlite-group-commit.js';
import type { Statement, Statements } from './database/sqlite/sqlite-statements.js';

/** Of a new edit: its place among all, and its vendor's number. Those of the next edits of a batch follow. */
export interface FirstOfBatch {
  readonly seq: number;
  readonly number: number;
}

interface Taken {
  readonly seq: number;
  readonly edits: number;
  readonly parked: number;
}

/** Above it the last numbers are read again: nobody has so many vendors at work. */
const MOST_VENDORS = 10_000;

/**
 * Gives out the numbers of new edits, each once. Each is an accepted edit's, so that these are counted here: a trigger for
 * each edit took half the time of acceptance.
 *
 * What was given last is kept in memory, and written once for all batches of a transaction.
 */
export class SqliteBook implements Kept {
  readonly #write: Statement<[Taken]>;
  readonly #lastSeq: Statement<[], number>;
  readonly #lastNumber: Statement<[string], number | null>;
  readonly #lastRevision: Statement<[string], number | null>;
  readonly #numbers = new Map<string, number>();
  #seq: number | undefined;
  #edits = 0;
  #parked = 0;

  constructor(database: Statements) {
    this.#write = database.prepare<[Taken]>(
      `UPDATE book SET seq = @seq, accepted = accepted + @edits, received = received + @edits - @parked,
         parked = parked + @parked`,
    );
    this.#lastSeq = database.prepare<[], number>('SELECT seq FROM book').pluck();
    this.#lastNumber = database
      .prepare<[string], number | null>('SELECT max(number) FROM edit WHERE vendor = ?')
      .pluck();
    this.#lastRevision = database
      .prepare<[string], number | null>('SELECT max(revision) FROM item WHERE vendor = ?')
      .pluck();
  }

  /** @param parked how many of the edits wait for a person from the start */
  take(vendor: string, edits: number, parked = 0): FirstOfBatch {
    const seq = this.#seq ?? this.#lastSeq.get();
    if (seq === undefined) throw new TypeError('the book has one row');
    const number = this.#numbers.get(vendor) ?? this.#lastNumber.get(vendor) ?? 0;
    if (this.#numbers.size >= MOST_VENDORS) this.#numbers.clear();
    this.#numbers.set(vendor, number + edits);
    this.#seq = seq + edits;
    this.#edits += edits;
    this.#parked += parked;
    return { seq: seq + 1, number: number + 1 };
  }

  lastRevisionOf(vendor: string): number {
    return this.#lastRevision.get(vendor) ?? 0;
  }

  get isUnwritten(): boolean {
    return this.#edits > 0;
  }

  write(): void {
    if (this.#seq === undefined || this.#edits === 0) return;
    this.#write.run({ seq: this.#seq, edits: this.#edits, parked: this.#parked });
    this.#edits = 0;
    this.#parked = 0;
  }

  forget(): void {
    this.#numbers.clear();
    this.#seq = undefined;
    this.#edits = 0;
    this.#parked = 0;
  }
}
