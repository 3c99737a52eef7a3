import type { Queries, Statement } from './postgres-connection.js';
import { now } from './postgres-time.js';

/** `$1`: the caller's clock. `$2`: it again, where the caller's is the one that counts, and not the database's. */
const READ: Statement = {
  name: 'portal_clock_read',
  text: `SELECT ahead + ${now('$2')} - $1::bigint AS offset_ms FROM portal_clock`,
};

const WRITE: Statement = {
  name: 'portal_clock_write',
  text: `INSERT INTO portal_clock (one, ahead) VALUES (1, $3::bigint + $1::bigint - ${now('$2')})
    ON CONFLICT (one) DO UPDATE SET ahead = excluded.ahead`,
};

/**
 * How far the portal's clock is ahead of the database's, as any of the proxies on it last noted. What each of them needs is
 * how far it is ahead of its own, which differs from machine to machine and may be set; the database's clock is the one
 * that they share.
 */
export class PostgresPortalClock {
  readonly #queries: Queries;
  readonly #isCallers: boolean;

  /** @param clock see `PostgresOutboxOptions.clock` */
  constructor(queries: Queries, clock: 'caller' | 'database') {
    this.#queries = queries;
    this.#isCallers = clock === 'caller';
  }

  async read(time: number): Promise<number | undefined> {
    const [found] = await this.#queries.query<{ readonly offset_ms: number }>(READ, ...this.#times(time));
    return found?.offset_ms;
  }

  async write(offset: number, time: number): Promise<void> {
    await this.#queries.query(WRITE, ...this.#times(time), Math.round(offset));
  }

  #times(time: number): [number, number | null] {
    const whole = Math.round(time);
    return [whole, this.#isCallers ? whole : null];
  }
}
