import { hasPermission } from '../access/permissions.js';
import { UnknownKey, personKey, type ProxySession } from '../access/session.js';
import type { Clock } from '../runtime/clock.js';
import { ApiError } from './problem-response.js';

/** Names that are kept at most. Above it the least recently used one starts again with a full budget. */
const MAX_BUCKETS = 100_000;
const MINUTE_MS = 60_000;

interface Bucket {
  readonly tokens: number;
  readonly updatedAt: number;
}

/**
 * A token bucket for each name: what a minute allows may be spent at once and grows back evenly. One that asks for more
 * than a whole minute's worth gets it when its bucket is full, and waits the longer afterwards.
 */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param perMinute what this name may spend in a minute
   * @returns 0 where the cost is taken, else the milliseconds after which it would be; then nothing is taken
   */
  tryConsume(name: string, cost: number, perMinute: number): number {
    const wait = this.waitTime(name, cost, perMinute);
    if (wait === 0) this.#store(name, this.#available(name, perMinute) - cost);
    return wait;
  }

  /** What `spend` would return. */
  waitTime(name: string, cost: number, perMinute: number): number {
    const needed = Math.min(cost, perMinute) - this.#available(name, perMinute);
    return needed > 0 ? Math.ceil((needed * MINUTE_MS) / perMinute) : 0;
  }

  #available(name: string, perMinute: number): number {
    const account = this.#buckets.get(name);
    if (account === undefined) return perMinute;
    const grown = ((this.#clock.monotonic() - account.updatedAt) * perMinute) / MINUTE_MS;
    return Math.min(account.tokens + grown, perMinute);
  }

  #store(name: string, left: number): void {
    // Taken out and put back, so that the map's order is that of the last use.
    this.#buckets.delete(name);
    this.#buckets.set(name, { tokens: left, updatedAt: this.#clock.monotonic() });
    if (this.#buckets.size <= MAX_BUCKETS) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Edits a minute. What one may spend in a second is as much, so that a person who sets a whole page is not slowed down. */
export interface WriteLimits {
  /** Of one person. A script that acts in their name (T1 of `test/security/threats.ts`) gets no further. */
  readonly edits: number;
  /** Of one person with the permission `bulk`. */
  readonly bulkEdits: number;
  /** Of all people of one vendor. */
  readonly vendorEdits: number;
  /** Requests without a good session, of one address. Others behind the same address wait with it, for seconds. */
  readonly refusedRequests: number;
}

export const DEFAULT_WRITE_LIMITS: WriteLimits = {
  edits: 600,
  bulkEdits: 60_000,
  vendorEdits: 600_000,
  refusedRequests: 600,
};

/** Who may write how much, and who may knock how often. Counted in this process: several proxies allow as much each. */
export class RateLimits {
  readonly #limits: WriteLimits;
  readonly #people: TokenBuckets;
  readonly #vendors: TokenBuckets;
  readonly #addresses: TokenBuckets;

  constructor(limits: WriteLimits, clock: Clock) {
    this.#limits = limits;
    this.#people = new TokenBuckets(clock);
    this.#vendors = new TokenBuckets(clock);
    this.#addresses = new TokenBuckets(clock);
  }

  /** @throws {ApiError} with `Retry-After` */
  consumeEdits(session: ProxySession, edits: number): void {
    const { edits: max, bulkEdits, vendorEdits } = this.#limits;
    const person = personKey(session);
    const personEdits = hasPermission(session, 'bulk') ? bulkEdits : max;
    // From neither where one of them has too little: a request that another's budget refuses costs nothing of its own.
    throwIfWaiting(this.#people.waitTime(person, edits, personEdits));
    throwIfWaiting(this.#vendors.tryConsume(session.vendor, edits, vendorEdits));
    this.#people.tryConsume(person, edits, personEdits);
  }

  /** @throws {ApiError} where this address has shown too many bad sessions */
  checkAddress(address: string | undefined): void {
    if (address !== undefined) throwIfWaiting(this.#addresses.waitTime(address, 1, this.#limits.refusedRequests));
  }

  recordUnauthenticated(address: string | undefined): void {
    if (address !== undefined) this.#addresses.tryConsume(address, 1, this.#limits.refusedRequests);
  }

  /** A token that names an unknown key may come from anybody. @returns throws again why a session could not be proven */
  recordUnknownKey(address: string | undefined): (error: unknown) => never {
    return (error) => {
      if (error instanceof UnknownKey) this.recordUnauthenticated(address);
      throw error;
    };
  }
}

function throwIfWaiting(waitMs: number): void {
  if (waitMs > 0) throw new ApiError('budget_spent', undefined, { 'Retry-After': String(Math.ceil(waitMs / 1000)) });
}
