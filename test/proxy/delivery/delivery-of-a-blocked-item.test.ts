import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DeliveryStand, type Wish } from '../../support/delivery-stand.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const boat = (at: number): Wish => ({ id: `boat-${at}`, available: true });
const boats = (count: number): Wish[] => Array.from({ length: count }, (_, at) => boat(at));
const PROOF: Wish = { id: 'proof', available: true };

async function provenStand(t: TestContext): Promise<DeliveryStand> {
  const stand = new DeliveryStand(t);
  await stand.post(PROOF);
  await stand.clock.pass(SECOND);
  return stand;
}

describe('an item that something in front of the portal answers with a web page', () => {
  for (const count of [2, 20, 100]) {
    for (const bad of [0, count - 1]) {
      it(`as number ${bad} of ${count} holds up none of the others for more than half a minute`, async (t) => {
        const stand = await provenStand(t);
        stand.portal.blocked = [`boat-${bad}`];

        const edits = await stand.post(...boats(count));
        await stand.clock.pass(30 * SECOND);

        const states = await stand.statesOf(edits);
        const good = states.filter((_, at) => at !== bad);
        assert.deepEqual(
          good,
          good.map(() => 'delivered'),
        );
      });
    }
  }

  it('is parked, and told as refused, once others passed between its tries', async (t) => {
    const stand = await provenStand(t);
    stand.portal.blocked = ['boat-0'];
    const edits = await stand.post(boat(0));
    // Alone, by a lane that was open.
    await stand.clock.pass(SECOND);

    for (let passed = 0; passed < 10; passed += 1) {
      await stand.post({ id: `sauna-${passed}`, available: true });
      await stand.clock.pass(5 * SECOND);
    }

    const [receipt] = await stand.receiptsOf(edits);
    assert.equal(receipt?.state, 'refused');
    assert.equal(receipt.reason, 'item_refused');
  });

  it('is parked later, by probes, where it was tried together with another one first', async (t) => {
    const stand = await provenStand(t);
    stand.portal.blocked = ['boat-0'];
    const [edit] = await stand.post(boat(0), { id: 'sauna', available: true });
    assert.ok(edit);

    for (let passed = 0; passed < 40; passed += 1) {
      await stand.post({ id: `sauna-${passed}`, available: true });
      await stand.clock.pass(MINUTE);
    }

    const [receipt] = await stand.receiptsOf([edit]);
    assert.equal(receipt?.state, 'refused');
  });

  it('is not parked while nobody else passes, and is asked for every five minutes', async (t) => {
    const stand = await provenStand(t);
    stand.portal.blocked = ['boat-0'];
    const before = stand.portal.updateCalls;

    const edits = await stand.post(boat(0));
    await stand.clock.pass(30 * MINUTE);

    const [receipt] = await stand.receiptsOf(edits);
    assert.deepEqual([receipt?.state, receipt?.reason], ['received', 'portal_unreadable']);
    assert.equal(stand.portal.updateCalls - before, 2 + 5);
  });

  it('lets a later edit of another item go out within seconds', async (t) => {
    const stand = await provenStand(t);
    stand.portal.blocked = ['boat-0'];
    await stand.post(boat(0));
    await stand.clock.pass(17 * MINUTE);

    const later = await stand.post({ id: 'sauna', available: true });
    await stand.clock.pass(2 * SECOND);

    assert.deepEqual(await stand.statesOf(later), ['delivered']);
  });

  it('gives way to a newer wish once the block is gone', async (t) => {
    const stand = await provenStand(t);
    stand.portal.blocked = ['boat-0'];
    const older = await stand.post(boat(0));
    await stand.clock.pass(MINUTE);
    stand.portal.blocked = [];

    const newer = await stand.post({ id: 'boat-0', available: false });
    await stand.clock.pass(10 * MINUTE);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['delivered', 'delivered']);
  });

  it('among many such is parked like each of them, and no good one with them', async (t) => {
    const stand = await provenStand(t);
    const bad = [1, 4, 5, 6, 11, 19];
    stand.portal.blocked = bad.map((at) => `boat-${at}`);

    const edits = await stand.post(...boats(20));
    for (let passed = 0; passed < 12; passed += 1) {
      await stand.post({ id: `sauna-${passed}`, available: true });
      await stand.clock.pass(6 * MINUTE);
    }

    assert.deepEqual(
      await stand.statesOf(edits),
      boats(20).map((_, at) => (bad.includes(at) ? 'refused' : 'delivered')),
    );
  });
});

describe('a portal that answers everybody with web pages', () => {
  it('is asked five times at first, and then every five minutes; nobody is parked', async (t) => {
    const stand = await provenStand(t);
    const before = stand.portal.updateCalls;
    stand.portal.weather = 'a web page';

    const edits = await stand.post(...boats(20));
    await stand.clock.pass(MINUTE);
    const atFirst = stand.portal.updateCalls - before;
    await stand.clock.pass(20 * MINUTE);

    assert.equal(atFirst, 5);
    assert.equal(stand.portal.updateCalls - before, 5 + 4);
    assert.deepEqual(
      await stand.statesOf(edits),
      edits.map(() => 'received'),
    );
  });

  it('gets everything within five minutes after it is back', async (t) => {
    const stand = await provenStand(t);
    stand.portal.weather = 'a web page';
    const edits = await stand.post(...boats(20));
    await stand.clock.pass(33 * MINUTE);
    stand.portal.weather = 'clear';

    await stand.clock.pass(5 * MINUTE + 10 * SECOND);

    assert.deepEqual(
      await stand.statesOf(edits),
      edits.map(() => 'delivered'),
    );
  });
});
