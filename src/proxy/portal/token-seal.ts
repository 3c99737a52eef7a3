import { Secret } from '../runtime/secret.js';

/** What a token is for: the credential and everything else that the portal was told when it was asked. */
export interface TokenSubject {
  /** Address, client identifier and parameters, in one text. Nothing secret. */
  readonly about: string;
  readonly clientSecret: Secret;
}

/**
 * Makes portal tokens unreadable to everybody without the client secret, and the secret is in no database.
 *
 * AES-256-GCM (NIST SP 800-38D, with a random 96-bit nonce: a key seals some tokens an hour, far from 2^32) under a key by
 * HKDF-SHA256 (RFC 5869) from the client secret. Salt and info bind the key to the credential and to this use. What the
 * token is for and its generation are authenticated with it, so a sealed token cannot stand in for another.
 *
 * HKDF assumes a secret that nobody can guess, as portals generate them: it is no password hash.
 */
export interface TokenSeal {
  /** Where this credential's token lies. Also by HKDF: another secret has another place, so one that is rotated in starts anew. */
  readonly place: string;
  seal(token: Secret, generation: number): Promise<Uint8Array>;
  /** @returns `undefined` for what was sealed by another, for another, or was changed */
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
        // What authentication fails with (Web Cryptography, section 27.7). All else is a bug.
        if (error instanceof DOMException && error.name === 'OperationError') return undefined;
        throw error;
      }
    },
  };
}
