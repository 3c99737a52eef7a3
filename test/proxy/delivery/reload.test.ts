import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import { webDigest } from '../../../src/proxy/runtime/hash.js';
import { createInventoryProxy } from '../../../src/proxy/proxy.js';
import type { InventoryProxy, ProxyOptions } from '../../../src/proxy/options.js';
import { openMemoryOutbox, openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { type Outbox, StorageFailed } from '../../../src/proxy/outbox/outbox.js';
import type { PortalAccount } from '../../../src/proxy/portal/credentials.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, pageRequest, PROXY_URL } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { UnreliablePortal } from '../../support/unreliable-portal.js';
import { leaseLane } from '../../support/lease-lane.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('a portal profile that is reloaded', () => {
  it('with a longer timeout lets no second call be sent while the first may still be in flight', async () => {
    const clock = new VirtualClock();
    const portal = new UnreliablePortal(clock);
    let calls = 0;
    const proxy = createInventoryProxy({
      portal: portal.account,
      outbox: openMemoryOutbox(),
      authenticate: () =>
        Promise.resolve({
          vendor: 'boat-tours',
          subject: 'ada',
          permissions: new Set(['view', 'edit'] as const),
          expiresAt: Date.UTC(9999, 0),
        }),
      allowedOrigins: [HOST_ORIGIN],
      publicUrl: PROXY_URL,
      fetch: (input, init) => {
        if (String(input).endsWith('/v1/oauth/token')) return portal.fetch(input, init);
        calls += 1;
        return new Promise(() => undefined);
      },
      clock,
    });
    proxy.start();

    proxy.reload(portal.account, portalProfile.parse({ timeouts: { call_ms: 60 * SECOND } }));
    const inventory = [{ id: 'kayak', available: true, updated_at: new Date(clock.wall()).toISOString() }];
    await proxy.fetch(pageRequest('POST', '/v1/inventory', { body: { inventory } }));
    await clock.pass(6 * 60 * SECOND - 1);

    assert.equal(calls, 1);
  });

  it('applies from the next call on, however many edits wait', async (t) => {
    const limits = { items: 1 };
    const paths: string[] = [];
    const { clock, portal, proxy, ask } = openProxy(t, {
      profile: portalProfile.parse({ limits }),
      fetch: (input, init) => {
        const { pathname } = new URL(String(input));
        if (pathname === '/v1/oauth/token') return portal.fetch(input, init);
        paths.push(pathname);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    const items = ['kayak', 'canoe', 'sauna'].map((id) => ({ id, available: true }));
    const inventory = items.map((item) => ({ ...item, updated_at: new Date(clock.wall()).toISOString() }));
    await ask('POST', '/v1/inventory', { token: await embedToken({ permissions: ['edit'] }), body: { inventory } });
    proxy.start();
    await clock.pass(100);

    proxy.reload(portal.account, portalProfile.parse({ limits, update: { path: '/v2/stock' } }));
    await clock.pass(10 * SECOND);

    assert.deepEqual(paths, ['/v1/inventory', '/v2/stock', '/v2/stock']);
  });

  it('applies during a batch that is being split', async (t) => {
    const paths: string[] = [];
    const { clock, portal, proxy, ask } = openProxy(t, {
      fetch: (input, init) => {
        const { pathname } = new URL(String(input));
        if (pathname === '/v1/oauth/token') return portal.fetch(input, init);
        paths.push(pathname);
        return Promise.resolve(new Response(null, { status: paths.length === 2 ? 422 : 204 }));
      },
    });
    await held(ask, proxy, clock);
    const inventory = ['canoe', 'sauna', 'cabin'].map((id) => ({ id, available: true, updated_at: CLICKED }));
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    await clock.pass(100);

    proxy.reload(portal.account, portalProfile.parse({ update: { path: '/v2/stock' } }));
    await clock.pass(10 * SECOND);

    const [proof, batch, ...parts] = paths;
    assert.deepEqual([proof, batch], ['/v1/inventory', '/v1/inventory']);
    assert.deepEqual([...new Set(parts)], ['/v2/stock']);
  });

  it('applies to a call that was waiting for a token, which is no failure', async (t) => {
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letThrough = resolve));
    const paths: string[] = [];
    const opened = openProxy(t, {
      fetch: async (input, init) => {
        const { pathname } = new URL(String(input));
        if (pathname === '/v1/oauth/token') await gate;
        else paths.push(pathname);
        return pathname === '/v1/oauth/token' ? opened.portal.fetch(input, init) : new Response(null, { status: 204 });
      },
      random: () => 1,
    });
    const { clock, portal, proxy, ask } = opened;
    const edits = await held(ask, proxy, clock);

    proxy.reload(portal.account, portalProfile.parse({ update: { path: '/v2/stock' } }));
    await clock.pass(100);
    letThrough();
    // The next call may be sent after half a second; after a failure the wait would be a whole second.
    await clock.pass(SECOND / 2);

    assert.deepEqual(paths, ['/v2/stock']);
    assert.deepEqual(await statesOf(ask, edits), ['delivered']);
  });
});

describe('a reloaded profile with another rate limit and timeout', () => {
  it('leaves a rejected edit refused', async (t) => {
    const { clock, portal, proxy, ask } = openProxy(t);
    await held(ask, proxy, clock);
    await portal.misbehave({ refuse_items: ['kayak'] });

    proxy.reload(portal.account, portalProfile.parse({ limits: { items: 5 }, timeouts: { call_ms: 5 * SECOND } }));
    const edits = await held(ask, proxy, clock, false);

    assert.deepEqual(await statesOf(ask, edits), ['refused']);
  });
});

describe('a reload while an older value may still arrive at the portal', () => {
  it('resends the newer value once the older one cannot arrive any more, and not before', async (t) => {
    const { clock, portal, proxy, ask } = openProxy(t);
    await held(ask, proxy, clock);
    portal.networkFault = 'answer lost';
    await held(ask, proxy, clock, false);
    portal.networkFault = 'none';
    await held(ask, proxy, clock, true);
    await clock.pass(3 * SECOND);
    const before = portal.updateCalls;

    proxy.reload(portal.account, portalProfile.parse({ update: { headers: { 'X-Channel': 'vendors' } } }));
    await clock.pass(12 * SECOND);
    const meanwhile = portal.updateCalls;
    await clock.pass(10 * SECOND);

    assert.deepEqual([meanwhile - before, portal.updateCalls - before], [0, 1]);
  });
});

describe('a profile that was wrong', () => {
  const wrong = portalProfile.parse({ update: { path: '/v2/stock' } });

  for (const [how, before] of [
    ['never delivered', wrong],
    ['delivered under another', undefined],
  ] as const) {
    it(`and ${how}, and is repaired by a restart, delivers its held edits at once`, async (t) => {
      const first = openProxy(t, before && { profile: before });
      const { clock, outbox, portal } = first;
      await held(first.ask, first.proxy, clock);
      await first.proxy.stop();
      const broken = openProxy(t, { clock, outbox, fetch: portal.fetch, profile: wrong });
      const edits = await held(broken.ask, broken.proxy, clock, false);
      await broken.proxy.stop();
      assert.deepEqual(await statesOf(broken.ask, edits), ['received']);

      const mended = openProxy(t, { clock, outbox, fetch: portal.fetch });
      mended.proxy.start();
      await clock.pass(2 * SECOND);

      assert.deepEqual(await statesOf(mended.ask, edits), ['delivered']);
    });
  }

  it('and failed for long, and is repaired while a call is in flight, delivers that edit as soon as the waiting ones', async (t) => {
    let isUnderWay = false;
    const opened = openProxy(t, {
      profile: wrong,
      fetch: async (input, init) => {
        if (!String(input).endsWith('/v2/stock')) return opened.portal.fetch(input, init);
        isUnderWay = true;
        await new Promise<void>((resolve) => opened.clock.after(5 * SECOND, resolve));
        isUnderWay = false;
        return new Response(null, { status: 503 });
      },
    });
    const { clock, outbox, portal, proxy, ask } = opened;
    await held(ask, proxy, clock);
    await clock.pass(20 * MINUTE);
    while (!isUnderWay) await clock.pass(SECOND);

    proxy.reload(portal.account, portalProfile.parse({}));
    await clock.pass(25 * SECOND);

    assert.equal((await outbox.count()).delivered, 1);
  });

  it('and is repaired while its call is in flight delivers at once', async (t) => {
    assert.deepEqual(await mendedOnTheWay(t, { profile: wrong }, '/v2/stock'), ['delivered']);
  });
});

describe('a reload while the storage fails for a moment', () => {
  it('does not prevent acceptance once the storage works again', async (t) => {
    const file = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    let fails = false;
    const outbox: Outbox = {
      ...file,
      moveLanes: (...args) => (fails ? Promise.reject(new StorageFailed('away')) : file.moveLanes(...args)),
    };
    const { clock, portal, proxy, ask } = openProxy(t, { outbox });
    proxy.start();
    await clock.pass(SECOND);

    fails = true;
    proxy.reload(portal.account, portalProfile.parse({ limits: { items: 1 } }));
    await clock.pass(SECOND);
    fails = false;
    await clock.pass(2 * SECOND);
    const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body: bodyOf('kayak') });

    assert.equal(answer.status, 202);
  });

  it('answers 503 to a request that waits for the storage', async (t) => {
    const file = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    let fail = (): void => undefined;
    const away = new Promise<never>((_, reject) => {
      fail = () => {
        reject(new StorageFailed('away'));
      };
    });
    let hasDigested = (): void => undefined;
    const digested = new Promise<void>((resolve) => (hasDigested = resolve));
    let moves = 0;
    const { clock, portal, proxy, ask } = openProxy(t, {
      outbox: { ...file, moveLanes: (...args) => ((moves += 1) === 2 ? away : file.moveLanes(...args)) },
      // The last step of a batch before it waits for the items.
      digest: (text) => {
        if (typeof text === 'string' && text.includes('kayak')) hasDigested();
        return clock.during(Promise.resolve(webDigest(text)));
      },
    });
    proxy.start();
    await clock.pass(SECOND);

    proxy.reload(portal.account, portalProfile.parse({ limits: { items: 1 } }));
    const answer = ask('POST', '/v1/inventory', { token: await embedToken(), body: bodyOf('kayak') });
    await digested;
    await clock.everybodySleeps();
    fail();

    assert.equal((await clock.passUntil(answer, SECOND)).status, 503);
  });

  it('delivers held edits at once when the storage works again', async (t) => {
    const file = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    let fails = false;
    const unlessAway = <T>(work: () => Promise<T>): Promise<T> =>
      fails ? Promise.reject(new StorageFailed('away')) : work();
    const outbox: Outbox = {
      ...file,
      moveLanes: (...args) => unlessAway(() => file.moveLanes(...args)),
      capDelays: (...args) => unlessAway(() => file.capDelays(...args)),
      leaseLanes: (...args) => unlessAway(() => file.leaseLanes(...args)),
    };
    const { clock, portal, proxy, ask } = openProxy(t, { outbox, portal: withSecret('wrong') });
    const edits = await held(ask, proxy, clock);

    fails = true;
    proxy.reload(portal.account, portalProfile.parse({}));
    await clock.pass(5 * SECOND);
    fails = false;
    await clock.pass(5 * SECOND);

    assert.deepEqual(await statesOf(ask, edits), ['delivered']);
  });
});

describe('a client secret that is reloaded', () => {
  it('delivers at once the edits that a wrong secret held', async (t) => {
    const { clock, portal, proxy, ask } = openProxy(t, { portal: withSecret('wrong') });
    const edits = await held(ask, proxy, clock);

    proxy.reload(portal.account, portalProfile.parse({}));
    await clock.pass(2 * SECOND);

    assert.deepEqual(await statesOf(ask, edits), ['delivered']);
  });

  it('delivers at once the edit whose call is being rejected for the wrong secret', async (t) => {
    assert.deepEqual(await mendedOnTheWay(t, { portal: withSecret('wrong') }), ['delivered']);
  });

  it('by a restart delivers at once the edits that a wrong secret held', async (t) => {
    const { clock, outbox, proxy, ask } = openProxy(t, { portal: withSecret('wrong') });
    const edits = await held(ask, proxy, clock);
    await proxy.stop();

    const mended = openProxy(t, { outbox, clock });
    mended.proxy.start();
    await clock.pass(2 * SECOND);

    assert.deepEqual(await statesOf(mended.ask, edits), ['delivered']);
  });

  it('by a restart, and is still wrong, keeps the pause of five minutes', async (t) => {
    const { clock, outbox, proxy, ask } = openProxy(t, { portal: withSecret('wrong') });
    await held(ask, proxy, clock);
    await proxy.stop();

    const same = openProxy(t, { outbox, clock, portal: withSecret('wrong') });
    same.proxy.start();
    await clock.pass(2 * SECOND);

    assert.deepEqual(
      same.log.filter(({ event }) => event === 'portal call'),
      [],
    );
  });

  it('by a restart, for another portal, delivers at once the edits that could not reach the previous one', async (t) => {
    const { clock, outbox, proxy, ask } = openProxy(t, {
      portal: { ...withSecret('right'), baseUrl: 'https://nobody.test' },
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })),
    });
    const edits = await held(ask, proxy, clock);
    await clock.pass(5 * MINUTE);
    await proxy.stop();

    const mended = openProxy(t, { outbox, clock });
    mended.proxy.start();
    await clock.pass(2 * SECOND);

    assert.deepEqual(await statesOf(mended.ask, edits), ['delivered']);
  });

  it('and has not changed keeps the pause of five minutes', async (t) => {
    const { clock, portal, proxy, ask } = openProxy(t, { portal: withSecret('wrong') });
    await held(ask, proxy, clock);
    const before = portal.calls;

    proxy.reload(withSecret('wrong'), portalProfile.parse({}));
    await clock.pass(2 * SECOND);

    assert.equal(portal.calls, before);
  });

  it('is in no column of the outbox, and neither is a digest of it alone', async (t) => {
    const { clock, portal, proxy, outbox, ask } = openProxy(t);
    await held(ask, proxy, clock);
    await proxy.stop();
    const secret = portal.account.credentials[0]?.clientSecret.reveal() ?? '';
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: bodyOf('sauna') });

    const wanted = { now: clock.wall() + 60 * SECOND, leaseMs: SECOND, uncertainMs: SECOND };
    const { verifiedCredential = '' } = (await leaseLane(outbox, wanted))?.state ?? {};

    assert.match(verifiedCredential, /guest-house/);
    assert.ok(!verifiedCredential.includes(secret) && !verifiedCredential.includes(await webDigest(secret)));
  });
});

describe('an account that gives a vendor its own lane', () => {
  const WRONG_PATH = 'https://portal.test/v1/inventory';
  const RIGHT_PATH = 'https://portal.test/v1/vendors/boat-tours/inventory';
  const byVendorInPath = portalProfile.parse({ update: { path: '/v1/vendors/{vendor}/inventory' } });

  it('by its name in the path delivers the waiting edits to that path, in the order of the item', async (t) => {
    const updates: [url: string, body: string][] = [];
    const opened = openProxy(t, {
      fetch: (input, init) => {
        const url = String(input);
        if (url.endsWith('/v1/oauth/token')) return opened.portal.fetch(input, init);
        updates.push([url, String(init?.body)]);
        if (url === RIGHT_PATH) return opened.portal.fetch(WRONG_PATH, init);
        return Promise.resolve(new Response('<html>', { headers: { 'Content-Type': 'text/html' } }));
      },
    });
    const { clock, portal, proxy, ask } = opened;
    const first = await held(ask, proxy, clock);
    const tried = updates.length;

    proxy.reload(portal.account, byVendorInPath);
    const second = await held(ask, proxy, clock, false);
    await clock.pass(MINUTE);

    assert.deepEqual(await statesOf(ask, [...first, ...second]), ['delivered', 'delivered']);
    assert.deepEqual(
      updates.slice(tried).map(([url, body]) => [url, /"available":(true|false)/.exec(body)?.[1]]),
      [
        [RIGHT_PATH, 'true'],
        [RIGHT_PATH, 'false'],
      ],
    );
  });

  it('by its own credential delivers the edits that the shared one held, after a restart', async (t) => {
    const { clock, portal, proxy, outbox, ask } = openProxy(t, { portal: withSecret('wrong') });
    const edits = await held(ask, proxy, clock);
    await proxy.stop();

    const { credentials, baseUrl } = portal.account;
    const own = { baseUrl, credentials: [], byVendor: new Map([['boat-tours', credentials]]) };
    const again = openProxy(t, { outbox, portal: own, fetch: portal.fetch, clock });
    again.proxy.start();
    await clock.pass(2 * SECOND);

    assert.deepEqual(await statesOf(again.ask, edits), ['delivered']);
    assert.equal((await again.proxy.status()).storage?.heldLanes.size, 0);
  });

  it('takes over attempts that a crash left open in the shared lane', async (t) => {
    const { clock, portal, outbox, ask } = openProxy(t);
    const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body: bodyOf('kayak') });
    const edits = receipts.parse(await answer.json()).receipts;
    const lost = await leaseLane(outbox, { now: clock.wall(), leaseMs: MINUTE, uncertainMs: SECOND });
    assert.ok(lost);
    await outbox.beginAttempt(lost, await outbox.due(lost, clock.wall(), 9), clock.wall());

    const { credentials, baseUrl } = portal.account;
    const own = { baseUrl, credentials: [], byVendor: new Map([['boat-tours', credentials]]) };
    const again = openProxy(t, { outbox, portal: own, fetch: portal.fetch, clock });
    again.proxy.start();
    await clock.pass(5 * MINUTE);

    assert.deepEqual(await statesOf(again.ask, edits), ['delivered']);
  });
});

describe('a reload that is reverted while a call is in flight', () => {
  it('sends no value of one vendor to an item that belongs to another vendor by then', async (t) => {
    const opened = openProxy(t, {
      fetch: (input, init) => {
        if (String(input).endsWith('/inventory')) sent.push(String(init?.body));
        return opened.portal.fetch(input, init);
      },
    });
    const { clock, portal, proxy, ask } = opened;
    const sent: string[] = [];
    const post = async (vendor: string, id: string, available: boolean): Promise<string[]> => {
      const token = await embedToken({ vendor, subject: vendor });
      const answer = await ask('POST', '/v1/inventory', { token, body: bodyOf(id, available) });
      await clock.pass(SECOND);
      return receipts.parse(await answer.json()).receipts.map(({ edit_id }) => edit_id);
    };
    proxy.start();
    // For the token, which is cached from then on.
    await post('boat-tours', 'canoe', true);
    portal.networkFault = 'request lost';
    const ids = await post('sauna-hut', 'kayak', true);
    proxy.reload(
      { ...portal.account, byVendor: new Map([['sauna-hut', portal.account.credentials]]) },
      portalProfile.parse({}),
    );
    await clock.pass(SECOND);
    await post('boat-tours', 'kayak', false);
    proxy.reload(portal.account, portalProfile.parse({}));
    await clock.pass(SECOND);
    portal.networkFault = 'none';
    await clock.pass(10 * MINUTE);

    const token = await embedToken({ vendor: 'sauna-hut', subject: 'sauna-hut' });
    const told = await ask('GET', `/v1/receipts?ids=${ids.join(',')}`, { token });
    // Resent, since the lost call may have arrived after it.
    assert.deepEqual(
      sent.flatMap((body) => /"kayak","available":(true|false)/.exec(body)?.[1] ?? []),
      ['true', 'false', 'false'],
    );
    assert.deepEqual(
      receipts.parse(await told.json()).receipts.map(({ state, reason }) => [state, reason]),
      [['refused', 'item_unknown']],
    );
  });
});

const withSecret = (secret: string): PortalAccount => ({
  baseUrl: 'https://portal.test',
  credentials: [{ clientId: 'guest-house', clientSecret: new Secret(secret) }],
});

const CLICKED = '2026-11-21T08:30:00.000Z';

function bodyOf(id: string, available = true): object {
  return { inventory: [{ id, available, updated_at: CLICKED }] };
}

/**
 * The outcome of an edit whose call waits at the portal until the settings have been read again, and are right.
 *
 * @param path of the calls that wait; default: all
 */
async function mendedOnTheWay(t: TestContext, wrong: Partial<ProxyOptions>, path = ''): Promise<string[]> {
  let letThrough = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letThrough = resolve));
  const opened = openProxy(t, {
    ...wrong,
    fetch: async (input, init) => {
      if (String(input).endsWith(path)) await gate;
      return opened.portal.fetch(input, init);
    },
  });
  const { clock, portal, proxy, ask } = opened;
  const edits = await held(ask, proxy, clock);
  proxy.reload(portal.account, portalProfile.parse({}));
  await clock.pass(SECOND);
  letThrough();
  await clock.pass(2 * SECOND);
  return statesOf(ask, edits);
}

/** Sends one edit, and waits for the time in which a working portal would have received it. */
async function held(
  ask: OpenProxy['ask'],
  proxy: InventoryProxy,
  clock: VirtualClock,
  available = true,
): Promise<Receipt[]> {
  proxy.start();
  const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body: bodyOf('kayak', available) });
  await clock.pass(SECOND);
  return receipts.parse(await answer.json()).receipts;
}

async function statesOf(ask: OpenProxy['ask'], edits: readonly Receipt[]): Promise<string[]> {
  const ids = edits.map(({ edit_id }) => edit_id).join(',');
  const answer = await ask('GET', `/v1/receipts?ids=${ids}`, { token: await embedToken() });
  return receipts.parse(await answer.json()).receipts.map(({ state }) => state);
}
