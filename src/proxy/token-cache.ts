import type { Clock } from './clock.js';
import { Secret } from './secret.js';

/**
 * Keeps one portal token for all callers.
 *
 * - One request in flight, however many ask.
 * - Renews early, while the old token still serves, with jitter so that several proxies do not renew together.
 * - A generation names each token: a late 401 for an old one cannot throw the new one away.
 * - Bad credentials are not asked about again for five minutes: a portal may lock an account that guesses.
 *
 * It does not store tokens anywhere: a new process asks for a new one.
 */
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
  /** @throws whatever the request threw; {@link CredentialsRefused} without asking while its pause lasts */
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
  readonly clock: Clock;
  readonly random: () => number;
}

export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';
}

export const CREDENTIALS_PAUSE_MS = 5 * 60_000;
const RENEWAL_PAUSE_MS = 5_000;

interface Kept extends PortalToken {
  readonly renewAt: number;
  readonly expiresAt: number;
}

export function createTokenCache(options: TokenCacheOptions): TokenCache {
  const { clock, random } = options;
  const margin = options.renewalMarginSeconds * 1000;
  let requests = options.requests;
  let kept: Kept | undefined;
  let inFlight: Promise<Kept> | undefined;
  let generation = 0;
  let pausedUntil = -Infinity;
  let refusal: CredentialsRefused | undefined;
  let renewNotBefore = -Infinity;

  /** Another secret is tried only where the portal says that this one is wrong. */
  async function askAround(): Promise<TokenGrant> {
    let refused = new CredentialsRefused('there is no credential');
    for (const request of requests) {
      try {
        const grant = await request();
        requests = [request, ...requests.filter((other) => other !== request)];
        return grant;
      } catch (error) {
        if (!(error instanceof CredentialsRefused)) throw error;
        refused = error;
      }
    }
    throw refused;
  }

  async function fetchToken(): Promise<Kept> {
    // From before the request: the portal's lifetime may have started to run while the answer travelled.
    const asked = clock.monotonic();
    try {
      const grant = await askAround();
      const life = lifetimeMs(grant.expiresIn, options.fallbackLifetimeSeconds);
      generation += 1;
      kept = {
        value: new Secret(grant.accessToken),
        generation,
        renewAt: asked + Math.max(life / 2, Math.min(life * 0.75, life - margin)) * (1 - random() * 0.1),
        expiresAt: asked + life,
      };
      refusal = undefined;
      return kept;
    } catch (error) {
      if (error instanceof CredentialsRefused) {
        refusal = error;
        pausedUntil = clock.monotonic() + CREDENTIALS_PAUSE_MS;
      }
      throw error;
    }
  }

  function renew(): Promise<Kept> {
    inFlight ??= fetchToken().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  }

  return {
    async get() {
      const now = clock.monotonic();
      if (kept !== undefined && now < kept.expiresAt) {
        if (now >= kept.renewAt && now >= renewNotBefore && now >= pausedUntil) {
          renewNotBefore = now + RENEWAL_PAUSE_MS;
          // A failed early renewal costs nothing yet: the token in hand still serves, and expiry will ask again.
          renew().catch(() => undefined);
        }
        return kept;
      }
      if (refusal !== undefined && now < pausedUntil) throw refusal;
      return renew();
    },
    invalidate(refused) {
      if (kept?.generation === refused) kept = undefined;
    },
  };
}

function lifetimeMs(expiresIn: unknown, fallbackSeconds: number): number {
  const usable = typeof expiresIn === 'number' && Number.isFinite(expiresIn) && expiresIn > 0;
  return (usable ? expiresIn : fallbackSeconds) * 1000;
}
