import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64url } from 'jose';
import { MAX_TOKEN_LENGTH } from '../../../src/contract/fields.js';
import { session } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { goodClaims, signed, unsigned, type Claims } from '../../support/forged-tokens.js';
import { checkTokens, openProxy } from '../../support/open-proxy.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL, SESSION_SECRET } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const now = () => Math.floor(Date.now() / 1000);

const claims = (changes: Claims = {}): Claims => ({ ...goodClaims(now()), ...changes });

const FORGED: readonly (readonly [what: string, token: () => Promise<string> | string])[] = [
  ['no signature at all', () => unsigned(claims())],
  ['no signature but the words of one', async () => `${unsigned(claims())}${(await signed(claims())).split('.')[2]}`],
  ['no signature in other letters', () => unsignedBy('nOnE')],
  ['another secret', () => signed(claims(), { alg: 'HS256' }, new TextEncoder().encode('x'.repeat(32)))],
  ['a longer hash under the same secret', () => signed(claims(), { alg: 'HS512' }, secretOf(64))],
  ['another issuer', () => signed(claims({ iss: 'https://evil.example.com' }))],
  ['no issuer', () => signed(claims({ iss: undefined }))],
  ['another audience', () => signed(claims({ aud: HOST_ORIGIN }))],
  ['no audience', () => signed(claims({ aud: undefined }))],
  ['an end two minutes ago', () => signed(claims({ iat: now() - 500, exp: now() - 120 }))],
  ['a start in two minutes', () => signed(claims({ nbf: now() + 120 }))],
  ['an issue in two minutes', () => signed(claims({ iat: now() + 120, exp: now() + 300 }))],
  ['an issue 20 minutes ago', () => signed(claims({ iat: now() - 1200, exp: now() + 60 }))],
  ['a life of 15 minutes and a second', () => signed(claims({ exp: now() + 901 }))],
  ['an end that is no number', () => signed(claims({ exp: 'tomorrow' }))],
  ['another page’s origin', () => signed(claims({ origin: 'https://shop.example.com' }))],
  ['an origin with a path', () => signed(claims({ origin: `${HOST_ORIGIN}/` }))],
  ['every origin', () => signed(claims({ origin: '*' }))],
  ['a permission that does not exist', () => signed(claims({ permissions: ['view', 'admin'] }))],
  ['permissions in one string', () => signed(claims({ permissions: 'view edit' }))],
  ['items that are no list', () => signed(claims({ items: 'kayak' }))],
  ['items with an empty id', () => signed(claims({ items: [''] }))],
  ['an empty vendor', () => signed(claims({ vendor: '' }))],
  ['a vendor that leaves its path', () => signed(claims({ vendor: '..' }))],
  ['a vendor that is its path', () => signed(claims({ vendor: '.' }))],
  ['a vendor that is half a character', () => signed(claims({ vendor: 'boat-\ud800' }))],
  ['a subject with a line break', () => signed(claims({ sub: 'ada\nben' }))],
  ['a vendor of 201 characters', () => signed(claims({ vendor: 'v'.repeat(201) }))],
  ['an extension that must be understood', () => signed(claims(), { alg: 'HS256', crit: ['x-soul'], 'x-soul': 1 })],
  ['a key that it brings along', () => forgedWith({ jwk: { kty: 'oct', k: btoa('x'.repeat(32)) } })],
  ['a certificate that it brings along', () => forgedWith({ x5c: [btoa('x'.repeat(32))] })],
  ['an address of a certificate', () => forgedWith({ x5u: 'https://evil.example.com/key.pem' })],
  ['an address of a key', () => forgedWith({ jku: 'https://evil.example.com/jwks.json' })],
  ['a path for the name of its key', () => forgedWith({ kid: '../../../../dev/null' })],
  ['a megabyte', async () => `${await signed(claims())}${'A'.repeat(1024 * 1024)}`],
  ['a megabyte of claims', () => signed(claims({ note: 'A'.repeat(1024 * 1024) }))],
  ['a changed letter', async () => swapLetter(await signed(claims()))],
  ['two parts of three', async () => (await signed(claims())).split('.').slice(0, 2).join('.')],
  ['nothing', () => ''],
  ['no token', () => 'undefined'],
];

const REQUIRED = ['sub', 'vendor', 'permissions', 'origin', 'iat', 'exp', 'jti'];

describe('an embed token is refused with one and the same answer, with', () => {
  const missing = REQUIRED.map((claim) => [`no ${claim}`, () => signed(claims({ [claim]: undefined }))] as const);

  for (const [what, token] of [...FORGED, ...missing]) {
    it(what, async (t) => {
      const { ask } = openProxy(t);
      const nobody = await ask('GET', '/v1/session');

      const answer = await ask('GET', '/v1/session', { headers: { Authorization: `Bearer ${await token()}` } });

      const body = (await answer.clone().text()).replace(/"request_id":"[^"]*"/, '');
      assert.equal(body, (await nobody.text()).replace(/"request_id":"[^"]*"/, ''));
      await expectProblem(answer, 'session_required');
      assert.equal(answer.headers.get('WWW-Authenticate'), nobody.headers.get('WWW-Authenticate'));
    });
  }

  it('two tokens in one header', async (t) => {
    const { ask } = openProxy(t);
    const token = await signed(claims());

    const answer = await ask('GET', '/v1/session', {
      headers: { Authorization: `Bearer ${token}, Bearer ${token}` },
    });

    await expectProblem(answer, 'session_required');
  });
});

describe('a stolen embed token is refused with the same answer', () => {
  const replays: readonly (readonly [from: string, origin: string | undefined])[] = [
    ['another page that the proxy serves', PROXY_URL],
    ['a program that says no origin', undefined],
  ];

  for (const [from, origin] of replays) {
    it(`when it comes from ${from}`, async (t) => {
      const { ask } = openProxy(t);
      const headers = { Origin: origin, 'Sec-Fetch-Site': undefined };
      const nobody = await ask('GET', '/v1/inventory', { headers });

      const answer = await ask('GET', '/v1/inventory', { token: await signed(claims()), headers });

      const { request_id, ...told } = await expectProblem(answer, 'session_required');
      const { request_id: other, ...said } = await expectProblem(nobody, 'session_required');
      assert.notEqual(request_id, other);
      assert.deepEqual(told, said);
    });
  }
});

describe('an embed token is accepted', () => {
  const good: readonly (readonly [what: string, changes: () => Claims])[] = [
    ['from a host whose clock is 50 seconds fast', () => ({ iat: now() + 50, nbf: now() + 50, exp: now() + 600 })],
    ['50 seconds after its end, for a host whose clock is slow', () => ({ iat: now() - 500, exp: now() - 50 })],
    ['with a life of 15 minutes', () => ({ exp: now() + 900 })],
    ['with claims that are the host’s own', () => ({ email: 'ada@example.com' })],
    ['for several audiences of which one is ours', () => ({ aud: ['https://else.example.com', PROXY_URL] })],
  ];

  for (const [what, changes] of good) {
    it(what, async (t) => {
      const { ask } = openProxy(t);

      const answer = await ask('GET', '/v1/session', { token: await signed(claims(changes())) });

      assert.equal(answer.status, 200);
      assert.equal(session.parse(await answer.json()).subject, 'ada');
    });
  }

  it('whatever the case of the scheme (RFC 9110, section 11.1)', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/v1/session', { headers: { Authorization: `bEARER ${await signed(claims())}` } });

    assert.equal(answer.status, 200);
  });

  it('as a session from the iat to the exp of the token, in milliseconds', async () => {
    const begin = now();
    const check = checkTokens(new VirtualClock(Date.now()), () => undefined);

    const request = pageRequest('GET', '/v1/session', {
      token: await signed(claims({ iat: begin, exp: begin + 300 })),
    });

    const verified = await check(request, { requestId: 'request-1' });

    assert.deepEqual([verified?.issuedAt, verified?.expiresAt], [begin * 1000, begin * 1000 + 300_000]);
  });

  it('until it has expired', async (t) => {
    const { ask, clock } = openProxy(t);
    const token = await signed(claims({ exp: now() + 300 }));
    const early = await ask('GET', '/v1/session', { token });

    clock.jump(361_000);
    const late = await ask('GET', '/v1/session', { token });

    assert.equal(early.status, 200);
    await expectProblem(late, 'session_required');
  });
});

describe('the log about embed tokens', () => {
  it('has the reason of a refusal, and never the token', async (t) => {
    const { ask, log } = openProxy(t);
    const token = await signed(claims({ vendor: undefined }));

    await ask('GET', '/v1/session', { token });

    const line = log.find(({ event }) => event === 'embed token refused');
    assert.match(line?.reason ?? '', /vendor/);
    for (const part of [token, ...token.split('.'), SESSION_SECRET]) assert.ok(!JSON.stringify(log).includes(part));
  });

  it('has at most 200 characters of a reason that quotes the token header', async (t) => {
    const { ask, log } = openProxy(t);
    const name = 'x'.repeat(3_000);
    const parts = [{ alg: 'HS256', crit: [name], [name]: true }, claims()];

    await ask('GET', '/v1/session', {
      token: `${parts.map((part) => base64url.encode(JSON.stringify(part))).join('.')}.eA`,
    });

    const line = log.find(({ event }) => event === 'embed token refused');
    assert.match(line?.reason ?? '', /^Extension Header Parameter "x+$/);
    assert.equal(line?.reason?.length, 200);
  });

  for (const [claim, other, wanted] of [
    ['iss', `${HOST_ORIGIN}/`, `${HOST_ORIGIN} (SESSION_ISSUER)`],
    ['aud', `${PROXY_URL}/`, `${PROXY_URL} (SESSION_AUDIENCE, or PUBLIC_URL)`],
    ['origin', `${HOST_ORIGIN}/`, `${HOST_ORIGIN}, where the page comes from`],
  ] as const) {
    it(`names the expected value of the claim ${claim}`, async (t) => {
      const { ask, log } = openProxy(t);

      await ask('GET', '/v1/session', { token: await signed(claims({ [claim]: other })) });

      const line = log.find(({ event }) => event === 'embed token refused');
      assert.equal(line?.reason, `${claim} claim has to be ${wanted}; it is "${other}"`);
    });
  }

  for (const [claim, wanted] of [
    ['iss', `${HOST_ORIGIN} (SESSION_ISSUER)`],
    ['aud', `${PROXY_URL} (SESSION_AUDIENCE, or PUBLIC_URL)`],
  ] as const) {
    it(`names the expected value of a missing ${claim} claim`, async (t) => {
      const { ask, log } = openProxy(t);

      await ask('GET', '/v1/session', { token: await signed(claims({ [claim]: undefined })) });

      const line = log.find(({ event }) => event === 'embed token refused');
      assert.equal(line?.reason, `${claim} claim has to be ${wanted}; it is missing`);
    });
  }

  it('has a line for a request without a token only if one of the elements has sent it', async (t) => {
    const { ask, log } = openProxy(t);

    await ask('GET', '/v1/session');
    const silent = log.filter(({ event }) => event.startsWith('embed token'));
    await ask('GET', '/v1/session', { headers: { 'X-Requested-With': 'inventory-widget' } });

    assert.deepEqual(silent, []);
    assert.equal(log.filter(({ event }) => event === 'embed token missing').length, 1);
  });

  const AN_HOUR = 3600;
  for (const [what, changes, reason] of [
    [
      'is behind',
      () => ({ iat: now() - AN_HOUR, exp: now() - AN_HOUR + 600 }),
      'exp has passed: the token is old, or the clock of the host is behind',
    ],
    [
      'is ahead',
      () => ({ iat: now() + AN_HOUR, exp: now() + AN_HOUR + 600 }),
      'iat is yet to come: the clock of the host is ahead, or it writes milliseconds',
    ],
    [
      'is ahead, by a library that writes nbf',
      () => ({ iat: now() + AN_HOUR, nbf: now() + AN_HOUR, exp: now() + AN_HOUR + 600 }),
      'nbf is yet to come: the clock of the host is ahead, or it writes milliseconds',
    ],
    [
      'counts milliseconds',
      () => ({ iat: now() * 1000, exp: now() * 1000 + 600_000 }),
      'iat is yet to come: the clock of the host is ahead, or it writes milliseconds',
    ],
  ] as const) {
    it(`points to the clock of a host that ${what}`, async (t) => {
      const { ask, log } = openProxy(t);

      await ask('GET', '/v1/session', { token: await signed(claims(changes())) });

      assert.equal(log.find(({ event }) => event === 'embed token refused')?.reason, reason);
    });
  }

  it('names the setting of the secret that did not sign the token', async (t) => {
    const { ask, log } = openProxy(t);
    const other = new TextEncoder().encode('x'.repeat(32));

    await ask('GET', '/v1/session', { token: await signed(claims(), { alg: 'HS256' }, other) });

    const line = log.find(({ event }) => event === 'embed token refused');
    assert.equal(line?.reason, 'the signature was not made with the secret of SESSION_SECRET_FILE');
  });

  it('warns once a minute about each kind of refusal, and has the request id of every refusal', async () => {
    const clock = new VirtualClock(Date.now());
    const lines: unknown[] = [];
    const check = checkTokens(clock, (level, _, fields) => void lines.push([level, fields?.request_id]));
    const issuer = await signed(claims({ iss: 'https://evil.example.com' }));
    const audience = await signed(claims({ aud: HOST_ORIGIN }));
    const ask = (token: string, requestId: string) =>
      check(pageRequest('GET', '/v1/session', { token }), { requestId });

    await ask(issuer, 'one');
    await ask(issuer, 'two');
    await ask(audience, 'three');
    await clock.pass(60_000);
    await ask(issuer, 'four');

    assert.deepEqual(lines, [
      ['warn', 'one'],
      ['info', 'two'],
      ['warn', 'three'],
      ['warn', 'four'],
    ]);
  });

  it('reports a token that is too long, as with a long list of items', async (t) => {
    const { ask, log } = openProxy(t);
    const items = Array.from({ length: 100 }, (_, at) => String(at).padStart(100, '0'));

    const answer = await ask('GET', '/v1/session', { token: await signed(claims({ items })) });

    await expectProblem(answer, 'session_required');
    const line = log.find(({ event }) => event === 'embed token refused');
    assert.equal(line?.reason, `it has more than ${MAX_TOKEN_LENGTH} characters`);
  });
});

function secretOf(length: number): Uint8Array {
  return new TextEncoder().encode(SESSION_SECRET.padEnd(length, '\0'));
}

/** The header names a key of the forger, and the forger's key signed it. */
function forgedWith(header: Readonly<Record<string, unknown>>): Promise<string> {
  return signed(claims(), { alg: 'HS256', ...header }, new TextEncoder().encode('x'.repeat(32)));
}

function unsignedBy(alg: string): string {
  const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
  return `${header}.${unsigned(claims()).split('.')[1] ?? ''}.`;
}

function swapLetter(token: string): string {
  const at = token.length - 10;
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
}
