import type { Clock } from '../clock.js';
import type { EndedSessions } from '../ended-sessions.js';
import { earliestNow } from '../steady-clock.js';
import { KnownEndings, placeOf } from './known-endings.js';
import { wholeTime } from './outbox-rows.js';
import type { GroupCommit } from './sqlite-group-commit.js';
import type { Statement, Statements } from './sqlite-statements.js';

interface EndedRow {
  readonly token: string;
  readonly until: number;
}

/** Sign-outs beside the outbox, in its file: read when the process starts, and in memory from then on. */
export class SqliteEndedSessions implements EndedSessions {
  readonly #known = new KnownEndings();
  readonly #writes: GroupCommit;
  readonly #now: () => number;
  readonly #insert: Statement<[string, number]>;
  readonly #forget: Statement<[number]>;

  constructor(database: Statements, writes: GroupCommit, clock: Clock) {
    this.#writes = writes;
    this.#now = earliestNow(clock);
    this.#insert = database.prepare(
      'INSERT INTO ended_session VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET until = max(until, excluded.until)',
    );
    this.#forget = database.prepare('DELETE FROM ended_session WHERE until < ?');
    const all = database.prepare<[], EndedRow>('SELECT token, until FROM ended_session');
    for (const { token, until } of all.all()) this.#known.note(token, until, this.#now());
  }

  has(tokenId: string): boolean {
    return this.#known.has(tokenId);
  }

  /** Ended here at once, and after a restart when it resolves. @throws {StorageFailed} */
  async add(tokenId: string, expiresAt: number): Promise<void> {
    const [place, now] = [placeOf(tokenId), this.#now()];
    this.#known.forget(now);
    this.#known.note(place, expiresAt, now);
    await this.#writes.run(() => {
      this.#forget.run(now);
      this.#insert.run(place, wholeTime(expiresAt));
    });
  }
}
