import { type Clock, createEarliestClock, createMonotonicClock } from '../runtime/clock.js';
import { CLOCK_TOLERANCE_SECONDS, MAX_TOKEN_LIFETIME_SECONDS, personKey, type ProxySession } from './session.js';

/** A name that is revoked until a time; with `issuedUntil`, only for tokens that were issued until then. */
export interface Revocation {
  /** In milliseconds since the epoch, as all times here. No token that it is about is accepted after that. */
  readonly until: number;
  readonly issuedUntil?: number | undefined;
}

/**
 * What people who signed out have revoked: an embed token by its `jti`, and all tokens of a person. It is asked at every
 * request, so that it answers at once; sign-outs are rare, so `add` may take its time.
 */
export interface RevocationList {
  /** @param issuedAt of the token, for a name that is revoked for older tokens alone */
  has(name: string, issuedAt?: number): boolean;
  /** Revoked in this process at once, and after a restart when it resolves. */
  add(name: string, until: number, issuedUntil?: number): Promise<void>;
}

/** Clocks are set and set back: what is over by the clock of today may count again tomorrow. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

export interface RevokedNamesOptions {
  readonly clock: Clock;
  /** What is remembered of a name, and stored. Default: the name itself. */
  readonly keyOf?: (name: string) => string;
  /** Stores a revocation. Default: it ends with the process. @throws {StorageFailed} */
  readonly store?: (key: string, revocation: Revocation) => Promise<void>;
}

/** The revocations that this process knows of. */
export class RevokedNames implements RevocationList {
  readonly #now: () => number;
  readonly #keyOf: (name: string) => string;
  readonly #store: (key: string, revocation: Revocation) => Promise<void>;
  readonly #revocations = new Map<string, Revocation>();

  constructor({ clock, keyOf = (name) => name, store = () => Promise.resolve() }: RevokedNamesOptions) {
    this.#now = createEarliestClock(clock);
    this.#keyOf = keyOf;
    this.#store = store;
  }

  has(name: string, issuedAt?: number): boolean {
    // Mostly no sign-out is recent, and no key has to be made.
    if (this.#revocations.size === 0) return false;
    const revocation = this.#revocations.get(this.#keyOf(name));
    if (revocation === undefined || revocation.until < this.#now()) return false;
    return revocation.issuedUntil === undefined || (issuedAt !== undefined && issuedAt <= revocation.issuedUntil);
  }

  async add(name: string, until: number, issuedUntil?: number): Promise<void> {
    const key = this.#keyOf(name);
    const revocation = { until, issuedUntil };
    for (const [old, { until: end }] of this.#revocations) {
      if (end + FORGET_AFTER_MS < this.#now()) this.#revocations.delete(old);
    }
    this.learn(key, revocation);
    await this.#store(key, revocation);
  }

  /** Of a revocation that is stored already. */
  learn(key: string, { until, issuedUntil }: Revocation): void {
    const before = this.#revocations.get(key);
    this.#revocations.set(key, {
      until: Math.max(until, before?.until ?? 0),
      issuedUntil: issuedUntil === undefined ? before?.issuedUntil : Math.max(issuedUntil, before?.issuedUntil ?? 0),
    });
  }
}

/**
 * Signs people out. A sign-out ends every embed token of the person that was issued until now, those of other tabs and those
 * that were renewed since included. The times in tokens are the host's: "now" is the latest that any clock says, of which the
 * host's is known by the newest token that any person has shown.
 */
export class SignOuts {
  readonly #revoked: RevocationList;
  readonly #clock: Clock;
  readonly #monotonicNow: () => number;
  #newestIssuedAt = 0;

  constructor(revoked: RevocationList, clock: Clock) {
    this.#revoked = revoked;
    this.#clock = clock;
    this.#monotonicNow = createMonotonicClock(clock);
  }

  /** Whether the person of this session has signed out since its token was issued. */
  hasEnded(session: ProxySession): boolean {
    const { tokenId, issuedAt } = session;
    if (issuedAt !== undefined && issuedAt > this.#newestIssuedAt) this.#newestIssuedAt = issuedAt;
    if (tokenId !== undefined && this.#revoked.has(tokenId)) return true;
    return issuedAt !== undefined && this.#revoked.has(nameOf(session), issuedAt);
  }

  /**
   * A session of the host's own `authenticate` without a `tokenId` is the host's to end.
   *
   * @throws {StorageFailed} where the sign-out would not outlive this process
   */
  async end(session: ProxySession): Promise<void> {
    const { tokenId, issuedAt, expiresAt } = session;
    const leeway = CLOCK_TOLERANCE_SECONDS * 1000;
    const now = Math.max(this.#clock.wall(), this.#monotonicNow(), this.#newestIssuedAt);
    const writes: Promise<void>[] = [];
    if (tokenId !== undefined) writes.push(this.#revoked.add(tokenId, expiresAt + leeway));
    if (issuedAt !== undefined) {
      writes.push(this.#revoked.add(nameOf(session), now + MAX_TOKEN_LIFETIME_SECONDS * 1000 + leeway, now));
    }
    await Promise.all(writes);
  }
}

/** No `jti` holds a line break, so that no token has the name of a person. */
function nameOf(session: ProxySession): string {
  return `person\n${personKey(session)}`;
}
