import type { Statement, Statements } from './sqlite-statements.js';

/** Gives out the numbers of the outbox, each once: sequence numbers of edits and revisions of items. */
export class SqliteBook {
  readonly #take: Statement<[number, number], { readonly revision: number; readonly seq: number }>;

  constructor(database: Statements) {
    this.#take = database.prepare('UPDATE book SET revision = revision + ?, seq = seq + ? RETURNING revision, seq');
  }

  /** Takes so many of both. @returns the first of them */
  take(revisions: number, seqs: number): { readonly revision: number; readonly seq: number } {
    const last = this.#take.get(revisions, seqs);
    if (last === undefined) throw new TypeError('the book has one row');
    return { revision: last.revision - revisions + 1, seq: last.seq - seqs + 1 };
  }
}
