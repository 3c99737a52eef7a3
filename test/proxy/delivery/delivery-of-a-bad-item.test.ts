import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { DeliveryStand } from '../../support/delivery-stand.js';

const MINUTE = 60_000;

/** A credential that never had a 2xx may be refused for what it is: first it has to prove itself. */
async function provenStand(t: TestContext): Promise<DeliveryStand> {
  const stand = new DeliveryStand(t);
  await stand.post({ id: 'proof', available: true });
  await stand.clock.pass(1000);
  return stand;
}

const item = (at: number) => ({ id: `boat-${at}`, available: true });

describe('an item that the portal refuses', () => {
  for (const count of [1, 2, 3, 16, 100]) {
    it(`is parked alone among ${count}, within a few more calls`, async (t) => {
      const stand = await provenStand(t);
      const before = stand.portal.updateCalls;
      const bad = Math.floor(count / 3);
      await stand.portal.misbehave({ refuse_items: [`boat-${bad}`] });

      const edits = await stand.post(...Array.from({ length: count }, (_, at) => item(at)));
      await stand.clock.pass(MINUTE);

      const expected = edits.map((_, at) => (at === bad ? 'refused' : 'delivered'));
      assert.deepEqual(await stand.statesOf(edits), expected);
      const extra = stand.portal.updateCalls - before - 1;
      assert.ok(extra <= 2 * Math.ceil(Math.log2(count)) + 1, `${extra} more calls`);
    });
  }

  it('is parked within as few calls where the portal takes one in ten minutes', async (t) => {
    const stand = new DeliveryStand(t, { callsPerSecond: 1 / 600 });
    await stand.post({ id: 'proof', available: true });
    await stand.clock.pass(1000);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });

    const edits = await stand.post(...[0, 1, 2, 3].map(item));
    await stand.clock.pass(60 * MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['delivered', 'refused', 'delivered', 'delivered']);
    const sent = (await stand.portal.updates())
      .slice(1)
      .map(({ inventory }) => inventory?.map(({ id }) => id.slice(5)));
    assert.deepEqual(sent, [['0', '1', '2', '3'], ['0', '1'], ['0'], ['1'], ['2', '3']]);
  });

  it('is told why, and that it no longer waits', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });

    const edits = await stand.post(item(1));
    await stand.clock.everybodySleeps();

    const [receipt] = await stand.receiptsOf(edits);
    assert.equal(receipt?.state, 'refused');
    assert.equal(receipt.reason, 'item_refused');
    assert.equal(receipt.delayed, undefined);
  });

  it('is not sent again by itself', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });
    await stand.post(item(1));
    await stand.clock.pass(MINUTE);

    await stand.clock.pass(60 * MINUTE);

    assert.equal(stand.portal.updateCalls, 2);
  });

  it('gives way to a newer wish for it, which is tried', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });
    const refused = await stand.post(item(1));
    await stand.clock.pass(MINUTE);
    await stand.portal.misbehave({});

    const newer = await stand.post({ id: 'boat-1', available: false });
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf([...refused, ...newer]), ['superseded', 'delivered']);
  });

  it('is no word at all once a newer wish has come meanwhile', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ down: true });
    const older = await stand.post(item(1));
    await stand.clock.pass(100);
    const newer = await stand.post({ id: 'boat-1', available: false });
    await stand.portal.misbehave({ refuse_items: ['boat-1'] });

    await stand.clock.pass(10 * MINUTE);

    assert.deepEqual(await stand.statesOf([...older, ...newer]), ['superseded', 'refused']);
  });

  it('costs a split of its batch and never a good item, however many are bad', async (t) => {
    const stand = await provenStand(t);
    let run = 0;
    // Five in a row that are refused alike are the portal's fault until it takes another one.
    const batches = fc
      .array(fc.boolean(), { minLength: 1, maxLength: 20 })
      .filter((isBad) => !isBad.map(Number).join('').includes('11111'));

    await fc.assert(
      fc.asyncProperty(batches, async (rest) => {
        // A good one first ends whatever streak the run before left.
        const isBad = [false, ...rest];
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
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });
    const edits = await stand.post(item(0), item(1), item(2), item(3));
    await stand.clock.everybodySleeps();
    stand.portal.weather = 'unreachable';
    await stand.clock.pass(600);
    const during = await stand.receiptsOf(edits);
    const calls = stand.portal.updateCalls;

    stand.portal.weather = 'clear';
    await stand.clock.pass(5 * MINUTE);

    assert.equal(calls, 3);
    assert.deepEqual(
      during.map(({ state, delayed }) => [state, delayed]),
      edits.map(() => ['received', true]),
    );
    assert.deepEqual(await stand.statesOf(edits), ['refused', 'delivered', 'delivered', 'delivered']);
  });

  it('keeps to the pace', async (t) => {
    const stand = await provenStand(t);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });

    await stand.post(...Array.from({ length: 16 }, (_, at) => item(at)));
    await stand.clock.pass(2000);

    assert.equal(stand.portal.updateCalls, 6);
  });
});
