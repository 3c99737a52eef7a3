import { type Clock, earliestNow } from '../../../runtime/clock.js';
import type { EndedSessions } from '../../../access/ended-sessions.js';
import { KnownEndings, placeOf } from '../known-endings.js';
import { wholeTime } from '../outbox-rows.js';
import type { GroupCommit } from './sqlite-group-commit.js';
import type { Statement, Statements } from './sqlite-statements.js';

export interface EndedRow {
  readonly token: string;
  readonly until: number;
}

/** Where sign-outs are kept. */
export interface EndingsBook {
  all(): readonly EndedRow[];
  /** @throws {StorageFailed} */
  write(row: EndedRow, now: number): Promise<void>;
}

/** The rows of sign-outs, beside the outbox, in its file. */
export class SqliteEndings implements EndingsBook {
  readonly #writes: GroupCommit;
  readonly #insert: Statement<[string, number]>;
  readonly #forget: Statement<[number]>;
  readonly #all: Statement<[], EndedRow>;

  constructor(database: Statements, writes: GroupCommit) {
    this.#writes = writes;
    this.#insert = database.prepare(
      'INSERT INTO ended_session VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET until = max(until, excluded.until)',
    );
    this.#forget = database.prepare('DELETE FROM ended_session WHERE until < ?');
    this.#all = database.prepare('SELECT token, until FROM ended_session');
  }

  all(): EndedRow[] {
    return this.#all.all();
  }

  write({ token, until }: EndedRow, now: number): Promise<void> {
    return this.#writes.run(() => {
      this.#forget.run(now);
      this.#insert.run(token, wholeTime(until));
    });
  }
}

/** Sign-outs that outlive the process: read when it starts, and in memory from then on. */
export class KeptEndedSessions implements EndedSessions {
  readonly book: EndingsBook;
  readonly #known = new KnownEndings();
  readonly #now: () => number;

  constructor(book: EndingsBook, clock: Clock) {
    this.book = book;
    this.#now = earliestNow(clock);
    for (const { token, until } of book.all()) this.#known.note(token, until, this.#now());
  }

  has(tokenId: string): boolean {
    return this.#known.has(tokenId);
  }

  /** Ended here at once, and after a restart when it resolves. @throws {StorageFailed} */
  async add(tokenId: string, expiresAt: number): Promise<void> {
    const [token, now] = [placeOf(tokenId), this.#now()];
    this.#known.forget(now);
    this.#known.note(token, expiresAt, now);
    await this.book.write({ token, until: expiresAt }, now);
  }
}
