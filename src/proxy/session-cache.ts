import type { Clock } from './clock.js';
import type { ProxySession } from './session.js';

/**
 * How long a proof counts. Other keys end it at once: the cache is thrown away with the keys that filled it, so that a
 * key that its host withdraws is good for nothing from the moment that the proxy knows.
 */
export const KEEP_MS = 60_000;
export const MOST_KEPT = 10_000;

/** A session that was proven, and the page that it was proven for. */
export interface Proven {
  readonly session: ProxySession;
  readonly origin: string;
}

/**
 * Embed tokens that were verified a moment ago, by their hash. A page sends the same one with each request, and checking
 * a signature costs as much as all else that acceptance does. What was refused is not kept.
 */
export class SessionCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly proven: Proven; readonly verifiedAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(hash: string): Proven | undefined {
    const kept = this.#kept.get(hash);
    if (kept === undefined) return undefined;
    const isFresh = this.#clock.monotonic() - kept.verifiedAt < KEEP_MS;
    if (isFresh && this.#clock.wall() < kept.proven.session.expiresAt) return kept.proven;
    this.#kept.delete(hash);
    return undefined;
  }

  keep(hash: string, proven: Proven): void {
    // A map hands out its oldest first.
    const oldest = this.#kept.size < MOST_KEPT ? undefined : this.#kept.keys().next().value;
    if (oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(hash, { proven, verifiedAt: this.#clock.monotonic() });
  }
}
