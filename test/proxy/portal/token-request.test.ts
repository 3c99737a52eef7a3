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
  portalMessage: 'the portal refused the token request: 401',
} as const;

describe('the token request', () => {
  it('is the one of the portal’s document, with exactly these headers', async (t) => {
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

  it('accepts a response with nothing but a token', async (t) => {
    const portal = await servePortal(t, grant({ access_token: TOKEN }));

    const answer = await requestToken(callsTo(portal.url), CREDENTIAL);

    assert.deepEqual(answer, { accessToken: TOKEN, expiresIn: undefined });
  });

  for (const token_type of [null, 7, ['Bearer']]) {
    it(`accepts a token of type ${JSON.stringify(token_type)}, because the type is ignored`, async (t) => {
      const portal = await servePortal(t, grant({ access_token: TOKEN, token_type, expires_in: 3600 }));

      const answer = await requestToken(callsTo(portal.url), CREDENTIAL);

      assert.deepEqual(answer, { accessToken: TOKEN, expiresIn: 3600 });
    });
  }

  it('accepts a token as long as a header may be', async (t) => {
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
    it(`names the field and the limit of an invalid response: ${fault}`, async (t) => {
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
    it(`says that they are wrong when it answers ${code} and the OAuth error ${error}`, async (t) => {
      const portal = await servePortal(t, answering(code, { error }));

      const asked = requestToken(callsTo(portal.url), CREDENTIAL);

      const message = `the portal refused the token request: ${code} ${error}`;
      await assert.rejects(asked, { name: 'InvalidCredentials', message });
    });
  }

  for (const [code, error] of [
    [200, 'try_later'],
    [429, 'invalid_request'],
    [503, 'server_error'],
  ] as const) {
    it(`does not say so when it answers ${code} and ${error}, and names the response`, async (t) => {
      const portal = await servePortal(t, answering(code, { error }));

      const asked = requestToken(callsTo(portal.url), CREDENTIAL);

      await assert.rejects(asked, { name: 'TokenRequestFailed', message: new RegExp(`${code} ${error}`) });
    });
  }

  it('reveals no secret if the portal repeats it form-encoded', async () => {
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
    ['a truncated response', cutShort],
    ['no response', hangUp],
    ['more than a megabyte', grant({ access_token: TOKEN, note: ' '.repeat(1024 * 1024) })],
  ];

  for (const [what, answer] of failures) {
    it(`fails on ${what}, and reveals neither secret nor token`, async (t) => {
      const portal = await servePortal(t, answer);

      const error: unknown = await requestToken(callsTo(portal.url), CREDENTIAL).catch((reason: unknown) => reason);

      assert.ok(error instanceof Error);
      assert.ok(!(error instanceof InvalidCredentials));
      assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /canary/);
    });
  }

  it('does not follow a redirect, so that the secret reaches only the portal', async (t) => {
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

  it('is held for as long as the portal asks when it rejects the credentials, even in a process started later', async (t) => {
    const portal = await servePortal(t, status(401, { 'Retry-After': '1800' }));

    const outcome = await clientOf(portal.url).update([]);

    assert.deepEqual(outcome, { ...REFUSED, afterMs: 1_800_000 });
  });

  it('is retried later if the portal gives no token now', async (t) => {
    const portal = await servePortal(t, status(503));

    const outcome = await clientOf(portal.url).update([]);

    const portalMessage = 'the portal answered the token request with 503';
    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable', portalMessage });
    assert.deepEqual(pathsOf(portal.seen), ['/v1/oauth/token']);
  });

  for (const [code, fields] of [
    [429, { 'Retry-After': '90' }],
    [503, { 'Retry-After': '90' }],
    [429, { RateLimit: '"default";r=0;t=90' }],
    [500, { RateLimit: '"default";r=0;t=90' }],
  ] as const) {
    it(`is retried when the portal asks with ${String(code)} and ${Object.keys(fields).join()}`, async (t) => {
      const portal = await servePortal(t, status(code, fields), grant({ access_token: TOKEN }), status(200));
      const clock = new VirtualClock();
      const client = clientOf(portal.url, clock);

      const outcomes = [await client.update([])];
      clock.jump(89_000);
      outcomes.push(await client.update([]));
      const early = pathsOf(portal.seen);
      clock.jump(1_000);
      outcomes.push(await client.update([]));

      const portalMessage = `the portal answered the token request with ${String(code)}`;
      assert.deepEqual(outcomes, [
        { kind: 'retry', reason: 'portal_unreachable', portalMessage, afterMs: 90_000 },
        { kind: 'retry', reason: 'portal_unreachable', portalMessage, afterMs: 1_000 },
        { kind: 'delivered' },
      ]);
      assert.deepEqual(early, ['/v1/oauth/token']);
    });
  }

  it('is retried when the portal asks, even if wrong credentials would be tried earlier', async (t) => {
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

  it('is retried later if the connection is refused', async () => {
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
