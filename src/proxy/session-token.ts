import { SignJWT } from 'jose';
import type { Permission } from '../contract/widget.js';
import { MAX_TOKEN_LENGTH } from '../contract/limits.js';
import { sharedSecret } from './shared-secret.js';
import { MAX_TOKEN_LIFETIME_SECONDS } from './token-lifetime.js';

/** `vendor-inventory-widget/session`: what a host's backend needs, and nothing of the proxy's inside. */
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
 * @throws {RangeError} when the secret has fewer than 32 bytes, the lifetime is over 15 minutes, or `items` are so many that the
 *   token would be longer than a request may carry: name them by prefixes then, as in `room-*`
 */
export async function signEmbedToken(secret: string, token: EmbedTokenClaims): Promise<string> {
  const lifetime = token.lifetimeSeconds ?? 600;
  if (!(lifetime > 0 && lifetime <= MAX_TOKEN_LIFETIME_SECONDS)) throw new RangeError('lifetimeSeconds: 1 to 900');
  const now = Math.floor(Date.now() / 1000);
  const signed = await new SignJWT({
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
  if (signed.length > MAX_TOKEN_LENGTH) {
    throw new RangeError(`items: the token has more than ${String(MAX_TOKEN_LENGTH)} characters; use prefixes`);
  }
  return signed;
}
