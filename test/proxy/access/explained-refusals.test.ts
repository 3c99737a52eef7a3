import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problem } from '../../../src/contract/problem.js';
import { expectProblem } from '../../support/expect-problem.js';
import { goodClaims, signed, type Claims } from '../../support/forged-tokens.js';
import { checkTokens, openProxy } from '../../support/open-proxy.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL, type PageRequest } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const now = () => Math.floor(Date.now() / 1000);
const claims = (changes: Claims = {}): Claims => ({ ...goodClaims(now()), ...changes });
const WIDGET = { 'X-Requested-With': 'inventory-widget' };

const withToken = async (token: Promise<string>): Promise<PageRequest> => ({ token: await token });

/** What a host may have wrong, and what its operator reads of it. */
const MISTAKES: readonly (readonly [mistake: string, request: () => Promise<PageRequest>, reason: RegExp])[] = [
  ['no session at the page', () => Promise.resolve({ headers: WIDGET }), /no session or getSession, or a gateway/],
  [
    'another issuer',
    () => withToken(signed(claims({ iss: 'https://other.example.com' }))),
    /SESSION_ISSUER.*"https:\/\/other\.example\.com"/,
  ],
  ['another audience', () => withToken(signed(claims({ aud: HOST_ORIGIN }))), /SESSION_AUDIENCE, or PUBLIC_URL/],
  [
    'the origin of another page',
    () => withToken(signed(claims({ origin: 'https://shop.example.com' }))),
    /origin claim has to be https:\/\/admin\.example\.com.*"https:\/\/shop\.example\.com"/,
  ],
  [
    'another secret',
    () => withToken(signed(claims(), { alg: 'HS256' }, new TextEncoder().encode('x'.repeat(32)))),
    /SESSION_SECRET_FILE/,
  ],
  [
    'another algorithm',
    () => withToken(signed(claims(), { alg: 'HS512' }, new TextEncoder().encode('x'.repeat(64)))),
    /signed by HS256 \(SESSION_SECRET_FILE\)/,
  ],
  [
    'a clock that is behind',
    () => withToken(signed(claims({ iat: now() - 3600, exp: now() - 3000 }))),
    /exp has passed.*clock of the host is behind/,
  ],
  [
    'a clock that is ahead',
    () => withToken(signed(claims({ iat: now() + 3600, exp: now() + 4200 }))),
    /clock of the host is ahead/,
  ],
  [
    'a token of 20 minutes ago',
    () => withToken(signed(claims({ iat: now() - 1200 }))),
    /iat is more than 15 minutes ago/,
  ],
  ['too long a life', () => withToken(signed(claims({ exp: now() + 3600 }))), /more than 15 minutes after iat: 3600 s/],
  [
    'a permission that does not exist',
    () => withToken(signed(claims({ permissions: ['view', 'write'] }))),
    /permissions has to be .*list of view, edit.*\["view","write"\]/,
  ],
  ['no vendor', () => withToken(signed(claims({ vendor: undefined }))), /vendor has to be a string/],
];

describe('a misconfigured host', () => {
  for (const [mistake, request, reason] of MISTAKES) {
    it(`by ${mistake}: the response gives the reason only if debugSessions is set`, async (t) => {
      const [open, closed] = [openProxy(t, { debugSessions: true }), openProxy(t)];

      const told = await open.ask('GET', '/v1/session', await request());
      const silent = await closed.ask('GET', '/v1/session', await request());

      await expectProblem(told, 'session_required', reason);
      await expectProblem(silent, 'session_required');
    });

    it(`by ${mistake}: the log warns once a minute, with the same reason`, async () => {
      const clock = new VirtualClock(Date.now());
      const lines: (readonly [level: string, reason: string | undefined])[] = [];
      const check = checkTokens(clock, (level, _, fields) => void lines.push([level, fields?.reason]));
      const asked = pageRequest('GET', '/v1/session', await request());

      await check(asked, { requestId: 'one' });
      await check(asked, { requestId: 'two' });

      assert.deepEqual(
        lines.map(([level]) => level),
        ['warn', 'info'],
      );
      for (const [, said] of lines) assert.match(said ?? '', reason);
    });
  }

  it('by a missing permission: the log and the response name it', async (t) => {
    const { ask, log } = openProxy(t);
    const token = await signed(claims({ permissions: ['edit'] }));

    const { detail } = await expectProblem(await ask('GET', '/v1/inventory', { token }), 'permission_missing');

    assert.equal(detail, 'The session lacks the permission view.');
    assert.equal(log.find(({ event }) => event === 'problem response')?.reason, detail);
  });

  it('by an origin that is not allowed: the log names both settings', async (t) => {
    const { ask, log } = openProxy(t);

    await ask('GET', '/v1/session', { headers: { Origin: 'https://shop.example.com' } });

    const line = log.find(({ event }) => event === 'pages of this origin may not ask');
    assert.equal(line?.address, 'https://shop.example.com');
    assert.equal(line.reason, `ALLOWED_ORIGINS does not list it, and the origin of PUBLIC_URL is ${PROXY_URL}`);
  });
});

describe('a proxy on loopback', () => {
  it('gives the reason of a refused session by default', async (t) => {
    const { proxy } = openProxy(t, { publicUrl: 'http://localhost:8080', allowedOrigins: [HOST_ORIGIN] });

    const answer = await proxy.fetch(pageRequest('GET', '/v1/session', { headers: WIDGET }));

    assert.match(await detailOf(answer), /no session or getSession/);
  });

  it('gives no reason if debugSessions is false', async (t) => {
    const { proxy } = openProxy(t, { publicUrl: 'http://localhost:8080', debugSessions: false });

    const answer = await proxy.fetch(pageRequest('GET', '/v1/session', { headers: WIDGET }));

    assert.match(await detailOf(answer), /^Send a valid embed token/);
  });
});

async function detailOf(answer: Response): Promise<string> {
  return problem.parse(await answer.json()).detail ?? '';
}
