import type { Clock } from './clock.js';

/**
 * Embed tokens whose person has signed out before they expire (their `jti`). Asked at every request, so the answer is at
 * hand; told seldom, so telling may take its time.
 */
export interface EndedSessions {
  has(tokenId: string): boolean;
  /** @param expiresAt milliseconds since the epoch; after that nobody has to remember */
  add(tokenId: string, expiresAt: number): Promise<void>;
}

/** Of one process, as long as it runs. */
export class EndedSessionsInMemory implements EndedSessions {
  readonly #clock: Clock;
  /** In the order in which they ended, which is nearly that in which they expire. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(tokenId: string): boolean {
    return this.#until.has(tokenId);
  }

  add(tokenId: string, expiresAt: number): Promise<void> {
    for (const [old, until] of this.#until) if (until < this.#clock.wall()) this.#until.delete(old);
    this.#until.set(tokenId, expiresAt);
    return Promise.resolve();
  }
}
