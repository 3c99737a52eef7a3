import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DeliveryFixture, type EditRequest } from '../../support/delivery-fixture.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const boat = (at: number): EditRequest => ({ id: `boat-${at}`, available: true });
const boats = (count: number): EditRequest[] => Array.from({ length: count }, (_, at) => boat(at));
const PROOF: EditRequest = { id: 'proof', available: true };

async function verifiedFixture(t: TestContext): Promise<DeliveryFixture> {
  const fixture = new DeliveryFixture(t);
  await fixture.post(PROOF);
  await fixture.clock.pass(SECOND);
  return fixture;
}

describe('an item that a firewall in front of the portal answers with a web page', () => {
  for (const count of [2, 20, 100]) {
    for (const bad of [0, count - 1]) {
      it(`at position ${bad} of ${count} delays no other for more than half a minute`, async (t) => {
        const fixture = await verifiedFixture(t);
        fixture.portal.blocked = [`boat-${bad}`];

        const edits = await fixture.post(...boats(count));
        await fixture.clock.pass(30 * SECOND);

        const states = await fixture.statesOf(edits);
        const good = states.filter((_, at) => at !== bad);
        assert.deepEqual(
          good,
          good.map(() => 'delivered'),
        );
      });
    }
  }

  it('is refused once others passed between its attempts', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.blocked = ['boat-0'];
    const edits = await fixture.post(boat(0));
    // Alone, in a lane with a closed circuit breaker.
    await fixture.clock.pass(SECOND);

    for (let passed = 0; passed < 10; passed += 1) {
      await fixture.post({ id: `sauna-${passed}`, available: true });
      await fixture.clock.pass(5 * SECOND);
    }

    const [receipt] = await fixture.receiptsOf(edits);
    assert.equal(receipt?.state, 'refused');
    assert.equal(receipt.reason, 'item_refused');
  });

  it('is refused later, by trial calls, if it was first tried together with another one', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.blocked = ['boat-0'];
    const [edit] = await fixture.post(boat(0), { id: 'sauna', available: true });
    assert.ok(edit);

    for (let passed = 0; passed < 40; passed += 1) {
      await fixture.post({ id: `sauna-${passed}`, available: true });
      await fixture.clock.pass(MINUTE);
    }

    const [receipt] = await fixture.receiptsOf([edit]);
    assert.equal(receipt?.state, 'refused');
  });

  it('is not refused while no other edit passes, and is tried every five minutes', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.blocked = ['boat-0'];
    const before = fixture.portal.updateCalls;

    const edits = await fixture.post(boat(0));
    await fixture.clock.pass(30 * MINUTE);

    const [receipt] = await fixture.receiptsOf(edits);
    assert.deepEqual([receipt?.state, receipt?.reason], ['received', 'portal_unreadable']);
    assert.equal(fixture.portal.updateCalls - before, 2 + 5);
  });

  it('delays a later edit of another item only by seconds', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.blocked = ['boat-0'];
    await fixture.post(boat(0));
    await fixture.clock.pass(17 * MINUTE);

    const later = await fixture.post({ id: 'sauna', available: true });
    await fixture.clock.pass(2 * SECOND);

    assert.deepEqual(await fixture.statesOf(later), ['delivered']);
  });

  it('is superseded by a newer edit once the block is gone', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.blocked = ['boat-0'];
    const older = await fixture.post(boat(0));
    await fixture.clock.pass(MINUTE);
    fixture.portal.blocked = [];

    const newer = await fixture.post({ id: 'boat-0', available: false });
    await fixture.clock.pass(10 * MINUTE);

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['delivered', 'delivered']);
  });

  it('among many such is refused like each of them, and no good one is', async (t) => {
    const fixture = await verifiedFixture(t);
    const bad = [1, 4, 5, 6, 11, 19];
    fixture.portal.blocked = bad.map((at) => `boat-${at}`);

    const edits = await fixture.post(...boats(20));
    for (let passed = 0; passed < 12; passed += 1) {
      await fixture.post({ id: `sauna-${passed}`, available: true });
      await fixture.clock.pass(6 * MINUTE);
    }

    assert.deepEqual(
      await fixture.statesOf(edits),
      boats(20).map((_, at) => (bad.includes(at) ? 'refused' : 'delivered')),
    );
  });
});

describe('a portal that answers every call with web pages', () => {
  it('gets five calls at first, and then one every five minutes; no edit is refused', async (t) => {
    const fixture = await verifiedFixture(t);
    const before = fixture.portal.updateCalls;
    fixture.portal.networkFault = 'a web page';

    const edits = await fixture.post(...boats(20));
    await fixture.clock.pass(MINUTE);
    const atFirst = fixture.portal.updateCalls - before;
    await fixture.clock.pass(20 * MINUTE);

    assert.equal(atFirst, 5);
    assert.equal(fixture.portal.updateCalls - before, 5 + 4);
    assert.deepEqual(
      await fixture.statesOf(edits),
      edits.map(() => 'received'),
    );
  });

  it('gets all edits within five minutes after it is back', async (t) => {
    const fixture = await verifiedFixture(t);
    fixture.portal.networkFault = 'a web page';
    const edits = await fixture.post(...boats(20));
    await fixture.clock.pass(33 * MINUTE);
    fixture.portal.networkFault = 'none';

    await fixture.clock.pass(5 * MINUTE + 10 * SECOND);

    assert.deepEqual(
      await fixture.statesOf(edits),
      edits.map(() => 'delivered'),
    );
  });
});
