import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Receipt } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { DeliveryStand } from '../../support/delivery-stand.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { accept, edit } from '../../support/outbox-batches.js';
import { embedToken } from '../../support/page-request.js';
import { RETRY_AFTER_SECONDS, type Weather } from '../../support/weather-portal.js';
import { leaseLane } from '../../support/lease-lane.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const ON = { id: 'kayak', available: true };
const OFF = { id: 'kayak', available: false };

describe('while the portal does not take it, an edit', () => {
  const reasons: readonly (readonly [weather: Weather, reason: string])[] = [
    ['unreachable', 'portal_unreachable'],
    ['request lost', 'portal_unreachable'],
    ['answer lost', 'portal_unreachable'],
    ['answer late', 'portal_unreachable'],
    ['answer cut short', 'portal_unreachable'],
    ['too many', 'portal_busy'],
    ['acts late', 'portal_error'],
    ['a web page', 'portal_unreadable'],
  ];

  for (const [weather, reason] of reasons) {
    it(`is received but delayed, because ${reason} (${weather}), and delivered once the weather clears`, async (t) => {
      const stand = new DeliveryStand(t);
      await warmUp(stand);
      stand.portal.weather = weather;
      const edits = await stand.post(ON);
      await stand.clock.pass(MINUTE);
      const [during] = await stand.receiptsOf(edits);

      stand.portal.weather = 'clear';
      await stand.clock.pass(5 * MINUTE);

      assert.deepEqual(short(during), { state: 'received', delayed: true, reason });
      const [after] = await stand.receiptsOf(edits);
      assert.deepEqual(short(after), { state: 'delivered', delayed: undefined, reason: undefined });
    });
  }

  it('is received but delayed while the portal says that it is down', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ down: true });

    const edits = await stand.post(ON);
    await stand.clock.pass(MINUTE);

    const [receipt] = await stand.receiptsOf(edits);
    assert.deepEqual(short(receipt), { state: 'received', delayed: true, reason: 'portal_unreachable' });
  });

  it('waits through a day of it, asks no more often than need be, and leaves within five minutes after', async (t) => {
    const stand = new DeliveryStand(t, { random: () => 0.999, restTurns: 20 });
    stand.portal.weather = 'unreachable';
    const edits = await stand.post(ON, { id: 'boat', available: false });
    await stand.clock.pass(24 * 60 * MINUTE);
    const asked = stand.portal.calls;

    stand.portal.weather = 'clear';
    await stand.clock.pass(5 * MINUTE);

    assert.ok(asked < 320, `${asked} calls`);
    assert.deepEqual(await stand.statesOf(edits), ['delivered', 'delivered']);
  });

  it('is sent again with the payload and the stamp that it had', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    stand.portal.weather = 'answer lost';
    await stand.post(ON);
    await stand.clock.pass(10 * SECOND);

    stand.portal.weather = 'clear';
    await stand.clock.pass(MINUTE);

    const [, ...sent] = await stand.portal.updates();
    assert.ok(sent.length >= 2);
    for (const { inventory, applied } of sent) {
      assert.deepEqual(inventory, sent[0]?.inventory);
      assert.equal(applied, true);
    }
  });

  it('is not asked for again before the portal said, nor is any other', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    const before = stand.portal.updateCalls;
    stand.portal.weather = 'too many';
    await stand.post(ON);
    await stand.clock.pass(SECOND);
    stand.portal.weather = 'clear';

    const other = await stand.post({ id: 'boat', available: true });
    await stand.clock.pass((RETRY_AFTER_SECONDS - 2) * SECOND);
    const early = stand.portal.updateCalls - before;
    await stand.clock.pass(2 * SECOND);

    assert.equal(early, 1);
    assert.deepEqual(await stand.statesOf(other), ['delivered']);
  });

  it('is not asked for again before the portal said, whoever is killed and started again meanwhile', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    const before = stand.portal.updateCalls;
    stand.portal.weather = 'too many';
    const edits = await stand.post(ON);
    await stand.clock.pass(SECOND);
    stand.portal.weather = 'clear';

    await stand.crash();
    await stand.clock.pass((RETRY_AFTER_SECONDS - 2) * SECOND);
    const early = stand.portal.updateCalls - before;
    await stand.clock.pass(2 * SECOND);

    assert.equal(early, 1);
    assert.deepEqual(await stand.statesOf(edits), ['delivered']);
  });

  for (const [what, answer] of [
    ['has a fault', new Response(null, { status: 502 })],
    ['answers with a page', new Response('<h1>', { headers: { 'Content-Type': 'text/html' } })],
  ] as const) {
    it(`is not asked for again before the portal said, though it ${what} at another call in flight`, async (t) => {
      const calls: number[] = [];
      const stand: OpenProxy = openProxy(t, {
        profile: portalProfile.parse({ limits: { items: 1, in_flight: 2, calls_per_second: 1000 } }),
        fetch: async (input, init) => {
          if (String(input).endsWith('/v1/oauth/token')) return stand.portal.fetch(input, init);
          const sent = String(init?.body);
          if (sent.includes('"first"')) return new Response(null, { status: 204 });
          calls.push(stand.clock.monotonic());
          stand.clock.stir();
          const isTold = sent.includes('"kayak"');
          await new Promise<void>((resolve) => stand.clock.after(isTold ? SECOND : 2 * SECOND, resolve));
          return isTold ? new Response(null, { status: 429, headers: { 'Retry-After': '600' } }) : answer.clone();
        },
      });
      const post = async (...ids: readonly string[]) => {
        const inventory = ids.map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }));
        await stand.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
      };
      stand.proxy.start();
      await post('first');
      await stand.clock.pass(SECOND);

      await post('kayak', 'sauna');
      await stand.clock.pass(10 * MINUTE);

      assert.equal(calls.length, 2);
    });
  }

  it('is probed every five minutes where the portal answers with web pages', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    const before = stand.portal.updateCalls;
    stand.portal.weather = 'a web page';

    await stand.post(ON);
    await stand.clock.pass(30 * MINUTE + SECOND);

    assert.equal(stand.portal.updateCalls - before, 1 + 6);
  });

  it('was accepted and settled on one clock, whoever sets it', async (t) => {
    const stand = new DeliveryStand(t);
    stand.clock.setWallBy(24 * 60 * MINUTE);
    const began = stand.clock.wall();
    const bad = { id: 'boat', available: true };
    await warmUp(stand);
    await stand.portal.misbehave({ refuse_items: [bad.id] });

    await stand.post(ON);
    await stand.post(bad);
    await stand.clock.pass(MINUTE);

    const entries = await stand.outbox.history('boat-tours', { limit: 9 });
    assert.deepEqual(
      entries.map(({ state }) => state),
      ['refused', 'delivered', 'delivered'],
    );
    for (const { accepted_at, settled_at } of entries) {
      assert.ok(Date.parse(accepted_at) >= began);
      assert.ok(Date.parse(settled_at ?? '') - Date.parse(accepted_at) < MINUTE);
      assert.ok(accepted_at <= (settled_at ?? ''));
    }
  });

  it('goes out within minutes though somebody set the clock back by a day', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.weather = 'unreachable';
    const edits = await stand.post(ON);
    await stand.clock.pass(SECOND);
    stand.clock.setWallBy(-24 * 60 * MINUTE);

    stand.portal.weather = 'clear';
    await stand.clock.pass(10 * MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['delivered']);
  });
});

describe('a lane that another process closed, on a clock that is a day ahead', () => {
  it('is open again within minutes, though this one was up all the time', async (t) => {
    const { clock, proxy, outbox } = openProxy(t);
    proxy.start();
    await clock.everybodySleeps();
    await accept(outbox, edit('kayak'));
    const lease = await leaseLane(outbox, { now: clock.wall(), leaseMs: MINUTE, unsureMs: MINUTE });
    assert.ok(lease);
    await outbox.releaseLease(lease, { failures: 1, notBefore: clock.wall() + 24 * 60 * MINUTE });

    await clock.pass(10 * MINUTE);

    assert.equal((await outbox.count()).delivered, 1);
  });
});

describe('a portal whose tokens have expired', () => {
  it('gets a new one asked for, once, and nobody hears of it', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    await stand.portal.expireTokens();

    const edits = await stand.post(ON);
    await stand.clock.pass(SECOND);

    assert.deepEqual(await stand.statesOf(edits), ['delivered']);
    const kinds = (await stand.portal.journal()).map(({ kind, status }) => `${kind} ${status}`);
    assert.deepEqual(kinds, ['token 200', 'update 200', 'update 401', 'token 200', 'update 200']);
  });
});

describe('two edits of one item', () => {
  it('are one delivery where the older had not left yet: the newer replaces it', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.stopDelivery();
    const older = await stand.post(ON);
    const newer = await stand.post(OFF);

    await stand.restart();
    await stand.clock.everybodySleeps();

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['superseded', 'delivered']);
    assert.deepEqual(await sentValues(stand), [[['kayak', false]]]);
  });

  it('are one delivery where the older only waits for its turn', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    const older = await stand.post(ON);
    await stand.clock.pass(100);

    const newer = await stand.post(OFF);
    await stand.clock.pass(SECOND);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['superseded', 'delivered']);
  });

  it('arrive in their order where the older may have arrived already', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    stand.portal.weather = 'answer lost';
    const older = await stand.post(ON);
    await stand.clock.pass(SECOND);
    const newer = await stand.post(OFF);

    stand.portal.weather = 'clear';
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['delivered', 'delivered']);
    const values = (await sentValues(stand)).flat().slice(1);
    const newest = values.findIndex(([, available]) => available === false);
    assert.ok(values.slice(0, newest).every(([, available]) => available === true));
    // Said once more, because the lost call may have landed after it.
    assert.deepEqual(values.slice(newest), [
      ['kayak', false],
      ['kayak', false],
    ]);
  });

  it('leave the newer at the portal where the older lands last, though its call had a whole answer', async (t) => {
    const { stand, older } = await standWithOlderOnItsWay(t);

    const newer = await stand.post(OFF);
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['delivered', 'delivered']);
    assert.ok(await hasOlderLandedLast(stand), 'the older has landed after the newer');
    assert.equal(await valueAtPortal(stand), false);
  });

  it('leave the newer at the portal also where its answer comes when the older has landed long since', async (t) => {
    const { stand, older } = await standWithOlderOnItsWay(t);
    await stand.clock.pass(12 * SECOND);
    stand.portal.weather = 'answer slow';

    const newer = await stand.post(OFF);
    await stand.clock.pass(SECOND);
    stand.portal.weather = 'clear';
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['delivered', 'delivered']);
    assert.ok(await hasOlderLandedLast(stand), 'the older has landed after the newer');
    assert.equal(await valueAtPortal(stand), false);
  });

  it('leave the newer at the portal also where it is refused for a while when it is said once more', async (t) => {
    const { stand, older } = await standWithOlderOnItsWay(t);
    const newer = await stand.post(OFF);
    await stand.clock.pass(19 * SECOND);
    await stand.portal.misbehave({ refuse_items: ['kayak'] });
    await stand.clock.pass(4 * MINUTE);
    const states = await stand.statesOf([...older, ...newer]);

    await stand.portal.misbehave({});
    await stand.clock.pass(2 * MINUTE);

    assert.deepEqual(states, ['delivered', 'delivered']);
    assert.deepEqual(await stand.statesOf([...older, ...newer]), states);
    assert.equal(await valueAtPortal(stand), false);
  });

  it('are not said for ever where the portal takes no stamp twice, and the operator hears of it', async (t) => {
    const { clock, portal, proxy, ask, log } = openProxy(t);
    proxy.start();
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6) });
    await clock.pass(2 * SECOND);
    portal.weather = 'answer lost';
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6) });
    await clock.pass(600);
    portal.weather = 'clear';
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6, false) });
    await clock.pass(15 * SECOND);
    await portal.misbehave({ refuse_items: boatsOf(6).inventory.map(({ id }) => id) });
    await clock.pass(90 * MINUTE);
    const before = portal.updateCalls;

    await clock.pass(60 * MINUTE);

    assert.equal(portal.updateCalls, before);
    const events = log.map(({ event }) => event);
    assert.equal(
      events.filter((event) => event === 'the portal may have an older value, and refuses the newest').length,
      6,
    );
    assert.ok(!events.includes('delivery is held'), 'what the portal has already is no reason to doubt it');
  });

  it('are said no more often than once each where the portal refused to look at the older', async (t) => {
    const stand = new DeliveryStand(t);
    await warmUp(stand);
    await stand.portal.misbehave({ down: true });
    await stand.post(ON);
    await stand.clock.pass(600);
    await stand.portal.misbehave({});

    await stand.post(OFF);
    await stand.clock.pass(MINUTE);

    const applied = (await stand.portal.updates()).filter((update) => update.applied).slice(1);
    assert.deepEqual(
      applied.flatMap(({ inventory }) => (inventory ?? []).map(({ available }) => available)),
      [true, false],
    );
  });

  it('have stamps that increase, even where the clock is set back between them', async (t) => {
    const stand = new DeliveryStand(t);
    const [older] = await stand.post(ON);
    stand.clock.setWallBy(-24 * 60 * MINUTE);

    const [newer] = await stand.post(OFF);

    assert.ok(newer !== undefined && older !== undefined && newer.updated_at > older.updated_at);
  });

  it('have stamps that increase within one millisecond', async (t) => {
    const stand = new DeliveryStand(t);
    const stamps = new Set<string>();

    for (let at = 0; at < 5; at += 1) for (const { updated_at } of await stand.post(ON)) stamps.add(updated_at);

    assert.equal(stamps.size, 5);
    assert.deepEqual([...stamps], [...stamps].sort());
  });
});

describe('the pace of delivery', () => {
  it('is two calls a second at most, however much there is', async (t) => {
    const stand = new DeliveryStand(t, { itemsPerCall: 1 });
    await warmUp(stand);
    const before = stand.portal.updateCalls;

    await stand.post(...Array.from({ length: 30 }, (_, at) => ({ id: `boat-${at}`, available: true })));
    await stand.clock.pass(10 * SECOND);

    assert.equal(stand.portal.updateCalls - before, 20);
  });

  it('is two calls a second at most, however many proxies share the storage', async (t) => {
    const { clock, portal, outbox, ...first } = openProxy(t, { outbox: openMemoryOutbox() });
    const other = { outbox, clock, portal: portal.account, fetch: portal.fetch };
    const proxies = [first, openProxy(t, other), openProxy(t, other)];
    for (const { proxy } of proxies) proxy.start();
    const token = await embedToken({ permissions: ['edit'] });

    for (let at = 0; at < 100; at += 1) {
      const inventory = [{ id: `boat-${at}`, available: true, updated_at: new Date(clock.wall()).toISOString() }];
      const accepted = await proxies[at % 3]?.ask('POST', '/v1/inventory', { token, body: { inventory } });
      assert.equal(accepted?.status, 202);
      await clock.pass(100);
    }

    assert.ok(portal.updateCalls <= 21, `${portal.updateCalls} calls in 10 s`);
    assert.ok(portal.updateCalls >= 18, `${portal.updateCalls} calls in 10 s`);
  });

  it('is what the portal asks for where it takes a call and lets no other follow', async (t) => {
    const stand = new DeliveryStand(t, { itemsPerCall: 1 });
    stand.portal.remaining = 'remaining=0, reset=30';

    const edits = await stand.post(...['a', 'b', 'c'].map((id) => ({ id, available: true })));
    await stand.clock.pass(29 * SECOND);
    const atFirst = await stand.receiptsOf(edits);
    await stand.clock.pass(2 * SECOND);
    const calls = stand.portal.updateCalls;
    stand.portal.remaining = undefined;
    await stand.clock.pass(31 * SECOND);

    assert.deepEqual(atFirst.map(short), [
      { state: 'delivered', delayed: undefined, reason: undefined },
      { state: 'received', delayed: undefined, reason: undefined },
      { state: 'received', delayed: undefined, reason: undefined },
    ]);
    assert.equal(calls, 2);
    assert.deepEqual(await stand.statesOf(edits), ['delivered', 'delivered', 'delivered']);
  });

  for (const seconds of [20, 1200]) {
    it(`is what the portal asks for where it refuses a call and lets no other follow for ${seconds} s`, async (t) => {
      const stand = new DeliveryStand(t);
      await warmUp(stand);
      await stand.portal.misbehave({ refuse_items: ['b'] });
      stand.portal.remaining = `"default";r=0;t=${seconds}`;
      const before = stand.portal.updateCalls;

      const edits = await stand.post(...['a', 'b'].map((id) => ({ id, available: true })));
      await stand.clock.pass((seconds - 1) * SECOND);
      const atFirst = stand.portal.updateCalls - before;
      await stand.clock.pass(2 * SECOND);
      const then = stand.portal.updateCalls - before;
      stand.portal.remaining = undefined;
      await stand.clock.pass((seconds + 10) * SECOND);

      assert.deepEqual([atFirst, then], [1, 2]);
      assert.deepEqual(await stand.statesOf(edits), ['delivered', 'refused']);
    });
  }

  it('is asked for longer than a held lane would wait, and that is what it waits', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['a'] });
    stand.portal.remaining = '"default";r=0;t=1200';

    await stand.post({ id: 'a', available: true });
    await stand.clock.pass(1199 * SECOND);
    const atFirst = stand.portal.updateCalls;
    await stand.clock.pass(2 * SECOND);

    assert.deepEqual([atFirst, stand.portal.updateCalls], [1, 2]);
  });

  it('is kept to where a call has to wait for longer than a lease lasts', async (t) => {
    const profile = portalProfile.parse({ limits: { items: 1, calls_per_second: 0.01 } });
    const { clock, portal, outbox, ...first } = openProxy(t, { outbox: openMemoryOutbox(), profile });
    const other = openProxy(t, { outbox, clock, portal: portal.account, fetch: portal.fetch, profile });
    for (const { proxy } of [first, other]) proxy.start();
    const inventory = ['a', 'b', 'c'].map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }));

    await first.ask('POST', '/v1/inventory', {
      token: await embedToken({ permissions: ['edit'] }),
      body: { inventory },
    });
    await clock.pass(99 * SECOND);
    const atFirst = portal.updateCalls;
    await clock.pass(2 * MINUTE);

    assert.deepEqual([atFirst, portal.updateCalls], [1, 3]);
  });

  it('is two calls a second at most, however many may be under way at once', async (t) => {
    const { clock, portal, proxy, ask } = openProxy(t, { profile: severalAtOnce });
    proxy.start();

    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(30) });
    await clock.pass(10 * SECOND);

    assert.ok(portal.updateCalls >= 18 && portal.updateCalls <= 21, `${portal.updateCalls} calls in 10 s`);
  });

  for (const weather of ['too many', 'a web page', 'unreachable'] as const) {
    it(`is no more than one call where that closes the lane ahead of others of its round (${weather})`, async (t) => {
      const { clock, portal, proxy, ask } = openProxy(t, { profile: severalAtOnce, random: () => 1 });
      proxy.start();
      await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(1) });
      await clock.pass(2 * SECOND);
      const before = portal.updateCalls;
      portal.weather = weather;

      await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6) });
      await clock.pass(900);

      assert.equal(portal.updateCalls - before, 1);
    });
  }

  it('is as many items a call as the profile says, the oldest first', async (t) => {
    const stand = new DeliveryStand(t, { itemsPerCall: 2 });
    await stand.stopDelivery();
    await stand.post(...['c', 'a', 'b'].map((id) => ({ id, available: true })));

    await stand.restart();
    await stand.clock.pass(SECOND);

    const ids = (await sentValues(stand)).map((items) => items.map(([id]) => id));
    assert.deepEqual(ids, [['c', 'a'], ['b']]);
  });
});

const severalAtOnce = portalProfile.parse({ limits: { items: 1, in_flight: 3 } });

function boatsOf(count: number, available = true): { inventory: { readonly id: string }[] } {
  const updated_at = '2026-11-21T08:30:00.000Z';
  return { inventory: Array.from({ length: count }, (_, at) => ({ id: `boat-${at}`, available, updated_at })) };
}

/** A first edit that has gone through, so that the token is there and the pace has begun. */
async function warmUp(stand: DeliveryStand): Promise<void> {
  await stand.post({ id: 'first', available: true });
  await stand.clock.everybodySleeps();
}

/** The portal has yet to act on a value that was given up by something in front of it, and is sent again. */
async function standWithOlderOnItsWay(t: TestContext): Promise<{ stand: DeliveryStand; older: Receipt[] }> {
  const stand = new DeliveryStand(t);
  await warmUp(stand);
  stand.portal.weather = 'acts late';
  const older = await stand.post(ON);
  await stand.clock.pass(600);
  stand.portal.weather = 'clear';
  return { stand, older };
}

async function hasOlderLandedLast(stand: DeliveryStand): Promise<boolean> {
  const values = (await sentValues(stand)).flat().map(([, available]) => available);
  return values.indexOf(false) < values.lastIndexOf(true);
}

async function valueAtPortal(stand: DeliveryStand): Promise<boolean | undefined> {
  return (await stand.portal.items()).find(({ id }) => String(id) === 'kayak')?.by_arrival.available;
}

function short(receipt: Receipt | undefined): Pick<Receipt, 'state' | 'delayed' | 'reason'> | undefined {
  return receipt && { state: receipt.state, delayed: receipt.delayed, reason: receipt.reason };
}

async function sentValues(stand: DeliveryStand): Promise<(readonly [string, boolean])[][]> {
  const updates = await stand.portal.updates();
  return updates.map(({ inventory }) => (inventory ?? []).map(({ id, available }) => [id, available] as const));
}
