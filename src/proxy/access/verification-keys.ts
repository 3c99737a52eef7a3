import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { Secret } from '../runtime/secret.js';
import { createRemoteJwks, type RemoteJwksOptions } from './remote-jwks.js';

/** The key decides the algorithm (RFC 8725 section 3.1): a shared secret never verifies a public-key signature. */
export type EmbedTokenKey =
  /** `older` is accepted too, so that the secret can be rotated. */
  | { readonly kind: 'secret'; readonly secret: Secret; readonly older?: Secret | undefined }
  | { readonly kind: 'jwks'; readonly jwks: JSONWebKeySet }
  /** The URL is https, or http on a loopback address. */
  | { readonly kind: 'jwks-url'; readonly url: URL };

export interface TokenVerifier {
  /**
   * Verifies the signature and the registered claims.
   *
   * @throws {SessionUnverifiable} if the keys cannot be fetched, else an error of `jose` that says why the token is invalid
   */
  verify(token: string, expected: JWTVerifyOptions): Promise<JWTPayload>;
  /** Marks keys behind a URL as stale: the next request that needs one fetches them again. */
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

/** @throws {RangeError} below 32 bytes: RFC 7518 section 3.2 requires a key at least as long as the hash */
export function encodeSecret(secret: string): Uint8Array {
  // A file may begin with a byte order mark. The proxy strips it when it reads the file; a host that does not would differ.
  const bytes = new TextEncoder().encode(secret.replace(/^\ufeff/, ''));
  if (bytes.length < MIN_SHARED_SECRET_BYTES) throw new RangeError('the session secret needs at least 32 bytes');
  return bytes;
}
