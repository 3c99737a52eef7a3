import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inventoryUpdate } from '../../../src/contract/portal.js';
import type { Receipt } from '../../../src/contract/widget.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { DeliveryStand, type StandOptions, type Wish } from '../../support/delivery-stand.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const boats = (count: number): Wish[] =>
  Array.from({ length: count }, (_, at) => ({ id: `boat-${at}`, available: true }));

async function provenStand(t: TestContext, options: StandOptions = {}): Promise<DeliveryStand> {
  const stand = new DeliveryStand(t, options);
  await stand.post({ id: 'proof', available: true });
  await stand.clock.pass(SECOND);
  return stand;
}

describe('a portal that refuses the first call of a credential while it takes another one', () => {
  it('gets the others at once, for what it took has proven the credential', async (t) => {
    const stand: OpenProxy = openProxy(t, {
      profile: portalProfile.parse({ limits: { items: 1, in_flight: 2, calls_per_second: 1000 } }),
      fetch: async (input, init) => {
        if (String(input).endsWith('/v1/oauth/token')) return stand.portal.fetch(input, init);
        const [item] = inventoryUpdate.parse(JSON.parse(String(init?.body))).inventory;
        stand.clock.stir();
        const isRefused = item?.id === 'cabin';
        await new Promise<void>((resolve) => stand.clock.after(isRefused ? SECOND : 2 * SECOND, resolve));
        return new Response(null, { status: isRefused ? 400 : 204 });
      },
    });
    const inventory = ['cabin', 'kayak', 'sauna'].map((id) => ({
      id,
      available: true,
      updated_at: '2026-11-21T08:30:00.000Z',
    }));
    await stand.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    stand.proxy.start();

    await stand.clock.pass(20 * SECOND);

    const { delivered, parked, received } = await stand.outbox.count();
    assert.deepEqual({ delivered, parked, received }, { delivered: 2, parked: 1, received: 0 });
  });
});

describe('a portal that never took anything of this credential', () => {
  it('parks nothing by refusing it: the edits wait, and are tried one at a time every five minutes', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: boats(3).map(({ id }) => id) });

    const edits = await stand.post(...boats(3));
    await stand.clock.pass(11 * MINUTE);

    const receipts = await stand.receiptsOf(edits);
    assert.deepEqual(
      receipts.map(({ state, delayed, reason }) => [state, delayed, reason]),
      edits.map(() => ['received', true, 'portal_refuses']),
    );
    const sizes = (await stand.portal.updates()).map(({ inventory }) => inventory?.length);
    assert.deepEqual(sizes, [3, 1, 1]);
  });

  it('gets all of them within five minutes after the setting was mended', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: boats(3).map(({ id }) => id) });
    const edits = await stand.post(...boats(3));
    await stand.clock.pass(MINUTE);

    await stand.portal.misbehave({});
    await stand.clock.pass(5 * MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['delivered', 'delivered', 'delivered']);
  });

  it('is said to hold nothing any more once it takes one, however much has gathered meanwhile', async (t) => {
    const stand = new DeliveryStand(t, { itemsPerCall: 1, callsPerSecond: 1 });
    await stand.portal.misbehave({ refuse_items: boats(60).map(({ id }) => id) });
    await stand.post(...boats(60));
    await stand.clock.pass(MINUTE);
    assert.deepEqual([...(await stand.outbox.heldLanes())], [['portal_refuses', 1]]);

    await stand.portal.misbehave({});
    await stand.clock.pass(4 * MINUTE + 30 * SECOND);

    const { delivered, received } = await stand.outbox.count();
    assert.ok(delivered > 20 && received > 20, `delivered ${delivered}, received ${received}`);
    assert.deepEqual([...(await stand.outbox.heldLanes())], []);
  });

  it('asks with another edit each time, so that one bad one cannot hold the others for ever', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });

    const edits = await stand.post(...boats(3));
    await stand.clock.pass(16 * MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['refused', 'delivered', 'delivered']);
  });
});

describe('a portal that takes few items a call, and that refuses those ahead of the others', () => {
  for (const [itemsPerCall, bad] of [
    [1, 1],
    [2, 3],
    [1, 5],
  ] as const) {
    it(`holds up nobody else for ever (${bad} bad, ${itemsPerCall} a call), also where it never took anything`, async (t) => {
      const stand = new DeliveryStand(t, { itemsPerCall });
      await stand.portal.misbehave({ refuse_items: boats(bad).map(({ id }) => id) });

      const [good] = (await stand.post(...boats(bad + 1))).slice(-1);
      assert.ok(good);
      await stand.clock.pass((bad + 1) * 6 * MINUTE);

      assert.deepEqual(await stand.statesOf([good]), ['delivered']);
    });
  }

  for (const itemsPerCall of [1, 2]) {
    it(`holds up nobody who comes after five such (${itemsPerCall} a call)`, async (t) => {
      const stand = await provenStand(t, { itemsPerCall });
      await stand.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
      await stand.post(...boats(5));
      await stand.clock.pass(MINUTE);

      const good = await stand.post({ id: 'sauna', available: true });
      await stand.clock.pass(36 * MINUTE);

      assert.deepEqual(await stand.statesOf(good), ['delivered']);
    });
  }
});

describe('the same refusal of five different items in a row', () => {
  it('is the portal’s fault: all of them are back, and wait', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });

    const edits = await stand.post(...boats(5));
    await stand.clock.pass(MINUTE);

    const receipts = await stand.receiptsOf(edits);
    assert.deepEqual(
      receipts.map(({ state, reason }) => [state, reason]),
      edits.map(() => ['received', 'portal_refuses']),
    );
  });

  it('leaves the portal in peace: it is asked with one edit every five minutes, whatever it answers', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
    await stand.post(...boats(5));
    await stand.clock.pass(MINUTE);
    const before = stand.portal.updateCalls;

    await stand.clock.pass(20 * MINUTE);

    assert.equal(stand.portal.updateCalls - before, 4);
  });

  it('leaves the portal in peace for as long as it asks, where that is longer', async (t) => {
    const stand = await provenStand(t);
    stand.portal.says = () => 'NO_SUCH_ITEM';
    stand.portal.remaining = '"default";r=0;t=1200';
    const before = stand.portal.updateCalls;

    await stand.post(...boats(5));
    await stand.clock.pass(1199 * SECOND);

    assert.equal(stand.portal.updateCalls - before, 1);
  });

  it('of four is theirs: they are parked', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: boats(4).map(({ id }) => id) });

    const edits = await stand.post(...boats(4));
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['refused', 'refused', 'refused', 'refused']);
  });

  it('of one that a person sends again and again is its own: it stays parked, and holds up no other', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });

    let [bad] = await stand.post(...boats(1));
    for (let tries = 0; tries < 6; tries += 1) {
      await stand.clock.pass(SECOND);
      assert.ok(bad);
      [bad] = await stand.decide('retry', bad);
    }
    await stand.clock.pass(SECOND);
    const good = await stand.post({ id: 'sauna', available: true });
    await stand.clock.pass(SECOND);

    assert.ok(bad);
    assert.deepEqual(await stand.statesOf([bad, ...good]), ['refused', 'delivered']);
  });

  it('is none where the portal has another word in between: they are parked', async (t) => {
    const stand = await provenStand(t, { itemsPerCall: 1 });
    stand.portal.says = (id) => (id === 'boat-3' ? 'SOLD_OUT' : 'NO_SUCH_ITEM');

    const edits = await stand.post(...boats(7));
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await standings(stand, edits), ['refused']);
  });

  it('is theirs after all once the portal has taken another one', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
    const bad = await stand.post(...boats(5));
    await stand.clock.pass(MINUTE);

    const good = await stand.post({ id: 'sauna', available: true });
    await stand.clock.pass(30 * MINUTE);

    assert.deepEqual(await stand.statesOf(good), ['delivered']);
    assert.deepEqual(await stand.statesOf(bad), ['refused', 'refused', 'refused', 'refused', 'refused']);
  });
});

describe('the same refusal of five items in a row that the portal took after it had refused them', () => {
  it('is the portal’s fault once more: all of them are back, and wait', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });
    const before = await stand.post(...boats(5));
    await stand.clock.pass(MINUTE);
    await stand.portal.misbehave({});
    await stand.clock.pass(30 * MINUTE);
    assert.deepEqual(await standings(stand, before), ['delivered']);
    await stand.portal.misbehave({ refuse_items: boats(5).map(({ id }) => id) });

    const edits = await stand.post(...boats(5).map(({ id }) => ({ id, available: false })));
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await standings(stand, edits), ['received']);
  });
});

describe('an answer that refuses an item by an id that the portal writes in another way', () => {
  it('calls nothing delivered that was refused, and holds up no other', async (t) => {
    const stand = await provenStand(t);
    stand.portal.writes = (id) => id.toUpperCase();
    stand.portal.says = (id) => (id === 'boat-0' ? 'NO_SUCH_ITEM' : 'ok');

    const [bad, ...good] = await stand.post(...boats(7));
    assert.ok(bad);
    await stand.clock.pass(MINUTE);

    const [receipt] = await stand.receiptsOf([bad]);
    assert.deepEqual([receipt?.state, receipt?.reason], ['received', 'portal_unreadable']);
    assert.deepEqual(await standings(stand, good), ['delivered']);
  });
});

describe('an answer that names every item of its call as not taken, all with one word', () => {
  for (const [calls, itemsPerCall] of [
    ['one call', 100],
    ['several calls', 2],
    ['calls of one item', 1],
  ] as const) {
    it(`parks nobody, in ${calls}: it may be a yes that we cannot read`, async (t) => {
      const stand = await provenStand(t, { itemsPerCall });
      stand.portal.says = () => 'STORED';

      const edits = await stand.post(...boats(300));
      await stand.clock.pass(11 * MINUTE);

      assert.deepEqual(await standings(stand, edits), ['received']);
    });
  }

  it('parks nobody where it is the first that this credential gets', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.says = () => 'STORED';

    const edits = await stand.post(...boats(3));
    await stand.clock.pass(11 * MINUTE);

    assert.deepEqual(await standings(stand, edits), ['received']);
  });

  it('is over once the portal says it in words that we read', async (t) => {
    const stand = await provenStand(t);
    stand.portal.says = () => 'STORED';
    const edits = await stand.post(...boats(300));
    await stand.clock.pass(11 * MINUTE);
    stand.portal.says = () => 'ok';

    await stand.clock.pass(5 * MINUTE + 10 * SECOND);

    assert.deepEqual(await standings(stand, edits), ['delivered']);
  });

  it('is about its items after all once the portal has taken another one', async (t) => {
    const stand = await provenStand(t);
    stand.portal.says = (id) => (id.startsWith('boat') ? 'NO_SUCH_ITEM' : 'ok');
    const bad = await stand.post(...boats(7));
    await stand.clock.pass(MINUTE);
    const during = await standings(stand, bad);

    await stand.post({ id: 'sauna', available: true });
    await stand.clock.pass(6 * MINUTE);

    assert.deepEqual(during, ['received']);
    assert.deepEqual(await standings(stand, bad), ['refused']);
  });

  it('is believed where others pass in the same call, and costs no other call', async (t) => {
    const stand = await provenStand(t);
    const before = stand.portal.updateCalls;
    stand.portal.says = (id) => (id.startsWith('boat') ? 'NO_SUCH_ITEM' : 'ok');

    const [good, ...bad] = await stand.post({ id: 'sauna', available: true }, ...boats(7));
    assert.ok(good);
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await standings(stand, [good]), ['delivered']);
    assert.deepEqual(await standings(stand, bad), ['refused']);
    assert.equal(stand.portal.updateCalls - before, 1);
  });

  it('is believed of four, and costs no other call', async (t) => {
    const stand = await provenStand(t);
    const before = stand.portal.updateCalls;
    stand.portal.says = () => 'NO_SUCH_ITEM';

    const bad = await stand.post(...boats(4));
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await standings(stand, bad), ['refused']);
    assert.equal(stand.portal.updateCalls - before, 1);
  });
});

describe('a portal that answers with web pages for a while', () => {
  it('is believed again when it refuses an item: that one is parked, and the others go out', async (t) => {
    const stand = await provenStand(t);
    stand.portal.weather = 'a web page';
    const edits = await stand.post(...boats(2));
    await stand.clock.pass(SECOND);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });
    stand.portal.weather = 'clear';

    await stand.clock.pass(6 * MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['refused', 'delivered']);
  });
});

describe('an edit that makes the portal fail', () => {
  it('ends up failing alone, and holds up no other for long', async (t) => {
    const stand = await provenStand(t);
    stand.portal.poison = 'boat-7';

    const edits = await stand.post(...boats(20));
    await stand.clock.pass(20 * MINUTE);

    const states = await stand.statesOf(edits);
    assert.deepEqual(
      states,
      edits.map((_, at) => (at === 7 ? 'received' : 'delivered')),
    );
  });

  it('delays a fresh edit of another item by seconds', async (t) => {
    const stand = await provenStand(t);
    stand.portal.poison = 'boat-0';
    await stand.post(...boats(1));
    await stand.clock.pass(30 * MINUTE);

    const fresh = await stand.post({ id: 'sauna', available: true });
    await stand.clock.pass(5 * MINUTE);

    assert.deepEqual(await stand.statesOf(fresh), ['delivered']);
  });
});

describe('an edit that makes the portal break off, or say nothing', () => {
  for (const [how, seconds] of [
    ['the connection is reset', 0],
    ['no answer comes', 10],
  ] as const) {
    for (const itemsPerCall of [1, 100]) {
      it(`holds up no other for long, ${itemsPerCall} a call (${how})`, async (t) => {
        const stand: OpenProxy = openProxy(t, {
          profile: portalProfile.parse({ limits: { items: itemsPerCall } }),
          fetch: async (input, init) => {
            if (!String(init?.body).includes('"boat-0"')) return stand.portal.fetch(input, init);
            stand.clock.stir();
            await new Promise<void>((resolve) => stand.clock.after(seconds * SECOND, resolve));
            throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
          },
        });
        const updated_at = '2026-11-21T08:30:00.000Z';
        const inventory = boats(61).map((boat) => ({ ...boat, updated_at }));

        await stand.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
        stand.proxy.start();
        await stand.clock.pass(3 * MINUTE);

        const { delivered, received } = await stand.outbox.count();
        assert.deepEqual({ delivered, received }, { delivered: 60, received: 1 });
      });
    }
  }
});

describe('bulk', () => {
  it('of one vendor’s hundreds does not hold up what somebody changes by hand', async (t) => {
    const stand = await provenStand(t);
    await stand.post(...boats(400));
    await stand.clock.pass(10);

    const [byHand] = await stand.post({ id: 'sauna', available: true });
    await stand.clock.pass(1000);

    assert.ok(byHand);
    assert.deepEqual(await stand.statesOf([byHand]), ['delivered']);
  });
});

/** Each state that occurs. */
async function standings(stand: DeliveryStand, edits: readonly Receipt[]): Promise<string[]> {
  const found: Receipt[] = [];
  for (let from = 0; from < edits.length; from += 50) {
    found.push(...(await stand.receiptsOf(edits.slice(from, from + 50))));
  }
  return [...new Set(found.map(({ state }) => state))];
}
