import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { receipts } from '../../../src/contract/widget.js';
import type { ProxyOptions } from '../../../src/proxy/options.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { type LogLine, openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const TOKEN = 'the-token-of-the-portal';
const JSON_207 = [207, 'application/json'];

/** A proxy whose portal answers an update like this. @returns the log line of the call, and everything the page can read */
function afterAnswer(t: TestContext, status: number, body: string) {
  return afterCall(t, () => {
    return Promise.resolve(new Response(body, { status, headers: { 'Content-Type': 'application/json' } }));
  });
}

async function afterCall(t: TestContext, answer: () => Promise<Response>) {
  const updates: string[] = [];
  const { ask, proxy, portal, clock, log } = openProxy(t, {
    fetch: (input, init) => {
      if (String(input).endsWith('/v1/oauth/token')) return Promise.resolve(Response.json({ access_token: TOKEN }));
      updates.push(String(init?.body));
      return answer();
    },
  });
  proxy.start();
  const token = await embedToken({ permissions: ['view', 'edit', 'history'] });
  const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
  const accepted = await ask('POST', '/v1/inventory', { token, body: { inventory } });
  const [receipt] = receipts.parse(await accepted.json()).receipts;
  await clock.pass(2_000);
  const paths = [`/v1/receipts?ids=${receipt?.edit_id ?? ''}`, '/v1/inventory', '/v1/history'];
  const pages = await Promise.all(paths.map(async (path) => (await ask('GET', path, { token })).text()));
  assert.ok(updates.length > 0);
  return {
    line: log.find(({ event }) => event === 'portal call'),
    page: pages.join(),
    lines: JSON.stringify(log),
    secret: portal.account.credentials[0]?.clientSecret.reveal() ?? '',
  };
}

describe('the portal’s error message', () => {
  for (const [what, status, body] of [
    ['of a refusal', 422, { type: 'https://portal.test/unknown-item', detail: 'No such kayak' }],
    ['of a refusal, in words of RFC 6749', 422, { error: 'unknown_item', error_description: 'No such kayak' }],
    ['of a fault', 503, { error: 'down', errorMessage: 'No such kayak' }],
    ['of an answer that nobody expects', 418, { error: 'teapot', errorMessage: 'No such kayak' }],
  ] as const) {
    it(`${what} is in the log and not in the responses to the page`, async (t) => {
      const { line, page } = await afterAnswer(t, status, JSON.stringify(body));

      assert.equal(line?.portal_said, 'No such kayak');
      assert.doesNotMatch(page, /No such kayak|unknown.item/);
    });
  }

  it('is logged with its code if the portal rejects the update', async (t) => {
    const { line } = await afterAnswer(t, 422, '{"error":"unknown_item"}');

    assert.deepEqual([line?.code, line?.reason, line?.portal_said], ['refused', '422 unknown_item', undefined]);
    assert.equal(line?.vendor, undefined, 'a lane that vendors share is nobody’s');
  });

  it('is one line of 200 characters', async (t) => {
    const body = { error: 'e', errorMessage: `first\r\nsecond\u2028third\u001b[31m${'x'.repeat(1000)}` };

    const { line } = await afterAnswer(t, 422, JSON.stringify(body));

    assert.equal(line?.portal_said?.length, 200);
    assert.match(line.portal_said, /^first {2}second third \[31mx+$/);
  });

  it('contains no secret that the portal repeats', async (t) => {
    const secret = 'portal-secret-that-is-not-one';
    const said = `${'x'.repeat(190)}${secret} ${TOKEN}`;
    const long = await afterAnswer(t, 422, JSON.stringify({ error: TOKEN, errorMessage: said }));
    const short = await afterAnswer(t, 503, JSON.stringify({ error: 'e', errorMessage: `${secret} ${TOKEN}` }));

    assert.equal(long.secret, secret);
    assert.equal(short.line?.portal_said, '[redacted] [redacted]');
    for (const { lines } of [long, short]) assert.ok(!lines.includes(secret.slice(0, 8)) && !lines.includes(TOKEN));
  });

  it('contains no secret if it quotes the request', async (t) => {
    const clientSecret = new Secret('portal/secret+"of"-many');
    const credentials = [{ clientId: 'guest-house', clientSecret }];
    const quoted = JSON.stringify({ client_secret: clientSecret.reveal() }).replaceAll('/', '\\/');
    const refusal = { error: `invalid_client ${quoted}` };

    const line = await withoutToken(t, {
      portal: { baseUrl: 'https://portal.test', credentials },
      fetch: () => Promise.resolve(Response.json(refusal, { status: 401 })),
    });

    const said = 'the portal refused the token request: 401 invalid_client {"client_secret":"[redacted]"}';
    assert.equal(line?.portal_said, said);
  });

  it('of a single item contains no secret', async (t) => {
    const answer = { results: [{ id: 'kayak', status: `refused ${TOKEN}` }] };

    const { line, lines } = await afterAnswer(t, 200, JSON.stringify(answer));

    assert.equal(line?.reason, 'refused [redacted]');
    assert.ok(!lines.includes(TOKEN));
  });

  it('contains no beginning of a secret where it is cut off', async (t) => {
    const code = `${'x'.repeat(90)}${TOKEN}`;
    const refusal = await afterAnswer(t, 422, JSON.stringify({ error: code }));
    const item = await afterAnswer(t, 200, JSON.stringify({ results: [{ id: 'kayak', status: code }] }));

    for (const { line, lines } of [refusal, item]) {
      assert.match(line?.reason ?? '', /x{90}/);
      assert.ok(!lines.includes(TOKEN.slice(0, 6)));
    }
  });

  it('is ignored if it is no string', async (t) => {
    const { line } = await afterAnswer(t, 422, '{"error":7,"error_description":{"a":1}}');

    assert.deepEqual([line?.reason, line?.portal_said], ['422 7', undefined]);
  });

  it('is logged with its status if the portal gives no token', async (t) => {
    const line = await withoutToken(t, { fetch: () => Promise.resolve(new Response('no such page', { status: 404 })) });

    const said = 'the portal answered the token request with 404, text/plain';
    assert.deepEqual([line?.code, line?.portal_said], ['retry', said]);
  });

  it('is logged with its code and without secrets if the portal rejects the credentials', async (t) => {
    const refusal = { error: 'invalid_client portal-secret-that-is-not-one' };

    const line = await withoutToken(t, { fetch: () => Promise.resolve(Response.json(refusal, { status: 401 })) });

    assert.deepEqual([line?.code, line?.reason], ['held', 'portal_credentials']);
    assert.equal(line?.portal_said, 'the portal refused the token request: 401 invalid_client [redacted]');
  });

  it('is absent for a vendor without a credential, and the log says so', async (t) => {
    const { baseUrl, credentials } = openProxy(t).portal.account;
    const portal = { baseUrl, credentials: [], byVendor: new Map([['somebody-else', credentials]]) };

    const line = await withoutToken(t, { portal });

    assert.deepEqual([line?.reason, line?.portal_said], ['portal_credentials', 'there is no credential']);
  });
});

/** The log line of a call that was not sent. */
async function withoutToken(t: TestContext, options: Partial<ProxyOptions>): Promise<LogLine | undefined> {
  const { ask, proxy, clock, log } = openProxy(t, options);
  proxy.start();
  const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
  await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });

  await clock.pass(2_000);

  return log.find(({ event }) => event === 'portal call');
}

describe('a response that is no success', () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };
  const page = `<h1>Log in</h1> ${TOKEN}`;
  const withoutStatus = Response.json({ results: [{ id: 'kayak' }] }, { status: 207 });
  const ofOthers = Response.json({ results: [{ id: 'canoe', status: 422 }] });

  for (const [what, answer, kind, error] of [
    ['a page', new Response(page, { headers: html }), [200, 'text/html'], 'no JSON'],
    ['a redirect', new Response(null, { status: 302 }), [302, 'none'], undefined],
    ['a page of a gateway', new Response(page, { status: 511, headers: html }), [511, 'text/html'], undefined],
    ['a page that forbids', new Response(page, { status: 403, headers: html }), [403, 'text/html'], undefined],
    ['JSON without a list', Response.json({}, { status: 207 }), JSON_207, 'no results at results.list'],
    [
      'broken off',
      new Response('[', { headers: { 'Content-Type': 'application/json' } }),
      [200, 'application/json'],
      'the answer ends in the middle',
    ],
    ['a list without statuses', withoutStatus, JSON_207, 'a result without a status at results.status'],
    ['about another item', ofOthers, undefined, 'at results.id an id that was not sent'],
  ] as const) {
    it(`but ${what} is logged with its status, its type and what it lacks, and without its content`, async (t) => {
      const { line, lines } = await afterCall(t, () => Promise.resolve(answer.clone()));

      assert.deepEqual([line?.status, line?.content_type], kind ?? [undefined, undefined]);
      assert.equal(line?.error, error);
      assert.doesNotMatch(lines, /Log in/);
    });
  }

  it('is logged without a secret in its content type', async (t) => {
    const headers = { 'Content-Type': `text/x-${TOKEN}` };

    const { line, lines } = await afterCall(t, () => Promise.resolve(new Response('x', { headers })));

    assert.equal(line?.content_type, 'text/x-[redacted]');
    assert.ok(!lines.includes(TOKEN));
  });
});

describe('a call without a response', () => {
  it('is logged with the platform’s error code, and without what the platform quotes', async (t) => {
    const cause = Object.assign(new Error(`invalid header: Bearer ${TOKEN}`), { code: 'CERT_HAS_EXPIRED' });

    const { line, lines, page } = await afterCall(t, () => Promise.reject(new TypeError(`no: ${TOKEN}`, { cause })));

    assert.deepEqual([line?.reason, line?.error], ['portal_unreachable', 'CERT_HAS_EXPIRED']);
    assert.ok(!lines.includes(TOKEN));
    assert.doesNotMatch(page, /CERT_HAS/);
  });
});
