import { hasPermission } from '../access/permissions.js';
import { UnknownKey, personKey, type ProxySession } from '../access/session.js';
import type { Clock } from '../runtime/clock.js';
import { ApiError } from './problem-response.js';

/** Above this number the least recently used bucket is dropped, so its name starts again with a full bucket. */
const MAX_BUCKETS = 100_000;
const MINUTE_MS = 60_000;

interface Bucket {
  readonly tokens: number;
  readonly updatedAt: number;
}

/**
 * A token bucket for each name. It holds the tokens of one minute and refills evenly. A cost above the size of the bucket is
 * granted when the bucket is full, and leaves a debt.
 */
export class TokenBuckets {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param perMinute the tokens of this name in a minute
   * @returns 0 if the cost was taken; else the milliseconds until it can be, and no token is taken
   */
  tryConsume(name: string, cost: number, perMinute: number): number {
    const wait = this.waitTime(name, cost, perMinute);
    if (wait === 0) this.#store(name, this.#available(name, perMinute) - cost);
    return wait;
  }

  /** @returns what `tryConsume` would return, without taking a token */
  waitTime(name: string, cost: number, perMinute: number): number {
    const needed = Math.min(cost, perMinute) - this.#available(name, perMinute);
    return needed > 0 ? Math.ceil((needed * MINUTE_MS) / perMinute) : 0;
  }

  #available(name: string, perMinute: number): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return perMinute;
    const grown = ((this.#clock.monotonic() - bucket.updatedAt) * perMinute) / MINUTE_MS;
    return Math.min(bucket.tokens + grown, perMinute);
  }

  #store(name: string, tokens: number): void {
    // Deleting the entry first keeps the map in the order of the last use.
    this.#buckets.delete(name);
    this.#buckets.set(name, { tokens, updatedAt: this.#clock.monotonic() });
    if (this.#buckets.size <= MAX_BUCKETS) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Edits a minute. A person may use them all within a second, so that setting a whole page is not slowed down. */
export interface WriteLimits {
  /** Of one person, and so of a script that acts in their name (T1 of `test/security/threats.ts`). */
  readonly edits: number;
  /** Of one person with the permission `bulk`. */
  readonly bulkEdits: number;
  /** Of all people of one vendor. */
  readonly vendorEdits: number;
  /** Requests of one address without a valid session. Clients that share the address wait too, for seconds. */
  readonly refusedRequests: number;
}

export const DEFAULT_WRITE_LIMITS: WriteLimits = {
  edits: 600,
  bulkEdits: 60_000,
  vendorEdits: 600_000,
  refusedRequests: 600,
};

/** Limits edits and unauthenticated requests. Each process counts for itself, so each of several proxies allows as many. */
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
    // No token is taken unless both buckets have enough.
    throwIfWaiting(this.#people.waitTime(person, edits, personEdits));
    throwIfWaiting(this.#vendors.tryConsume(session.vendor, edits, vendorEdits));
    this.#people.tryConsume(person, edits, personEdits);
  }

  /** @throws {ApiError} if this address has sent too many requests without a valid session */
  checkAddress(address: string | undefined): void {
    if (address !== undefined) throwIfWaiting(this.#addresses.waitTime(address, 1, this.#limits.refusedRequests));
  }

  recordUnauthenticated(address: string | undefined): void {
    if (address !== undefined) this.#addresses.tryConsume(address, 1, this.#limits.refusedRequests);
  }

  /**
   * Anybody can make a token that names an unknown key, so such a request counts for its address.
   *
   * @returns a function that counts the error of an authentication and throws it again
   */
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
