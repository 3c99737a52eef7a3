import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inventoryUpdate } from '../../../src/contract/portal.js';
import type { Receipt } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { DeliveryFixture, type DeliveryFixtureOptions, type EditRequest } from '../../support/delivery-fixture.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const boats = (count: number): EditRequest[] =>
  Array.from({ length: count }, (_, at) => ({ id: `boat-${at}`, available: true }));

async function verifiedFixture(t: TestContext, options: DeliveryFixtureOptions = {}): Promise<DeliveryFixture> {
  const fixture = new DeliveryFixture(t, options);
  await fixture.post({ id: 'proof', available: true });
  await fixture.clock.pass(SECOND);
  return fixture;
}

describe('a portal that rejects one of the first two concurrent calls of a credential', () => {
  it('gets the other edits at once, because the accepted call has verified the credential', async (t) => {
    const fixture: OpenProxy = openProxy(t, {
      profile: portalProfile.parse({ limits: { items: 1, in_flight: 2, calls_per_second: 1000 } }),
      fetch: async (input, init) => {
        if (String(input).endsWith('/v1/oauth/token')) return fixture.portal.fetch(input, init);
        const [item] = inventoryUpdate.parse(JSON.parse(String(init?.body))).inventory;
        fixture.clock.stir();
        const isRefused = item?.id === 'cabin';
        await new Promise<void>((resolve) => fixture.clock.after(isRefused ? SECOND : 2 * SECOND, resolve));
        return new Response(null, { status: isRefused ? 400 : 204 });
      },
    });
    const inventory = ['cabin', 'kayak', 'sauna'].map((id) => ({
      id,
      available: true,
      updated_at: '2026-11-21T08:30:00.000Z',
    }));
    await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    fixture.proxy.start();

    await fixture.clock.pass(20 * SECOND);

    const { delivered, parked, received } = await fixture.outbox.count();
    assert.deepEqual({ delivered, parked, received }, { delivered: 2, parked: 1, received: 0 });
  });
});

describe('a portal that never accepted a call of this credential', () => {
  it('causes no refused edit by rejecting calls: the edits wait, and one is tried every five minutes', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(3).map(({ id }) => id) });

    const edits = await fixture.post(...boats(3));
    await fixture.clock.pass(11 * MINUTE);

    const receipts = await fixture.receiptsOf(edits);
    assert.deepEqual(
      receipts.map(({ state, delayed, reason }) => [state, delayed, reason]),
      edits.map(() => ['received', true, 'portal_refuses']),
    );
    const sizes = (await fixture.portal.updates()).map(({ inventory }) => inventory?.length);
    assert.deepEqual(sizes, [3, 1, 1]);
  });

  it('gets all edits within five minutes after the setting was repaired', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(3).map(({ id }) => id) });
    const edits = await fixture.post(...boats(3));
    await fixture.clock.pass(MINUTE);

    await fixture.portal.misbehave({});
    await fixture.clock.pass(5 * MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['delivered', 'delivered', 'delivered']);
  });

  it('is no longer reported as held once it accepts an edit, however many are waiting', async (t) => {
    const fixture = new DeliveryFixture(t, { itemsPerCall: 1, callsPerSecond: 1 });
    await fixture.portal.misbehave({ refuse_items: boats(60).map(({ id }) => id) });
    await fixture.post(...boats(60));
    await fixture.clock.pass(MINUTE);
    assert.deepEqual([...(await fixture.outbox.heldLanes())], [['portal_refuses', 1]]);

    await fixture.portal.misbehave({});
    await fixture.clock.pass(4 * MINUTE + 30 * SECOND);

    const { delivered, received } = await fixture.outbox.count();
    assert.ok(delivered > 20 && received > 20, `delivered ${delivered}, received ${received}`);
    assert.deepEqual([...(await fixture.outbox.heldLanes())], []);
  });

  it('is tried with another edit each time, so that one bad edit cannot hold the others for ever', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-0'] });

    const edits = await fixture.post(...boats(3));
    await fixture.clock.pass(16 * MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['refused', 'delivered', 'delivered']);
  });
});

describe('a portal that accepts few items per call and rejects those at the head of the queue', () => {
  for (const [itemsPerCall, bad] of [
    [1, 1],
    [2, 3],
    [1, 5],
  ] as const) {
    it(`does not block the other edits (${bad} rejected, ${itemsPerCall} per call), even if it never accepted a call`, async (t) => {
      const fixture = new DeliveryFixture(t, { itemsPerCall });
      await fixture.portal.misbehave({ refuse_items: boats(bad).map(({ id }) => id) });

      const [good] = (await fixture.post(...boats(bad + 1))).slice(-1);
      assert.ok(good);
      await fixture.clock.pass((bad + 1) * 6 * MINUTE);

      assert.deepEqual(await fixture.statesOf([good]), ['delivered']);
    });
  }

  for (const itemsPerCall of [1, 2]) {
    it(`does not block an edit behind five rejected ones (${itemsPerCall} per call)`, async (t) => {
      const fixture = await verifiedFixture(t, { itemsPerCall });
      await fixture.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
      await fixture.post(...boats(5));
      await fixture.clock.pass(MINUTE);

      const good = await fixture.post({ id: 'sauna', available: true });
      await fixture.clock.pass(36 * MINUTE);

      assert.deepEqual(await fixture.statesOf(good), ['delivered']);
    });
  }
});

describe('the same rejection of five different items in a row', () => {
  it('counts as a failure of the portal: all five edits are reopened and stay received with the reason portal_refuses', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });

    const edits = await fixture.post(...boats(5));
    await fixture.clock.pass(MINUTE);

    const receipts = await fixture.receiptsOf(edits);
    assert.deepEqual(
      receipts.map(({ state, reason }) => [state, reason]),
      edits.map(() => ['received', 'portal_refuses']),
    );
  });

  it('causes one call every five minutes, whatever the portal answers', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
    await fixture.post(...boats(5));
    await fixture.clock.pass(MINUTE);
    const before = fixture.portal.updateCalls;

    await fixture.clock.pass(20 * MINUTE);

    assert.equal(fixture.portal.updateCalls - before, 4);
  });

  it('causes no call for as long as the portal asks, if that is longer', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.says = () => 'NO_SUCH_ITEM';
    fixture.portal.remaining = '"default";r=0;t=1200';
    const before = fixture.portal.updateCalls;

    await fixture.post(...boats(5));
    await fixture.clock.pass(1199 * SECOND);

    assert.equal(fixture.portal.updateCalls - before, 1);
  });

  it('counts as a fault of the items if there are only four: the edits are refused', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(4).map(({ id }) => id) });

    const edits = await fixture.post(...boats(4));
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['refused', 'refused', 'refused', 'refused']);
  });

  it('is the item’s fault if a person retries one edit again and again: it stays refused, and delays no other', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-0'] });

    let [bad] = await fixture.post(...boats(1));
    for (let tries = 0; tries < 6; tries += 1) {
      await fixture.clock.pass(SECOND);
      assert.ok(bad);
      [bad] = await fixture.decide('retry', bad);
    }
    await fixture.clock.pass(SECOND);
    const good = await fixture.post({ id: 'sauna', available: true });
    await fixture.clock.pass(SECOND);

    assert.ok(bad);
    assert.deepEqual(await fixture.statesOf([bad, ...good]), ['refused', 'delivered']);
  });

  it('is interrupted by another code of the portal: the edits are refused', async (t) => {
    const fixture = await verifiedFixture(t, { itemsPerCall: 1 });
    fixture.portal.says = (id) => (id === 'boat-3' ? 'SOLD_OUT' : 'NO_SUCH_ITEM');

    const edits = await fixture.post(...boats(7));
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await standings(fixture, edits), ['refused']);
  });

  it('refuses the five edits once the portal has accepted another item', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
    const bad = await fixture.post(...boats(5));
    await fixture.clock.pass(MINUTE);

    const good = await fixture.post({ id: 'sauna', available: true });
    await fixture.clock.pass(30 * MINUTE);

    assert.deepEqual(await fixture.statesOf(good), ['delivered']);
    assert.deepEqual(await fixture.statesOf(bad), ['refused', 'refused', 'refused', 'refused', 'refused']);
  });
});

describe('the same rejection of five items in a row that the portal had rejected and accepted before', () => {
  it('counts as a failure of the portal again: all edits are reopened and stay received', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
    const before = await fixture.post(...boats(5));
    await fixture.clock.pass(MINUTE);
    await fixture.portal.misbehave({});
    await fixture.clock.pass(30 * MINUTE);
    assert.deepEqual(await standings(fixture, before), ['delivered']);
    await fixture.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });

    const edits = await fixture.post(...boats(5).map(({ id }) => ({ id, available: false })));
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await standings(fixture, edits), ['received']);
  });
});

describe('a response that rejects an item by an id that the portal writes in another way', () => {
  it('marks no rejected edit as delivered, and delays no other', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.writes = (id) => id.toUpperCase();
    fixture.portal.says = (id) => (id === 'boat-0' ? 'NO_SUCH_ITEM' : 'ok');

    const [bad, ...good] = await fixture.post(...boats(7));
    assert.ok(bad);
    await fixture.clock.pass(MINUTE);

    const [receipt] = await fixture.receiptsOf([bad]);
    assert.deepEqual([receipt?.state, receipt?.reason], ['received', 'portal_unreadable']);
    assert.deepEqual(await standings(fixture, good), ['delivered']);
  });
});

describe('a response that rejects every item of its call with the same code', () => {
  for (const [calls, itemsPerCall] of [
    ['one call', 60],
    ['several calls', 2],
    ['calls of one item', 1],
  ] as const) {
    it(`refuses no edit, in ${calls}: it may be an unreadable success`, async (t) => {
      const fixture = await verifiedFixture(t, { itemsPerCall });
      fixture.portal.says = () => 'STORED';

      const edits = await fixture.post(...boats(60));
      await fixture.clock.pass(11 * MINUTE);

      assert.deepEqual(await standings(fixture, edits), ['received']);
    });
  }

  it('refuses no edit if it is the first response to this credential', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.says = () => 'STORED';

    const edits = await fixture.post(...boats(3));
    await fixture.clock.pass(11 * MINUTE);

    assert.deepEqual(await standings(fixture, edits), ['received']);
  });

  it('ends once the portal answers in a form that the profile can read, and the edits are delivered', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.says = () => 'STORED';
    const edits = await fixture.post(...boats(60));
    await fixture.clock.pass(11 * MINUTE);
    fixture.portal.says = () => 'ok';

    await fixture.clock.pass(5 * MINUTE + 10 * SECOND);

    assert.deepEqual(await standings(fixture, edits), ['delivered']);
  });

  it('refuses the edits once the portal has accepted another item', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.says = (id) => (id.startsWith('boat') ? 'NO_SUCH_ITEM' : 'ok');
    const bad = await fixture.post(...boats(7));
    await fixture.clock.pass(MINUTE);
    const during = await standings(fixture, bad);

    await fixture.post({ id: 'sauna', available: true });
    await fixture.clock.pass(6 * MINUTE);

    assert.deepEqual(during, ['received']);
    assert.deepEqual(await standings(fixture, bad), ['refused']);
  });

  it('refuses the rejected edits after one call if the same response accepts another item', async (t) => {
    const fixture = await verifiedFixture(t);
    const before = fixture.portal.updateCalls;
    fixture.portal.says = (id) => (id.startsWith('boat') ? 'NO_SUCH_ITEM' : 'ok');

    const [good, ...bad] = await fixture.post({ id: 'sauna', available: true }, ...boats(7));
    assert.ok(good);
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await standings(fixture, [good]), ['delivered']);
    assert.deepEqual(await standings(fixture, bad), ['refused']);
    assert.equal(fixture.portal.updateCalls - before, 1);
  });

  it('refuses four edits after one call', async (t) => {
    const fixture = await verifiedFixture(t);
    const before = fixture.portal.updateCalls;
    fixture.portal.says = () => 'NO_SUCH_ITEM';

    const bad = await fixture.post(...boats(4));
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await standings(fixture, bad), ['refused']);
    assert.equal(fixture.portal.updateCalls - before, 1);
  });
});

describe('a portal that answers with web pages for a while', () => {
  it('is believed again when it rejects an item: that edit is refused, and the others are sent', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.networkFault = 'a web page';
    const edits = await fixture.post(...boats(2));
    await fixture.clock.pass(SECOND);
    await fixture.portal.misbehave({ refuse_items: ['boat-0'] });
    fixture.portal.networkFault = 'none';

    await fixture.clock.pass(6 * MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['refused', 'delivered']);
  });
});

describe('an edit that makes the portal fail', () => {
  it('ends up failing alone, and delays no other for long', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.poison = 'boat-7';

    const edits = await fixture.post(...boats(20));
    await fixture.clock.pass(20 * MINUTE);

    const states = await fixture.statesOf(edits);
    assert.deepEqual(
      states,
      edits.map((_, at) => (at === 7 ? 'received' : 'delivered')),
    );
  });

  it('delays a new edit of another item by seconds', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.poison = 'boat-0';
    await fixture.post(...boats(1));
    await fixture.clock.pass(30 * MINUTE);

    const fresh = await fixture.post({ id: 'sauna', available: true });
    await fixture.clock.pass(5 * MINUTE);

    assert.deepEqual(await fixture.statesOf(fresh), ['delivered']);
  });
});

describe('an edit that makes the portal close the connection or not respond', () => {
  for (const [how, seconds] of [
    ['the connection is reset', 0],
    ['no response comes', 10],
  ] as const) {
    for (const itemsPerCall of [1, 100]) {
      it(`delays no other for long, ${itemsPerCall} a call (${how})`, async (t) => {
        const fixture: OpenProxy = openProxy(t, {
          profile: portalProfile.parse({ limits: { items: itemsPerCall } }),
          fetch: async (input, init) => {
            if (!String(init?.body).includes('"boat-0"')) return fixture.portal.fetch(input, init);
            fixture.clock.stir();
            await new Promise<void>((resolve) => fixture.clock.after(seconds * SECOND, resolve));
            throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
          },
        });
        const updated_at = '2026-11-21T08:30:00.000Z';
        const inventory = boats(61).map((boat) => ({ ...boat, updated_at }));

        await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
        fixture.proxy.start();
        await fixture.clock.pass(3 * MINUTE);

        const { delivered, received } = await fixture.outbox.count();
        assert.deepEqual({ delivered, received }, { delivered: 60, received: 1 });
      });
    }
  }
});

describe('bulk', () => {
  it('of one vendor does not delay an interactive edit', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.post(...boats(400));
    await fixture.clock.pass(10);

    const [byHand] = await fixture.post({ id: 'sauna', available: true });
    await fixture.clock.pass(1000);

    assert.ok(byHand);
    assert.deepEqual(await fixture.statesOf([byHand]), ['delivered']);
  });
});

/** Each state that occurs. */
async function standings(fixture: DeliveryFixture, edits: readonly Receipt[]): Promise<string[]> {
  const found: Receipt[] = [];
  for (let from = 0; from < edits.length; from += 50) {
    found.push(...(await fixture.receiptsOf(edits.slice(from, from + 50))));
  }
  return [...new Set(found.map(({ state }) => state))];
}
