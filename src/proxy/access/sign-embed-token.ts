import { SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Permission } from '../../contract/widget.js';
import { MAX_TOKEN_LENGTH } from '../../contract/fields.js';
import { isExactOrigin } from '../runtime/address-rules.js';
import { describeFault, permissionList, sessionFields } from './authenticate.js';
import { encodeSecret } from './verification-keys.js';
import { MAX_TOKEN_LIFETIME_SECONDS } from './session.js';

/** The claims of an embed token (`host-sessions.md` explains each of them). */
export interface EmbedTokenClaims {
  /** Value of `SESSION_ISSUER` of the proxy. */
  readonly issuer: string;
  /** Value of `SESSION_AUDIENCE` of the proxy, or its `PUBLIC_URL`. */
  readonly audience: string;
  /** Id of the signed-in person. */
  readonly subject: string;
  /** The vendor whose items the person edits. */
  readonly vendor: string;
  readonly permissions: readonly Permission[] | ReadonlySet<Permission>;
  /** Origin of the page that embeds the elements, as in `https://admin.example.com`. */
  readonly origin: string;
  /** Display name of the person. */
  readonly name?: string;
  /** The item ids that the person may access; one trailing `*` makes a prefix. Absent: all items of the vendor. */
  readonly items?: readonly string[];
  /** Default 600, at most 900. */
  readonly lifetimeSeconds?: number;
}

const { subject, vendor, name, items } = sessionFields;
const origin = z.string().check(z.refine(isExactOrigin));
const signable = z.object({ subject, vendor, permissions: permissionList, origin, name, items });

/**
 * Signs an embed token for the host's backend, in HS256 with the secret that the proxy reads from `SESSION_SECRET_FILE`.
 *
 * @example
 * const token = await signEmbedToken(secret, {
 *   issuer: 'https://admin.example.com', audience: 'https://inventory.example.com', origin: 'https://admin.example.com',
 *   subject: user.id, vendor: user.vendorId, permissions: ['view', 'edit'],
 * });
 * @throws {TypeError} for a claim that a proxy would reject
 * @throws {RangeError} if the secret has fewer than 32 bytes, the lifetime is over 15 minutes, or `items` make the token
 *   longer than a request may carry; name the items by prefixes then, as in `room-*`
 */
export async function signEmbedToken(secret: string, token: EmbedTokenClaims): Promise<string> {
  const lifetime = token.lifetimeSeconds ?? 600;
  if (!(lifetime > 0 && lifetime <= MAX_TOKEN_LIFETIME_SECONDS)) {
    throw new RangeError(
      `lifetimeSeconds has to be from 1 to ${String(MAX_TOKEN_LIFETIME_SECONDS)}; it is ${String(lifetime)}`,
    );
  }
  // An invalid claim is a mistake in the host's code, so it fails here and not only in the operator's log.
  const fault = signable.safeParse(token).error?.issues[0];
  if (fault !== undefined) throw new TypeError(describeFault(token, fault.path[0], true));
  const now = Math.floor(Date.now() / 1000);
  const signed = await new SignJWT({
    vendor: token.vendor,
    permissions: [...token.permissions],
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
    .sign(encodeSecret(secret));
  if (signed.length > MAX_TOKEN_LENGTH) {
    throw new RangeError(`items: the token has more than ${String(MAX_TOKEN_LENGTH)} characters; use prefixes`);
  }
  return signed;
}
