import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authenticateByEmbedToken, type EmbedTokenKey } from '../../../src/proxy/access/embed-token.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { SessionUnverifiable, type Authenticate, type HostSession } from '../../../src/proxy/access/session.js';
import { expectProblem } from '../../support/expect-problem.js';
import { goodClaims, signed, type Claims } from '../../support/forged-tokens.js';
import { hostKey, serveKeys } from '../../support/host-keys.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, PROXY_URL, SESSION_SECRET } from '../../support/page-request.js';
import { authenticateContract, type Told } from './authenticate-contract.js';
import { viewerOf } from '../../support/viewer.js';

const SETTINGS = { issuer: HOST_ORIGIN, audience: PROXY_URL, publicOrigin: PROXY_URL };
const OTHER_SECRET = 'another-secret-of-at-least-32-bytes';

const ADA = {
  vendor: 'boat-tours',
  subject: 'ada',
  permissions: new Set(['view', 'edit'] as const),
  expiresAt: Date.UTC(2100, 0),
};

const SECRETS: readonly (readonly [name: string, key: EmbedTokenKey])[] = [
  ['embed token and secret', { kind: 'secret', secret: new Secret(SESSION_SECRET) }],
  [
    'embed token and the older of two secrets',
    { kind: 'secret', secret: new Secret(OTHER_SECRET), older: new Secret(SESSION_SECRET) },
  ],
];

for (const [name, key] of SECRETS) {
  authenticateContract(
    name,
    (_, surroundings) =>
      Promise.resolve({
        authenticate: authenticateByEmbedToken({ ...SETTINGS, ...surroundings, key }),
        show: async (told) =>
          bearer(await signed({ ...goodClaims(Math.floor(surroundings.clock.wall() / 1000)), ...claimsOf(told) })),
      }),
    'session_required',
  );
}

authenticateContract(
  'embed token and key file',
  async (_, surroundings) => {
    const host = await hostKey('host', 'EdDSA');
    const key: EmbedTokenKey = { kind: 'jwks', jwks: { keys: [host.publicKey] } };
    return {
      authenticate: authenticateByEmbedToken({ ...SETTINGS, ...surroundings, key }),
      show: async (told) => bearer(await host.sign(claimsOf(told))),
    };
  },
  'session_required',
);

authenticateContract(
  'embed token and address of keys',
  async (t, surroundings) => {
    const host = await hostKey('host');
    const { url } = await serveKeys(t, host);
    return {
      authenticate: authenticateByEmbedToken({ ...SETTINGS, ...surroundings, key: { kind: 'jwks-url', url } }),
      show: async (told) => bearer(await host.sign(claimsOf(told))),
    };
  },
  'session_required',
);

// A host's own mistake says nothing about the person, who must not read that they are signed out.
authenticateContract(
  'the host’s own cookie',
  () => {
    const sessions = new Map<string, unknown>();
    return Promise.resolve({
      authenticate: (request) =>
        Promise.resolve(sessions.get(request.headers.get('Cookie') ?? '') as HostSession | undefined),
      show: (told) => {
        const cookie = `sid=${crypto.randomUUID()}`;
        const { permissions } = told;
        sessions.set(cookie, { ...told, permissions: Array.isArray(permissions) ? new Set(permissions) : permissions });
        return Promise.resolve({ Cookie: cookie });
      },
    });
  },
  'session_unverifiable',
);

describe('an authenticate hook of the host', () => {
  const broken: readonly (readonly [what: string, hook: () => unknown])[] = [
    ['throws at once', () => fail(new Error('the session store is down'))],
    ['rejects', () => Promise.reject(new TypeError('no such cookie'))],
    ['says itself that it cannot tell', () => fail(new SessionUnverifiable('the session store is down'))],
    ['answers true', () => true],
    ['answers false', () => false],
    ['answers the name of somebody', () => 'ada'],
    ['answers nothing in particular', () => ({})],
    ['answers a list', () => [ADA]],
    ['answers with a date for an end', () => ({ ...ADA, expiresAt: new Date(ADA.expiresAt) })],
    ['answers with an end that never comes', () => ({ ...ADA, expiresAt: Infinity })],
    ['answers with a function for permissions', () => ({ ...ADA, permissions: () => true })],
    ['answers with something that looks like a set', () => ({ ...ADA, permissions: { has: () => true } })],
    ['answers what cannot be read', () => ({ ...ADA, get vendor() { return fail(new Error('gone')); } })], // prettier-ignore
  ];

  for (const [what, hook] of broken) {
    it(`that ${what} causes session_unverifiable, not session_required`, async (t) => {
      const { ask, outbox, log } = openProxy(t, { authenticate: hook as Authenticate });
      const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];

      const answer = await ask('POST', '/v1/inventory', { body: { inventory } });

      await expectProblem(answer, 'session_unverifiable');
      assert.equal(answer.headers.get('Retry-After'), '5');
      assert.deepEqual(await outbox.list(viewerOf('boat-tours'), { limit: 1 }), []);
      assert.equal(log.find(({ event }) => event === 'request failed')?.code, 'session_unverifiable');
    });
  }

  it('may return null for a person who is not signed in', async (t) => {
    const { ask } = openProxy(t, { authenticate: (() => null) as unknown as Authenticate });

    await expectProblem(await ask('GET', '/v1/session'), 'session_required');
  });

  it('may return permissions as a list, and fields that the proxy does not use', async (t) => {
    const told: HostSession & { email: string } = { ...ADA, permissions: ['view'], email: 'ada@example.com' };
    const { ask } = openProxy(t, { authenticate: () => Promise.resolve(told) });

    const answer = await ask('GET', '/v1/session');

    assert.equal(answer.status, 200);
    assert.doesNotMatch(await answer.text(), /example/);
  });

  it('that names another person than the embed token of the page is refused, and the log says why', async (t) => {
    const { ask, log } = openProxy(t, { authenticate: () => Promise.resolve(ADA) });
    const statuses = [];
    for (const claims of [{ subject: 'ben' }, { vendor: 'cabins' }, { subject: ADA.subject, vendor: ADA.vendor }]) {
      statuses.push((await ask('GET', '/v1/session', { token: await embedToken(claims) })).status);
    }
    const opaque = await ask('GET', '/v1/session', { token: 'no-jwt' });

    assert.deepEqual([...statuses, opaque.status], [401, 401, 200, 200]);
    const reasons = log.filter(({ event }) => event === 'session refused').map(({ reason }) => reason);
    assert.equal(reasons.length, 2);
    for (const reason of reasons) assert.match(reason ?? '', /name another person/);
  });

  const named: readonly (readonly [what: string, told: unknown, words: RegExp])[] = [
    ['a date for an end', { ...ADA, expiresAt: new Date(ADA.expiresAt) }, /expiresAt .*milliseconds .*; it is a Date$/],
    ['no end', { ...ADA, expiresAt: undefined }, /expiresAt .*; it is undefined$/],
    ['no number for an end', { ...ADA, expiresAt: NaN }, /expiresAt .*; it is NaN$/],
    ['a person by number', { ...ADA, subject: 7 }, /subject .*string.*; it is a Number$/],
    ['permissions in one string', { ...ADA, permissions: 'view' }, /permissions .*view, edit, .*; it is a String$/],
    [
      'a permission that does not exist',
      { ...ADA, permissions: ['admin'] },
      /permissions .*; it is a list with something else in it$/,
    ],
    ['a list of sessions', [ADA], /an object .*; it is an Array$/],
    ['its word', true, /an object .*; it is a Boolean$/],
  ];

  for (const [what, told, words] of named) {
    it(`that returns ${what} is logged with the expected type`, async (t) => {
      const { ask, log } = openProxy(t, { authenticate: () => Promise.resolve(told as HostSession) });

      await expectProblem(await ask('GET', '/v1/session'), 'session_unverifiable');

      assert.match(log.find(({ event }) => event === 'request failed')?.error ?? '', words);
    });
  }

  it('that returns expiresAt in seconds is refused, and the log says that it expects milliseconds', async (t) => {
    const { ask, log } = openProxy(t, {
      authenticate: () => Promise.resolve({ ...ADA, expiresAt: ADA.expiresAt / 1000 }),
    });

    await expectProblem(await ask('GET', '/v1/session'), 'session_required');

    assert.match(log.find(({ event }) => event === 'session refused')?.reason ?? '', /milliseconds/);
  });

  it('is not called for a request without X-Requested-With', async (t) => {
    let asked = 0;
    const { ask } = openProxy(t, {
      authenticate: () => {
        asked += 1;
        return Promise.resolve(ADA);
      },
    });

    const answer = await ask('POST', '/v1/inventory', { body: '{}', headers: { 'X-Requested-With': undefined } });

    await expectProblem(answer, 'header_required');
    assert.equal(asked, 0);
  });
});

function fail(error: Error): never {
  throw error;
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

function claimsOf({ subject, expiresAt, ...told }: Told): Claims {
  return { ...told, sub: subject, exp: typeof expiresAt === 'number' ? expiresAt / 1000 : expiresAt };
}
