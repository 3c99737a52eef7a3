import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import { KeptPortalClock, watchClockSteps } from '../../../src/proxy/portal/clock-offset.js';
import type { Clock } from '../../../src/proxy/runtime/clock.js';
import { webDigest } from '../../../src/proxy/runtime/hash.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { DeliveryStand } from '../../support/delivery-stand.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const ON = { id: 'kayak', available: true };
const OFF = { id: 'kayak', available: false };

describe('the clock of a portal that is ten minutes behind', () => {
  it('is what stamps are made by after a restart, though the portal is down', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.aheadMs = -10 * MINUTE;
    await stand.post(ON);
    await stand.clock.pass(30 * MINUTE);
    stand.portal.weather = 'unreachable';
    await stand.restart();

    const [receipt] = await stand.post(OFF);

    const ahead = Date.parse(receipt?.updated_at ?? '') - (stand.clock.wall() - 10 * MINUTE);
    assert.ok(Math.abs(ahead) < 5 * SECOND, `${ahead} ms`);
  });

  it('is believed no longer once it was set, here as after a restart', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.aheadMs = -10 * MINUTE;
    await stand.post(ON);
    await stand.clock.pass(MINUTE);
    stand.portal.aheadMs = 0;
    await stand.post(OFF);
    await stand.clock.pass(30 * MINUTE);

    const [here] = await stand.post(ON);
    const behind = stand.clock.wall() - Date.parse(here?.updated_at ?? '');
    await stand.restart();
    const [after] = await stand.post(OFF);

    assert.ok(Math.abs(behind) < 5 * SECOND, `${behind} ms`);
    assert.ok(Math.abs(stand.clock.wall() - Date.parse(after?.updated_at ?? '')) < 5 * SECOND);
  });

  it('is what was heard last, though that could not be kept', async () => {
    const clock = new VirtualClock();
    const outbox = openMemoryOutbox();
    await outbox.notePortalOffset(0, clock.wall());
    const kept = new KeptPortalClock({ outbox, clock, log: () => undefined });
    await kept.offset();
    const failing = mock.method(outbox, 'notePortalOffset', () => Promise.reject(new Error('the disk is full')));
    const hear = (aheadMs: number): void => {
      kept.clock.observe(new Date(clock.wall() + aheadMs).toUTCString(), clock.wall(), clock.wall());
    };
    await clock.pass(MINUTE);
    hear(-10 * MINUTE);
    await clock.pass(MINUTE);

    const heard = await kept.offset();
    failing.mock.restore();
    hear(-10 * MINUTE);
    await clock.pass(MINUTE);

    assert.ok(Math.abs(heard + 10 * MINUTE) < 5 * SECOND, `${heard} ms`);
    assert.ok(Math.abs(((await outbox.portalOffset(clock.wall())) ?? 0) + 10 * MINUTE) < 5 * SECOND);
  });

  it('is what was heard last, though something older was being read meanwhile', async () => {
    const clock = new VirtualClock();
    const outbox = openMemoryOutbox();
    await outbox.notePortalOffset(0, clock.wall());
    const kept = new KeptPortalClock({ outbox, clock, log: () => undefined });
    await kept.offset();
    await clock.pass(MINUTE);
    mock.method(outbox, 'portalOffset', () => {
      kept.clock.observe(new Date(clock.wall() - 10 * MINUTE).toUTCString(), clock.wall(), clock.wall());
      return Promise.resolve(0);
    });

    const heard = await kept.offset();

    assert.ok(Math.abs(heard + 10 * MINUTE) < 5 * SECOND, `${heard} ms`);
  });

  it('is written once, however often the portal answers', async (t) => {
    const outbox = openMemoryOutbox();
    const written = mock.method(outbox, 'notePortalOffset');
    const stand = openProxy(t, { outbox });
    stand.proxy.start();
    for (let at = 0; at < 20; at += 1) {
      // Within the noise of a header that has whole seconds.
      stand.portal.aheadMs = -10 * MINUTE + (at % 3) * SECOND;
      assert.equal((await post(stand, `boat-${at}`)).status, 202);
      await stand.clock.pass(7 * SECOND);
    }

    assert.equal(written.mock.callCount(), 1);
    assert.ok(stand.portal.updateCalls >= 20);
  });

  it('is noted where it is right, too, so that a proxy whose own clock is wrong is told', async (t) => {
    const one = openProxy(t, { outbox: openMemoryOutbox() });
    const { outbox, clock, portal } = one;
    portal.aheadMs = 0;
    await post(one, 'vase');
    one.proxy.start();

    await clock.pass(6 * SECOND);

    assert.equal(portal.updateCalls, 1);
    assert.ok(Math.abs((await outbox.portalOffset(clock.wall())) ?? Infinity) < 5 * SECOND);
  });

  it('is known within seconds to a proxy that has not heard the portal itself', async (t) => {
    const one = openProxy(t, { outbox: openMemoryOutbox() });
    const { outbox, clock, portal } = one;
    const other = openProxy(t, { outbox, clock, fetch: portal.fetch });
    portal.aheadMs = -10 * MINUTE;
    await post(other, 'vase');
    one.proxy.start();
    await clock.pass(6 * SECOND);

    await post(other, 'kayak');

    const [latest] = await outbox.history('boat-tours', { limit: 1 });
    const ahead = Date.parse(latest?.updated_at ?? '') - (clock.wall() - 10 * MINUTE);
    assert.ok(Math.abs(ahead) < 5 * SECOND, `${ahead} ms`);
  });
});

describe('the clock of this machine', () => {
  const ahead = (stand: DeliveryStand, [receipt]: Receipt[]): number =>
    Date.parse(receipt?.updated_at ?? '') - stand.clock.trueTime();

  /** One that the portal has told the time, and that cannot reach it any more. */
  async function cutOff(t: TestContext): Promise<DeliveryStand> {
    const stand = new DeliveryStand(t);
    stand.portal.tellsTrueTime = true;
    await stand.post(ON);
    await stand.clock.pass(MINUTE);
    stand.portal.weather = 'unreachable';
    return stand;
  }

  for (const by of [DAY, -DAY, 10 * MINUTE]) {
    it(`set by ${String(by / MINUTE)} minutes moves no stamp, though the portal cannot be asked, after a restart too`, async (t) => {
      const stand = await cutOff(t);
      stand.clock.setWallBy(by);

      const here = ahead(stand, await stand.post(OFF));
      await stand.clock.pass(MINUTE);
      await stand.restart();
      const after = ahead(stand, await stand.post(ON));

      assert.ok(Math.abs(here) < 5 * SECOND, `${here} ms`);
      assert.ok(Math.abs(after) < 5 * SECOND, `${after} ms`);
    });
  }

  for (const by of [DAY, -DAY, 2 * 60 * MINUTE]) {
    it(`set by ${String(by / MINUTE)} minutes while the portal answers moves no stamp`, async (t) => {
      const stand = new DeliveryStand(t);
      stand.portal.tellsTrueTime = true;
      await stand.post(ON);
      await stand.clock.pass(SECOND);
      stand.portal.weather = 'answer slow';
      await stand.post(OFF);
      await stand.clock.pass(5 * SECOND);
      stand.clock.setWallBy(by);
      await stand.clock.pass(6 * SECOND);

      const off = ahead(stand, await stand.post({ id: 'canoe', available: true }));

      assert.ok(Math.abs(off) < 10 * SECOND, `${off} ms`);
    });
  }

  it('set while a batch waits to be stored moves none of its stamps', async (t) => {
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letThrough = resolve));
    let isHeld = false;
    const { ask, clock, portal, proxy } = openProxy(t, {
      digest: async (text) => {
        if (typeof text === 'string' && text.includes('"canoe"')) {
          isHeld = true;
          await gate;
        }
        return webDigest(text);
      },
    });
    portal.tellsTrueTime = true;
    proxy.start();
    const token = await embedToken();
    const post = (id: string) => {
      const inventory = [{ id, available: true, updated_at: new Date(clock.wall()).toISOString() }];
      return ask('POST', '/v1/inventory', { token, body: { inventory } });
    };
    await post('kayak');
    await clock.pass(SECOND);
    const asked = post('canoe');
    while (!isHeld) await clock.pass(1);
    clock.setWallBy(DAY);
    letThrough();

    const [receipt] = receipts.parse(await (await asked).json()).receipts;

    const off = Date.parse(receipt?.updated_at ?? '') - clock.trueTime();
    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('set step by small step is seen through as well', async (t) => {
    const stand = await cutOff(t);
    for (let at = 0; at < 100; at += 1) {
      stand.clock.setWallBy(1.5 * SECOND);
      await stand.post({ id: `boat-${at}`, available: true });
    }

    const off = ahead(stand, await stand.post(OFF));

    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('is right after a night’s sleep, which is no setting', async (t) => {
    const stand = await cutOff(t);
    stand.clock.sleep(8 * 60 * MINUTE);

    const off = ahead(stand, await stand.post(OFF));

    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('is believed when it is set before the portal has ever told the time, as after a start without a battery', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.weather = 'unreachable';
    stand.clock.setWallBy(-DAY);
    await stand.restart();
    stand.clock.setWallBy(DAY);

    const off = ahead(stand, await stand.post(ON));

    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('is believed where nothing tells its sleep from a setting', () => {
    const clock = new VirtualClock();
    const { wall, monotonic, after } = bound(clock);
    const steps = watchClockSteps({ wall, monotonic, after });

    clock.sleep(DAY);

    assert.equal(steps(), 0);
  });

  it('tells each setting once, to the second where the time since the start has whole seconds', async () => {
    const clock = new VirtualClock();
    const steps = watchClockSteps({ ...bound(clock), sinceBoot: () => Math.floor(clock.sinceBoot() / 1000) * 1000 });
    await clock.pass(1700);
    clock.setWallBy(DAY);

    const told = [steps(), steps()];

    assert.ok(Math.abs((told[0] ?? 0) - DAY) <= SECOND, `${told[0]} ms`);
    assert.equal(told[1], 0);
  });
});

function bound(clock: VirtualClock): Clock {
  return {
    wall: () => clock.wall(),
    monotonic: () => clock.monotonic(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
  };
}

async function post({ ask, clock }: OpenProxy, id: string): Promise<Response> {
  const inventory = [{ id, available: true, updated_at: new Date(clock.wall()).toISOString() }];
  return ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
}
