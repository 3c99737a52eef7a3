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
import { RETRY_AFTER_SECONDS } from '../../support/unreliable-portal.js';
import { viewerOf } from '../../support/viewer.js';

const SECOND = 1000;

describe('a storage failure', () => {
  for (const work of ['leaseLanes', 'beginAttempt', 'recordOutcomes', 'nextDueAt'] as const) {
    it(`delays an edit by two seconds at most and loses none: ${work}`, async (t) => {
      const fixture = open(t, (outbox) => failOnce(outbox, work));
      await post(fixture);
      fixture.proxy.start();

      await fixture.clock.pass(2 * SECOND);

      assert.equal((await fixture.portal.items())[0]?.id, 'kayak');
      assert.equal((await fixture.outbox.list(viewerOf('boat-tours'), { limit: 1 }))[0]?.state, 'delivered');
      assert.equal(fixture.log.filter(({ event }) => event === 'delivery cannot use the outbox').length, 1);
    });
  }

  it('does not resend the item of the other call while that call is in flight', async (t) => {
    const open: string[] = [];
    const met: string[] = [];
    const fixture: OpenProxy = openProxy(t, {
      outbox: failOnce(openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite')), 'recordOutcomes', 1),
      profile: portalProfile.parse({ limits: { items: 1, in_flight: 2, calls_per_second: 1000 } }),
      fetch: async (input, init) => {
        if (String(input).endsWith('/v1/oauth/token')) return fixture.portal.fetch(input, init);
        const [item = ''] = inventoryUpdate.parse(JSON.parse(String(init?.body))).inventory.map(({ id }) => id);
        fixture.clock.stir();
        if (open.includes(item)) met.push(item);
        open.push(item);
        if (item === 'sauna') await new Promise<void>((resolve) => fixture.clock.after(5 * SECOND, resolve));
        open.splice(open.indexOf(item), 1);
        return new Response(null, { status: 204 });
      },
    });
    await post(fixture, 'first');
    fixture.proxy.start();
    await fixture.clock.pass(3 * SECOND);

    await post(fixture, 'kayak', 'sauna');
    await fixture.clock.pass(20 * SECOND);

    assert.deepEqual(met, []);
    assert.equal((await fixture.outbox.count()).delivered, 3);
  });

  for (const [work, calls] of [
    ['recordOutcomes', 5],
    ['reopen', 0],
  ] as const) {
    it(`causes no refused edit while a portal rejects everything: ${work}`, async (t) => {
      const fixture = open(t, (outbox) => failOnce(outbox, work, calls));
      const boats = Array.from({ length: 5 }, (_, at) => `boat-${String(at)}`);
      fixture.proxy.start();
      await post(fixture, 'first');
      await fixture.clock.pass(5 * SECOND);
      await fixture.portal.misbehave({ refuse_items: boats });
      for (const boat of boats) {
        await post(fixture, boat);
        await fixture.clock.pass(5 * SECOND);
      }
      const failures = fixture.log.filter(({ event }) => event === 'delivery cannot use the outbox');

      await fixture.portal.misbehave({});
      await fixture.clock.pass(20 * 60 * SECOND);

      assert.equal(failures.length, 1);
      assert.equal((await fixture.outbox.count()).delivered, 6);
    });
  }

  it('causes no call to the portal before the end of Retry-After', async (t) => {
    const fixture = open(t, (outbox) => failOnce(outbox, 'recordOutcomes', 1));
    await post(fixture, 'first');
    fixture.proxy.start();
    await fixture.clock.pass(SECOND);
    fixture.portal.networkFault = 'too many';
    await post(fixture, 'kayak');

    await fixture.clock.pass((RETRY_AFTER_SECONDS - 1) * SECOND);
    const calls = fixture.portal.updateCalls;
    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(10 * SECOND);

    assert.equal(calls, 2);
    assert.equal((await fixture.outbox.count()).delivered, 2);
  });

  it('that lasts delays an edit until the storage works again, and not for a whole lease', async (t) => {
    let isFull: boolean | undefined;
    const fixture = open(t, (outbox) => {
      const unlessFull = <T>(work: () => Promise<T>): Promise<T> =>
        isFull === true ? Promise.reject(new StorageFailed('database or disk is full')) : work();
      return {
        ...outbox,
        leaseLanes: (...args) => unlessFull(() => outbox.leaseLanes(...args)),
        recordOutcomes: (...args) => {
          isFull ??= true;
          return unlessFull(() => outbox.recordOutcomes(...args));
        },
        releaseLease: (...args) => unlessFull(() => outbox.releaseLease(...args)),
      };
    });
    await post(fixture);
    fixture.proxy.start();
    await fixture.clock.pass(10 * SECOND);
    isFull = false;

    await fixture.clock.pass(3 * SECOND);

    assert.equal((await fixture.outbox.count()).delivered, 1);
    const closed = fixture.log.filter(({ event }) => event === 'a lane stays closed until the storage works again');
    assert.equal(closed.length, 1);
  });

  it('that lasts causes one retry a second, and no busy loop', async (t) => {
    let asked = 0;
    const fixture = open(t, (outbox) => ({
      ...outbox,
      leaseLanes: () => {
        asked += 1;
        return Promise.reject(new StorageFailed('disk I/O error'));
      },
    }));
    fixture.proxy.start();

    await fixture.clock.pass(60 * SECOND);

    assert.ok(asked > 50 && asked <= 61, `asked ${asked} times`);
  });
});

describe('an edit that arrives at the moment when delivery goes to sleep', () => {
  it('is delivered within seconds', async (t) => {
    let hasCome = false;
    const fixture: OpenProxy = open(t, (outbox) => ({
      ...outbox,
      nextDueAt: async () => {
        const due = await outbox.nextDueAt();
        if (!hasCome) {
          hasCome = true;
          await fixture.clock.during(post(fixture));
        }
        return due;
      },
    }));
    fixture.proxy.start();

    await fixture.clock.passUntil(arrival(fixture), 3 * SECOND);

    assert.equal((await fixture.portal.items())[0]?.id, 'kayak');
  });
});

describe('edits that arrive while a worker runs in their lane', () => {
  it('are found by that worker, and no other looks for them', async (t) => {
    let looks = 0;
    let looksMeanwhile = Infinity;
    const fixture: OpenProxy = open(t, (outbox) => ({
      ...outbox,
      leaseLanes: (want, most) => {
        looks += 1;
        return outbox.leaseLanes(want, most);
      },
      beginAttempt: async (lease, edits, now) => {
        if (looksMeanwhile === Infinity) {
          const before = looks;
          for (let nth = 0; nth < 20; nth += 1) await fixture.clock.during(post(fixture, `meanwhile-${String(nth)}`));
          looksMeanwhile = looks - before;
        }
        return outbox.beginAttempt(lease, edits, now);
      },
    }));
    await post(fixture, 'first');
    fixture.proxy.start();

    await fixture.clock.pass(60 * SECOND);

    assert.equal((await fixture.outbox.count()).delivered, 21);
    assert.ok(looksMeanwhile < 5, `${String(looksMeanwhile)} looks for 20 edits`);
  });
});

/** The real outbox behind a wrapper that can make it fail. */
function open(t: TestContext, meddle: (outbox: Outbox) => Outbox): OpenProxy {
  return openProxy(t, { outbox: meddle(openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'))) });
}

function failOnce(
  outbox: Outbox,
  work: 'leaseLanes' | 'beginAttempt' | 'recordOutcomes' | 'reopen' | 'nextDueAt',
  after = 0,
): Outbox {
  let calls = 0;
  const call = outbox[work] as (...args: unknown[]) => Promise<unknown>;
  const failing = (...args: unknown[]): Promise<unknown> => {
    calls += 1;
    if (calls !== after + 1) return call(...args);
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
