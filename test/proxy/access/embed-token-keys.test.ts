import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { exportJWK, exportSPKI, generateKeyPair, type GenerateKeyPairResult, type JWK } from 'jose';
import { authenticateByEmbedToken, type EmbedTokenKey } from '../../../src/proxy/access/embed-token.js';
import { systemClock } from '../../../src/proxy/runtime/clock.js';
import { type Log, noLog } from '../../../src/proxy/runtime/log.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { goodClaims, signed, type SigningKey } from '../../support/forged-tokens.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL, SESSION_SECRET } from '../../support/page-request.js';
import { serve } from '../../support/serve.js';

const ALGORITHMS = ['EdDSA', 'ES256'] as const;

type Algorithm = (typeof ALGORITHMS)[number];

const OURS = { issuer: HOST_ORIGIN, audience: PROXY_URL, publicOrigin: PROXY_URL, clock: systemClock, log: noLog };

describe('authenticateByEmbedToken', () => {
  for (const name of ['issuer', 'audience', 'publicOrigin'] as const) {
    it(`throws without ${name}, because it would accept tokens for other proxies`, () => {
      const options = { ...OURS, key: { kind: 'secret', secret: new Secret(SESSION_SECRET) } } as const;

      for (const missing of ['', undefined as unknown as string]) {
        assert.throws(() => authenticateByEmbedToken({ ...options, [name]: missing }), {
          name: 'TypeError',
          message: `${name} is missing: tokens for others would be taken for ours`,
        });
      }
    });
  }
});

describe('a proxy with the host’s public keys', () => {
  for (const alg of ALGORITHMS) {
    it(`accepts a token that one of them signed: ${alg}`, async () => {
      const pair = await keyPair(alg);
      const jwks = { keys: [await publicKey(await keyPair(alg), 'old'), await publicKey(pair, 'new')] };

      const session = await authenticate({ kind: 'jwks', jwks }, await token(pair, { alg, kid: 'new' }));

      assert.equal(session?.subject, 'ada');
    });

    it(`rejects a token of another key with the same kid: ${alg}`, async () => {
      const jwks = { keys: [await publicKey(await keyPair(alg), 'host')] };

      const session = await authenticate({ kind: 'jwks', jwks }, await token(await keyPair(alg), { alg, kid: 'host' }));

      assert.equal(session, undefined);
    });

    it(`rejects an HS256 token whose secret is the public key: ${alg}`, async () => {
      const pair = await keyPair(alg);
      const jwk = await publicKey(pair, 'host');
      const guesses = [await exportSPKI(pair.publicKey), JSON.stringify(jwk), jwk.x ?? ''];

      const sessions = await Promise.all(
        guesses.map(async (guess) => {
          const forged = await sign(new TextEncoder().encode(guess), { alg: 'HS256', kid: 'host' });
          return authenticate({ kind: 'jwks', jwks: { keys: [jwk] } }, forged);
        }),
      );

      assert.deepEqual(sessions, [undefined, undefined, undefined]);
    });
  }

  it('rejects a token that a symmetric key of the set signed', async () => {
    const secret = new TextEncoder().encode('a'.repeat(32));
    const jwks = { keys: [{ kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256', kid: 'host' }] };

    const session = await authenticate({ kind: 'jwks', jwks }, await sign(secret, { alg: 'HS256', kid: 'host' }));

    assert.equal(session, undefined);
  });

  it('rejects an algorithm that is not allowed', async () => {
    const pair = await generateKeyPair('RS256');
    const jwks = { keys: [await publicKey(pair, 'host')] };

    const session = await authenticate({ kind: 'jwks', jwks }, await token(pair, { alg: 'RS256', kid: 'host' }));

    assert.equal(session, undefined);
  });

  it('does not fetch keys from the jku or x5u address of a token', async (t) => {
    const pair = await keyPair('ES256');
    const forger = await serveKeys(t, [await publicKey(pair, 'forger')]);
    const jwks = { keys: [await publicKey(await keyPair('ES256'), 'host')] };
    const forged = await token(pair, { alg: 'ES256', kid: 'forger', jku: forger.url, x5u: forger.url });

    const session = await authenticate({ kind: 'jwks', jwks }, forged);

    assert.equal(session, undefined);
    assert.equal(forger.asked, 0);
  });
});

describe('the log of a proxy with the host’s public keys', () => {
  const reasons = async (alg: Algorithm | 'HS256', key: SigningKey): Promise<unknown[]> => {
    const lines: unknown[] = [];
    const jwks = { keys: [await publicKey(await keyPair('ES256'), 'host')] };
    const log: Log = (_, event, fields) => void lines.push([event, fields]);
    const check = authenticateByEmbedToken({ ...OURS, log, key: { kind: 'jwks', jwks } });
    const request = pageRequest('GET', '/v1/session', { token: await sign(key, { alg, kid: 'host' }) });
    await check(request, { requestId: 'request-1' });
    return lines;
  };

  it('says that none of the keys made the signature', async () => {
    const { privateKey } = await keyPair('ES256');

    assert.deepEqual(await reasons('ES256', privateKey), [
      [
        'embed token refused',
        { request_id: 'request-1', reason: 'the signature was not made with the keys of SESSION_JWKS' },
      ],
    ]);
  });

  it('says that a token signed with a shared secret has the wrong algorithm', async () => {
    const reason = 'the token has to be signed by EdDSA or ES256 (SESSION_JWKS); it names another algorithm';

    assert.deepEqual(await reasons('HS256', new TextEncoder().encode(SESSION_SECRET)), [
      ['embed token refused', { request_id: 'request-1', reason }],
    ]);
  });
});

describe('a proxy with the URL of the host’s public keys', () => {
  it('fetches them once for concurrent tokens', async (t) => {
    const pair = await keyPair('EdDSA');
    const host = await serveKeys(t, [await publicKey(pair, 'host')]);
    const check = authenticateBy({ kind: 'jwks-url', url: new URL(host.url) });
    const request = pageRequest('GET', '/v1/session', { token: await token(pair, { alg: 'EdDSA', kid: 'host' }) });

    const sessions = await Promise.all([1, 2, 3].map(() => check(request, { requestId: 'request-1' })));

    assert.deepEqual(
      sessions.map((session) => session?.subject),
      ['ada', 'ada', 'ada'],
    );
    assert.equal(host.asked, 1);
  });
});

describe('a proxy that shares a secret with the host', () => {
  it('rejects a token that a private key signed', async () => {
    const key: EmbedTokenKey = { kind: 'secret', secret: new Secret('s'.repeat(32)) };

    const session = await authenticate(key, await token(await keyPair('ES256'), { alg: 'ES256' }));

    assert.equal(session, undefined);
  });

  it('throws if the secret is shorter than 32 bytes', () => {
    const key: EmbedTokenKey = { kind: 'secret', secret: new Secret('s'.repeat(31)) };

    assert.throws(() => authenticateBy(key), /at least 32 bytes/);
  });
});

function keyPair(alg: Algorithm): Promise<GenerateKeyPairResult> {
  return generateKeyPair(alg, { extractable: true });
}

async function publicKey({ publicKey: key }: GenerateKeyPairResult, kid: string): Promise<JWK> {
  return { ...(await exportJWK(key)), kid };
}

function sign(key: SigningKey, header: { alg: string; kid?: string; jku?: string; x5u?: string }): Promise<string> {
  return signed(goodClaims(Math.floor(Date.now() / 1000)), header, key);
}

function token(pair: GenerateKeyPairResult, header: Parameters<typeof sign>[1]): Promise<string> {
  return sign(pair.privateKey, header);
}

function authenticateBy(key: EmbedTokenKey): ReturnType<typeof authenticateByEmbedToken> {
  return authenticateByEmbedToken({ ...OURS, key });
}

function authenticate(key: EmbedTokenKey, embedToken: string): ReturnType<ReturnType<typeof authenticateBy>> {
  const request = pageRequest('GET', '/v1/session', { token: embedToken });
  return authenticateBy(key)(request, { requestId: 'request-1' });
}

async function serveKeys(t: TestContext, keys: readonly JWK[]): Promise<{ readonly url: string; asked: number }> {
  const host = { url: '', asked: 0 };
  host.url = await serve(t, (_, response) => {
    host.asked += 1;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys }));
  });
  return host;
}
