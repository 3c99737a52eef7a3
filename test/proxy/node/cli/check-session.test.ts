import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { goodClaims, signed, type Claims } from '../../../support/forged-tokens.js';
import { minimalSettings, settingFile } from '../../../support/minimal-settings.js';
import { HOST_ORIGIN, PROXY_URL } from '../../../support/page-request.js';
import { body, servePortal, status, type Answer } from '../../../support/portal-server.js';
import { runCommand } from '../../../support/run-command.js';

const GRANT = body('{"access_token":"canary-token","token_type":"Bearer"}', 'application/json');

async function check(t: TestContext, words: readonly string[]) {
  const portal = await servePortal(t, GRANT);
  const settings = {
    ...minimalSettings(),
    PORTAL_BASE_URL: portal.url,
    PUBLIC_URL: PROXY_URL,
    SESSION_ISSUER: HOST_ORIGIN,
    ALLOWED_ORIGINS: HOST_ORIGIN,
  };
  const { code, printed } = await runCommand(['check', ...words], settings);
  return { code, said: printed };
}

const token = (claims: Claims = {}): Promise<string> =>
  signed({ ...goodClaims(Math.floor(Date.now() / 1000)), ...claims });

describe('vendor-inventory check --token', { concurrency: 4 }, () => {
  it('prints the person and the permissions of the token, and not the token', async (t) => {
    const given = await token({ items: ['kayak', 'room-*'] });

    const bare = await check(t, ['--token', settingFile(`${given}\n`)]);
    const answer = await check(t, ['--token', settingFile(JSON.stringify({ token: given }))]);

    for (const { code, said } of [bare, answer]) {
      assert.equal(code, 0, said);
      assert.match(
        said,
        /^Embed token: taken\. Vendor "boat-tours", person "ada", permissions view, edit, items kayak, room-\*; it ends in \d{3} s\.$/m,
      );
      assert.ok(!said.includes(given.split('.')[2] ?? given));
    }
  });

  for (const [what, claims, reason] of [
    ['another issuer', { iss: 'https://other.example.com' }, /refused: iss claim has to be .*SESSION_ISSUER/],
    ['another audience', { aud: HOST_ORIGIN }, /refused: aud claim has to be .*SESSION_AUDIENCE/],
    ['no origin', { origin: undefined }, /refused: origin has to be/],
    [
      'an origin that is not listed',
      { origin: 'https://b.example.com' },
      /https:\/\/b\.example\.com, which ALLOWED_ORIGINS does not list/,
    ],
    ['no permissions', { permissions: undefined }, /refused: permissions has to be/],
  ] as const) {
    it(`prints why a token with ${what} is refused, and exits with 1`, async (t) => {
      const { code, said } = await check(t, ['--token', settingFile(await token(claims))]);

      assert.equal(code, 1);
      assert.match(said, /^Verdict: not ready, 1 thing to correct:/);
      assert.match(said, reason);
    });
  }

  it('prints that the file has no token or cannot be read', async (t) => {
    const none = await check(t, ['--token', settingFile('no token')]);
    const gone = await check(t, ['--token', '/nowhere/token']);

    assert.match(none.said, /^Embed token: refused: /m);
    assert.match(gone.said, /^Embed token: \/nowhere\/token cannot be read \(ENOENT\)\.$/m);
    assert.deepEqual([none.code, gone.code], [1, 1]);
  });
});

describe('vendor-inventory check --session-url', { concurrency: 4 }, () => {
  const redirect: Answer = (response) => void response.writeHead(302, { Location: '/sign-in' }).end();

  for (const [what, answer, code, says] of [
    ['401', status(401), 0, /^Session URL: 401 without a person's cookies, as it should be/m],
    ['a redirect', redirect, 1, /^Session URL: a redirect \(302\), which pages do not follow/m],
    [
      'an HTML page',
      body('<h1>Admin', 'text/html'),
      1,
      /^Session URL: it answered 200, text\/html\. Expected: 200 with the JSON/m,
    ],
    [
      'JSON without a token',
      body('{"jwt":"x"}', 'application/json'),
      1,
      /^Session URL: it answered 200, application\/json\. Expected/m,
    ],
    ['405', status(405), 1, /^Session URL: it answered 405/m],
  ] as const) {
    it(`exits with ${String(code)} if the URL answers with ${what}`, async (t) => {
      const host = await servePortal(t, answer);

      const found = await check(t, ['--session-url', `${host.url}/inventory-session`]);

      assert.equal(found.code, code, found.said);
      assert.match(found.said, says);
      assert.equal(host.seen[0]?.path, '/inventory-session');
    });
  }

  it('checks the token of the response, and exits with 1 if it is refused', async (t) => {
    const host = await servePortal(t, body(JSON.stringify({ token: await token({ aud: 'x' }) }), 'application/json'));

    const { code, said } = await check(t, ['--session-url', host.url]);

    assert.equal(code, 1);
    assert.match(
      said,
      /Session URL: it gives a token to everybody who asks[^]*Embed token: refused: aud claim has to be/,
    );
  });

  it('sends no request if the argument is no absolute URL', async (t) => {
    const { code, said } = await check(t, ['--session-url', '/inventory-session']);

    assert.equal(code, 1);
    assert.match(said, /Session URL: not asked\. --session-url takes the whole address/);
  });
});
