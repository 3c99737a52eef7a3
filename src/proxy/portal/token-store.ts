import type { Clock } from '../runtime/clock.js';
import type { Secret } from '../runtime/secret.js';

/**
 * Where all token caches of one credential meet, so that one of them asks the portal for all.
 *
 * Whoever needs a token claims the right to ask. A claim is a lease, not a lock: an instance that is killed while it asks is
 * overtaken when the lease runs out. A fence names each claim, and the token that it brings; who was overtaken publishes
 * nothing any more. Spans of time cross this interface, never times of day: the instances' clocks may differ.
 *
 * The secret of the credential is not kept here; a store outside of the process keeps tokens so that only who has that
 * secret can read them.
 */
export interface TokenStore {
  /** A newer token where there is one, else the right to ask for one, else why not. */
  claim(want: TokenWanted): Promise<TokenFound>;
  /** @returns whether the claim still held; if not, the token is another's to bring */
  publish(fence: number, token: NewToken): Promise<boolean>;
  /** The portal refused the credentials: nobody asks for so long. */
  refuse(fence: number, pauseMs: number): Promise<void>;
  /** No token came of it: the next may try. */
  release(fence: number): Promise<void>;
}

export interface TokenWanted {
  /** The newest generation that will not do: it was refused, or its life is nearly over. */
  readonly newerThan: number;
  /** Longer than asking may take. */
  readonly leaseMs: number;
}

export interface NewToken {
  readonly value: Secret;
  /** Since it was asked for. */
  readonly ageMs: number;
  readonly lifeMs: number;
}

export interface SharedToken extends NewToken {
  /** The fence of the claim that brought it: grows with every token. */
  readonly generation: number;
}

export type TokenFound =
  | { readonly kind: 'token'; readonly token: SharedToken }
  | { readonly kind: 'claimed'; readonly fence: number }
  /** Another is asking. */
  | { readonly kind: 'busy' }
  /** The credentials were refused, and are not tried again for so long. */
  | { readonly kind: 'refused'; readonly forMs: number };

/** Credentials are not asked about again for so long: a portal may lock an account that guesses. */
export const CREDENTIALS_PAUSE_MS = 5 * 60_000;

/** What a store knows at one moment, as spans from that moment. */
export interface TokenRecord {
  readonly token: SharedToken | undefined;
  readonly leasedForMs: number;
  readonly refusedForMs: number;
}

/**
 * What is to be found in a record; `undefined`: a claim. A span longer than was ever set comes of a clock that was set back
 * since, and counts as over.
 */
export function findIn({ token, leasedForMs, refusedForMs }: TokenRecord, want: TokenWanted): TokenFound | undefined {
  if (token !== undefined && token.generation > want.newerThan && token.ageMs >= 0 && token.ageMs < token.lifeMs) {
    return { kind: 'token', token };
  }
  if (refusedForMs > 0 && refusedForMs <= CREDENTIALS_PAUSE_MS) return { kind: 'refused', forMs: refusedForMs };
  return leasedForMs > 0 && leasedForMs <= want.leaseMs ? { kind: 'busy' } : undefined;
}

/** The store of one process. */
export class MemoryTokenStore implements TokenStore {
  readonly #clock: Clock;
  #fence = 0;
  #token: (SharedToken & { readonly askedAt: number }) | undefined;
  #leasedUntil = -Infinity;
  #refusedUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  claim(want: TokenWanted): Promise<TokenFound> {
    const now = this.#clock.monotonic();
    const token = this.#token && { ...this.#token, ageMs: now - this.#token.askedAt };
    const record = { token, leasedForMs: this.#leasedUntil - now, refusedForMs: this.#refusedUntil - now };
    const found = findIn(record, want);
    if (found !== undefined) return Promise.resolve(found);
    this.#fence += 1;
    this.#leasedUntil = now + want.leaseMs;
    return Promise.resolve({ kind: 'claimed', fence: this.#fence });
  }

  publish(fence: number, token: NewToken): Promise<boolean> {
    if (fence !== this.#fence) return Promise.resolve(false);
    this.#token = { ...token, generation: fence, askedAt: this.#clock.monotonic() - token.ageMs };
    return this.release(fence).then(() => true);
  }

  refuse(fence: number, pauseMs: number): Promise<void> {
    if (fence === this.#fence) this.#refusedUntil = this.#clock.monotonic() + pauseMs;
    return this.release(fence);
  }

  release(fence: number): Promise<void> {
    if (fence === this.#fence) this.#leasedUntil = -Infinity;
    return Promise.resolve();
  }
}
