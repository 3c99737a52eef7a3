import { errors } from 'jose';
import * as z from 'zod/mini';
import { MAX_TOKEN_LENGTH } from '../../contract/fields.js';
import type { Clock } from '../runtime/clock.js';
import { type Digest, webDigest } from '../runtime/hash.js';
import type { Log } from '../runtime/log.js';
import { provenSession, sessionFields } from './authenticate.js';
import {
  type Authenticate,
  type AuthenticationContext,
  bearerOf,
  type ProxySession,
  SessionUnverifiable,
} from './session.js';
import { CLOCK_TOLERANCE_SECONDS, MAX_TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';
import { type EmbedTokenKey, tokenVerifier } from './verification-keys.js';

export type { EmbedTokenKey };

/** Of the embed token: a JWT (RFC 7519) that the host's backend signs for one person, one vendor and one origin. */
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
  /** The claim `iss` of good tokens. */
  readonly issuer: string;
  /** Their claim `aud`. */
  readonly audience: string;
  /** Stands for the page's origin where the browser sends none: same-origin GET. */
  readonly publicOrigin: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly digest?: Digest;
  /** Gets the host's public keys from their URL. Default: the global one. */
  readonly fetch?: typeof fetch;
}

export interface EmbedTokenCheck extends Authenticate {
  /**
   * Checks by this key from the next request on, those too that were good a moment ago. Keys behind a URL that has not
   * changed are fetched again, and the last ones serve on while it fails.
   *
   * @throws {RangeError} for a secret that is too short; the key before stays in force
   */
  reload(key: EmbedTokenKey): void;
}

/**
 * Checks `Authorization: Bearer` (RFC 6750 section 2.1) of a request. Every way to fail looks the same from outside, but
 * for keys that are out of reach.
 *
 * @throws {TypeError} without an issuer, an audience or an origin, {RangeError} for a secret that is too short
 */
export function authenticateByEmbedToken(options: EmbedTokenOptions): EmbedTokenCheck {
  for (const name of ['issuer', 'audience', 'publicOrigin'] as const) {
    // From a host's own environment, perhaps, which lacks it: the claim would not be compared with anything.
    if (!options[name]) throw new TypeError(`${name} is missing: tokens for others would be taken for ours`);
  }
  const { clock, log } = options;
  const digest = options.digest ?? webDigest;
  const surroundings = { clock, log, fetch: options.fetch, onReplaced: forgetProofs };
  let { key } = options;
  let verifier = tokenVerifier(key, surroundings);
  let cache = new SessionCache(clock);
  let proofs = new AbortController();

  /** A check that is under way by the old keys keeps its proof in the old cache. */
  function forgetProofs(): void {
    cache = new SessionCache(clock);
    proofs.abort();
    proofs = new AbortController();
  }

  async function prove(token: string): Promise<Proven> {
    const { signal: withdrawn } = proofs;
    const payload = await verifier.verify(token, {
      issuer: options.issuer,
      audience: options.audience,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_TOKEN_LIFETIME_SECONDS,
      currentDate: new Date(clock.wall()),
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    });
    const claim = claims.parse(payload);
    if (claim.exp - claim.iat > MAX_TOKEN_LIFETIME_SECONDS) throw new Error('exp is more than 15 minutes after iat');
    const session = provenSession({
      vendor: claim.vendor,
      subject: claim.sub,
      name: claim.name ?? undefined,
      permissions: new Set(claim.permissions),
      items: claim.items,
      tokenId: claim.jti,
      expiresAt: claim.exp * 1000,
      withdrawn,
    });
    return { session, origin: claim.origin };
  }

  async function check(request: Request, context?: AuthenticationContext): ReturnType<Authenticate> {
    const token = bearerOf(request);
    if (token === undefined) return undefined;
    try {
      // No page sends it. It is not looked into.
      if (token.length > MAX_TOKEN_LENGTH) throw new Error(`it has more than ${String(MAX_TOKEN_LENGTH)} characters`);
      const hash = await digest(token);
      const kept = cache;
      const known = kept.find(hash);
      const proven = known ?? (await prove(token));
      if (known === undefined) kept.keep(hash, proven, token.length);
      // Of each request: the same token may come from another page.
      const origin = request.headers.get('Origin') ?? options.publicOrigin;
      if (proven.origin !== origin) throw new Error(`origin claim has to be ${origin}`);
      return proven.session;
    } catch (error) {
      if (error instanceof SessionUnverifiable) throw error;
      log('info', 'embed token refused', { request_id: context?.requestId ?? '', reason: reasonOf(error, options) });
      return undefined;
    }
  }

  return Object.assign(check, {
    reload(next: EmbedTokenKey) {
      if (next.kind === 'jwks-url' && key.kind === 'jwks-url' && next.url.href === key.url.href) verifier.expire();
      else verifier = tokenVerifier(next, surroundings);
      key = next;
      forgetProofs();
    },
  });
}

/** Of a reason that quotes the token, whose header anybody may fill. */
const MOST_SAID = 200;

/** What a host wrote differently in two places is the usual slip: of settings that are no secret, what they say is told. */
function reasonOf(error: unknown, { issuer, audience }: EmbedTokenOptions): string {
  const refused = error instanceof errors.JWTClaimValidationFailed ? error : undefined;
  if (refused?.claim === 'iss') return `iss claim has to be ${issuer}`;
  if (refused?.claim === 'aud') return `aud claim has to be ${audience}`;
  // `nbf` or `iat` that is there, and a number.
  if (refused?.reason === 'check_failed')
    return `${refused.claim} is yet to come: the clock of the host is ahead, or it writes milliseconds`;
  if (error instanceof errors.JWTExpired && error.claim === 'exp')
    return 'exp has passed: the token is old, or the clock of the host is behind';
  if (error instanceof z.core.$ZodError)
    return `claim ${error.issues[0]?.path.join('.') ?? '?'} is missing or malformed`;
  return error instanceof Error ? error.message.slice(0, MOST_SAID) : 'unreadable';
}

/**
 * How long a proof counts. Other keys end it at once: the cache is thrown away with the keys that filled it, so that a
 * key that its host withdraws is good for nothing from the moment that the proxy knows.
 */
export const KEEP_MS = 60_000;
export const MOST_KEPT = 10_000;
/** Characters of their tokens, all together: of one that names a thousand items as much more is kept. */
export const MOST_CHARACTERS = 8 * 1024 * 1024;

/** A session that was proven, and the page that it was proven for. */
export interface Proven {
  readonly session: ProxySession;
  readonly origin: string;
}

interface Kept {
  readonly proven: Proven;
  readonly verifiedAt: number;
  readonly characters: number;
}

/**
 * Embed tokens that were verified a moment ago, by their hash. A page sends the same one with each request, and checking
 * a signature costs as much as all else that acceptance does. What was refused is not kept.
 */
export class SessionCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #characters = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(hash: string): Proven | undefined {
    const kept = this.#kept.get(hash);
    if (kept === undefined) return undefined;
    const isFresh = this.#clock.monotonic() - kept.verifiedAt < KEEP_MS;
    if (isFresh && this.#clock.wall() < kept.proven.session.expiresAt) return kept.proven;
    this.#drop(hash);
    return undefined;
  }

  /** @param characters of the token */
  keep(hash: string, proven: Proven, characters: number): void {
    const verifiedAt = this.#clock.monotonic();
    this.#drop(hash);
    // A map hands out its oldest first. Pages change their tokens every few minutes: most are never shown again.
    for (const [oldest, kept] of this.#kept) {
      const isFull = this.#kept.size >= MOST_KEPT || this.#characters + characters > MOST_CHARACTERS;
      if (!isFull && verifiedAt - kept.verifiedAt < KEEP_MS) break;
      this.#drop(oldest);
    }
    this.#kept.set(hash, { proven, verifiedAt, characters });
    this.#characters += characters;
  }

  #drop(hash: string): void {
    this.#characters -= this.#kept.get(hash)?.characters ?? 0;
    this.#kept.delete(hash);
  }
}
