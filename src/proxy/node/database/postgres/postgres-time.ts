/** Milliseconds on the database's clock at this very moment, and not when the statement came. */
export const CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * Milliseconds on the database's clock, where the caller gives none of its own: when the statement came, so that an index can
 * be asked for what is due.
 */
export function now(given: string): string {
  return `coalesce(${given}::bigint, (extract(epoch FROM statement_timestamp()) * 1000)::bigint)`;
}

/**
 * Between the clock of a caller and the database's, on which leases and waits are kept: each machine's own is somewhere else,
 * and stands still while it sleeps.
 */
export class DatabaseTime {
  readonly #clock: 'caller' | 'database';
  /** How far the caller's clock is ahead, when last looked. */
  #ahead = 0;

  /** @param clock see `PostgresOutboxOptions.clock` */
  constructor(clock: 'caller' | 'database') {
    this.#clock = clock;
  }

  /** What a statement is given for {@link now}. */
  given(time: number): number | null {
    return this.#clock === 'caller' ? time : null;
  }

  /** What time it was on both clocks. */
  note(time: number, clock: number): void {
    this.#ahead = Math.round(time - clock);
  }

  /** No time at all stays none. */
  stored(time: number): number {
    return time === 0 ? 0 : time - this.#ahead;
  }

  told(time: number): number {
    return time === 0 ? 0 : time + this.#ahead;
  }
}
