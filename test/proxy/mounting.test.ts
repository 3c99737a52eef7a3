import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../src/proxy/runtime/clock.js';
import type { ProxyOptions } from '../../src/proxy/options.js';
import { openMemoryOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { portalProfile } from '../../src/proxy/portal/profile.js';
import { Secret } from '../../src/proxy/runtime/secret.js';
import { openProxy } from '../support/open-proxy.js';
import { embedToken, PROXY_URL } from '../support/page-request.js';
import { servePortal } from '../support/portal-server.js';

describe('a proxy that is mounted below a path', () => {
  for (const basePath of ['/inventory', '/inventory/', '/a/b']) {
    const base = basePath.replace(/\/$/, '');

    it(`answers below ${basePath}`, async (t) => {
      const { ask } = openProxy(t, { basePath, publicUrl: PROXY_URL + basePath });

      const alive = await ask('GET', `${base}/livez`);
      const session = await ask('GET', `${base}/v1/session`, { token: await embedToken() });

      assert.equal(alive.status, 200);
      assert.equal(session.status, 200);
    });

    it(`does not answer beside ${basePath}`, async (t) => {
      const { ask } = openProxy(t, { basePath, publicUrl: PROXY_URL + basePath });
      const token = await embedToken();

      const beside = [`${base}x/v1/session`, '/v1/session', base, '/livez', `/x${base}/v1/session`];

      for (const path of beside) assert.equal((await ask('GET', path, { token })).status, 404, path);
    });
  }

  it('says once in the log where a gateway takes the path away, and not where somebody asks for what it never has', async (t) => {
    const { ask, log } = openProxy(t, { basePath: '/inventory', publicUrl: `${PROXY_URL}/inventory` });
    const said = (): unknown[] => log.filter(({ event }) => event.startsWith('requests come without'));

    for (const path of ['/', '/favicon.ico', '/inventory/livez']) await ask('GET', path);
    const before = said();
    for (const path of ['/widget.js', '/v1/session', '/livez']) await ask('GET', path);

    assert.deepEqual(before, []);
    assert.deepEqual(said(), [
      { event: 'requests come without the path below which the proxy is mounted', address: '/inventory' },
    ]);
  });

  it('says once in the log where it was not told the path that publicUrl has', async (t) => {
    for (const basePath of [undefined, '/elsewhere']) {
      const mount = { publicUrl: `${PROXY_URL}/inventory`, ...(basePath !== undefined && { basePath }) };
      const { ask, log } = openProxy(t, mount);
      const said = (): unknown[] => log.filter(({ event }) => event.startsWith('requests come'));

      for (const path of ['/', '/inventory', '/inventory/favicon.ico']) await ask('GET', path);
      const before = said();
      const statuses = [];
      for (const path of ['/inventory/widget.js', '/inventory/v1/session']) {
        statuses.push((await ask('GET', path)).status);
      }

      assert.deepEqual(statuses, [404, 404]);
      assert.deepEqual(before, []);
      assert.deepEqual(said(), [
        { event: 'requests come with the path of publicUrl, which is not the basePath', address: '/inventory' },
      ]);
    }
  });

  it('says nothing where something in front takes the path of publicUrl away', async (t) => {
    const { ask, log } = openProxy(t, { publicUrl: `${PROXY_URL}/inventory` });

    const statuses = [];
    for (const path of ['/livez', '/v1/session']) {
      statuses.push((await ask('GET', path, { token: await embedToken() })).status);
    }

    assert.deepEqual(statuses, [200, 200]);
    assert.deepEqual(
      log.filter(({ event }) => event.startsWith('requests come')),
      [],
    );
  });

  it('says once in the log that nobody delivers, where it was not started', async (t) => {
    const { ask, log, proxy } = openProxy(t);
    const said = (): unknown[] => log.filter(({ event }) => event.startsWith('start()'));
    const takeIn = async (id: string): Promise<number> => {
      const inventory = [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
      return (await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } })).status;
    };

    await ask('GET', '/v1/session', { token: await embedToken() });
    const before = said();
    const statuses = [await takeIn('kayak'), await takeIn('sauna')];
    proxy.start();
    statuses.push(await takeIn('canoe'));

    assert.deepEqual(before, []);
    assert.deepEqual(statuses, [202, 202, 202]);
    assert.deepEqual(said(), [{ event: 'start() was not called: this proxy delivers nothing' }]);
  });

  it('says nothing of that where it was started', async (t) => {
    const { ask, log, proxy } = openProxy(t);
    proxy.start();

    const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });

    assert.deepEqual(
      log.filter(({ event }) => event.startsWith('start()')),
      [],
    );
  });

  it('asks for a session there as it does anywhere', async (t) => {
    const { ask } = openProxy(t, { basePath: '/inventory' });

    const answer = await ask('GET', '/inventory/v1/not-a-route');

    assert.equal(answer.status, 401);
  });
});

describe('a proxy that is mounted with options that cannot be meant', () => {
  const portal = { baseUrl: 'http://portal.example.com', credentials: [] };
  const baseUrl = 'https://portal.example.com';
  const slips: readonly (readonly [says: RegExp, options: Partial<ProxyOptions>])[] = [
    [/^portal\.baseUrl must be https/, { portal }],
    [
      /^portal\.baseUrl must be an absolute http or https URL/,
      { portal: { ...portal, baseUrl: 'portal.example.com' } },
    ],
    [/^portal\.credentials must be a list of \{ clientId/, { portal: untyped({ baseUrl }) }],
    [/^portal\.credentials must be/, { portal: untyped({ baseUrl, credentials: { clientId: 'a' } }) }],
    [/^portal\.credentials must be/, { portal: untyped({ baseUrl, credentials: [{ clientId: 'a' }] }) }],
    [
      /^portal\.credentials must be/,
      { portal: untyped({ baseUrl, credentials: [{ clientId: 'a', clientSecret: 'canary' }] }) },
    ],
    [/none of them empty$/, { portal: { baseUrl, credentials: [{ clientId: 'a', clientSecret: new Secret('') }] } }],
    [
      /none of them empty$/,
      { portal: untyped({ baseUrl, credentials: [{ clientId: '', clientSecret: new Secret('s') }] }) },
    ],
    [
      /^portal\.byVendor must be a Map by vendor; each value must be a list of/,
      { portal: untyped({ baseUrl, credentials: [], byVendor: { boats: [] } }) },
    ],
    [
      /^portal\.byVendor must be/,
      { portal: untyped({ baseUrl, credentials: [], byVendor: new Map([['boats', {}]]) }) },
    ],
    [/^portal must be \{ baseUrl, credentials \}/, untyped({ portal: undefined })],
    [/^profile at \/limits\/items: expected more than 0$/, untyped({ profile: { limits: { items: 0 } } })],
    [
      /^profile at \/update\/verb: unknown field\nbasePath must begin/,
      untyped({ profile: { update: { verb: 'PUT' } }, basePath: 'x' }),
    ],
    [/^outbox must be what openSqliteOutbox or openPostgresOutbox gives/, untyped({ outbox: 'inventory.sqlite' })],
    [/^authenticate must be a function/, untyped({ authenticate: undefined })],
    [/^log must be a function \(level, event, fields\)/, untyped({ log: console })],
    [/^allowedOrigins must be a list of origins/, untyped({ allowedOrigins: undefined })],
    [/^allowedOrigins must be a list of origins/, untyped({ allowedOrigins: 'https://a.example.com' })],
    [/^publicUrl must be an absolute http or https URL/, { publicUrl: 'localhost:18083/inventory' }],
    [/^publicUrl must be an absolute http or https URL/, { publicUrl: '/inventory' }],
    [/^publicUrl must be an absolute http or https URL/, { publicUrl: 'https://admin.example.com/inventory?' }],
    [/^allowedOrigins: \* is no exact origin/, { allowedOrigins: ['*'] }],
    [/^allowedOrigins: https:\/\/a\.example\.com\/ is no/, { allowedOrigins: ['https://a.example.com/'] }],
    [/^basePath must begin with a slash/, { basePath: 'inventory' }],
    [/^historyDays must be a number from 0 to 36500/, { historyDays: Infinity }],
    [/^historyDays must be/, { historyDays: NaN }],
    [/^limits\.maxEdits must be a whole number above 0/, { limits: { maxEdits: 0 } }],
    [/^limits\.maxBodyBytes must be/, { limits: { maxBodyBytes: 1.5 } }],
    [/^writeLimits\.edits must be a number above 0/, { writeLimits: { edits: 0 } }],
    [/^maxConcurrentBatches must be a number above 0/, { maxConcurrentBatches: 0 }],
    [/^maxLanes must be a number above 0/, { maxLanes: 0 }],
    [/^maxWaiting must be/, { maxWaiting: NaN }],
    [
      /^basePath must begin with a slash\nmaxConcurrentBatches must be a number above 0$/,
      { basePath: 'x', maxConcurrentBatches: -1 },
    ],
  ];
  for (const [says, options] of slips) {
    it(`is not made, and says ${says}`, (t) => {
      assert.throws(() => openProxy(t, { outbox: openMemoryOutbox(), ...options }), {
        name: 'TypeError',
        message: says,
      });
    });
  }

  it('has what a profile of plain JavaScript says, and the usual for what that leaves out', async (t) => {
    const paths: string[] = [];
    const portal = await servePortal(t, (response, { method, url }) => {
      paths.push(`${method ?? ''} ${url ?? ''}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"a"}');
    });
    const { proxy, ask } = openProxy(t, {
      clock: systemClock,
      fetch,
      portal: { baseUrl: portal.url, credentials: [{ clientId: 'guest-house', clientSecret: new Secret('x') }] },
      profile: untyped({ update: { path: '/v2/items' } }),
    });
    proxy.start();
    const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];

    const token = await embedToken();
    const headers = { Prefer: 'wait=10' };
    const answer = await ask('POST', '/v1/inventory', { token, body: { inventory }, headers });

    assert.equal(answer.status, 200, 'it is on the portal');
    assert.deepEqual(paths, ['POST /v1/oauth/token', 'POST /v2/items']);
  });

  it('keeps what it has where it is given a portal like that later', async (t) => {
    const { proxy, ask, portal: present, clock } = openProxy(t);
    proxy.start();

    const reload = (): void => proxy.reload(untyped({ baseUrl }), portalProfile.parse({}));

    assert.throws(reload, { name: 'TypeError', message: /^portal\.credentials must be/ });
    const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    await clock.pass(2_000);
    assert.equal((await present.updates()).length, 1);
  });
});

/** As plain JavaScript may give it. */
function untyped<T>(value: object): T {
  return value as T;
}
