import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import {
  createPortalConnection,
  requestToken,
  type PortalClientOptions,
} from '../../../src/proxy/portal/portal-client.js';
import { PortalClock } from '../../../src/proxy/portal/clock-offset.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { createTokenCache, InvalidCredentials, TokenRequestFailed } from '../../../src/proxy/portal/token-cache.js';
import { body, cutShort, DEAD_ADDRESS, hangUp, servePortal, status, type Answer } from '../../support/portal-server.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECRET = 'canary-of-the-portal-secret';
const TOKEN = 'canary-of-the-portal-token';
const REFUSED = {
  kind: 'held',
  reason: 'portal_credentials',
  said: 'the portal refused the token request: 401',
} as const;

describe('the token request', () => {
  it('is the one of the portal’s document, with these headers and no other', async (t) => {
    const portal = await servePortal(t, grant({ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 }));

    const answer = await requestToken(callsTo(portal.url), CREDENTIAL);

    assert.deepEqual(answer, { accessToken: TOKEN, expiresIn: 3600 });
    const sent = `{"client_id":"guest-house","client_secret":"${SECRET}","grant_type":"client_credentials"}`;
    assert.deepEqual(portal.seen, [
      {
        method: 'POST',
        path: '/v1/oauth/token',
        headers: {
          host: new URL(portal.url).host,
          connection: 'keep-alive',
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'content-length': String(sent.length),
          'accept-language': '*',
          'sec-fetch-mode': 'cors',
          'user-agent': 'node',
          'accept-encoding': 'gzip, deflate',
        },
        body: sent,
      },
    ]);
  });

  it('is content with a token and nothing else', async (t) => {
    const portal = await servePortal(t, grant({ access_token: TOKEN }));

    const answer = await requestToken(callsTo(portal.url), CREDENTIAL);

    assert.deepEqual(answer, { accessToken: TOKEN, expiresIn: undefined });
  });

  for (const token_type of [null, 7, ['Bearer']]) {
    it(`is content with a token of type ${JSON.stringify(token_type)}, which nobody reads`, async (t) => {
      const portal = await servePortal(t, grant({ access_token: TOKEN, token_type, expires_in: 3600 }));

      const answer = await requestToken(callsTo(portal.url), CREDENTIAL);

      assert.deepEqual(answer, { accessToken: TOKEN, expiresIn: 3600 });
    });
  }

  it('takes a token as long as a header may be', async (t) => {
    const token = 'a'.repeat(15 * 1024);
    const portal = await servePortal(t, grant({ access_token: token, token_type: 'bearer', expires_in: '3600' }));

    const answer = await requestToken(callsTo(portal.url), CREDENTIAL);

    assert.deepEqual(answer, { accessToken: token, expiresIn: '3600' });
  });

  for (const [fault, token] of [
    ['access_token expected at most 15360', 'a'.repeat(15 * 1024 + 1)],
    ['access_token must be visible ASCII', 'a token'],
    ['access_token expected string', undefined],
  ] as const) {
    it(`names the field and the limit where it takes none: ${fault}`, async (t) => {
      const portal = await servePortal(t, grant({ access_token: token, expires_in: 3600 }));

      const asked = requestToken(callsTo(portal.url), CREDENTIAL);

      await assert.rejects(asked, { name: 'TokenRequestFailed', message: new RegExp(`\\(200, ${fault}\\)`) });
    });
  }

  for (const code of [400, 401, 403]) {
    it(`says that the credentials are wrong when the portal answers ${code}`, async (t) => {
      const portal = await servePortal(t, status(code));

      await assert.rejects(requestToken(callsTo(portal.url), CREDENTIAL), InvalidCredentials);
    });
  }

  for (const [code, error] of [
    [200, 'invalid_client'],
    [422, 'unauthorized_client'],
    [500, 'invalid_client'],
  ] as const) {
    it(`says that they are wrong when it answers ${code} and ${error}, in the words of OAuth`, async (t) => {
      const portal = await servePortal(t, answering(code, { error }));

      const asked = requestToken(callsTo(portal.url), CREDENTIAL);

      const message = `the portal refused the token request: ${code} ${error}`;
      await assert.rejects(asked, { name: 'CredentialsRefused', message });
    });
  }

  for (const [code, error] of [
    [200, 'try_later'],
    [429, 'invalid_request'],
    [503, 'server_error'],
  ] as const) {
    it(`says no such thing when it answers ${code} and ${error}, and names what it said`, async (t) => {
      const portal = await servePortal(t, answering(code, { error }));

      const asked = requestToken(callsTo(portal.url), CREDENTIAL);

      await assert.rejects(asked, { name: 'TokenRequestFailed', message: new RegExp(`${code} ${error}`) });
    });
  }

  it('tells no secret where the portal says it back as it stood in a form', async () => {
    const secret = 'canary+of/the=portal secret';
    const calls = callsTo('');
    const form = portalProfile.parse({ token: { body: 'form' } });
    const fetched: typeof fetch = (_, init) =>
      Promise.resolve(Response.json({ error: `unreadable: ${String(init?.body)}` }, { status: 400 }));
    const credential = { clientId: 'guest-house', clientSecret: new Secret(secret) };

    const asked = requestToken({ ...calls, profile: form, fetch: fetched }, credential);

    await assert.rejects(asked, /client_secret=\[redacted\]&/);
  });

  const failures: readonly (readonly [what: string, answer: Answer])[] = [
    ['500', status(500)],
    ['429', status(429)],
    ['404', status(404)],
    ['a web page', body(`<p>${TOKEN}</p>`, 'text/html')],
    ['half an object', body(`{"access_token":"${TOKEN}"`, 'application/json')],
    ['a token that no header can carry', grant({ access_token: `${TOKEN}\r\nX-Injected: 1` })],
    ['no token', grant({ token: TOKEN })],
    ['an answer that breaks off', cutShort],
    ['no answer', hangUp],
    ['a megabyte and more', grant({ access_token: TOKEN, note: ' '.repeat(1024 * 1024) })],
  ];

  for (const [what, answer] of failures) {
    it(`fails on ${what}, and tells neither secret nor token`, async (t) => {
      const portal = await servePortal(t, answer);

      const error: unknown = await requestToken(callsTo(portal.url), CREDENTIAL).catch((reason: unknown) => reason);

      assert.ok(error instanceof Error);
      assert.ok(!(error instanceof InvalidCredentials));
      assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /canary/);
    });
  }

  it('does not follow a redirect: the secret goes to the portal alone', async (t) => {
    const elsewhere = await servePortal(t, grant({ access_token: TOKEN }));
    const portal = await servePortal(t, status(307, { Location: elsewhere.url }));

    await assert.rejects(requestToken(callsTo(portal.url), CREDENTIAL), TokenRequestFailed);

    assert.deepEqual(elsewhere.seen, []);
  });
});

describe('an update without a token', () => {
  it('is held while the credentials are wrong', async (t) => {
    const portal = await servePortal(t, status(401));

    const outcome = await clientOf(portal.url).update([]);

    assert.deepEqual(outcome, REFUSED);
    assert.deepEqual(pathsOf(portal.seen), ['/v1/oauth/token']);
  });

  it('is held for as long as the portal says where it refuses the credentials, also by who is started meanwhile', async (t) => {
    const portal = await servePortal(t, status(401, { 'Retry-After': '1800' }));

    const outcome = await clientOf(portal.url).update([]);

    assert.deepEqual(outcome, { ...REFUSED, afterMs: 1_800_000 });
  });

  it('is tried again later where the portal gives none now', async (t) => {
    const portal = await servePortal(t, status(503));

    const outcome = await clientOf(portal.url).update([]);

    const said = 'the portal answered the token request with 503';
    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable', said });
    assert.deepEqual(pathsOf(portal.seen), ['/v1/oauth/token']);
  });

  for (const [code, fields] of [
    [429, { 'Retry-After': '90' }],
    [503, { 'Retry-After': '90' }],
    [429, { RateLimit: '"default";r=0;t=90' }],
    [500, { RateLimit: '"default";r=0;t=90' }],
  ] as const) {
    it(`is tried again when the portal says with ${String(code)} and ${Object.keys(fields).join()}`, async (t) => {
      const portal = await servePortal(t, status(code, fields), grant({ access_token: TOKEN }), status(200));
      const clock = new VirtualClock();
      const client = clientOf(portal.url, clock);

      const outcomes = [await client.update([])];
      clock.jump(89_000);
      outcomes.push(await client.update([]));
      const early = pathsOf(portal.seen);
      clock.jump(1_000);
      outcomes.push(await client.update([]));

      const said = `the portal answered the token request with ${String(code)}`;
      assert.deepEqual(outcomes, [
        { kind: 'retry', reason: 'portal_unreachable', said, afterMs: 90_000 },
        { kind: 'retry', reason: 'portal_unreachable', said, afterMs: 1_000 },
        { kind: 'delivered' },
      ]);
      assert.deepEqual(early, ['/v1/oauth/token']);
    });
  }

  it('asks no sooner than the portal says, where that is later than wrong credentials are tried again', async (t) => {
    const portal = await servePortal(
      t,
      status(401, { 'Retry-After': '900' }),
      grant({ access_token: TOKEN }),
      status(200),
    );
    const clock = new VirtualClock();
    const client = clientOf(portal.url, clock);
    await client.update([]);

    clock.jump(899_000);
    const early = await client.update([]);
    clock.jump(1_000);
    const later = await client.update([]);

    assert.deepEqual([early, later], [{ ...REFUSED, afterMs: 1_000 }, { kind: 'delivered' }]);
    assert.deepEqual(pathsOf(portal.seen).length, 3);
  });

  it('is tried again later where nobody listens', async () => {
    const outcome = await clientOf(DEAD_ADDRESS).update([]);

    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable', failure: 'ECONNREFUSED' });
  });
});

function grant(answer: object): Answer {
  return body(JSON.stringify(answer), 'application/json');
}

const CREDENTIAL = { clientId: 'guest-house', clientSecret: new Secret(SECRET) };

function callsTo(baseUrl: string, clock = new VirtualClock()): PortalClientOptions {
  const profile = portalProfile.parse({});
  return { baseUrl, profile, fetch, clock, portalClock: new PortalClock() };
}

function clientOf(baseUrl: string, clock?: VirtualClock): ReturnType<typeof createPortalConnection> {
  const calls = callsTo(baseUrl, clock);
  const tokens = createTokenCache({
    requests: [() => requestToken(calls, CREDENTIAL)],
    fallbackLifetimeSeconds: 300,
    renewalMarginSeconds: 60,
    clock: calls.clock,
    random: () => 0.5,
  });
  return createPortalConnection(calls, { credential: 'guest-house', vendor: '', tokens });
}

function pathsOf(seen: readonly { readonly path: string }[]): string[] {
  return seen.map(({ path }) => path);
}

function answering(code: number, answer: object): Answer {
  return (response) => response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}
