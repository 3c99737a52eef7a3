import type { Outbox } from '../outbox/outbox.js';
import type { UpdateOutcome } from '../portal/outcome.js';

export interface RateLimiterOptions {
  readonly outbox: Pick<Outbox, 'reserveCall'>;
  readonly now: () => number;
  readonly limits: () => { readonly callsPerSecond: number };
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * The pace of calls, and how long the portal lets none follow: lanes of one caller share both. A limit is the credential's, of
 * which the portal sees the calls of all lanes as one client's (RFC 6585 section 4 leaves open how it counts). A refusal and
 * what cannot be read may be about the one vendor of the path: how long that one shall stay away is no other's wait.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  /** On the clock of waits, by caller. */
  readonly #closedUntil = new Map<string, number>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /** Resolves when it is this caller's turn. @returns milliseconds until then, where that is more than `mostMs` */
  async acquire(caller: string, mostMs: number): Promise<number | undefined> {
    const { outbox, now, limits, pause } = this.#options;
    const intervalMs = 1000 / limits().callsPerSecond;
    const wait = await outbox.reserveCall({ client: caller, intervalMs, mostMs, now: now() });
    if (wait > mostMs) return wait;
    if (wait > 0) await pause(wait);
    return undefined;
  }

  /** The portal has told one of this caller's lanes how this call ended. */
  recordOutcome(caller: string, { kind, afterMs }: UpdateOutcome, now: number): void {
    if (afterMs === undefined || kind === 'refused' || kind === 'held') return;
    this.#closedUntil.set(caller, Math.max(this.closedUntil(caller), now + afterMs));
  }

  /** Until when none of this caller's lanes may call. */
  closedUntil(caller: string): number {
    return this.#closedUntil.get(caller) ?? 0;
  }

  /** As the outbox limits the waits of lanes. */
  capDelays(now: number, longestMs: number): void {
    for (const [caller, until] of this.#closedUntil) if (until > now + longestMs) this.#closedUntil.set(caller, now);
  }
}
