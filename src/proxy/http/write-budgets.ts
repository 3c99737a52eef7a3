import { Refusal } from './problem-response.js';
import { Budget } from './budget.js';
import type { Clock } from '../runtime/clock.js';
import { mayDo } from '../access/permissions.js';
import { KeyUnknown, personOf, type ProxySession } from '../access/session.js';

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
