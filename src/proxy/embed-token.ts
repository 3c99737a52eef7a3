import {
  createLocalJWKSet,
  createRemoteJWKSet,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import * as z from 'zod/mini';
import { permission, type Permission } from '../contract/widget.js';
import type { Clock } from './clock.js';
import { webDigest, type Digest } from './digest.js';
import type { Log } from './log.js';
import type { Secret } from './secret.js';
import { SessionCache, type Proven } from './session-cache.js';
import type { Authenticate } from './session.js';

/** The embed token: a JWT (RFC 7519) that the host's backend signs for one person, one vendor and one origin. */
export const MAX_TOKEN_LIFETIME_SECONDS = 15 * 60;
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_TOKEN_LENGTH = 8192;
const MIN_SHARED_SECRET_BYTES = 32;

// A lone surrogate has no UTF-8 form: on the disk two such vendors would be one.
const name = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[^\p{Cc}\p{Cs}]*$/u));

const claims = z.object({
  sub: name,
  // `.` and `..` cannot be written as a segment of the portal's path (WHATWG URL, double-dot segment).
  vendor: name.check(z.regex(/^(?!\.{1,2}$)/)),
  permissions: z.array(permission),
  origin: z.string().check(z.minLength(1)),
  iat: z.number(),
  exp: z.number(),
  jti: name,
  name: z.optional(z.string().check(z.maxLength(200))),
  items: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(201)))),
});

/** The key decides the algorithm (RFC 8725 section 3.1): a shared secret never verifies a public-key signature. */
export type EmbedTokenKey =
  | { readonly kind: 'secret'; readonly secret: Secret }
  | { readonly kind: 'jwks'; readonly jwks: JSONWebKeySet }
  | { readonly kind: 'jwks-url'; readonly url: URL };

export interface EmbedTokenOptions {
  readonly key: EmbedTokenKey;
  readonly issuer: string;
  readonly audience: string;
  /** Stands for the page's origin where the browser sends none: same-origin GET. */
  readonly publicOrigin: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly digest?: Digest;
}

/** Checks `Authorization: Bearer` (RFC 6750 section 2.1) of a request. Every way to fail looks the same from outside. */
export function authenticateByEmbedToken(options: EmbedTokenOptions): Authenticate {
  const [key, algorithms] = verificationKey(options.key);
  const digest = options.digest ?? webDigest;
  const cache = new SessionCache(options.clock);

  async function prove(token: string): Promise<Proven> {
    const { payload } = await jwtVerify(token, key, {
      algorithms,
      issuer: options.issuer,
      audience: options.audience,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_TOKEN_LIFETIME_SECONDS,
      currentDate: new Date(options.clock.wall()),
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
    });
    const claim = claims.parse(payload);
    if (claim.exp - claim.iat > MAX_TOKEN_LIFETIME_SECONDS) throw new Error('exp is more than 15 minutes after iat');
    const session = {
      vendor: claim.vendor,
      subject: claim.sub,
      name: claim.name,
      permissions: new Set(claim.permissions),
      items: claim.items,
      tokenId: claim.jti,
      expiresAt: claim.exp * 1000,
    };
    return { session, origin: claim.origin };
  }

  return async (request, context) => {
    const token = bearerOf(request);
    if (token === undefined) return undefined;
    try {
      const hash = await digest(token);
      const known = cache.find(hash);
      const proven = known ?? (await prove(token));
      if (known === undefined) cache.keep(hash, proven);
      // Of each request: the same token may come from another page.
      const origin = request.headers.get('Origin') ?? options.publicOrigin;
      if (proven.origin !== origin) throw new Error('origin claim does not match');
      return proven.session;
    } catch (error) {
      options.log('info', 'embed token refused', { request_id: context.requestId, reason: reasonOf(error) });
      return undefined;
    }
  };
}

export interface EmbedTokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly vendor: string;
  readonly permissions: readonly Permission[];
  /** Origin of the page that embeds the elements, as in `https://admin.example.com`. */
  readonly origin: string;
  readonly name?: string;
  readonly items?: readonly string[];
  /** Default 600, at most 900. */
  readonly lifetimeSeconds?: number;
}

/**
 * Signs an embed token for the host's backend, with the secret that the proxy reads from `SESSION_SECRET_FILE`.
 *
 * @example
 * const token = await signEmbedToken(secret, {
 *   issuer: 'https://admin.example.com', audience: 'https://inventory.example.com', origin: 'https://admin.example.com',
 *   subject: user.id, vendor: user.vendorId, permissions: ['view', 'edit'],
 * });
 * @throws {RangeError} when the secret has fewer than 32 bytes or the lifetime is over 15 minutes
 */
export async function signEmbedToken(secret: string, token: EmbedTokenClaims): Promise<string> {
  const lifetime = token.lifetimeSeconds ?? 600;
  if (!(lifetime > 0 && lifetime <= MAX_TOKEN_LIFETIME_SECONDS)) throw new RangeError('lifetimeSeconds: 1 to 900');
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    vendor: token.vendor,
    permissions: token.permissions,
    origin: token.origin,
    ...(token.name !== undefined && { name: token.name }),
    ...(token.items !== undefined && { items: token.items }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(token.issuer)
    .setAudience(token.audience)
    .setSubject(token.subject)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .setJti(crypto.randomUUID())
    .sign(sharedSecret(secret));
}

/** @throws {RangeError} below 32 bytes: RFC 7518 section 3.2 wants a key as long as the hash. */
export function sharedSecret(secret: string): Uint8Array {
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < MIN_SHARED_SECRET_BYTES) throw new RangeError('the session secret needs at least 32 bytes');
  return bytes;
}

function verificationKey(key: EmbedTokenKey): [JWTVerifyGetKey, string[]] {
  switch (key.kind) {
    case 'secret': {
      const bytes = sharedSecret(key.secret.reveal());
      return [() => Promise.resolve(bytes), ['HS256']];
    }
    case 'jwks':
      return [createLocalJWKSet(key.jwks), ['EdDSA', 'ES256']];
    case 'jwks-url':
      return [createRemoteJWKSet(key.url), ['EdDSA', 'ES256']];
  }
}

function bearerOf(request: Request): string | undefined {
  const header = request.headers.get('Authorization') ?? '';
  const match = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header);
  return match?.[1] !== undefined && match[1].length <= MAX_TOKEN_LENGTH ? match[1] : undefined;
}

function reasonOf(error: unknown): string {
  if (error instanceof z.core.$ZodError)
    return `claim ${error.issues[0]?.path.join('.') ?? '?'} is missing or malformed`;
  return error instanceof Error ? error.message : 'unreadable';
}
