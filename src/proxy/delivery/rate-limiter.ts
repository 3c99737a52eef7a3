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
  /** By client, on the clock that waits are measured on. */
  readonly #closedUntil = new Map<string, number>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the client may call. If that would take longer than `maxWaitMs`, it reserves nothing.
   *
   * @returns the wait in milliseconds if it is too long, else `undefined`
   */
  async acquire(client: string, maxWaitMs: number): Promise<number | undefined> {
    const { outbox, now, limits, pause } = this.#options;
    const intervalMs = 1000 / limits().callsPerSecond;
    const wait = await outbox.reserveCall({ client, intervalMs, maxWaitMs, now: now() });
    if (wait > maxWaitMs) return wait;
    if (wait > 0) await pause(wait);
    return undefined;
  }

  /** Records the wait that the portal has asked for in the response to a call. */
  recordOutcome(client: string, { kind, afterMs }: UpdateOutcome, now: number): void {
    if (afterMs === undefined || kind === 'refused' || kind === 'held') return;
    this.close(client, now + afterMs);
  }

  /**
   * Takes a call that no edit waits for, if it may be sent at once. A call reserved for later would delay the next
   * edit.
   *
   * @returns 0 if the call is taken, else milliseconds until the next try
   */
  async takeIdleCall(client: string): Promise<number> {
    const { outbox, now, limits } = this.#options;
    const closedMs = this.closedUntil(client) - now();
    if (closedMs > 0) return closedMs;
    const intervalMs = 1000 / limits().callsPerSecond;
    return outbox.reserveCall({ client, intervalMs, maxWaitMs: 0, now: now() });
  }

  /** The portal asks this client to wait. */
  close(client: string, until: number): void {
    this.#closedUntil.set(client, Math.max(this.closedUntil(client), until));
  }

  /** The time until which no lane of this client may call. */
  closedUntil(client: string): number {
    return this.#closedUntil.get(client) ?? 0;
  }

  /** Shortens waits as `Outbox.capDelays` does for lanes. */
  capDelays(now: number, maxDelayMs: number): void {
    for (const [client, until] of this.#closedUntil) if (until > now + maxDelayMs) this.#closedUntil.set(client, now);
  }
}
