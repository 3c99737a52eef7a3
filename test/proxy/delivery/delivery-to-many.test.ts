import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { PortalAccount } from '../../../src/proxy/portal/credentials.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { UnreliablePortal } from '../../support/unreliable-portal.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const VENDORS = 12;

describe('a slow portal where each of many vendors has its own path', () => {
  for (const [calls, maxLanes] of [
    ['eight calls', undefined],
    ['as many calls as a setting allows', 3],
  ] as const)
    it(`gets ${calls} concurrently; the calls of the other vendors follow, without busy queries of the storage`, async (t) => {
      const file = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
      let looks = 0;
      let underWay = 0;
      let most = 0;
      const { clock, portal, proxy, outbox, ask, log } = openProxy(t, {
        profile: portalProfile.parse({ update: { path: '/v1/{vendor}/inventory' } }),
        ...(maxLanes !== undefined && { maxLanes }),
        outbox: {
          ...file,
          nextDueAt: () => {
            looks += 1;
            // A loop without a pause would never end, because no time passes.
            return looks > 1000 ? Promise.resolve(undefined) : file.nextDueAt();
          },
        },
        fetch: async (input, init) => {
          if (String(input).endsWith('/v1/oauth/token')) return portal.fetch(input, init);
          underWay += 1;
          most = Math.max(most, underWay);
          await new Promise<void>((resolve) => clock.after(5 * SECOND, resolve));
          underWay -= 1;
          return new Response(null, { status: 204 });
        },
      });
      const inventory = [{ id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
      for (let at = 0; at < VENDORS; at += 1) {
        await ask('POST', '/v1/inventory', {
          token: await embedToken({ vendor: `vendor-${at}` }),
          body: { inventory },
        });
      }

      proxy.start();
      await clock.pass(4 * SECOND);
      const looksMeanwhile = looks;
      await clock.pass(MINUTE);

      assert.equal(most, maxLanes ?? 8);
      assert.ok(looksMeanwhile < 30, `it has looked ${looksMeanwhile} times`);
      assert.equal((await outbox.count()).delivered, VENDORS);
      const named = log.filter(({ event }) => event === 'portal call').map(({ vendor }) => vendor);
      assert.deepEqual(named.sort(), Array.from({ length: VENDORS }, (_, at) => `vendor-${at}`).sort());
    });
});

describe('eight vendors with many edits, each with its own path', () => {
  const paces = [
    { calls_per_second: 1 },
    { calls_per_second: 0.2 },
    { calls_per_second: 1, in_flight: 4, call_ms: 2_000 },
  ];
  for (const { call_ms, ...pace } of paces) {
    it(`do not starve a single edit of a ninth vendor: ${JSON.stringify({ ...pace, call_ms })}`, async (t) => {
      const { clock, portal, proxy, outbox, ask } = openProxy(t, {
        profile: portalProfile.parse({
          update: { path: '/v1/{vendor}/inventory' },
          limits: { items: 1, ...pace },
          timeouts: { call_ms },
        }),
        fetch: (input, init) =>
          String(input).endsWith('/v1/oauth/token')
            ? portal.fetch(input, init)
            : Promise.resolve(new Response(null, { status: 204 })),
      });
      const updated_at = '2026-11-21T08:30:00.000Z';
      const post = async (vendor: string, count: number): Promise<void> => {
        const inventory = Array.from({ length: count }, (_, at) => ({ id: `boat-${at}`, available: true, updated_at }));
        await ask('POST', '/v1/inventory', { token: await embedToken({ vendor }), body: { inventory } });
      };
      for (let at = 0; at < 8; at += 1) await post(`vendor-${at}`, 200);
      proxy.start();
      const turn = SECOND / pace.calls_per_second;
      await clock.pass(10 * turn);

      await post('pottery', 1);
      await clock.pass(50 * turn);

      const [change] = await outbox.history('pottery', { limit: 1 });
      assert.equal(change?.state, 'delivered');
      assert.ok(((await outbox.count()).received ?? 0) > 8 * 100, 'the others are far from their end');
    });
  }
});

describe('a rate limit of one call a second', () => {
  const own = { clientId: 'pottery', clientSecret: new Secret('a secret of its own') };
  const cases: readonly (readonly [what: string, byVendor: PortalAccount['byVendor'], least: number, most: number])[] =
    [
      ['for one credential, even if each vendor has its own path', undefined, 28, 31],
      ['for each credential', new Map([['vendor-0', [own]]]), 56, 62],
      [
        'that of a credential which the table has twice',
        new Map([
          ['vendor-0', [own]],
          ['vendor-1', [own]],
        ]),
        56,
        62,
      ],
    ];
  for (const [what, byVendor, least, most] of cases) {
    it(`applies ${what}`, async (t) => {
      const clock = new VirtualClock(Date.now());
      const { account, fetch: reach } = new UnreliablePortal(clock);
      let calls = 0;
      const { proxy, ask } = openProxy(t, {
        clock,
        portal: { ...account, byVendor },
        profile: portalProfile.parse({
          update: { path: '/v1/{vendor}/inventory' },
          limits: { items: 1, calls_per_second: 1 },
        }),
        fetch: async (input, init) => {
          if (String(input).endsWith('/v1/oauth/token')) {
            return byVendor === undefined ? reach(input, init) : Response.json({ access_token: 'a', expires_in: 3600 });
          }
          calls += 1;
          return new Response(null, { status: 204 });
        },
      });
      const updated_at = '2026-11-21T08:30:00.000Z';
      const inventory = Array.from({ length: 100 }, (_, at) => ({ id: `boat-${at}`, available: true, updated_at }));
      for (let at = 0; at < 4; at += 1) {
        await ask('POST', '/v1/inventory', {
          token: await embedToken({ vendor: `vendor-${at}` }),
          body: { inventory },
        });
      }

      proxy.start();
      await clock.pass(30 * SECOND);

      assert.ok(calls >= least && calls <= most, `there were ${calls} calls`);
    });
  }
});
