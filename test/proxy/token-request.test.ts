import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createLanePortal, requestToken, TokenRequestFailed, type PortalCalls } from '../../src/proxy/portal-client.js';
import { PortalClock } from '../../src/proxy/portal-clock.js';
import { portalProfile } from '../../src/proxy/profile.js';
import { Secret } from '../../src/proxy/secret.js';
import { createTokenCache, CredentialsRefused } from '../../src/proxy/token-cache.js';
import { body, cutShort, deadAddress, hangUp, servePortal, status, type Answer } from '../support/portal-server.js';
import { VirtualClock } from '../support/virtual-clock.js';

const SECRET = 'canary-of-the-portal-secret';
const TOKEN = 'canary-of-the-portal-token';

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

  for (const code of [400, 401, 403]) {
    it(`says that the credentials are wrong when the portal answers ${code}`, async (t) => {
      const portal = await servePortal(t, status(code));

      await assert.rejects(requestToken(callsTo(portal.url), CREDENTIAL), CredentialsRefused);
    });
  }

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
      assert.ok(!(error instanceof CredentialsRefused));
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

    const outcome = await update(portal.url);

    assert.deepEqual(outcome, { kind: 'held', reason: 'portal_credentials' });
    assert.deepEqual(pathsOf(portal.seen), ['/v1/oauth/token']);
  });

  it('is tried again later where the portal gives none now', async (t) => {
    const portal = await servePortal(t, status(503));

    const outcome = await update(portal.url);

    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable' });
    assert.deepEqual(pathsOf(portal.seen), ['/v1/oauth/token']);
  });

  it('is tried again later where nobody listens', async () => {
    const outcome = await update(await deadAddress());

    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable' });
  });
});

function grant(answer: object): Answer {
  return body(JSON.stringify(answer), 'application/json');
}

const CREDENTIAL = { clientId: 'guest-house', clientSecret: new Secret(SECRET) };

function callsTo(baseUrl: string): PortalCalls {
  const profile = portalProfile.parse({});
  return { baseUrl, profile, fetch, clock: new VirtualClock(), portalClock: new PortalClock() };
}

function update(baseUrl: string): ReturnType<ReturnType<typeof createLanePortal>['update']> {
  const calls = callsTo(baseUrl);
  const tokens = createTokenCache({
    requests: [() => requestToken(calls, CREDENTIAL)],
    fallbackLifetimeSeconds: 300,
    renewalMarginSeconds: 60,
    clock: calls.clock,
    random: () => 0.5,
  });
  return createLanePortal(calls, { credential: 'guest-house', vendor: '', tokens }).update([]);
}

function pathsOf(seen: readonly { readonly path: string }[]): string[] {
  return seen.map(({ path }) => path);
}
