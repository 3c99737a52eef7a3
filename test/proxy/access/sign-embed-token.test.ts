import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { MAX_TOKEN_LENGTH } from '../../../src/contract/fields.js';
import { signEmbedToken } from '../../../src/proxy/access/sign-embed-token.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, PROXY_URL, SESSION_SECRET } from '../../support/page-request.js';

const CLAIMS = {
  issuer: HOST_ORIGIN,
  audience: PROXY_URL,
  origin: HOST_ORIGIN,
  subject: 'ada',
  vendor: 'boat-tours',
  permissions: ['view'],
} as const;

describe('a host that signs an embed token', () => {
  it('gets all claims, with a lifetime of ten minutes', async () => {
    const before = Math.floor(Date.now() / 1000);

    const token = await embedToken({ name: 'Ada', items: ['kayak'], permissions: ['view', 'edit'] });

    const { iat = 0, exp = 0, jti = '', ...claims } = decodeJwt(token);
    assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' });
    assert.ok(iat >= before && iat <= before + 5);
    assert.equal(exp - iat, 600);
    assert.match(jti, /^[0-9a-f-]{36}$/);
    assert.deepEqual(claims, {
      iss: HOST_ORIGIN,
      aud: PROXY_URL,
      sub: 'ada',
      vendor: 'boat-tours',
      permissions: ['view', 'edit'],
      origin: HOST_ORIGIN,
      name: 'Ada',
      items: ['kayak'],
    });
  });

  it('may pass permissions as a set', async () => {
    const token = await embedToken({ permissions: new Set(['view', 'edit'] as const) });

    assert.deepEqual(decodeJwt(token).permissions, ['view', 'edit']);
  });

  it('gets another jti each time', async () => {
    const [one, other] = await Promise.all([embedToken(), embedToken()]);

    assert.notEqual(decodeJwt(one).jti, decodeJwt(other).jti);
  });

  for (const secret of ['', 's'.repeat(31), 'é'.repeat(15)]) {
    it(`cannot use a secret of ${Buffer.byteLength(secret)} bytes`, async () => {
      await assert.rejects(signEmbedToken(secret, CLAIMS), RangeError);
    });
  }

  for (const [claim, given, wanted] of [
    ['vendor', undefined, /^vendor has to be a string of .*; it is undefined$/],
    ['subject', 7, /^subject has to be a string of .*; it is a Number: 7$/],
    [
      'permissions',
      ['view', 'write'],
      /^permissions has to be .* list of view, edit.*; it is a list with something else in it: \["view","write"\]$/,
    ],
    ['permissions', 'edit', /^permissions has to be .*; it is a String: "edit"$/],
    ['origin', `${HOST_ORIGIN}/`, /^origin has to be the origin of the page alone/],
    ['items', [''], /^items has to be a list of strings/],
  ] as const) {
    it(`gets a TypeError for ${JSON.stringify(given)} as the claim ${claim}`, async () => {
      await assert.rejects(embedToken({ [claim]: given }), { name: 'TypeError', message: wanted });
    });
  }

  it('gets a RangeError for more items than a request can carry', async () => {
    const items = Array.from({ length: 700 }, (_, at) => `room-${String(at).padStart(6, '0')}`);

    const some = await embedToken({ items: items.slice(0, 600) });

    assert.ok(some.length <= MAX_TOKEN_LENGTH);
    await assert.rejects(embedToken({ items }), { name: 'RangeError', message: /^items: .*use prefixes$/ });
  });

  it('may pass a secret with a byte order mark, and the proxy accepts the token', async (t) => {
    const { ask } = openProxy(t);

    const token = await signEmbedToken(`\ufeff${SESSION_SECRET}`, CLAIMS);

    assert.equal((await ask('GET', '/v1/session', { token })).status, 200);
  });

  it('may use a secret of 32 bytes, however few characters they are', async () => {
    assert.match(await signEmbedToken('é'.repeat(16), CLAIMS), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  for (const lifetimeSeconds of [901, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`gets a RangeError for a lifetime of ${lifetimeSeconds} seconds`, async () => {
      await assert.rejects(signEmbedToken(SESSION_SECRET, { ...CLAIMS, lifetimeSeconds }), {
        name: 'RangeError',
        message: `lifetimeSeconds has to be from 1 to 900; it is ${lifetimeSeconds}`,
      });
    });
  }

  it('may set a lifetime of 15 minutes', async () => {
    const { iat = 0, exp = 0 } = decodeJwt(await embedToken({ lifetimeSeconds: 900 }));

    assert.equal(exp - iat, 900);
  });
});
