import { type Clock, createEarliestClock, createMonotonicClock } from '../runtime/clock.js';
import { CLOCK_TOLERANCE_SECONDS, MAX_TOKEN_LIFETIME_SECONDS, personKey, type ProxySession } from './session.js';

/** A revocation in force until a time. With `issuedUntil` it covers only tokens issued up to that time. */
export interface Revocation {
  /** Milliseconds since the epoch, as all times here. By then every token that the revocation covers has expired. */
  readonly until: number;
  readonly issuedUntil?: number | undefined;
}

/**
 * The revocations that sign-outs made: single embed tokens by their `jti`, and all tokens of a person. `has` runs at every
 * request, so it is synchronous; sign-outs are rare, so `add` may wait for storage.
 */
export interface RevocationList {
  /** @param issuedAt issue time of the token, compared with `issuedUntil` of the revocation */
  has(name: string, issuedAt?: number): boolean;
  /** Takes effect in this process at once; resolves when the revocation survives a restart. */
  add(name: string, until: number, issuedUntil?: number): Promise<void>;
}

/** Expired revocations are kept for this long, because a wall clock that is set back makes their tokens valid again. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;

export interface RevokedNamesOptions {
  readonly clock: Clock;
  /** The key under which a name is kept and stored, for example its hash. Default: the name itself. */
  readonly keyOf?: (name: string) => string;
  /** Stores a revocation. Default: nothing is stored, and it is lost when the process ends. @throws {StorageFailed} */
  readonly store?: (key: string, revocation: Revocation) => Promise<void>;
}

/** The revocations that are known to this process, in memory. */
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
    // Usually no sign-out is recent, and then the key need not be computed.
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

  /** Adds a revocation that is already stored, for example at start or from another process. */
  learn(key: string, { until, issuedUntil }: Revocation): void {
    const before = this.#revocations.get(key);
    this.#revocations.set(key, {
      until: Math.max(until, before?.until ?? 0),
      issuedUntil: issuedUntil === undefined ? before?.issuedUntil : Math.max(issuedUntil, before?.issuedUntil ?? 0),
    });
  }
}

/**
 * Signs people out. A sign-out revokes every embed token of the person that was issued until now, including those of other
 * tabs and renewed ones. Issue times come from the host's clock, which may be ahead. Therefore "now" is the latest of the
 * wall clock, the monotonic clock and the newest `iat` that any person's token has had.
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
   * Revokes the session's token and all tokens of the person that were issued until now. A session from the host's own
   * `authenticate` without `tokenId` and `issuedAt` is not affected: only the host can end it.
   *
   * @throws {StorageFailed} if the sign-out would not survive a restart
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

/** A `jti` contains no line break, so no token id equals the key of a person. */
function nameOf(session: ProxySession): string {
  return `person\n${personKey(session)}`;
}
