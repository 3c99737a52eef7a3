import { type Clock, createEarliestClock } from '../../../runtime/clock.js';
import type { RevocationList } from '../../../access/ended-sessions.js';
import { wholeTime, type Database } from '../../../outbox/sql/database.js';
import { KnownEndings, placeOf } from '../known-endings.js';

export interface EndedRow {
  readonly token: string;
  readonly until: number;
}

/** Sign-outs that outlive the process: read when it starts, and in memory from then on. */
export class KeptEndedSessions implements RevocationList {
  readonly #database: Database;
  readonly #known = new KnownEndings();
  readonly #now: () => number;

  /** @param rows what the file has of them */
  constructor(database: Database, rows: readonly EndedRow[], clock: Clock) {
    this.#database = database;
    this.#now = createEarliestClock(clock);
    for (const { token, until } of rows) this.#known.note(token, until, this.#now());
  }

  has(tokenId: string): boolean {
    return this.#known.has(tokenId);
  }

  /** Ended here at once, and after a restart when it resolves. @throws {StorageFailed} */
  async add(tokenId: string, expiresAt: number): Promise<void> {
    const [token, now] = [placeOf(tokenId), this.#now()];
    this.#known.forget(now);
    this.#known.note(token, expiresAt, now);
    await this.#database.transaction(async (transaction) => {
      await transaction.query('DELETE FROM ended_session WHERE until < $1', now);
      await transaction.query(
        `INSERT INTO ended_session (token, until) VALUES ($1, $2)
         ON CONFLICT (token) DO UPDATE SET until = max(until, excluded.until)`,
        token,
        wholeTime(expiresAt),
      );
    });
  }
}
