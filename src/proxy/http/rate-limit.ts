import { mayDo } from '../access/permissions.js';
import { KeyUnknown, personOf, type ProxySession } from '../access/session.js';
import type { Clock } from '../runtime/clock.js';
import { Refusal } from './problem-response.js';

/** Names that are kept at most. Above it the one that was heard of longest ago starts anew. */
const MOST_NAMES = 100_000;
const MINUTE_MS = 60_000;

interface Account {
  readonly left: number;
  readonly at: number;
}

/**
 * A token bucket for each name: what a minute allows may be spent at once and grows back evenly. One that asks for more
 * than a whole minute's worth gets it when its bucket is full, and waits the longer afterwards.
 */
export class Budget {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param perMinute what this name may spend in a minute
   * @returns 0 where the cost is taken, else the milliseconds after which it would be; then nothing is taken
   */
  spend(name: string, cost: number, perMinute: number): number {
    const wait = this.waitFor(name, cost, perMinute);
    if (wait === 0) this.#keep(name, this.#left(name, perMinute) - cost);
    return wait;
  }

  /** What `spend` would return. */
  waitFor(name: string, cost: number, perMinute: number): number {
    const needed = Math.min(cost, perMinute) - this.#left(name, perMinute);
    return needed > 0 ? Math.ceil((needed * MINUTE_MS) / perMinute) : 0;
  }

  #left(name: string, perMinute: number): number {
    const account = this.#accounts.get(name);
    if (account === undefined) return perMinute;
    const grown = ((this.#clock.monotonic() - account.at) * perMinute) / MINUTE_MS;
    return Math.min(account.left + grown, perMinute);
  }

  #keep(name: string, left: number): void {
    // Taken out and put back, so that the map's order is that of the last use.
    this.#accounts.delete(name);
    this.#accounts.set(name, { left, at: this.#clock.monotonic() });
    if (this.#accounts.size <= MOST_NAMES) return;
    const [oldest] = this.#accounts.keys();
    if (oldest !== undefined) this.#accounts.delete(oldest);
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
export class WriteBudgets {
  readonly #limits: WriteLimits;
  readonly #people: Budget;
  readonly #vendors: Budget;
  readonly #addresses: Budget;

  constructor(limits: WriteLimits, clock: Clock) {
    this.#limits = limits;
    this.#people = new Budget(clock);
    this.#vendors = new Budget(clock);
    this.#addresses = new Budget(clock);
  }

  /** @throws {Refusal} with `Retry-After` */
  spendEdits(session: ProxySession, edits: number): void {
    const { edits: most, bulkEdits, vendorEdits } = this.#limits;
    const person = personOf(session);
    const personEdits = mayDo(session, 'bulk') ? bulkEdits : most;
    // From neither where one of them has too little: whoever is refused for the others loses nothing of their own.
    refuseUnlessNow(this.#people.waitFor(person, edits, personEdits));
    refuseUnlessNow(this.#vendors.spend(session.vendor, edits, vendorEdits));
    this.#people.spend(person, edits, personEdits);
  }

  /** @throws {Refusal} where this address has shown too many bad sessions */
  checkAddress(address: string | undefined): void {
    if (address !== undefined) refuseUnlessNow(this.#addresses.waitFor(address, 1, this.#limits.refusedRequests));
  }

  noteRefused(address: string | undefined): void {
    if (address !== undefined) this.#addresses.spend(address, 1, this.#limits.refusedRequests);
  }

  /** A token that names a key which nobody has may be anybody's. @returns throws again why a session could not be proven */
  noteUnknown(address: string | undefined): (error: unknown) => never {
    return (error) => {
      if (error instanceof KeyUnknown) this.noteRefused(address);
      throw error;
    };
  }
}

function refuseUnlessNow(waitMs: number): void {
  if (waitMs > 0) throw new Refusal('budget_spent', undefined, { 'Retry-After': String(Math.ceil(waitMs / 1000)) });
}
