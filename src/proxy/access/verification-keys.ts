import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { Secret } from '../runtime/secret.js';
import { createRemoteJwks, type RemoteJwksOptions } from './remote-jwks.js';

/** The key decides the algorithm (RFC 8725 section 3.1): a shared secret never verifies a public-key signature. */
export type EmbedTokenKey =
  /** `older` is good as well, while the one replaces the other. */
  | { readonly kind: 'secret'; readonly secret: Secret; readonly older?: Secret | undefined }
  | { readonly kind: 'jwks'; readonly jwks: JSONWebKeySet }
  /** Https, or http on loopback. */
  | { readonly kind: 'jwks-url'; readonly url: URL };

export interface TokenVerifier {
  /** Signature and registered claims. @throws {SessionUnverifiable} when the keys are out of reach, else why not */
  verify(token: string, expected: JWTVerifyOptions): Promise<JWTPayload>;
  /** Keys behind a URL are read again by the next request that needs one. */
  reload(): void;
}

const PUBLIC_KEY_ALGORITHMS = ['EdDSA', 'ES256'];

/** @throws {RangeError} for a secret that is too short */
export function createTokenVerifier(key: EmbedTokenKey, options: RemoteJwksOptions): TokenVerifier {
  switch (key.kind) {
    case 'secret': {
      const secrets = [key.secret, ...(key.older === undefined ? [] : [key.older])];
      const live = secrets.map((secret) => encodeSecret(secret.reveal()));
      return { verify: (token, expected) => verifyByAny(token, live, expected), reload: () => undefined };
    }
    case 'jwks':
      return { verify: verifyBy(createLocalJWKSet(key.jwks)), reload: () => undefined };
    case 'jwks-url': {
      const keys = createRemoteJwks(key.url, options);
      return { verify: verifyBy(keys.find), reload: keys.reload };
    }
  }
}

function verifyBy(find: Parameters<typeof jwtVerify>[1]): TokenVerifier['verify'] {
  return async (token, expected) => {
    const { payload } = await jwtVerify(token, find, { ...expected, algorithms: PUBLIC_KEY_ALGORITHMS });
    return payload;
  };
}

async function verifyByAny(
  token: string,
  [secret, ...others]: readonly Uint8Array[],
  expected: JWTVerifyOptions,
): Promise<JWTPayload> {
  if (secret === undefined) throw new errors.JWSSignatureVerificationFailed();
  try {
    return (await jwtVerify(token, secret, { ...expected, algorithms: ['HS256'] })).payload;
  } catch (error) {
    if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    return verifyByAny(token, others, expected);
  }
}

const MIN_SHARED_SECRET_BYTES = 32;

/** @throws {RangeError} below 32 bytes: RFC 7518 section 3.2 wants a key as long as the hash. */
export function encodeSecret(secret: string): Uint8Array {
  // A file may begin with the mark of an editor; the proxy reads it without, and so does a host that reads it is.
  const bytes = new TextEncoder().encode(secret.replace(/^\ufeff/, ''));
  if (bytes.length < MIN_SHARED_SECRET_BYTES) throw new RangeError('the session secret needs at least 32 bytes');
  return bytes;
}
