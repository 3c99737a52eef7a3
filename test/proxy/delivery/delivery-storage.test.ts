import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inventoryUpdate } from '../../../src/contract/portal.js';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { StorageFailed, type Outbox } from '../../../src/proxy/outbox/outbox.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { RETRY_AFTER_SECONDS } from '../../support/weather-portal.js';
import { askerOf } from '../../support/asker.js';

const SECOND = 1000;

describe('a disk that fails for a moment', () => {
  for (const work of ['leaseLanes', 'beginAttempt', 'settle', 'nextDueAt'] as const) {
    it(`in ${work} delays an edit by a second and loses none`, async (t) => {
      const stand = open(t, (outbox) => failOnce(outbox, work));
      await post(stand);
      stand.proxy.start();

      await stand.clock.pass(2 * SECOND);

      assert.equal((await stand.portal.items())[0]?.id, 'kayak');
      assert.equal((await stand.outbox.list(askerOf('boat-tours'), { limit: 1 }))[0]?.state, 'delivered');
      assert.equal(stand.log.filter(({ event }) => event === 'delivery cannot use the outbox').length, 1);
    });
  }

  it('after one of two calls in flight sends the other’s item again only when that call has ended', async (t) => {
    const open: string[] = [];
    const met: string[] = [];
    const stand: OpenProxy = openProxy(t, {
      outbox: failOnce(openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite')), 'settle', 1),
      profile: portalProfile.parse({ limits: { items: 1, in_flight: 2, calls_per_second: 1000 } }),
      fetch: async (input, init) => {
        if (String(input).endsWith('/v1/oauth/token')) return stand.portal.fetch(input, init);
        const [item = ''] = inventoryUpdate.parse(JSON.parse(String(init?.body))).inventory.map(({ id }) => id);
        stand.clock.stir();
        if (open.includes(item)) met.push(item);
        open.push(item);
        if (item === 'sauna') await new Promise<void>((resolve) => stand.clock.after(5 * SECOND, resolve));
        open.splice(open.indexOf(item), 1);
        return new Response(null, { status: 204 });
      },
    });
    await post(stand, 'first');
    stand.proxy.start();
    await stand.clock.pass(3 * SECOND);

    await post(stand, 'kayak', 'sauna');
    await stand.clock.pass(20 * SECOND);

    assert.deepEqual(met, []);
    assert.equal((await stand.outbox.count()).delivered, 3);
  });

  for (const [work, calls] of [
    ['settle', 5],
    ['reopen', 0],
  ] as const) {
    it(`in ${work} while a portal refuses everything parks nobody`, async (t) => {
      const stand = open(t, (outbox) => failOnce(outbox, work, calls));
      const boats = Array.from({ length: 5 }, (_, at) => `boat-${String(at)}`);
      stand.proxy.start();
      await post(stand, 'first');
      await stand.clock.pass(5 * SECOND);
      await stand.portal.misbehave({ refuse_items: boats });
      for (const boat of boats) {
        await post(stand, boat);
        await stand.clock.pass(5 * SECOND);
      }
      const failures = stand.log.filter(({ event }) => event === 'delivery cannot use the outbox');

      await stand.portal.misbehave({});
      await stand.clock.pass(20 * 60 * SECOND);

      assert.equal(failures.length, 1);
      assert.equal((await stand.outbox.count()).delivered, 6);
    });
  }

  it('does not make the portal be asked again before it said', async (t) => {
    const stand = open(t, (outbox) => failOnce(outbox, 'settle', 1));
    await post(stand, 'first');
    stand.proxy.start();
    await stand.clock.pass(SECOND);
    stand.portal.weather = 'too many';
    await post(stand, 'kayak');

    await stand.clock.pass((RETRY_AFTER_SECONDS - 1) * SECOND);
    const calls = stand.portal.updateCalls;
    stand.portal.weather = 'clear';
    await stand.clock.pass(10 * SECOND);

    assert.equal(calls, 2);
    assert.equal((await stand.outbox.count()).delivered, 2);
  });

  it('and goes on failing delays an edit until it works again, and by no whole lease', async (t) => {
    let isFull: boolean | undefined;
    const stand = open(t, (outbox) => {
      const unlessFull = <T>(work: () => Promise<T>): Promise<T> =>
        isFull === true ? Promise.reject(new StorageFailed('database or disk is full')) : work();
      return {
        ...outbox,
        leaseLanes: (...words) => unlessFull(() => outbox.leaseLanes(...words)),
        settle: (...words) => {
          isFull ??= true;
          return unlessFull(() => outbox.settle(...words));
        },
        releaseLease: (...words) => unlessFull(() => outbox.releaseLease(...words)),
      };
    });
    await post(stand);
    stand.proxy.start();
    await stand.clock.pass(10 * SECOND);
    isFull = false;

    await stand.clock.pass(3 * SECOND);

    assert.equal((await stand.outbox.count()).delivered, 1);
    const closed = stand.log.filter(({ event }) => event === 'a lane stays closed until the storage works again');
    assert.equal(closed.length, 1);
  });

  it('is not asked again and again while it fails', async (t) => {
    let asked = 0;
    const stand = open(t, (outbox) => ({
      ...outbox,
      leaseLanes: () => {
        asked += 1;
        return Promise.reject(new StorageFailed('disk I/O error'));
      },
    }));
    stand.proxy.start();

    await stand.clock.pass(60 * SECOND);

    assert.ok(asked > 50 && asked <= 61, `asked ${asked} times`);
  });
});

describe('an edit that comes in the very moment when delivery lies down to sleep', () => {
  it('wakes it', async (t) => {
    let hasCome = false;
    const stand: OpenProxy = open(t, (outbox) => ({
      ...outbox,
      nextDueAt: async () => {
        const due = await outbox.nextDueAt();
        if (!hasCome) {
          hasCome = true;
          await post(stand);
        }
        return due;
      },
    }));
    stand.proxy.start();

    await stand.clock.passUntil(arrival(stand), 3 * SECOND);

    assert.equal((await stand.portal.items())[0]?.id, 'kayak');
  });
});

describe('edits that come while somebody works in their lane', () => {
  it('are found by whoever is there, and no other looks for them', async (t) => {
    let looks = 0;
    let looksMeanwhile = Infinity;
    const stand: OpenProxy = open(t, (outbox) => ({
      ...outbox,
      leaseLanes: (want, most) => {
        looks += 1;
        return outbox.leaseLanes(want, most);
      },
      beginAttempt: async (lease, edits, now) => {
        if (looksMeanwhile === Infinity) {
          const before = looks;
          for (let nth = 0; nth < 20; nth += 1) await stand.clock.during(post(stand, `meanwhile-${String(nth)}`));
          looksMeanwhile = looks - before;
        }
        return outbox.beginAttempt(lease, edits, now);
      },
    }));
    await post(stand, 'first');
    stand.proxy.start();

    await stand.clock.pass(60 * SECOND);

    assert.equal((await stand.outbox.count()).delivered, 21);
    assert.ok(looksMeanwhile < 5, `${String(looksMeanwhile)} looks for 20 edits`);
  });
});

/** The real outbox, with a hand between it and the proxy. */
function open(t: TestContext, meddle: (outbox: Outbox) => Outbox): OpenProxy {
  return openProxy(t, { outbox: meddle(openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'))) });
}

function failOnce(
  outbox: Outbox,
  work: 'leaseLanes' | 'beginAttempt' | 'settle' | 'reopen' | 'nextDueAt',
  after = 0,
): Outbox {
  let calls = 0;
  const call = outbox[work] as (...words: unknown[]) => Promise<unknown>;
  const failing = (...words: unknown[]): Promise<unknown> => {
    calls += 1;
    if (calls !== after + 1) return call(...words);
    return Promise.reject(new StorageFailed('disk I/O error'));
  };
  return { ...outbox, [work]: failing };
}

async function post({ ask }: OpenProxy, ...ids: readonly string[]): Promise<void> {
  const items = ids.length === 0 ? ['kayak'] : ids;
  const body = { inventory: items.map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' })) };
  const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body });
  assert.equal(answer.status, 202);
}

/** Resolves when the portal has something. */
async function arrival({ portal }: OpenProxy): Promise<void> {
  while ((await portal.items()).length === 0) await nextTurn();
}
