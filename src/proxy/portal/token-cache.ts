import type { Clock } from '../runtime/clock.js';
import { noLog, type Log } from '../runtime/log.js';
import { Secret } from '../runtime/secret.js';
import { CREDENTIALS_PAUSE_MS, MemoryTokenStore, type SharedToken, type TokenStore } from './token-store.js';

export interface PortalToken {
  readonly value: Secret;
  readonly generation: number;
}

export interface TokenGrant {
  readonly accessToken: string;
  /** As the portal sent it: a number of seconds, or anything else. */
  readonly expiresIn: unknown;
}

export interface TokenCache {
  /**
   * @throws errors of the request or the store; {@link InvalidCredentials} and {@link TokenRequestFailed} without a
   * request while their pause lasts; {@link TokenPending} if another proxy's request takes long
   */
  get(): Promise<PortalToken>;
  /** The portal rejected the token of this generation. */
  invalidate(generation: number): void;
}

export interface TokenCacheOptions {
  /** One for each valid secret. During a secret rotation, the one that worked last is tried first. */
  readonly requests: readonly (() => Promise<TokenGrant>)[];
  readonly fallbackLifetimeSeconds: number;
  /** How long before its expiry a token is renewed, if its lifetime is long enough. */
  readonly renewalMarginSeconds: number;
  /** Shared by the caches of several processes. Without it, this process has its own token. */
  readonly store?: TokenStore | undefined;
  /** Timeout of one request; after it, another process may claim the request. @default 10000 */
  readonly callMs?: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log?: Log;
}

/** The portal responded without a token. */
export class TokenRequestFailed extends Error {
  override readonly name: string = 'TokenRequestFailed';
  /** Milliseconds until the portal allows another request, if it says so. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** The portal says that the credentials are wrong. */
export class InvalidCredentials extends TokenRequestFailed {
  override readonly name = 'InvalidCredentials';
}

/** Another proxy is requesting a token and has none yet. */
export class TokenPending extends Error {
  override readonly name = 'TokenPending';
}

const DEFAULT_CALL_MS = 10_000;
const RENEWAL_PAUSE_MS = 5_000;
/** So that a process which is slow to publish does not lose its claim. */
const LEASE_MARGIN_MS = 1_000;
const POLL_INTERVAL_MS = 100;
/** Longer than any real lifetime, and an integer that every store can hold. */
const MAX_LIFETIME_MS = 10 * 365 * 24 * 60 * 60_000;

interface CachedToken extends PortalToken {
  readonly renewAt: number;
  readonly expiresAt: number;
}

/**
 * Caches one portal token for all callers.
 *
 * - One request is in flight at a time, for all callers, and for all proxies that share a store.
 * - A token is renewed early, while the old one is still valid, with jitter so that several proxies do not renew
 *   together.
 * - Each token has a generation: a late 401 for an old token does not discard the new one. After a 401 a proxy asks
 *   the store for a newer token, so one proxy renews for all. At a portal that keeps only the newest token valid,
 *   proxies do not invalidate each other's tokens.
 * - Rejected credentials are not tried again for five minutes, by any proxy.
 * - If the portal asks to wait, this process sends no token request before.
 *
 * A cached token is used until it expires, without the store. If the store cannot be reached there is no new token: at
 * a portal with one valid token, a separate token would invalidate the others'. A process without a database cannot
 * send edits anyway, because it cannot record an attempt.
 */
export function createTokenCache(options: TokenCacheOptions): TokenCache {
  return new PortalTokenCache(options);
}

class PortalTokenCache implements TokenCache {
  readonly #options: TokenCacheOptions;
  readonly #clock: Clock;
  readonly #callMs: number;
  readonly #store: TokenStore;
  readonly #secrets: SecretRotation;
  #cached: CachedToken | undefined;
  #inFlight: Promise<CachedToken> | undefined;
  /** The newest generation that cannot be used. */
  #staleGeneration = 0;
  #breakerOpenUntil = -Infinity;
  #breakerCause: TokenRequestFailed | undefined;
  #nextRenewalAt = -Infinity;

  constructor(options: TokenCacheOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#callMs = options.callMs ?? DEFAULT_CALL_MS;
    this.#store = options.store ?? new MemoryTokenStore(options.clock);
    this.#secrets = new SecretRotation(options.requests);
  }

  async get(): Promise<PortalToken> {
    const now = this.#clock.monotonic();
    const cached = this.#cached;
    if (cached !== undefined && now < cached.expiresAt) {
      if (now >= cached.renewAt && now >= this.#nextRenewalAt && now >= this.#breakerOpenUntil) {
        this.#nextRenewalAt = now + RENEWAL_PAUSE_MS;
        this.#staleGeneration = cached.generation;
        // A failed early renewal is harmless: the cached token is still valid, and its expiry leads to another request.
        this.#renew().catch(() => undefined);
      }
      return cached;
    }
    // Only rejected credentials are a reason to throw here, since that pause applies to all proxies. In any other pause
    // another proxy may have a token by now.
    const refused = this.#breakerError(now);
    if (refused instanceof InvalidCredentials) throw refused;
    return this.#renew();
  }

  invalidate(rejected: number): void {
    this.#staleGeneration = Math.max(this.#staleGeneration, rejected);
    if (this.#cached?.generation === rejected) this.#cached = undefined;
  }

  #renew(): Promise<CachedToken> {
    this.#inFlight ??= this.#acquire().finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #acquire(): Promise<CachedToken> {
    const leaseMs = this.#secrets.size * this.#callMs + LEASE_MARGIN_MS;
    // Short enough that delivery does not lose its lease. It retries.
    const giveUpAt = this.#clock.monotonic() + this.#callMs / 2;
    for (;;) {
      const now = this.#clock.monotonic();
      const found = await this.#store.claim({ newerThan: this.#staleGeneration, leaseMs });
      switch (found.kind) {
        case 'token':
          return this.#cache(found.token, now);
        case 'refused':
          throw this.#openBreaker(
            new InvalidCredentials('the portal refused these credentials to another proxy'),
            found.forMs,
          );
        case 'claimed': {
          // No other process has a token, and the portal asked this process to wait.
          const refused = this.#breakerError(now);
          if (refused !== undefined) {
            await this.#store.release(found.fence).catch(() => undefined);
            throw refused;
          }
          const token = await this.#requestUnderClaim(found.fence);
          if (token !== undefined) return token;
          break;
        }
        case 'busy':
          if (now >= giveUpAt) throw new TokenPending('another proxy is asking the portal for a token');
          await new Promise<void>((resolve) => this.#clock.after(POLL_INTERVAL_MS, resolve));
      }
    }
  }

  /** Requests a token under a claim. @returns `undefined` if another process claimed after the lease had run out */
  async #requestUnderClaim(fence: number): Promise<CachedToken | undefined> {
    const { fallbackLifetimeSeconds, log = noLog } = this.#options;
    // Measured from before the request: the lifetime may have started while the response was on its way.
    const requestedAt = this.#clock.monotonic();
    let grant: TokenGrant;
    try {
      grant = await this.#secrets.request();
    } catch (error) {
      await this.#endClaim(fence, error);
      throw error;
    }
    const { ms: lifeMs, fault } = readLifetime(grant.expiresIn, fallbackLifetimeSeconds);
    if (fault !== undefined) log('warn', 'the lifetime of the portal’s token is replaced', { reason: fault });
    const token = { value: new Secret(grant.accessToken), ageMs: this.#clock.monotonic() - requestedAt, lifeMs };
    // If publishing fails, this token is still the portal's newest, so it is used here.
    const isPublished = await this.#store.publish(fence, token).catch(() => true);
    return isPublished ? this.#cache({ ...token, ageMs: 0, generation: fence }, requestedAt) : undefined;
  }

  async #endClaim(fence: number, error: unknown): Promise<void> {
    const isRefused = error instanceof InvalidCredentials;
    const waitMs = error instanceof TokenRequestFailed ? (error.afterMs ?? 0) : 0;
    const pause = Math.max(waitMs, isRefused ? CREDENTIALS_PAUSE_MS : 0);
    if (pause > 0 && error instanceof TokenRequestFailed) this.#openBreaker(error, pause);
    const end = isRefused ? this.#store.refuse(fence, CREDENTIALS_PAUSE_MS) : this.#store.release(fence);
    // If this call fails, the lease runs out by itself.
    await end.catch(() => undefined);
  }

  /** @param readAt when the store was read: the token is at least `ageMs` old at that time */
  #cache({ value, generation, ageMs, lifeMs }: SharedToken, readAt: number): CachedToken {
    const margin = this.#options.renewalMarginSeconds * 1000;
    const requestedAt = readAt - ageMs;
    const jitter = 1 - this.#options.random() * 0.1;
    const renewAfter = Math.max(lifeMs / 2, Math.min(lifeMs * 0.75, lifeMs - margin)) * jitter;
    this.#breakerCause = undefined;
    this.#cached = { value, generation, renewAt: requestedAt + renewAfter, expiresAt: requestedAt + lifeMs };
    return this.#cached;
  }

  #openBreaker<Refusal extends TokenRequestFailed>(error: Refusal, forMs: number): Refusal {
    this.#breakerCause = error;
    this.#breakerOpenUntil = this.#clock.monotonic() + forMs;
    return error;
  }

  /** The last rejection, while its pause lasts. */
  #breakerError(now: number): Error | undefined {
    if (this.#breakerCause === undefined || now >= this.#breakerOpenUntil) return undefined;
    const { message, afterMs } = this.#breakerCause;
    const left = this.#breakerOpenUntil - now;
    return this.#breakerCause instanceof InvalidCredentials
      ? new InvalidCredentials(message, afterMs && left)
      : new TokenRequestFailed(message, left);
  }
}

/** Requests a token with one of several secrets, since two are valid while one replaces the other. */
class SecretRotation {
  #requests: TokenCacheOptions['requests'];
  /** Secrets that were rejected in a row since one was accepted. */
  #consecutiveRejections = 0;

  constructor(requests: TokenCacheOptions['requests']) {
    this.#requests = requests;
  }

  get size(): number {
    return this.#requests.length;
  }

  /** Tries the next secret only if the portal says that this one is wrong. */
  async request(): Promise<TokenGrant> {
    let refused = new InvalidCredentials('there is no credential');
    const attempted = this.#requests;
    for (const [at, request] of attempted.entries()) {
      try {
        const grant = await request();
        this.#consecutiveRejections = 0;
        this.#requests = [request, ...attempted.filter((other) => other !== request)];
        return grant;
      } catch (error) {
        if (!(error instanceof InvalidCredentials)) {
          // This secret may be right, so the rejections before it do not mean that all are wrong: counting starts again.
          this.#consecutiveRejections = 0;
          throw error;
        }
        refused = error;
        this.#consecutiveRejections += 1;
        const { message, afterMs = 0 } = error;
        if (this.#consecutiveRejections >= attempted.length) break;
        if (afterMs === 0) continue;
        // The portal asks to wait. After that, the next secret is tried first.
        this.#requests = [...attempted.slice(at + 1), ...attempted.slice(0, at + 1)];
        throw new TokenRequestFailed(message, afterMs);
      }
    }
    this.#consecutiveRejections = 0;
    throw refused;
  }
}

/**
 * The lifetime of a token from `expires_in` (RFC 6749 section 5.1). Some servers send the number as a string. An
 * invalid lifetime must not make a valid token unusable, so it is replaced, and `fault` says by what.
 */
export function readLifetime(
  expiresIn: unknown,
  fallbackSeconds: number,
): { readonly ms: number; readonly fault?: string } {
  const isNumeric = typeof expiresIn === 'string' && /^\s*-?\d{1,20}(?:\.\d{1,20})?\s*$/.test(expiresIn);
  const number = typeof expiresIn === 'number' || isNumeric ? Number(expiresIn) : NaN;
  const seconds = Number.isFinite(number) ? number : NaN;
  if (seconds * 1000 > MAX_LIFETIME_MS) {
    return {
      ms: MAX_LIFETIME_MS,
      fault: `expires_in is over ${String(MAX_LIFETIME_MS / 1000)} s, which is used instead`,
    };
  }
  if (seconds > 0) return { ms: seconds * 1000 };
  const ms = fallbackSeconds * 1000;
  // The field is optional, and some servers send null instead.
  if (expiresIn === undefined || expiresIn === null) return { ms };
  const kind = typeof expiresIn === 'string' ? 'a string' : 'a value';
  const given = Number.isNaN(seconds) ? `${kind} that is no number` : String(seconds);
  return { ms, fault: `expires_in is ${given}; token.fallback_lifetime_seconds (${String(fallbackSeconds)}) is used` };
}
