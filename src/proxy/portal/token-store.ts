import type { Clock } from '../runtime/clock.js';
import type { Secret } from '../runtime/secret.js';

/**
 * Shares the token of one credential between the caches of all processes, so that one of them requests it for all.
 *
 * A cache that needs a token claims the right to request one. The claim is a lease and not a lock: if the process is
 * killed, another one claims after the lease has run out. A fencing token (`fence`) numbers each claim and becomes the
 * generation of its token; a process whose claim has run out publishes nothing. The interface has durations only and no
 * times of day, because the clocks of the processes may differ.
 *
 * The client secret is not stored here. A store outside of the process encrypts tokens so that only a process with the
 * secret can read them.
 */
export interface TokenStore {
  /** Returns a newer token, or the right to request one, or why neither is possible now. */
  claim(want: TokenWanted): Promise<TokenFound>;
  /** @returns whether the claim was still valid; if not, another process provides the token */
  publish(fence: number, token: NewToken): Promise<boolean>;
  /** The portal rejected the credentials: no process requests a token for `pauseMs`. */
  refuse(fence: number, pauseMs: number): Promise<void>;
  /** The request failed in another way: the next process may claim. */
  release(fence: number): Promise<void>;
}

export interface TokenWanted {
  /** A generation that cannot be used: it was rejected, or is about to expire. */
  readonly newerThan: number;
  /** Longer than a token request may take. */
  readonly leaseMs: number;
}

export interface NewToken {
  readonly value: Secret;
  /** Since the token request was sent. */
  readonly ageMs: number;
  readonly lifeMs: number;
}

export interface SharedToken extends NewToken {
  /** The fence of the claim; it grows with every token. */
  readonly generation: number;
}

export type TokenFound =
  | { readonly kind: 'token'; readonly token: SharedToken }
  | { readonly kind: 'claimed'; readonly fence: number }
  /** Another process is requesting a token. */
  | { readonly kind: 'busy' }
  /** The credentials were rejected and are not tried for `forMs`. */
  | { readonly kind: 'refused'; readonly forMs: number };

/** How long rejected credentials are not tried again. A portal may lock an account after repeated failures. */
export const CREDENTIALS_PAUSE_MS = 5 * 60_000;

/** The content of a store at one moment, as durations from that moment. */
export interface TokenRecord {
  readonly token: SharedToken | undefined;
  readonly leasedForMs: number;
  readonly refusedForMs: number;
}

/**
 * What a claim finds in a record; `undefined`: the claim succeeds. A duration that is longer than any that is ever
 * stored comes from a clock that was set back, and counts as over.
 */
export function findToken(
  { token, leasedForMs, refusedForMs }: TokenRecord,
  want: TokenWanted,
): TokenFound | undefined {
  if (token !== undefined && token.generation > want.newerThan && token.ageMs >= 0 && token.ageMs < token.lifeMs) {
    return { kind: 'token', token };
  }
  if (refusedForMs > 0 && refusedForMs <= CREDENTIALS_PAUSE_MS) return { kind: 'refused', forMs: refusedForMs };
  return leasedForMs > 0 && leasedForMs <= want.leaseMs ? { kind: 'busy' } : undefined;
}

/** A store within one process. */
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
    const found = findToken(record, want);
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
