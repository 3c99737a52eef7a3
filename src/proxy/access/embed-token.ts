import { errors } from 'jose';
import { LRUCache } from 'lru-cache';
import * as z from 'zod/mini';
import { MAX_TOKEN_LENGTH, REQUESTED_WITH, WIDGET } from '../../contract/fields.js';
import type { Clock } from '../runtime/clock.js';
import { type Digest, webDigest } from '../runtime/hash.js';
import { createWarningLimit, type Log } from '../runtime/log.js';
import { describeFault, markVerified, sessionFields } from './authenticate.js';
import {
  type Authenticate,
  type AuthenticationContext,
  bearerToken,
  CLOCK_TOLERANCE_SECONDS,
  MAX_TOKEN_LIFETIME_SECONDS,
  type ProxySession,
  SessionUnverifiable,
} from './session.js';
import { type EmbedTokenKey, createTokenVerifier } from './verification-keys.js';

export type { EmbedTokenKey };

/**
 * The claims of the embed token, a JWT (RFC 7519) that the host's backend signs for one person, one vendor and one origin.
 */
const claims = z.object({
  sub: sessionFields.subject,
  vendor: sessionFields.vendor,
  permissions: sessionFields.permissions,
  origin: z.string().check(z.minLength(1)),
  iat: z.number(),
  exp: z.number(),
  jti: sessionFields.tokenId,
  name: sessionFields.name,
  items: sessionFields.items,
});

export interface EmbedTokenOptions {
  readonly key: EmbedTokenKey;
  /** Expected value of the claim `iss`. */
  readonly issuer: string;
  /** Expected value of the claim `aud`. */
  readonly audience: string;
  /** Page origin to assume when the browser sends no `Origin`, as in a same-origin GET. */
  readonly publicOrigin: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly digest?: Digest;
  /** Fetches the host's public keys from their URL. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface EmbedTokenCheck extends Authenticate {
  /**
   * Replaces the key from the next request on; tokens that the previous key verified are checked again. If the URL of the
   * keys has not changed, they are fetched again, and the previous ones stay in use while that fails.
   *
   * @throws {RangeError} for a secret that is too short; the previous key stays in force
   */
  reload(key: EmbedTokenKey): void;
}

/**
 * Creates an `Authenticate` that checks `Authorization: Bearer` (RFC 6750 section 2.1). A caller cannot tell one kind of
 * rejection from another; only unavailable keys are reported differently, with `SessionUnverifiable`.
 *
 * @throws {TypeError} without an issuer, an audience or an origin
 * @throws {RangeError} for a secret that is too short
 */
export function authenticateByEmbedToken(options: EmbedTokenOptions): EmbedTokenCheck {
  for (const name of ['issuer', 'audience', 'publicOrigin'] as const) {
    // Plain JavaScript may pass an unset environment variable. jose would then skip the comparison of that claim.
    if (!options[name]) throw new TypeError(`${name} is missing: tokens for others would be taken for ours`);
  }
  const { clock, log, digest = webDigest } = options;
  const surroundings = { clock, log, fetch: options.fetch, onReplaced: clearCache };
  let { key } = options;
  let verifier = createTokenVerifier(key, surroundings);
  let cache = new SessionCache(clock);
  let proofs = new AbortController();

  const levelOf = createWarningLimit(clock);

  function reject({ kind, reason }: Rejection, event: string, context: AuthenticationContext | undefined): undefined {
    log(levelOf(kind), event, { request_id: context?.requestId ?? '', reason });
    context?.explain?.(reason);
  }

  /** A check that started with the old keys adds its result to the old cache, where it is never read. */
  function clearCache(): void {
    cache = new SessionCache(clock);
    proofs.abort();
    proofs = new AbortController();
  }

  async function verify(token: string): Promise<VerifiedToken> {
    const { signal: withdrawn } = proofs;
    const payload = await verifier.verify(token, {
      issuer: options.issuer,
      audience: options.audience,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_TOKEN_LIFETIME_SECONDS,
      currentDate: new Date(clock.wall()),
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    });
    const parsed = claims.safeParse(payload);
    if (!parsed.success) throw new MalformedClaim(payload, parsed.error.issues[0]?.path[0]);
    const claim = parsed.data;
    const lifetime = claim.exp - claim.iat;
    if (lifetime > MAX_TOKEN_LIFETIME_SECONDS) {
      throw new Error(`exp is more than 15 minutes after iat: ${String(lifetime)} s`);
    }
    const session = markVerified({
      vendor: claim.vendor,
      subject: claim.sub,
      name: claim.name ?? undefined,
      permissions: new Set(claim.permissions),
      items: claim.items,
      tokenId: claim.jti,
      issuedAt: claim.iat * 1000,
      expiresAt: claim.exp * 1000,
      revokedSignal: withdrawn,
    });
    return { session, origin: claim.origin };
  }

  async function check(request: Request, context?: AuthenticationContext): ReturnType<Authenticate> {
    const token = bearerToken(request);
    if (token === undefined) {
      // Anybody may call without a token. Only a request of one of our elements hints at a mistake of the host, so only
      // that is logged.
      if (request.headers.get(REQUESTED_WITH) !== WIDGET) return undefined;
      return reject(MISSING_TOKEN, 'embed token missing', context);
    }
    try {
      // The elements never send so long a token, so it is rejected without being parsed.
      if (token.length > MAX_TOKEN_LENGTH) throw new Error(`it has more than ${String(MAX_TOKEN_LENGTH)} characters`);
      const hash = await digest(token);
      const current = cache;
      const known = current.find(hash);
      const verifiedToken = known ?? (await verify(token));
      if (known === undefined) current.add(hash, verifiedToken, token.length);
      // Compared for each request, cached or not, because another page may send the same token.
      const origin = request.headers.get('Origin') ?? options.publicOrigin;
      if (verifiedToken.origin !== origin) throw new OriginMismatch(verifiedToken.origin, origin);
      return verifiedToken.session;
    } catch (error) {
      if (error instanceof SessionUnverifiable) throw error;
      return reject(describeRejection(error, { ...options, key }), 'embed token refused', context);
    }
  }

  return Object.assign(check, {
    reload(next: EmbedTokenKey) {
      if (next.kind === 'jwks-url' && key.kind === 'jwks-url' && next.url.href === key.url.href) verifier.reload();
      else verifier = createTokenVerifier(next, surroundings);
      key = next;
      clearCache();
    },
  });
}

/** Characters. A reason may quote the token's header and claims, which an attacker controls. */
const MAX_REASON_LENGTH = 200;

class OriginMismatch extends Error {
  constructor(given: string, expected: string) {
    super(`origin claim has to be ${expected}, where the page comes from; it is ${quote(given)}`);
  }
}

class MalformedClaim extends Error {
  readonly claim: string;

  constructor(payload: object, claim: PropertyKey | undefined) {
    super(describeFault(payload, claim, true));
    this.claim = String(claim);
  }
}

interface Rejection {
  /** From a closed list, which limits the warnings to one a minute and kind. */
  readonly kind: string;
  readonly reason: string;
}

const MISSING_TOKEN: Rejection = {
  kind: 'missing',
  reason:
    'the page sent no embed token: its elements have no session or getSession, or a gateway removes the header Authorization',
};

/**
 * Names the setting, its value and the value in the token, because the usual cause is a host that configured two different
 * values. The settings and claims shown here are not secret; the token itself is never shown.
 */
function describeRejection(error: unknown, options: EmbedTokenOptions): Rejection {
  const [kind, reason] = rejectionOf(error, options);
  return { kind, reason: reason.slice(0, MAX_REASON_LENGTH) };
}

function rejectionOf(error: unknown, { issuer, audience, key }: EmbedTokenOptions): readonly [string, string] {
  const refused = error instanceof errors.JWTClaimValidationFailed ? error : undefined;
  const claim = refused?.claim ?? '';
  if (claim === 'iss')
    return [claim, `iss claim has to be ${issuer} (SESSION_ISSUER); it is ${quote(refused?.payload.iss)}`];
  if (claim === 'aud') {
    return [
      claim,
      `aud claim has to be ${audience} (SESSION_AUDIENCE, or PUBLIC_URL); it is ${quote(refused?.payload.aud)}`,
    ];
  }
  // jose gives this reason for an `nbf` or `iat` that is a number and in the future.
  if (refused?.reason === 'check_failed') {
    return [claim, `${claim} is yet to come: the clock of the host is ahead, or it writes milliseconds`];
  }
  if (error instanceof errors.JWTExpired && error.claim === 'exp') {
    return ['exp', 'exp has passed: the token is old, or the clock of the host is behind'];
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    const setting = key.kind === 'secret' ? 'the secret of SESSION_SECRET_FILE' : 'the keys of SESSION_JWKS';
    return ['signature', `the signature was not made with ${setting}`];
  }
  if (error instanceof errors.JWTExpired && error.claim === 'iat') {
    return ['iat', 'iat is more than 15 minutes ago: the token is old, or the clock of the host is behind'];
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const expected = key.kind === 'secret' ? 'HS256 (SESSION_SECRET_FILE)' : 'EdDSA or ES256 (SESSION_JWKS)';
    return ['alg', `the token has to be signed by ${expected}; it names another algorithm`];
  }
  if (error instanceof MalformedClaim) return [`claim ${error.claim}`, error.message];
  if (error instanceof OriginMismatch) return ['origin', error.message];
  if (error instanceof errors.JOSEError) return [error.code, error.message];
  return error instanceof Error ? ['other', error.message] : ['unreadable', 'unreadable'];
}

function quote(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}

/**
 * How long a verified token is cached. New keys end that at once: the cache is discarded together with the keys that filled
 * it, so a key that the host withdraws verifies nothing as soon as the proxy has read the new set.
 */
export const MAX_CACHE_AGE_MS = 60_000;
export const MAX_CACHED_SESSIONS = 10_000;
/** Total length of the cached tokens in characters. It bounds memory, because a token may name a thousand items. */
export const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

/** Interval between two purges of expired entries. A purge visits every entry. */
const PURGE_INTERVAL_MS = 1_000;

/** A verified session and the origin of the page that it was issued for. */
export interface VerifiedToken {
  readonly session: ProxySession;
  readonly origin: string;
}

/**
 * Recently verified embed tokens by their hash. A page sends the same token with each request, and checking its signature
 * costs as much as the rest of accepting a batch. Rejected tokens are not cached.
 */
export class SessionCache {
  readonly #clock: Clock;
  readonly #verified: LRUCache<string, VerifiedToken>;
  #purgedAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#verified = new LRUCache({
      max: MAX_CACHED_SESSIONS,
      maxSize: MAX_CACHED_CHARACTERS,
      // The cache keeps an entry up to and including this age.
      ttl: MAX_CACHE_AGE_MS - 1,
      ttlResolution: 0,
      // To the cache, a start at 0 means an entry without an end.
      perf: { now: () => clock.monotonic() + 1 },
    });
  }

  find(hash: string): VerifiedToken | undefined {
    const found = this.#verified.get(hash);
    return found !== undefined && this.#clock.wall() < found.session.expiresAt ? found : undefined;
  }

  /** @param characters length of the token */
  add(hash: string, token: VerifiedToken, characters: number): void {
    const now = this.#clock.monotonic();
    if (now - this.#purgedAt >= PURGE_INTERVAL_MS) {
      // Pages change their tokens every few minutes, so most entries are never read again.
      this.#verified.purgeStale();
      this.#purgedAt = now;
    }
    this.#verified.set(hash, token, { size: characters });
  }
}
