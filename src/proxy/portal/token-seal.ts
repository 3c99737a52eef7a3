import { Secret } from '../runtime/secret.js';

/** What a token is for: the credential and all parameters of the token request. */
export interface TokenSubject {
  /** Address, client id and parameters in one string. It contains no secret. */
  readonly about: string;
  readonly clientSecret: Secret;
}

/**
 * Encrypts portal tokens for storage. Only a process with the client secret can read them, and the secret is in no
 * database.
 *
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce: a key encrypts a few tokens an hour, far below 2^32. The
 * key is derived by HKDF-SHA256 (RFC 5869) from the client secret; salt and info bind it to the credential and to this
 * use. The subject and the generation of the token are authenticated data, so a sealed token cannot replace another.
 *
 * HKDF assumes a secret that cannot be guessed, as portals generate them. It is not a password hash.
 */
export interface TokenSeal {
  /**
   * The storage key of this credential's token, also derived by HKDF. A rotated secret has another key, so it starts
   * without a token.
   */
  readonly place: string;
  seal(token: Secret, generation: number): Promise<Uint8Array>;
  /** @returns `undefined` if it was sealed with another secret or for another subject, or was changed */
  open(sealed: Uint8Array, generation: number): Promise<Secret | undefined>;
}

const NONCE_BYTES = 12;
const encoder = new TextEncoder();

export async function createTokenSeal({ about, clientSecret }: TokenSubject): Promise<TokenSeal> {
  const raw = encoder.encode(clientSecret.reveal());
  const material = await crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const derived = (purpose: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt: encoder.encode(about),
    info: encoder.encode(`vendor-inventory portal token 1: ${purpose}`),
  });
  const key = await crypto.subtle.deriveKey(derived('seal'), material, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const place = new Uint8Array(await crypto.subtle.deriveBits(derived('place'), material, 256));
  const parameters = (nonce: Uint8Array<ArrayBuffer>, generation: number) => ({
    name: 'AES-GCM',
    iv: nonce,
    additionalData: encoder.encode(JSON.stringify([about, generation])),
  });

  return {
    place: Array.from(place, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    async seal(token, generation) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const plain = encoder.encode(token.reveal());
      const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(nonce, generation), key, plain));
      const whole = new Uint8Array(NONCE_BYTES + sealed.length);
      whole.set(nonce);
      whole.set(sealed, NONCE_BYTES);
      return whole;
    },
    async open(sealed, generation) {
      const bytes = new Uint8Array(sealed);
      const nonce = bytes.slice(0, NONCE_BYTES);
      try {
        const plain = await crypto.subtle.decrypt(parameters(nonce, generation), key, bytes.slice(NONCE_BYTES));
        return new Secret(new TextDecoder().decode(plain));
      } catch (error) {
        // A failed authentication (Web Cryptography, section 27.7). Any other error is a bug.
        if (error instanceof DOMException && error.name === 'OperationError') return undefined;
        throw error;
      }
    },
  };
}
