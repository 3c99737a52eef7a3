import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeliveryStand } from '../../support/delivery-stand.js';
import { PATIENCE_MS } from '../../support/weather-portal.js';
import { leaseLane } from '../../support/lease-lane.js';

const MINUTE = 60_000;

const KAYAK = { id: 'kayak', available: true };

describe('a proxy that is told to stop', () => {
  it('waits for the call in flight and keeps what became of it', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.weather = 'answer late';
    const edits = await stand.post(KAYAK);
    await stand.clock.everybodySleeps();

    let hasStopped = false;
    const stopped = stand.stopDelivery().then(() => (hasStopped = true));
    await stand.clock.pass(PATIENCE_MS - 1);
    const early = hasStopped;
    await stand.clock.pass(1);
    await stopped;

    assert.equal(early, false);
    const [receipt] = await stand.receiptsOf(edits);
    assert.equal(receipt?.reason, 'portal_unreachable');
    assert.equal(await openAttempts(stand), 0);
  });

  it('starts no other call, though more waits', async (t) => {
    const stand = new DeliveryStand(t, { itemsPerCall: 1 });
    await stand.post(KAYAK, { id: 'boat', available: true });
    await stand.clock.everybodySleeps();

    await stand.stopDelivery();

    assert.equal(stand.portal.updateCalls, 1);
  });

  it('does not hurry through a batch that is being split, and gives back what is left of it', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.post(KAYAK);
    await stand.clock.pass(MINUTE);
    await stand.portal.misbehave({ refuse_items: ['boat-0'] });
    const edits = await stand.post(...Array.from({ length: 8 }, (_, at) => ({ id: `boat-${at}`, available: true })));
    await stand.clock.everybodySleeps();

    await stand.stopDelivery();

    assert.equal(stand.portal.updateCalls, 2);
    for (const { state, delayed } of await stand.receiptsOf(edits))
      assert.deepEqual([state, delayed], ['received', undefined]);
    assert.equal(await openAttempts(stand), 0);
  });

  it('accepts to the last, and delivers that after the next start', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.stopDelivery();
    const edits = await stand.post(KAYAK);

    await stand.restart();
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['delivered']);
  });

  it('stops at once while it has nothing to do, and as often as it is told', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.clock.everybodySleeps();

    await Promise.all([stand.stopDelivery(), stand.stopDelivery()]);

    assert.equal(stand.portal.calls, 0);
  });
});

describe('a proxy that is killed', () => {
  it('before it sent an edit sends it after its next start', async (t) => {
    const stand = new DeliveryStand(t);
    stand.portal.weather = 'unreachable';
    const edits = await stand.post(KAYAK);
    await stand.clock.everybodySleeps();

    await stand.crash();
    stand.portal.weather = 'clear';
    await stand.clock.pass(5 * MINUTE);

    assert.deepEqual(await stand.statesOf(edits), ['delivered']);
  });

  for (const [weather, arrivals] of [
    ['answer late', 2],
    ['request lost', 1],
  ] as const) {
    it(`in the middle of a call (${weather}) sends it again: nobody can know`, async (t) => {
      const stand = new DeliveryStand(t);
      await stand.post({ id: 'first', available: true });
      await stand.clock.pass(MINUTE);
      stand.portal.weather = weather;
      const edits = await stand.post(KAYAK);
      await stand.clock.everybodySleeps();

      await stand.crash();
      stand.portal.weather = 'clear';
      await stand.clock.pass(MINUTE);

      assert.deepEqual(await stand.statesOf(edits), ['delivered']);
      const sent = (await stand.portal.updates()).slice(1).map(({ inventory }) => inventory);
      assert.equal(sent.length, arrivals);
      for (const inventory of sent) assert.deepEqual(inventory, sent[0]);
    });
  }

  it('keeps its order: an older edit that may have arrived goes before the newer', async (t) => {
    const stand = new DeliveryStand(t);
    await stand.post({ id: 'first', available: true });
    await stand.clock.pass(MINUTE);
    stand.portal.weather = 'answer late';
    await stand.post(KAYAK);
    await stand.clock.everybodySleeps();
    await stand.post({ id: 'kayak', available: false });

    await stand.crash();
    stand.portal.weather = 'clear';
    await stand.clock.pass(MINUTE);

    const values = (await stand.portal.updates()).slice(1).map(({ inventory }) => inventory?.[0]?.available);
    // The newest value twice: the lost call may have landed after it.
    assert.deepEqual(values, [true, true, false, false]);
  });
});

/** Edits that somebody claimed and did not give back: what a lease of the lane does not offer. */
async function openAttempts({ outbox, clock }: DeliveryStand): Promise<number> {
  const waiting = (await outbox.waiting({ limit: 100 })).filter(({ state }) => state === 'received');
  const lease = await leaseLane(outbox, { now: clock.wall() + 5_000, leaseMs: MINUTE, unsureMs: MINUTE });
  const due = lease === undefined ? [] : await outbox.due(lease, clock.wall() + 5_000, 100);
  return waiting.length - due.length;
}
