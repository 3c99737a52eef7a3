/** The prefix of every token that the sandbox issues, so that a search for leaked tokens needs no list of them. */
export const TOKEN_PREFIX = 'sandbox-token-';

export interface IssuedToken {
  readonly token: string;
  /** The number of the token, counted from 1. The journal records it in place of the token. */
  readonly generation: number;
  readonly expiresInSeconds: number;
}

export type TokenCheck =
  { readonly state: 'valid' | 'expired' | 'revoked'; readonly generation: number } | { readonly state: 'unknown' };

export interface TokensOptions {
  readonly lifetimeSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const RANDOM_BYTES = 32;

// Beyond this the oldest token is dropped and gets 401. The client then requests a new token, as after any 401.
const MAX_TOKENS = 10_000;

/** The portal's opaque bearer tokens. Several are valid at once, as an authorization server usually permits. */
export class Tokens {
  readonly #options: TokensOptions;
  readonly #issued = new Map<string, { readonly generation: number; readonly expiresAt: number }>();
  #lastGeneration = 0;
  #revokedUpTo = 0;

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  issue(lifetimeSeconds = this.#options.lifetimeSeconds): IssuedToken {
    const { now } = this.#options;
    const token = TOKEN_PREFIX + hex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
    this.#lastGeneration += 1;
    this.#issued.set(token, { generation: this.#lastGeneration, expiresAt: now() + lifetimeSeconds * 1000 });
    for (const oldest of this.#issued.keys()) {
      if (this.#issued.size <= MAX_TOKENS) break;
      this.#issued.delete(oldest);
    }
    return { token, generation: this.#lastGeneration, expiresInSeconds: lifetimeSeconds };
  }

  // A plain lookup is safe: measured times cannot help to guess 256 random bits.
  check(token: string): TokenCheck {
    const known = this.#issued.get(token);
    if (known === undefined) return { state: 'unknown' };
    const { generation, expiresAt } = known;
    if (generation <= this.#revokedUpTo) return { state: 'revoked', generation };
    return { state: this.#options.now() < expiresAt ? 'valid' : 'expired', generation };
  }

  /** Makes all tokens issued so far get 401. @returns the newest generation of them, 0 if there is none */
  revokeAll(): number {
    this.#revokedUpTo = this.#lastGeneration;
    return this.#revokedUpTo;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
