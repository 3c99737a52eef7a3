import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROUTES } from '../../../src/proxy/app.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, PROXY_URL } from '../../support/page-request.js';

const ASKED = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' };

describe('a preflight', () => {
  for (const { path } of ROUTES) {
    it(`of a listed origin to ${path} returns the allowed headers and methods, and allows no cookies`, async (t) => {
      const { ask } = openProxy(t);

      const answer = await ask('OPTIONS', path, { headers: ASKED });

      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), HOST_ORIGIN);
      assert.equal(answer.headers.get('Vary'), 'Origin');
      const allowed = (answer.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(', ').sort();
      assert.deepEqual(allowed, [
        'authorization',
        'content-type',
        'idempotency-key',
        'inventory-person',
        'last-event-id',
        'prefer',
        'x-requested-with',
      ]);
      const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
      const permitted = (answer.headers.get('Access-Control-Allow-Methods') ?? '').split(', ');
      for (const method of methods) assert.ok(permitted.includes(method));
      assert.equal(answer.headers.get('Access-Control-Allow-Credentials'), null);
    });

    it(`of another origin to ${path} returns no CORS header`, async (t) => {
      const { ask } = openProxy(t);

      const answer = await ask('OPTIONS', path, { headers: { ...ASKED, Origin: 'https://evil.example.com' } });

      const said = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(said, []);
      assert.equal(answer.headers.get('Vary'), 'Origin');
      assert.equal(await answer.text(), '');
    });
  }

  it('may be cached for two hours', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('OPTIONS', '/v1/inventory', { headers: ASKED });

    assert.equal(answer.headers.get('Access-Control-Max-Age'), '7200');
  });

  it('without an origin returns no allowed methods', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('OPTIONS', '/v1/inventory', { headers: { ...ASKED, Origin: undefined } });

    assert.equal(answer.headers.get('Access-Control-Allow-Methods'), null);
  });
});

describe('an origin that is not listed', () => {
  const origins = (log: OpenProxy['log']): unknown[] =>
    log.filter(({ event }) => event === 'pages of this origin may not ask').map(({ address }) => address);

  it('is logged once, whether it sends a preflight or a request', async (t) => {
    const { ask, log } = openProxy(t);
    for (const Origin of ['https://admin.example.org', 'null', HOST_ORIGIN, PROXY_URL, undefined]) {
      for (const method of ['OPTIONS', 'GET', 'OPTIONS']) {
        await ask(method, '/v1/inventory', { headers: { ...ASKED, Origin } });
      }
    }

    assert.deepEqual(origins(log), ['https://admin.example.org', 'null']);
  });

  it('is not logged beyond fifty origins, or if no browser could send it', async (t) => {
    const { ask, log } = openProxy(t);
    const sent = ['https://*.example.org', 'javascript:alert(1)', `https://${'a'.repeat(300)}.example.org`];
    sent.push(...Array.from({ length: 200 }, (_, at) => `https://page-${at}.example.org`));

    for (const Origin of sent) await ask('OPTIONS', '/v1/inventory', { headers: { ...ASKED, Origin } });

    assert.deepEqual([origins(log).length, origins(log)[0]], [50, 'https://page-0.example.org']);
  });
});

describe('a successful response', () => {
  for (const origin of [HOST_ORIGIN, PROXY_URL]) {
    it(`may be read by a page of ${origin}, with its request id`, async (t) => {
      const { ask } = openProxy(t);

      const answer = await ask('GET', '/v1/session', {
        token: await embedToken({ origin }),
        headers: { Origin: origin },
      });

      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), origin);
      assert.equal(answer.headers.get('Vary'), 'Origin');
      assert.match(answer.headers.get('Access-Control-Expose-Headers') ?? '', /\bX-Request-Id\b/);
      assert.match(answer.headers.get('Access-Control-Expose-Headers') ?? '', /\bRetry-After\b/);
    });
  }

  it('without an origin has Vary: Origin and no allowed origin', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/v1/session', {
      token: await embedToken({ origin: PROXY_URL }),
      headers: { Origin: undefined, 'Sec-Fetch-Site': 'same-origin' },
    });

    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null);
    assert.equal(answer.headers.get('Vary'), 'Origin');
  });
});
