import type { Clock } from '../runtime/clock.js';

/** Names that are kept at most. Above it the one that was heard of longest ago starts anew. */
const MOST_NAMES = 100_000;
const MINUTE_MS = 60_000;

interface Account {
  readonly left: number;
  readonly at: number;
}

/**
 * A token bucket for each name: what a minute allows may be spent at once and grows back evenly. One that asks for more
 * than a whole minute's worth gets it when its bucket is full, and waits the longer afterwards.
 */
export class Budget {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param perMinute what this name may spend in a minute
   * @returns 0 where the cost is taken, else the milliseconds after which it would be; then nothing is taken
   */
  spend(name: string, cost: number, perMinute: number): number {
    const wait = this.waitFor(name, cost, perMinute);
    if (wait === 0) this.#keep(name, this.#left(name, perMinute) - cost);
    return wait;
  }

  /** What `spend` would return. */
  waitFor(name: string, cost: number, perMinute: number): number {
    const needed = Math.min(cost, perMinute) - this.#left(name, perMinute);
    return needed > 0 ? Math.ceil((needed * MINUTE_MS) / perMinute) : 0;
  }

  #left(name: string, perMinute: number): number {
    const account = this.#accounts.get(name);
    if (account === undefined) return perMinute;
    const grown = ((this.#clock.monotonic() - account.at) * perMinute) / MINUTE_MS;
    return Math.min(account.left + grown, perMinute);
  }

  #keep(name: string, left: number): void {
    // Taken out and put back, so that the map's order is that of the last use.
    this.#accounts.delete(name);
    this.#accounts.set(name, { left, at: this.#clock.monotonic() });
    if (this.#accounts.size <= MOST_NAMES) return;
    const [oldest] = this.#accounts.keys();
    if (oldest !== undefined) this.#accounts.delete(oldest);
  }
}
