import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Receipt } from '../../../src/contract/widget.js';
import { DeliveryFixture } from '../../support/delivery-fixture.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const ITEMS_PER_CALL = 5;
const CALLS_PER_SECOND = 2;
/** Ids in one request for receipts. */
const PAGE = 50;

describe('a portal that is down for a day while people keep editing', () => {
  it('receives all edits after the outage, within the rate limit', async (t) => {
    const fixture = new DeliveryFixture(t, {
      itemsPerCall: ITEMS_PER_CALL,
      callsPerSecond: CALLS_PER_SECOND,
      // The longest waits: the recovery is noticed as late as possible.
      random: () => 0.999,
      restTurns: 20,
    });
    await fixture.post({ id: 'first', available: true });
    await fixture.clock.pass(SECOND);
    fixture.portal.networkFault = 'unreachable';
    const accepted: Receipt[] = [];
    for (let quarter = 0; quarter < 24 * 4; quarter += 1) {
      const available = quarter % 2 === 0;
      // One item is changed all day, and three others in each step.
      const ids = ['kayak', ...[0, 1, 2].map((at) => `boat-${String(3 * quarter + at)}`)];
      accepted.push(...(await fixture.post(...ids.map((id) => ({ id, available })))));
      await fixture.clock.pass(HOUR / 4);
    }
    const ofTheDay = fixture.portal.sent.all.length;

    fixture.portal.networkFault = 'none';
    const backAt = fixture.clock.monotonic();
    await fixture.clock.pass(10 * MINUTE);

    const after = fixture.portal.sent.all.slice(ofTheDay).map(({ at }) => at);
    assert.ok((after[0] ?? Infinity) - backAt <= 5 * MINUTE, 'delivery starts within five minutes');
    const pauses = after.slice(1).map((at, place) => at - (after[place] ?? at));
    assert.ok(Math.min(...pauses) >= SECOND / CALLS_PER_SECOND, `${String(Math.min(...pauses))} ms between two calls`);
    // What was asked about during the day goes in company of two: two items in a call are the fewest.
    const longest = (accepted.length / 2 / CALLS_PER_SECOND) * SECOND;
    assert.ok((after.at(-1) ?? Infinity) - (after[0] ?? 0) <= longest, 'and is over as soon as its pace allows');
    const states = await statesOf(fixture, accepted);
    assert.deepEqual([...new Set(states)].sort(), ['delivered', 'superseded']);
    assert.equal(
      states.filter((state) => state === 'superseded').length,
      24 * 4 - 2,
      'all that nobody had tried of the kayak',
    );
    const kayak = (await fixture.portal.items()).find(({ id }) => String(id) === 'kayak');
    assert.equal(kayak?.by_arrival.available, false);
  });
});

async function statesOf(fixture: DeliveryFixture, edits: readonly Receipt[]): Promise<string[]> {
  const states: string[] = [];
  for (let from = 0; from < edits.length; from += PAGE) {
    states.push(...(await fixture.statesOf(edits.slice(from, from + PAGE))));
  }
  return states;
}
