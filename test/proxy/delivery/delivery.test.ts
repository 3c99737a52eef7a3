import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Receipt } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { openMemoryOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { DeliveryFixture } from '../../support/delivery-fixture.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { accept, edit } from '../../support/outbox-batches.js';
import { embedToken } from '../../support/page-request.js';
import { RETRY_AFTER_SECONDS, type NetworkFault } from '../../support/unreliable-portal.js';
import { leaseLane } from '../../support/lease-lane.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const ON = { id: 'kayak', available: true };
const OFF = { id: 'kayak', available: false };

describe('while the portal does not accept it, an edit', () => {
  const reasons: readonly (readonly [networkFault: NetworkFault, reason: string])[] = [
    ['unreachable', 'portal_unreachable'],
    ['request lost', 'portal_unreachable'],
    ['answer lost', 'portal_unreachable'],
    ['answer late', 'portal_unreachable'],
    ['answer cut short', 'portal_unreachable'],
    ['too many', 'portal_busy'],
    ['acts late', 'portal_error'],
    ['a web page', 'portal_unreadable'],
  ];

  for (const [networkFault, reason] of reasons) {
    it(`is received but delayed, because ${reason} (${networkFault}), and delivered once the network works again`, async (t) => {
      const fixture = new DeliveryFixture(t);
      await warmUp(fixture);
      fixture.portal.networkFault = networkFault;
      const edits = await fixture.post(ON);
      await fixture.clock.pass(MINUTE);
      const [during] = await fixture.receiptsOf(edits);

      fixture.portal.networkFault = 'none';
      await fixture.clock.pass(5 * MINUTE);

      assert.deepEqual(short(during), { state: 'received', delayed: true, reason });
      const [after] = await fixture.receiptsOf(edits);
      assert.deepEqual(short(after), { state: 'delivered', delayed: undefined, reason: undefined });
    });
  }

  it('is received but delayed while the portal says that it is down', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.portal.misbehave({ down: true });

    const edits = await fixture.post(ON);
    await fixture.clock.pass(MINUTE);

    const [receipt] = await fixture.receiptsOf(edits);
    assert.deepEqual(short(receipt), { state: 'received', delayed: true, reason: 'portal_unreachable' });
  });

  it('is retried with few calls during a day of downtime, and sent within five minutes after it', async (t) => {
    const fixture = new DeliveryFixture(t, { random: () => 0.999, restTurns: 20 });
    fixture.portal.networkFault = 'unreachable';
    const edits = await fixture.post(ON, { id: 'boat', available: false });
    await fixture.clock.pass(24 * 60 * MINUTE);
    const asked = fixture.portal.calls;

    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(5 * MINUTE);

    assert.ok(asked < 320, `${asked} calls`);
    assert.deepEqual(await fixture.statesOf(edits), ['delivered', 'delivered']);
  });

  it('is sent again with the same payload and timestamp', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    fixture.portal.networkFault = 'answer lost';
    await fixture.post(ON);
    await fixture.clock.pass(10 * SECOND);

    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(MINUTE);

    const [, ...sent] = await fixture.portal.updates();
    assert.ok(sent.length >= 2);
    for (const { inventory, applied } of sent) {
      assert.deepEqual(inventory, sent[0]?.inventory);
      assert.equal(applied, true);
    }
  });

  it('is not retried before the time that the portal asked for, and no other edit is sent', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    const before = fixture.portal.updateCalls;
    fixture.portal.networkFault = 'too many';
    await fixture.post(ON);
    await fixture.clock.pass(SECOND);
    fixture.portal.networkFault = 'none';

    const other = await fixture.post({ id: 'boat', available: true });
    await fixture.clock.pass((RETRY_AFTER_SECONDS - 2) * SECOND);
    const early = fixture.portal.updateCalls - before;
    await fixture.clock.pass(2 * SECOND);

    assert.equal(early, 1);
    assert.deepEqual(await fixture.statesOf(other), ['delivered']);
  });

  it('is not retried before the time that the portal asked for, even after a kill and a restart', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    const before = fixture.portal.updateCalls;
    fixture.portal.networkFault = 'too many';
    const edits = await fixture.post(ON);
    await fixture.clock.pass(SECOND);
    fixture.portal.networkFault = 'none';

    await fixture.crash();
    await fixture.clock.pass((RETRY_AFTER_SECONDS - 2) * SECOND);
    const early = fixture.portal.updateCalls - before;
    await fixture.clock.pass(2 * SECOND);

    assert.equal(early, 1);
    assert.deepEqual(await fixture.statesOf(edits), ['delivered']);
  });

  for (const [what, answer] of [
    ['has a fault', new Response(null, { status: 502 })],
    ['answers with a page', new Response('<h1>', { headers: { 'Content-Type': 'text/html' } })],
  ] as const) {
    it(`is not retried before the time that the portal asked for, even if the portal ${what} at another call in flight`, async (t) => {
      const calls: number[] = [];
      const fixture: OpenProxy = openProxy(t, {
        profile: portalProfile.parse({ limits: { items: 1, in_flight: 2, calls_per_second: 1000 } }),
        fetch: async (input, init) => {
          if (String(input).endsWith('/v1/oauth/token')) return fixture.portal.fetch(input, init);
          const sent = String(init?.body);
          if (sent.includes('"first"')) return new Response(null, { status: 204 });
          calls.push(fixture.clock.monotonic());
          fixture.clock.stir();
          const isTold = sent.includes('"kayak"');
          await new Promise<void>((resolve) => fixture.clock.after(isTold ? SECOND : 2 * SECOND, resolve));
          return isTold ? new Response(null, { status: 429, headers: { 'Retry-After': '600' } }) : answer.clone();
        },
      });
      const post = async (...ids: readonly string[]) => {
        const inventory = ids.map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }));
        await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
      };
      fixture.proxy.start();
      await post('first');
      await fixture.clock.pass(SECOND);

      await post('kayak', 'sauna');
      await fixture.clock.pass(10 * MINUTE);

      assert.equal(calls.length, 2);
    });
  }

  it('is tried every five minutes if the portal answers with web pages', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    const before = fixture.portal.updateCalls;
    fixture.portal.networkFault = 'a web page';

    await fixture.post(ON);
    await fixture.clock.pass(30 * MINUTE + SECOND);

    assert.equal(fixture.portal.updateCalls - before, 1 + 6);
  });

  it('is accepted and settled on one clock, even if that is set', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.clock.setWallBy(24 * 60 * MINUTE);
    const began = fixture.clock.wall();
    const bad = { id: 'boat', available: true };
    await warmUp(fixture);
    await fixture.portal.misbehave({ refuse_items: [bad.id] });

    await fixture.post(ON);
    await fixture.post(bad);
    await fixture.clock.pass(MINUTE);

    const entries = await fixture.outbox.history('boat-tours', { limit: 9 });
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

  it('is sent within minutes after the clock was set back by a day', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.networkFault = 'unreachable';
    const edits = await fixture.post(ON);
    await fixture.clock.pass(SECOND);
    fixture.clock.setWallBy(-24 * 60 * MINUTE);

    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(10 * MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['delivered']);
  });
});

describe('a lane that another process closed, on a clock that is a day ahead', () => {
  it('is open again within minutes, even without a restart of this process', async (t) => {
    const { clock, proxy, outbox } = openProxy(t);
    proxy.start();
    await clock.everybodySleeps();
    await accept(outbox, edit('kayak'));
    const lease = await leaseLane(outbox, { now: clock.wall(), leaseMs: MINUTE, uncertainMs: MINUTE });
    assert.ok(lease);
    await outbox.releaseLease(lease, { failures: 1, notBefore: clock.wall() + 24 * 60 * MINUTE });

    await clock.pass(10 * MINUTE);

    assert.equal((await outbox.count()).delivered, 1);
  });
});

describe('a portal whose tokens have expired', () => {
  it('causes one token request and no visible delay', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    await fixture.portal.expireTokens();

    const edits = await fixture.post(ON);
    await fixture.clock.pass(SECOND);

    assert.deepEqual(await fixture.statesOf(edits), ['delivered']);
    const kinds = (await fixture.portal.journal()).map(({ kind, status }) => `${kind} ${status}`);
    assert.deepEqual(kinds, ['token 200', 'update 200', 'update 401', 'token 200', 'update 200']);
  });
});

describe('two edits of one item', () => {
  it('are one delivery if the older was not sent yet: the newer replaces it', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.stopDelivery();
    const older = await fixture.post(ON);
    const newer = await fixture.post(OFF);

    await fixture.restart();
    await fixture.clock.everybodySleeps();

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['superseded', 'delivered']);
    assert.deepEqual(await sentValues(fixture), [[['kayak', false]]]);
  });

  it('are one delivery if the older only waits for its turn', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    const older = await fixture.post(ON);
    await fixture.clock.pass(100);

    const newer = await fixture.post(OFF);
    await fixture.clock.pass(SECOND);

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['superseded', 'delivered']);
  });

  it('arrive in their order if the older may have arrived already', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    fixture.portal.networkFault = 'answer lost';
    const older = await fixture.post(ON);
    await fixture.clock.pass(SECOND);
    const newer = await fixture.post(OFF);

    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['delivered', 'delivered']);
    const values = (await sentValues(fixture)).flat().slice(1);
    const newest = values.findIndex(([, available]) => available === false);
    assert.ok(values.slice(0, newest).every(([, available]) => available === true));
    // Resent, because the lost call may have arrived after it.
    assert.deepEqual(values.slice(newest), [
      ['kayak', false],
      ['kayak', false],
    ]);
  });

  it('leave the newer at the portal if the older arrives last, even though its call had a complete response', async (t) => {
    const { fixture, older } = await fixtureWithOlderInFlight(t);

    const newer = await fixture.post(OFF);
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['delivered', 'delivered']);
    assert.ok(await hasOlderLandedLast(fixture), 'the older has landed after the newer');
    assert.equal(await valueAtPortal(fixture), false);
  });

  it('leave the newer at the portal if its response comes long after the older has arrived', async (t) => {
    const { fixture, older } = await fixtureWithOlderInFlight(t);
    await fixture.clock.pass(12 * SECOND);
    fixture.portal.networkFault = 'answer slow';

    const newer = await fixture.post(OFF);
    await fixture.clock.pass(SECOND);
    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['delivered', 'delivered']);
    assert.ok(await hasOlderLandedLast(fixture), 'the older has landed after the newer');
    assert.equal(await valueAtPortal(fixture), false);
  });

  it('leave the newer at the portal if its resend is rejected for a while', async (t) => {
    const { fixture, older } = await fixtureWithOlderInFlight(t);
    const newer = await fixture.post(OFF);
    await fixture.clock.pass(19 * SECOND);
    await fixture.portal.misbehave({ refuse_items: ['kayak'] });
    await fixture.clock.pass(4 * MINUTE);
    const states = await fixture.statesOf([...older, ...newer]);

    await fixture.portal.misbehave({});
    await fixture.clock.pass(2 * MINUTE);

    assert.deepEqual(states, ['delivered', 'delivered']);
    assert.deepEqual(await fixture.statesOf([...older, ...newer]), states);
    assert.equal(await valueAtPortal(fixture), false);
  });

  it('are not resent for ever if the portal accepts no timestamp twice, and the operator is informed', async (t) => {
    const { clock, portal, proxy, ask, log } = openProxy(t);
    proxy.start();
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6) });
    await clock.pass(2 * SECOND);
    portal.networkFault = 'answer lost';
    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6) });
    await clock.pass(600);
    portal.networkFault = 'none';
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

  it('are sent only once each if the portal did not process the older', async (t) => {
    const fixture = new DeliveryFixture(t);
    await warmUp(fixture);
    await fixture.portal.misbehave({ down: true });
    await fixture.post(ON);
    await fixture.clock.pass(600);
    await fixture.portal.misbehave({});

    await fixture.post(OFF);
    await fixture.clock.pass(MINUTE);

    const applied = (await fixture.portal.updates()).filter((update) => update.applied).slice(1);
    assert.deepEqual(
      applied.flatMap(({ inventory }) => (inventory ?? []).map(({ available }) => available)),
      [true, false],
    );
  });

  it('have increasing timestamps, even if the clock is set back between them', async (t) => {
    const fixture = new DeliveryFixture(t);
    const [older] = await fixture.post(ON);
    fixture.clock.setWallBy(-24 * 60 * MINUTE);

    const [newer] = await fixture.post(OFF);

    assert.ok(newer !== undefined && older !== undefined && newer.updated_at > older.updated_at);
  });

  it('have increasing timestamps within one millisecond', async (t) => {
    const fixture = new DeliveryFixture(t);
    const stamps = new Set<string>();

    for (let at = 0; at < 5; at += 1) for (const { updated_at } of await fixture.post(ON)) stamps.add(updated_at);

    assert.equal(stamps.size, 5);
    assert.deepEqual([...stamps], [...stamps].sort());
  });
});

describe('the rate of delivery calls', () => {
  it('is two calls a second at most, however many edits wait', async (t) => {
    const fixture = new DeliveryFixture(t, { itemsPerCall: 1 });
    await warmUp(fixture);
    const before = fixture.portal.updateCalls;

    await fixture.post(...Array.from({ length: 30 }, (_, at) => ({ id: `boat-${at}`, available: true })));
    await fixture.clock.pass(10 * SECOND);

    assert.equal(fixture.portal.updateCalls - before, 20);
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

  it('waits for the reset of the rate limit if the portal accepts a call with nothing remaining', async (t) => {
    const fixture = new DeliveryFixture(t, { itemsPerCall: 1 });
    fixture.portal.remaining = 'remaining=0, reset=30';

    const edits = await fixture.post(...['a', 'b', 'c'].map((id) => ({ id, available: true })));
    await fixture.clock.pass(29 * SECOND);
    const atFirst = await fixture.receiptsOf(edits);
    await fixture.clock.pass(2 * SECOND);
    const calls = fixture.portal.updateCalls;
    fixture.portal.remaining = undefined;
    await fixture.clock.pass(31 * SECOND);

    assert.deepEqual(atFirst.map(short), [
      { state: 'delivered', delayed: undefined, reason: undefined },
      { state: 'received', delayed: undefined, reason: undefined },
      { state: 'received', delayed: undefined, reason: undefined },
    ]);
    assert.equal(calls, 2);
    assert.deepEqual(await fixture.statesOf(edits), ['delivered', 'delivered', 'delivered']);
  });

  for (const seconds of [20, 1200]) {
    it(`waits for the reset of the rate limit if the portal rejects a call with nothing remaining for ${seconds} s`, async (t) => {
      const fixture = new DeliveryFixture(t);
      await warmUp(fixture);
      await fixture.portal.misbehave({ refuse_items: ['b'] });
      fixture.portal.remaining = `"default";r=0;t=${seconds}`;
      const before = fixture.portal.updateCalls;

      const edits = await fixture.post(...['a', 'b'].map((id) => ({ id, available: true })));
      await fixture.clock.pass((seconds - 1) * SECOND);
      const atFirst = fixture.portal.updateCalls - before;
      await fixture.clock.pass(2 * SECOND);
      const then = fixture.portal.updateCalls - before;
      fixture.portal.remaining = undefined;
      await fixture.clock.pass((seconds + 10) * SECOND);

      assert.deepEqual([atFirst, then], [1, 2]);
      assert.deepEqual(await fixture.statesOf(edits), ['delivered', 'refused']);
    });
  }

  it('waits for the reset of the rate limit if that is longer than the pause of a held lane', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['a'] });
    fixture.portal.remaining = '"default";r=0;t=1200';

    await fixture.post({ id: 'a', available: true });
    await fixture.clock.pass(1199 * SECOND);
    const atFirst = fixture.portal.updateCalls;
    await fixture.clock.pass(2 * SECOND);

    assert.deepEqual([atFirst, fixture.portal.updateCalls], [1, 2]);
  });

  it('holds even if a call has to wait for longer than a lease lasts', async (t) => {
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

  it('is two calls a second at most, however many may be in flight', async (t) => {
    const { clock, portal, proxy, ask } = openProxy(t, { profile: severalAtOnce });
    proxy.start();

    await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(30) });
    await clock.pass(10 * SECOND);

    assert.ok(portal.updateCalls >= 18 && portal.updateCalls <= 21, `${portal.updateCalls} calls in 10 s`);
  });

  for (const networkFault of ['too many', 'a web page', 'unreachable'] as const) {
    it(`drops to one call if that call fails and closes the lane before the concurrent ones are sent (${networkFault})`, async (t) => {
      const { clock, portal, proxy, ask } = openProxy(t, { profile: severalAtOnce, random: () => 1 });
      proxy.start();
      await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(1) });
      await clock.pass(2 * SECOND);
      const before = portal.updateCalls;
      portal.networkFault = networkFault;

      await ask('POST', '/v1/inventory', { token: await embedToken(), body: boatsOf(6) });
      await clock.pass(900);

      assert.equal(portal.updateCalls - before, 1);
    });
  }

  it('sends as many items per call as the profile says, the oldest first', async (t) => {
    const fixture = new DeliveryFixture(t, { itemsPerCall: 2 });
    await fixture.stopDelivery();
    await fixture.post(...['c', 'a', 'b'].map((id) => ({ id, available: true })));

    await fixture.restart();
    await fixture.clock.pass(SECOND);

    const ids = (await sentValues(fixture)).map((items) => items.map(([id]) => id));
    assert.deepEqual(ids, [['c', 'a'], ['b']]);
  });
});

const severalAtOnce = portalProfile.parse({ limits: { items: 1, in_flight: 3 } });

function boatsOf(count: number, available = true): { inventory: { readonly id: string }[] } {
  const updated_at = '2026-11-21T08:30:00.000Z';
  return { inventory: Array.from({ length: count }, (_, at) => ({ id: `boat-${at}`, available, updated_at })) };
}

/** Delivers a first edit, so that there is a token and the rate limit is active. */
async function warmUp(fixture: DeliveryFixture): Promise<void> {
  await fixture.post({ id: 'first', available: true });
  await fixture.clock.everybodySleeps();
}

/** The portal still has to apply a value that a gateway has given up, and that is retried. */
async function fixtureWithOlderInFlight(t: TestContext): Promise<{ fixture: DeliveryFixture; older: Receipt[] }> {
  const fixture = new DeliveryFixture(t);
  await warmUp(fixture);
  fixture.portal.networkFault = 'acts late';
  const older = await fixture.post(ON);
  await fixture.clock.pass(600);
  fixture.portal.networkFault = 'none';
  return { fixture, older };
}

async function hasOlderLandedLast(fixture: DeliveryFixture): Promise<boolean> {
  const values = (await sentValues(fixture)).flat().map(([, available]) => available);
  return values.indexOf(false) < values.lastIndexOf(true);
}

async function valueAtPortal(fixture: DeliveryFixture): Promise<boolean | undefined> {
  return (await fixture.portal.items()).find(({ id }) => String(id) === 'kayak')?.by_arrival.available;
}

function short(receipt: Receipt | undefined): Pick<Receipt, 'state' | 'delayed' | 'reason'> | undefined {
  return receipt && { state: receipt.state, delayed: receipt.delayed, reason: receipt.reason };
}

async function sentValues(fixture: DeliveryFixture): Promise<(readonly [string, boolean])[][]> {
  const updates = await fixture.portal.updates();
  return updates.map(({ inventory }) => (inventory ?? []).map(({ id, available }) => [id, available] as const));
}
