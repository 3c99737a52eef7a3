import type { Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';

export interface RateLimiterOptions {
  readonly outbox: Pick<Outbox, 'reserveCall'>;
  readonly now: () => number;
  readonly limits: () => { readonly callsPerSecond: number };
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Limits the rate of calls, and delays calls for as long as the portal asks. All lanes of one client share both, because the
 * portal counts the calls of one credential together (RFC 6585 section 4 leaves open how it counts). The rate is shared by all
 * processes on one outbox. A wait that comes with a refusal, or with a response that cannot be read, may be about the one vendor
 * in the path, and delays no other.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  /** On the clock of waits, by client. */
  readonly #closedUntil = new Map<string, number>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /** Resolves when the client may call. @returns milliseconds until then, at once, if they are more than `mostMs` */
  async acquire(caller: string, mostMs: number): Promise<number | undefined> {
    const { outbox, now, limits, pause } = this.#options;
    const intervalMs = 1000 / limits().callsPerSecond;
    const wait = await outbox.reserveCall({ client: caller, intervalMs, mostMs, now: now() });
    if (wait > mostMs) return wait;
    if (wait > 0) await pause(wait);
    return undefined;
  }

  /** Records the wait that the portal asks for with the outcome of a call. */
  recordOutcome(caller: string, { kind, afterMs }: UpdateOutcome, now: number): void {
    if (afterMs === undefined || kind === 'refused' || kind === 'held') return;
    this.close(caller, now + afterMs);
  }

  /**
   * Takes a call that no edit waits for: only one that may leave at once, since an edit that comes next would have to wait for
   * one that is reserved ahead.
   *
   * @returns 0 where it is taken, else milliseconds until to ask again
   */
  async takeSpare(caller: string): Promise<number> {
    const { outbox, now, limits } = this.#options;
    const closedMs = this.closedUntil(caller) - now();
    if (closedMs > 0) return closedMs;
    const intervalMs = 1000 / limits().callsPerSecond;
    return outbox.reserveCall({ client: caller, intervalMs, mostMs: 0, now: now() });
  }

  /** The portal asks this client to wait. */
  close(caller: string, until: number): void {
    this.#closedUntil.set(caller, Math.max(this.closedUntil(caller), until));
  }

  /** Until when no lane of this client may call. */
  closedUntil(caller: string): number {
    return this.#closedUntil.get(caller) ?? 0;
  }

  /** Shortens waits as the outbox does for lanes. */
  capDelays(now: number, longestMs: number): void {
    for (const [caller, until] of this.#closedUntil) if (until > now + longestMs) this.#closedUntil.set(caller, now);
  }
}
