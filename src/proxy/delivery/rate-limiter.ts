import type { Clock } from '../runtime/clock.js';
import type { UpdateOutcome } from '../portal/outcome.js';

export interface RateLimiterOptions {
  readonly clock: Clock;
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
  /** By caller. */
  readonly #nextCall = new Map<string, number>();
  /** On the clock of waits, by caller. */
  readonly #closedUntil = new Map<string, number>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /** Resolves when it is this caller's turn. */
  async acquire(caller: string): Promise<void> {
    const { clock, limits, pause } = this.#options;
    const interval = 1000 / limits().callsPerSecond;
    const at = Math.max(this.#nextCall.get(caller) ?? -Infinity, clock.monotonic());
    this.#nextCall.set(caller, at + interval);
    if (at > clock.monotonic()) await pause(at - clock.monotonic());
  }

  /** Milliseconds until the next call of this caller may leave. */
  waitTime(caller: string): number {
    return Math.max((this.#nextCall.get(caller) ?? -Infinity) - this.#options.clock.monotonic(), 0);
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
