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
   * @throws whatever the request or the store threw; {@link InvalidCredentials} and {@link TokenRequestFailed} without asking
   * while their pause lasts; {@link TokenPending} where another proxy takes long to ask
   */
  get(): Promise<PortalToken>;
  /** The portal refused this generation. */
  invalidate(generation: number): void;
}

export interface TokenCacheOptions {
  /** One for each secret that may be live. While one replaces another, the one that worked last is asked first. */
  readonly requests: readonly (() => Promise<TokenGrant>)[];
  readonly fallbackLifetimeSeconds: number;
  /** How long before its end a token is renewed, where its life is long enough for that. */
  readonly renewalMarginSeconds: number;
  /** Where the caches of several processes meet. Without it, this one has its own token. */
  readonly store?: TokenStore | undefined;
  /** Longest that one request may take: one who asks for longer is overtaken. @default 10000 */
  readonly callMs?: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log?: Log;
}

/** The portal has answered, and gave no token. */
export class TokenRequestFailed extends Error {
  override readonly name: string = 'TokenRequestFailed';
  /** Milliseconds until it wants to be asked again, where it says so. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** It says that the credentials are wrong. */
export class InvalidCredentials extends TokenRequestFailed {
  override readonly name = 'CredentialsRefused';
}

/** Another proxy is asking the portal for a token, and has not got it yet. */
export class TokenPending extends Error {
  override readonly name = 'TokenAwaited';
}

const DEFAULT_CALL_MS = 10_000;
const RENEWAL_PAUSE_MS = 5_000;
/** A process that is slow to publish is not taken for dead. */
const LEASE_MARGIN_MS = 1_000;
const POLL_INTERVAL_MS = 100;
/** Longer than any portal means, and a whole number in every store. */
const MAX_LIFETIME_MS = 10 * 365 * 24 * 60 * 60_000;

interface CachedToken extends PortalToken {
  readonly renewAt: number;
  readonly expiresAt: number;
}

/**
 * Keeps one portal token for all callers.
 *
 * - One request in flight, however many ask; over several proxies too, where they share a store.
 * - Renews early, while the old token still serves, with jitter so that several proxies do not renew together.
 * - A generation names each token: a late 401 for an old one cannot throw the new one away. Whoever met a 401 asks the store
 *   for something newer, so one proxy renews for all, and a portal that keeps only the newest token alive sees no two of
 *   them take it from one another.
 * - Bad credentials are not asked about again for five minutes, by any of them.
 * - A portal that says when to come again is not asked for a token before, by this process.
 *
 * The token in hand serves to its end without the store. Where the store cannot be reached there is no new one: a token of
 * its own would end the others' at a portal that keeps one alive, and who cannot reach the database can send nothing
 * anyway, for no attempt can be noted.
 */
export function createTokenCache(options: TokenCacheOptions): TokenCache {
  const { clock, random, callMs = DEFAULT_CALL_MS, log = noLog } = options;
  const store = options.store ?? new MemoryTokenStore(clock);
  const margin = options.renewalMarginSeconds * 1000;
  let requests = options.requests;
  let cached: CachedToken | undefined;
  let inFlight: Promise<CachedToken> | undefined;
  /** The newest generation that will not do any more. */
  let staleGeneration = 0;
  let breakerOpenUntil = -Infinity;
  let breakerCause: TokenRequestFailed | undefined;
  let nextRenewalAt = -Infinity;
  /** Secrets that were refused, one after the other, since one was taken. */
  let consecutiveRejections = 0;

  /** Another secret is tried only where the portal says that this one is wrong. */
  async function requestWithAnySecret(): Promise<TokenGrant> {
    let refused = new InvalidCredentials('there is no credential');
    const asked = requests;
    for (const [at, request] of asked.entries()) {
      try {
        const grant = await request();
        consecutiveRejections = 0;
        requests = [request, ...asked.filter((other) => other !== request)];
        return grant;
      } catch (error) {
        if (!(error instanceof InvalidCredentials)) {
          // This one may be right, so none of those before it speaks for all: they are asked again, and counted anew.
          consecutiveRejections = 0;
          throw error;
        }
        refused = error;
        consecutiveRejections += 1;
        const { message, afterMs = 0 } = error;
        if (consecutiveRejections >= asked.length) break;
        if (afterMs === 0) continue;
        // Not now, and then the other secret first.
        requests = [...asked.slice(at + 1), ...asked.slice(0, at + 1)];
        throw new TokenRequestFailed(message, afterMs);
      }
    }
    consecutiveRejections = 0;
    throw refused;
  }

  /** @param seen when the store was asked: the token is no younger than it says */
  function cache({ value, generation, ageMs, lifeMs: life }: SharedToken, seen: number): CachedToken {
    const asked = seen - ageMs;
    const early = Math.max(life / 2, Math.min(life * 0.75, life - margin)) * (1 - random() * 0.1);
    cached = { value, generation, renewAt: asked + early, expiresAt: asked + life };
    breakerCause = undefined;
    return cached;
  }

  function openBreaker<Refusal extends TokenRequestFailed>(error: Refusal, forMs: number): Refusal {
    breakerCause = error;
    breakerOpenUntil = clock.monotonic() + forMs;
    return error;
  }

  /** What was refused before, for as long as is left of its pause. */
  function breakerError(now: number): Error | undefined {
    if (breakerCause === undefined || now >= breakerOpenUntil) return undefined;
    const { message, afterMs } = breakerCause;
    const left = breakerOpenUntil - now;
    return breakerCause instanceof InvalidCredentials
      ? new InvalidCredentials(message, afterMs && left)
      : new TokenRequestFailed(message, left);
  }

  /** Asks the portal under a claim. @returns `undefined` when somebody overtook it meanwhile */
  async function requestUnderClaim(fence: number): Promise<CachedToken | undefined> {
    // From before the request: the portal's lifetime may have started to run while the answer travelled.
    const asked = clock.monotonic();
    let grant: TokenGrant;
    try {
      grant = await requestWithAnySecret();
    } catch (error) {
      const refused = error instanceof InvalidCredentials;
      const asked = error instanceof TokenRequestFailed ? (error.afterMs ?? 0) : 0;
      const pause = Math.max(asked, refused ? CREDENTIALS_PAUSE_MS : 0);
      if (pause > 0 && error instanceof TokenRequestFailed) openBreaker(error, pause);
      // The lease ends by itself where this does not arrive.
      await (refused ? store.refuse(fence, CREDENTIALS_PAUSE_MS) : store.release(fence)).catch(() => undefined);
      throw error;
    }
    const { ms: lifeMs, fault } = readLifetime(grant.expiresIn, options.fallbackLifetimeSeconds);
    if (fault !== undefined) log('warn', 'the lifetime of the portal’s token is replaced', { reason: fault });
    const token = { value: new Secret(grant.accessToken), ageMs: clock.monotonic() - asked, lifeMs };
    // It is the newest that the portal knows, whether or not the others get to hear of it.
    const isOurs = await store.publish(fence, token).catch(() => true);
    return isOurs ? cache({ ...token, ageMs: 0, generation: fence }, asked) : undefined;
  }

  async function acquire(): Promise<CachedToken> {
    const leaseMs = requests.length * callMs + LEASE_MARGIN_MS;
    // Not so long that delivery could lose its lane meanwhile: it comes again.
    const giveUpAt = clock.monotonic() + callMs / 2;
    for (;;) {
      const seen = clock.monotonic();
      const found = await store.claim({ newerThan: staleGeneration, leaseMs });
      switch (found.kind) {
        case 'token':
          return cache(found.token, seen);
        case 'refused':
          throw openBreaker(
            new InvalidCredentials('the portal refused these credentials to another proxy'),
            found.forMs,
          );
        case 'claimed': {
          // Nobody else has one, and this process may not ask yet.
          const refused = breakerError(seen);
          if (refused !== undefined) {
            await store.release(found.fence).catch(() => undefined);
            throw refused;
          }
          const gained = await requestUnderClaim(found.fence);
          if (gained !== undefined) return gained;
          break;
        }
        case 'busy':
          if (seen >= giveUpAt) throw new TokenPending('another proxy is asking the portal for a token');
          await new Promise<void>((resolve) => clock.after(POLL_INTERVAL_MS, resolve));
      }
    }
  }

  function renew(): Promise<CachedToken> {
    inFlight ??= acquire().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  }

  return {
    async get() {
      const now = clock.monotonic();
      if (cached !== undefined && now < cached.expiresAt) {
        if (now >= cached.renewAt && now >= nextRenewalAt && now >= breakerOpenUntil) {
          nextRenewalAt = now + RENEWAL_PAUSE_MS;
          staleGeneration = cached.generation;
          // A failed early renewal costs nothing yet: the token in hand still serves, and expiry will ask again.
          renew().catch(() => undefined);
        }
        return cached;
      }
      // Not for another pause than that of bad credentials, which all have: another proxy may have a token by now.
      const refused = breakerError(now);
      if (refused instanceof InvalidCredentials) throw refused;
      return renew();
    },
    invalidate(refused) {
      staleGeneration = Math.max(staleGeneration, refused);
      if (cached?.generation === refused) cached = undefined;
    },
  };
}

/**
 * How long a token lives, from `expires_in` (RFC 6749 section 5.1). Some servers send the number as text. A lifetime that
 * means nothing must not make a good token unusable, so it is replaced, and `fault` says by what.
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
  // The field is optional, and null is how some servers leave it out.
  if (expiresIn === undefined || expiresIn === null) return { ms };
  const kind = typeof expiresIn === 'string' ? 'a string' : 'a value';
  const given = Number.isNaN(seconds) ? `${kind} that is no number` : String(seconds);
  return { ms, fault: `expires_in is ${given}; token.fallback_lifetime_seconds (${String(fallbackSeconds)}) is used` };
}
