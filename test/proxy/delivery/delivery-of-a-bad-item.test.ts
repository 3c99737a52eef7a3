import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { DeliveryFixture } from '../../support/delivery-fixture.js';

const MINUTE = 60_000;

/** A rejection may be about a credential that never had a 2xx, so it is verified first. */
async function verifiedFixture(t: TestContext): Promise<DeliveryFixture> {
  const fixture = new DeliveryFixture(t);
  await fixture.post({ id: 'proof', available: true });
  await fixture.clock.pass(1000);
  return fixture;
}

const item = (at: number) => ({ id: `boat-${at}`, available: true });

describe('an item that the portal rejects', () => {
  for (const count of [1, 2, 3, 16, 100]) {
    it(`is the only refused one among ${count}, within a few more calls`, async (t) => {
      const fixture = await verifiedFixture(t);
      const before = fixture.portal.updateCalls;
      const bad = Math.floor(count / 3);
      await fixture.portal.misbehave({ refuse_items: [`boat-${bad}`] });

      const edits = await fixture.post(...Array.from({ length: count }, (_, at) => item(at)));
      await fixture.clock.pass(MINUTE);

      const expected = edits.map((_, at) => (at === bad ? 'refused' : 'delivered'));
      assert.deepEqual(await fixture.statesOf(edits), expected);
      const extra = fixture.portal.updateCalls - before - 1;
      assert.ok(extra <= 2 * Math.ceil(Math.log2(count)) + 1, `${extra} more calls`);
    });
  }

  it('is refused within as few calls if the portal accepts a call every ten minutes', async (t) => {
    const fixture = new DeliveryFixture(t, { callsPerSecond: 1 / 600 });
    await fixture.post({ id: 'proof', available: true });
    await fixture.clock.pass(1000);
    await fixture.portal.misbehave({ refuse_items: ['boat-1'] });

    const edits = await fixture.post(...[0, 1, 2, 3].map(item));
    await fixture.clock.pass(60 * MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['delivered', 'refused', 'delivered', 'delivered']);
    const sent = (await fixture.portal.updates())
      .slice(1)
      .map(({ inventory }) => inventory?.map(({ id }) => id.slice(5)));
    assert.deepEqual(sent, [['0', '1', '2', '3'], ['0', '1'], ['0'], ['1'], ['2', '3']]);
  });

  it('has a receipt with the reason, and no longer waits', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-1'] });

    const edits = await fixture.post(item(1));
    await fixture.clock.everybodySleeps();

    const [receipt] = await fixture.receiptsOf(edits);
    assert.equal(receipt?.state, 'refused');
    assert.equal(receipt.reason, 'item_refused');
    assert.equal(receipt.delayed, undefined);
  });

  it('is not sent again automatically', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-1'] });
    await fixture.post(item(1));
    await fixture.clock.pass(MINUTE);

    await fixture.clock.pass(60 * MINUTE);

    assert.equal(fixture.portal.updateCalls, 2);
  });

  it('is superseded by a newer edit of it, which is tried', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-1'] });
    const refused = await fixture.post(item(1));
    await fixture.clock.pass(MINUTE);
    await fixture.portal.misbehave({});

    const newer = await fixture.post({ id: 'boat-1', available: false });
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf([...refused, ...newer]), ['superseded', 'delivered']);
  });

  it('is superseded without a decision if a newer edit came in between', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ down: true });
    const older = await fixture.post(item(1));
    await fixture.clock.pass(100);
    const newer = await fixture.post({ id: 'boat-1', available: false });
    await fixture.portal.misbehave({ refuse_items: ['boat-1'] });

    await fixture.clock.pass(10 * MINUTE);

    assert.deepEqual(await fixture.statesOf([...older, ...newer]), ['superseded', 'refused']);
  });

  it('causes a split of its batch and never a refused good item, however many are bad', async (t) => {
    const fixture = await verifiedFixture(t);
    let run = 0;
    // Five equal rejections in a row are the portal's fault until it accepts another item.
    const batches = fc
      .array(fc.boolean(), { minLength: 1, maxLength: 20 })
      .filter((isBad) => !isBad.map(Number).join('').includes('11111'));

    await fc.assert(
      fc.asyncProperty(batches, async (rest) => {
        // A good item first ends the streak of the previous run.
        const isBad = [false, ...rest];
        run += 1;
        const items = isBad.map((_, at) => ({ id: `run-${run}-${at}`, available: true }));
        await fixture.portal.misbehave({ refuse_items: items.filter((_, at) => isBad[at]).map(({ id }) => id) });
        const before = fixture.portal.updateCalls;

        const edits = await fixture.post(...items);
        await fixture.clock.pass(2 * MINUTE);

        const states = await fixture.statesOf(edits);
        assert.deepEqual(
          states,
          isBad.map((bad) => (bad ? 'refused' : 'delivered')),
        );
        const bad = isBad.filter(Boolean).length;
        const extra = fixture.portal.updateCalls - before - 1;
        assert.ok(extra <= 2 * bad * Math.ceil(Math.log2(isBad.length)) + 1, `${extra} more calls`);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a batch that is being split', () => {
  it('waits as a whole when the portal goes down during the split, and is finished later', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-0'] });
    const edits = await fixture.post(item(0), item(1), item(2), item(3));
    await fixture.clock.everybodySleeps();
    fixture.portal.networkFault = 'unreachable';
    await fixture.clock.pass(600);
    const during = await fixture.receiptsOf(edits);
    const calls = fixture.portal.updateCalls;

    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(5 * MINUTE);

    assert.equal(calls, 3);
    assert.deepEqual(
      during.map(({ state, delayed }) => [state, delayed]),
      edits.map(() => ['received', true]),
    );
    assert.deepEqual(await fixture.statesOf(edits), ['refused', 'delivered', 'delivered', 'delivered']);
  });

  it('respects the rate limit', async (t) => {
    const fixture = await verifiedFixture(t);
    await fixture.portal.misbehave({ refuse_items: ['boat-0'] });

    await fixture.post(...Array.from({ length: 16 }, (_, at) => item(at)));
    await fixture.clock.pass(2000);

    assert.equal(fixture.portal.updateCalls, 6);
  });
});
