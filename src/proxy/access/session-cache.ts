import type { Clock } from '../runtime/clock.js';
import type { ProxySession } from './session.js';

/**
 * How long a proof counts. Other keys end it at once: the cache is thrown away with the keys that filled it, so that a
 * key that its host withdraws is good for nothing from the moment that the proxy knows.
 */
export const KEEP_MS = 60_000;
export const MOST_KEPT = 10_000;
/** Characters of their tokens, all together: of one that names a thousand items as much more is kept. */
export const MOST_CHARACTERS = 8 * 1024 * 1024;

/** A session that was proven, and the page that it was proven for. */
export interface Proven {
  readonly session: ProxySession;
  readonly origin: string;
}

interface Kept {
  readonly proven: Proven;
  readonly verifiedAt: number;
  readonly characters: number;
}

/**
 * Embed tokens that were verified a moment ago, by their hash. A page sends the same one with each request, and checking
 * a signature costs as much as all else that acceptance does. What was refused is not kept.
 */
export class SessionCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(hash: string): Proven | undefined {
    const kept = this.#kept.get(hash);
    if (kept === undefined) return undefined;
    const isFresh = this.#clock.monotonic() - kept.verifiedAt < KEEP_MS;
    if (isFresh && this.#clock.wall() < kept.proven.session.expiresAt) return kept.proven;
    this.#drop(hash);
    return undefined;
  }

  /** @param characters of the token */
  keep(hash: string, proven: Proven, characters: number): void {
    const verifiedAt = this.#clock.monotonic();
    this.#drop(hash);
    // A map hands out its oldest first. Pages change their tokens every few minutes: most are never shown again.
    for (const [oldest, kept] of this.#kept) {
      const isFull = this.#kept.size >= MOST_KEPT || this.#characters + characters > MOST_CHARACTERS;
      if (!isFull && verifiedAt - kept.verifiedAt < KEEP_MS) break;
      this.#drop(oldest);
    }
    this.#kept.set(hash, { proven, verifiedAt, characters });
    this.#characters += characters;
  }

  #drop(hash: string): void {
    this.#characters -= this.#kept.get(hash)?.characters ?? 0;
    this.#kept.delete(hash);
  }
}
