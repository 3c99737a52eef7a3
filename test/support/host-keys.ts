import type { TestContext } from 'node:test';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWK } from 'jose';
import { goodClaims, signed, type Claims } from './forged-tokens.js';
import { serve } from './serve.js';

export type Algorithm = 'EdDSA' | 'ES256';

/** A signing key of the host, with the public half that can be published. */
export interface HostKey {
  readonly publicKey: JWK;
  sign(claims?: Claims): Promise<string>;
}

export async function hostKey(kid: string, alg: Algorithm = 'ES256'): Promise<HostKey> {
  const pair: GenerateKeyPairResult = await generateKeyPair(alg, { extractable: true });
  return {
    publicKey: { ...(await exportJWK(pair.publicKey)), kid },
    sign: (claims = {}) =>
      signed({ ...goodClaims(Math.floor(Date.now() / 1000)), ...claims }, { alg, kid }, pair.privateKey),
  };
}

export interface KeyServer {
  readonly url: URL;
  asked: number;
  keys: readonly JWK[];
  /** Responds in place of the keys. */
  trouble: ((response: Parameters<Parameters<typeof serve>[1]>[1]) => void) | undefined;
}

/** Serves the host's public keys over real HTTP. */
export async function serveKeys(t: TestContext, ...keys: readonly HostKey[]): Promise<KeyServer> {
  const server = {
    url: new URL('http://localhost'),
    asked: 0,
    keys: keys.map(({ publicKey }) => publicKey) as readonly JWK[],
    trouble: undefined as KeyServer['trouble'],
  };
  const address = await serve(t, (_, response) => {
    server.asked += 1;
    if (server.trouble !== undefined) server.trouble(response);
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: server.keys }));
  });
  server.url = new URL('/jwks.json', address);
  return server;
}
