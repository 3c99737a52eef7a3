import type { JSONWebKeySet } from 'jose';
import * as z from 'zod/mini';

/** 32 bytes in base64url. */
const coordinate = z.string().check(z.regex(/^[\w-]{43}=?$/));
/** A key that is for something else says so (RFC 7517 section 4). */
const purpose = {
  use: z.optional(z.literal('sig')),
  key_ops: z.optional(z.array(z.string()).check(z.refine((operations) => operations.includes('verify')))),
};
const checkingKey = z.union([
  z.looseObject({
    ...purpose,
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    alg: z.optional(z.literal('EdDSA')),
    x: coordinate,
  }),
  z.looseObject({
    ...purpose,
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    alg: z.optional(z.literal('ES256')),
    x: coordinate,
    y: coordinate,
  }),
]);

const anyKey = z
  .looseObject({ kty: z.string() })
  .check(z.refine((key) => !isPrivate(key), 'a private key: give the public half alone'));

/**
 * A JWK set (RFC 7517) of the host, from a file or behind a URL, as the keys in it that embed tokens can be checked by.
 * Beside one, a host may publish keys for whatever else it signs; they are for other readers.
 */
export const hostKeySet = z.pipe(
  z.object({
    keys: z.array(anyKey).check(
      z.minLength(1),
      z.refine(
        // One line is enough of none at all, or a private one.
        (keys) => keys.length === 0 || keys.some((key) => isPrivate(key) || canCheck(key)),
        'none of them is a whole key of Ed25519 or P-256',
      ),
    ),
  }),
  z.transform(({ keys }): JSONWebKeySet => ({ keys: keys.filter(canCheck) })),
);

function isPrivate(key: { readonly kty: string }): boolean {
  return (key.kty === 'OKP' || key.kty === 'EC') && 'd' in key;
}

function canCheck(key: unknown): boolean {
  return checkingKey.safeParse(key).success;
}
