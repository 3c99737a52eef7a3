import { type Clock, createEarliestClock } from '../runtime/clock.js';

/**
 * Embed tokens whose person has signed out before they expire (their `jti`). Asked at every request, so the answer is at
 * hand; told seldom, so telling may take its time.
 */
export interface RevocationList {
  has(tokenId: string): boolean;
  /** @param expiresAt milliseconds since the epoch; after that nobody has to remember */
  add(tokenId: string, expiresAt: number): Promise<void>;
}

/** Of one process, as long as it runs. */
export class RevocationListInMemory implements RevocationList {
  readonly #now: () => number;
  /** In the order in which they ended, which is nearly that in which they expire. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#now = createEarliestClock(clock);
  }

  has(tokenId: string): boolean {
    return this.#until.has(tokenId);
  }

  add(tokenId: string, expiresAt: number): Promise<void> {
    const now = this.#now();
    for (const [old, until] of this.#until) if (until < now) this.#until.delete(old);
    this.#until.set(tokenId, expiresAt);
    return Promise.resolve();
  }
}
