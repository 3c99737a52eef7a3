import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeliveryFixture } from '../../support/delivery-fixture.js';
import { TIMEOUT_MS } from '../../support/unreliable-portal.js';
import { leaseLane } from '../../support/lease-lane.js';

const MINUTE = 60_000;

const KAYAK = { id: 'kayak', available: true };

describe('a proxy that is asked to stop', () => {
  it('waits for the call in flight and stores its outcome', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.networkFault = 'answer late';
    const edits = await fixture.post(KAYAK);
    await fixture.clock.everybodySleeps();

    let hasStopped = false;
    const stopped = fixture.stopDelivery().then(() => (hasStopped = true));
    await fixture.clock.pass(TIMEOUT_MS - 1);
    const early = hasStopped;
    await fixture.clock.pass(1);
    await stopped;

    assert.equal(early, false);
    const [receipt] = await fixture.receiptsOf(edits);
    assert.equal(receipt?.reason, 'portal_unreachable');
    assert.equal(await openAttempts(fixture), 0);
  });

  it('starts no other call, even if more edits wait', async (t) => {
    const fixture = new DeliveryFixture(t, { itemsPerCall: 1 });
    await fixture.post(KAYAK, { id: 'boat', available: true });
    await fixture.clock.everybodySleeps();

    await fixture.stopDelivery();

    assert.equal(fixture.portal.updateCalls, 1);
  });

  it('does not send the rest of a batch that is being split, and releases it', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.post(KAYAK);
    await fixture.clock.pass(MINUTE);
    await fixture.portal.misbehave({ refuse_items: ['boat-0'] });
    const edits = await fixture.post(...Array.from({ length: 8 }, (_, at) => ({ id: `boat-${at}`, available: true })));
    await fixture.clock.everybodySleeps();

    await fixture.stopDelivery();

    assert.equal(fixture.portal.updateCalls, 2);
    for (const { state, delayed } of await fixture.receiptsOf(edits))
      assert.deepEqual([state, delayed], ['received', undefined]);
    assert.equal(await openAttempts(fixture), 0);
  });

  it('accepts edits after delivery has stopped, and delivers them after the next start', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.stopDelivery();
    const edits = await fixture.post(KAYAK);

    await fixture.restart();
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['delivered']);
  });

  it('stops at once while it is idle, and may be stopped repeatedly', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.clock.everybodySleeps();

    await Promise.all([fixture.stopDelivery(), fixture.stopDelivery()]);

    assert.equal(fixture.portal.calls, 0);
  });
});

describe('a proxy that is killed', () => {
  it('before it has sent an edit delivers the edit after its next start', async (t) => {
    const fixture = new DeliveryFixture(t);
    fixture.portal.networkFault = 'unreachable';
    const edits = await fixture.post(KAYAK);
    await fixture.clock.everybodySleeps();

    await fixture.crash();
    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(5 * MINUTE);

    assert.deepEqual(await fixture.statesOf(edits), ['delivered']);
  });

  for (const [networkFault, arrivals] of [
    ['answer late', 2],
    ['request lost', 1],
  ] as const) {
    it(`during a call (${networkFault}) sends it again, because its outcome is unknown`, async (t) => {
      const fixture = new DeliveryFixture(t);
      await fixture.post({ id: 'first', available: true });
      await fixture.clock.pass(MINUTE);
      fixture.portal.networkFault = networkFault;
      const edits = await fixture.post(KAYAK);
      await fixture.clock.everybodySleeps();

      await fixture.crash();
      fixture.portal.networkFault = 'none';
      await fixture.clock.pass(MINUTE);

      assert.deepEqual(await fixture.statesOf(edits), ['delivered']);
      const sent = (await fixture.portal.updates()).slice(1).map(({ inventory }) => inventory);
      assert.equal(sent.length, arrivals);
      for (const inventory of sent) assert.deepEqual(inventory, sent[0]);
    });
  }

  it('sends an older edit that may have arrived before the newer one, after its next start', async (t) => {
    const fixture = new DeliveryFixture(t);
    await fixture.post({ id: 'first', available: true });
    await fixture.clock.pass(MINUTE);
    fixture.portal.networkFault = 'answer late';
    await fixture.post(KAYAK);
    await fixture.clock.everybodySleeps();
    await fixture.post({ id: 'kayak', available: false });

    await fixture.crash();
    fixture.portal.networkFault = 'none';
    await fixture.clock.pass(MINUTE);

    const values = (await fixture.portal.updates()).slice(1).map(({ inventory }) => inventory?.[0]?.available);
    // The newest value twice: the lost call may have arrived after it.
    assert.deepEqual(values, [true, true, false, false]);
  });
});

/** Edits that are claimed and not released: those that a lease of the lane does not offer. */
async function openAttempts({ outbox, clock }: DeliveryFixture): Promise<number> {
  const waiting = (await outbox.waiting({ limit: 100 })).filter(({ state }) => state === 'received');
  const lease = await leaseLane(outbox, { now: clock.wall() + 5_000, leaseMs: MINUTE, uncertainMs: MINUTE });
  const due = lease === undefined ? [] : await outbox.due(lease, clock.wall() + 5_000, 100);
  return waiting.length - due.length;
}
