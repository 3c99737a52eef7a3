import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DeliveryStand } from '../support/delivery-stand.js';

const MINUTE = 60_000;

const item = (at: number) => ({ id: `boat-${at}`, available: true });

describe('an item that the portal refuses', () => {
  for (const count of [1, 2, 3, 16, 100]) {
    it(`is parked alone among ${count}, within a few more calls`, async (t) => {
      const stand = new DeliveryStand(t);
      const bad = Math.floor(count / 3);
      await stand.portal.misbehave({ refuse_items: [`boat-${bad}`] });

      const edits = await stand.post(...Array.from({ length: count }, (_, at) => item(at)));
      await stand.clock.pass(MINUTE);

      const expected = edits.map((_, at) => (at === bad ? 'refused' : 'delivered'));
      assert.deepEqual(await stand.statesOf(edits), expected);
      const extra = stand.portal.updateCalls - 1;
      assert.ok(extra <= 2 * Math.ceil(Math.log2(count)) + 1, `${extra} more calls`);
    });
  }

  it('is told why, and that it no longer waits', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });

    const edits = await stand.post(item(1));
    await stand.clock.everybodySleeps();

    const [receipt] = await stand.receiptsOf(edits);
    assert.equal(receipt?.state, 'refused');
    assert.equal(receipt.reason, 'item_refused');
    assert.equal(receipt.delayed, undefined);
  });

  it('is not sent again by itself', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });
    await stand.post(item(1));
    await stand.clock.pass(MINUTE);

    await stand.clock.pass(60 * MINUTE);

    assert.equal(stand.portal.updateCalls, 1);
  });

  it('gives way to a newer wish for it, which is tried', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });
    const refused = await stand.post(item(1));
    await stand.clock.pass(MINUTE);
    await stand.portal.misbehave({});

    const newer = await stand.post({ id: 'boat-1', available: false });
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf([...refused, ...newer]), ['superseded', 'delivered']);
  });

  it('is no word at all once a newer wish has come meanwhile', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ down: true });
    const older = await stand.post(item(1));
    await stand.clock.pass(100);
    const newer = await stand.post({ id: 'boat-1', available: false });
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });

    await stand.clock.pass(10 * MINUTE);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['superseded', 'refused']);
  });

  it('costs a split of its batch and never a good item, however many are bad', async (t) => {
    const stand = new DeliveryStand(t);
    let run = 0;
    const batches = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });

    await fc.assert(
      fc.asyncProperty(batches, async (isBad) => {
        run += 1;
        const items = isBad.map((_, at) => ({ id: `run-${run}-${at}`, available: true }));
        await stand.portal.misbehave({ refuse_items: items.filter((_, at) => isBad[at]).map(({ id }) => id) });
        const before = stand.portal.updateCalls;

        const edits = await stand.post(...items);
        await stand.clock.pass(2 * MINUTE);

        const states = await stand.statesOf(edits);
        assert.deepEqual(
          states,
          isBad.map((bad) => (bad ? 'refused' : 'delivered')),
        );
        const bad = isBad.filter(Boolean).length;
        const extra = stand.portal.updateCalls - before - 1;
        assert.ok(extra <= 2 * bad * Math.ceil(Math.log2(isBad.length)) + 1, `${extra} more calls`);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a batch that is being split', () => {
  it('waits as a whole when the portal goes down in the middle, and is finished later', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });
    const edits = await stand.post(item(0), item(1), item(2), item(3));
    await stand.clock.everybodySleeps();
    stand.portal.weather = 'unreachable';
    await stand.clock.pass(600);
    const during = await stand.receiptsOf(edits);
    const calls = stand.portal.updateCalls;

    stand.portal.weather = 'clear';
    await stand.clock.pass(5 * MINUTE);

    assert.equal(calls, 2);
    assert.deepEqual(
      during.map(({ state, delayed }) => [state, delayed]),
      edits.map(() => ['received', true]),
    );
    assert.deepEqual(await stand.statesOf(edits), ['refused', 'delivered', 'delivered', 'delivered']);
  });

  it('keeps its order', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-2'] });

    await stand.post(...Array.from({ length: 6 }, (_, at) => item(at)));
    await stand.clock.pass(MINUTE);

    const applied = (await stand.portal.items()).map(({ id }) => id);
    assert.deepEqual(applied, ['boat-0', 'boat-1', 'boat-3', 'boat-4', 'boat-5']);
  });

  it('keeps to the pace', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });

    await stand.post(...Array.from({ length: 16 }, (_, at) => item(at)));
    await stand.clock.pass(2000);

    assert.equal(stand.portal.updateCalls, 5);
  });
});
