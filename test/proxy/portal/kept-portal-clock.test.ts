import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import { receipts, type Receipt } from '../../../src/contract/widget.js';
import { PersistedPortalClock, createClockChangeDetector } from '../../../src/proxy/portal/clock-offset.js';
import type { Clock } from '../../../src/proxy/runtime/clock.js';
import { webDigest } from '../../../src/proxy/runtime/hash.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { DeliveryFixture } from '../../support/delivery-fixture.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const ON = { id: 'kayak', available: true };
const OFF = { id: 'kayak', available: false };

describe('the clock of a portal that is ten minutes behind', () => {
  it('determines timestamps after a restart, even while the portal is down', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.aheadMs = -10 * MINUTE;
    await fixture.post(ON);
    await fixture.clock.pass(30 * MINUTE);
    fixture.portal.networkFault = 'unreachable';
    await fixture.restart();

    const [receipt] = await fixture.post(OFF);

    const ahead = Date.parse(receipt?.updated_at ?? '') - (fixture.clock.wall() - 10 * MINUTE);
    assert.ok(Math.abs(ahead) < 5 * SECOND, `${ahead} ms`);
  });

  it('is replaced after it was set, in this process and after a restart', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.aheadMs = -10 * MINUTE;
    await fixture.post(ON);
    await fixture.clock.pass(MINUTE);
    fixture.portal.aheadMs = 0;
    await fixture.post(OFF);
    await fixture.clock.pass(MINUTE);
    await fixture.post({ id: 'canoe', available: true });
    await fixture.clock.pass(30 * MINUTE);

    const [here] = await fixture.post(ON);
    const behind = fixture.clock.wall() - Date.parse(here?.updated_at ?? '');
    await fixture.restart();
    const [after] = await fixture.post(OFF);

    assert.ok(Math.abs(behind) < 5 * SECOND, `${behind} ms`);
    assert.ok(Math.abs(fixture.clock.wall() - Date.parse(after?.updated_at ?? '')) < 5 * SECOND);
  });

  it('is the last one received, even if it could not be stored', async () => {
    const clock = new VirtualClock();
    const outbox = openMemoryOutbox();
    await outbox.storePortalOffset(0, clock.wall());
    const kept = new PersistedPortalClock({ outbox, clock, log: () => undefined });
    await kept.offset();
    const failing = mock.method(outbox, 'storePortalOffset', () => Promise.reject(new Error('the disk is full')));
    const hear = (aheadMs: number): void => {
      // Twice: a jump counts when a second response agrees.
      for (let times = 0; times < 2; times += 1) {
        kept.clock.observe(new Date(clock.wall() + aheadMs).toUTCString(), clock.wall(), clock.wall());
      }
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

  it('is the last one received, even if an older one was being read at that time', async () => {
    const clock = new VirtualClock();
    const outbox = openMemoryOutbox();
    await outbox.storePortalOffset(0, clock.wall());
    const kept = new PersistedPortalClock({ outbox, clock, log: () => undefined });
    await kept.offset();
    await clock.pass(MINUTE);
    mock.method(outbox, 'portalOffset', () => {
      for (let times = 0; times < 2; times += 1) {
        kept.clock.observe(new Date(clock.wall() - 10 * MINUTE).toUTCString(), clock.wall(), clock.wall());
      }
      return Promise.resolve(0);
    });

    const heard = await kept.offset();

    assert.ok(Math.abs(heard + 10 * MINUTE) < 5 * SECOND, `${heard} ms`);
  });

  it('is stored once, however often the portal responds', async (t) => {
    const outbox = openMemoryOutbox();
    const written = mock.method(outbox, 'storePortalOffset');
    const fixture = openProxy(t, { outbox });
    fixture.proxy.start();
    for (let at = 0; at < 20; at += 1) {
      // Within the noise of a header with whole seconds.
      fixture.portal.aheadMs = -10 * MINUTE + (at % 3) * SECOND;
      assert.equal((await post(fixture, `boat-${at}`)).status, 202);
      await fixture.clock.pass(7 * SECOND);
    }

    assert.equal(written.mock.callCount(), 1);
    assert.ok(fixture.portal.updateCalls >= 20);
  });

  it('is stored even without an offset, for a proxy whose own clock is wrong', async (t) => {
    const one = openProxy(t, { outbox: openMemoryOutbox() });
    const { outbox, clock, portal } = one;
    portal.aheadMs = 0;
    await post(one, 'vase');
    one.proxy.start();

    await clock.pass(6 * SECOND);

    assert.equal(portal.updateCalls, 1);
    assert.ok(Math.abs((await outbox.portalOffset(clock.wall())) ?? Infinity) < 5 * SECOND);
  });

  it('is known within seconds to a proxy that has no response of the portal itself', async (t) => {
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
  const ahead = (fixture: DeliveryFixture, [receipt]: Receipt[]): number =>
    Date.parse(receipt?.updated_at ?? '') - fixture.clock.trueTime();

  /** A proxy that has learned the portal's time and cannot reach the portal any more. */
  async function cutOff(t: TestContext): Promise<DeliveryFixture> {
    const fixture = new DeliveryFixture(t);
    fixture.portal.tellsTrueTime = true;
    await fixture.post(ON);
    await fixture.clock.pass(MINUTE);
    fixture.portal.networkFault = 'unreachable';
    return fixture;
  }

  for (const by of [DAY, -DAY, 10 * MINUTE]) {
    it(`set by ${String(by / MINUTE)} minutes changes no timestamp while the portal is down, even after a restart`, async (t) => {
      const fixture = await cutOff(t);
      fixture.clock.setWallBy(by);

      const here = ahead(fixture, await fixture.post(OFF));
      await fixture.clock.pass(MINUTE);
      await fixture.restart();
      const after = ahead(fixture, await fixture.post(ON));

      assert.ok(Math.abs(here) < 5 * SECOND, `${here} ms`);
      assert.ok(Math.abs(after) < 5 * SECOND, `${after} ms`);
    });
  }

  for (const by of [DAY, -DAY, 2 * 60 * MINUTE]) {
    it(`set by ${String(by / MINUTE)} minutes while the portal responds changes no timestamp`, async (t) => {
      const fixture = new DeliveryFixture(t);
      fixture.portal.tellsTrueTime = true;
      await fixture.post(ON);
      await fixture.clock.pass(SECOND);
      fixture.portal.networkFault = 'answer slow';
      await fixture.post(OFF);
      await fixture.clock.pass(5 * SECOND);
      fixture.clock.setWallBy(by);
      await fixture.clock.pass(6 * SECOND);

      const off = ahead(fixture, await fixture.post({ id: 'canoe', available: true }));

      assert.ok(Math.abs(off) < 10 * SECOND, `${off} ms`);
    });
  }

  it('set while a batch waits to be stored changes none of its timestamps', async (t) => {
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

  it('set in many small steps is detected too', async (t) => {
    const fixture = await cutOff(t);
    for (let at = 0; at < 100; at += 1) {
      fixture.clock.setWallBy(1.5 * SECOND);
      await fixture.post({ id: `boat-${at}`, available: true });
    }

    const off = ahead(fixture, await fixture.post(OFF));

    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('is not taken as set after the machine slept for a night', async (t) => {
    const fixture = await cutOff(t);
    fixture.clock.sleep(8 * 60 * MINUTE);

    const off = ahead(fixture, await fixture.post(OFF));

    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('is believed if it is set before the first response of the portal, as after a start without a battery', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.networkFault = 'unreachable';
    fixture.clock.setWallBy(-DAY);
    await fixture.restart();
    fixture.clock.setWallBy(DAY);

    const off = ahead(fixture, await fixture.post(ON));

    assert.ok(Math.abs(off) < 5 * SECOND, `${off} ms`);
  });

  it('is believed if the clock has no uptime to tell sleep from a change', () => {
    const clock = new VirtualClock();
    const { wall, monotonic, after } = bound(clock);
    const steps = createClockChangeDetector({ wall, monotonic, after });

    clock.sleep(DAY);

    assert.equal(steps(), 0);
  });

  it('reports each change once, to the second if the uptime has whole seconds', async () => {
    const clock = new VirtualClock();
    const steps = createClockChangeDetector({
      ...bound(clock),
      uptime: () => Math.floor(clock.uptime() / 1000) * 1000,
    });
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
