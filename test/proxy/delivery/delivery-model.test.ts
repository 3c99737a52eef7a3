import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Receipt } from '../../../src/contract/widget.js';
import { MAX_PAGES_ALONE } from '../../../src/proxy/delivery/systemic-failure.js';
import type { StoredItem } from '../../../src/sandbox/portal-items.js';
import { seededRandom } from '../../faults/random.js';
import { DeliveryFixture } from '../../support/delivery-fixture.js';
import { needlessCalls } from '../../support/needless-calls.js';
import { StampWatch } from '../../support/stamp-watch.js';
import { tryProperty } from '../../support/try-property.js';
import { BAD, BLOCKED, EXAMPLES, GOOD, HOUR, LOSSY, MINUTE, REFUSED, step, type Step } from './delivery-life.js';

/** The number of steps that follow at once before hours pass. */
const BURST = 3;

/** The duration of the network faults in each life, in hours; without it, only the time that the steps take. */
const WEATHER_HOURS = (process.env['WEATHER_HOURS'] ?? '0-0').split('-').map(Number);

/** The receipts that the person has seen. */
interface Told {
  readonly accepted: Receipt[];
  /** The value of each edit, by its id. */
  readonly values: Map<string, boolean>;
  /** Ids of edits. */
  readonly discarded: Set<string>;
  /** When the clock was set back. */
  readonly setBack: number[];
  readonly stamps: StampWatch;
}

describe('after any network faults, crashes and clock changes, once all is well again', () => {
  it('every edit is settled, and the portal has the newest value of each item that was not discarded', async (t) => {
    await tryProperty(
      t,
      fc.asyncProperty(
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: WEATHER_HOURS[0] ?? 0, max: WEATHER_HOURS[1] ?? 0 }),
        (steps, chance, hours) => live(t, steps, chance, hours),
      ),
      { examples: EXAMPLES, numRuns: 10 },
    );
  });
});

async function live(t: TestContext, steps: readonly Step[], chance: number, hours: number): Promise<void> {
  // One random number for a whole short life finds the extremes. Days of the shortest wait would be too many calls.
  const dice = hours > 0 ? { random: seededRandom(chance * 2 ** 32).next, restTurns: 20 } : { random: () => chance };
  const throws = new Throws(dice.random, () => fixture.clock.monotonic());
  const fixture: DeliveryFixture = new DeliveryFixture(t, { itemsPerCall: 3, ...dice, random: throws.next });
  fixture.portal.tellsTrueTime = true;
  // A rejection may be about a credential that never had a 2xx.
  await fixture.post({ id: 'proof', available: true });
  await fixture.clock.pass(1000);
  await fixture.portal.misbehave({ refuse_items: [REFUSED] });
  fixture.portal.blocked = [BLOCKED];
  const told: Told = {
    accepted: [],
    values: new Map(),
    discarded: new Set(),
    setBack: [],
    stamps: new StampWatch(fixture.portal, fixture.clock),
  };
  const { accepted } = told;

  for (const [at, next] of steps.entries()) {
    await take(fixture, next, told);
    // Some steps run while calls are in flight, and some after the portal has been in its state for hours.
    if (at % BURST === BURST - 1) await fixture.clock.pass(Math.floor((BURST * hours * HOUR) / steps.length));
  }
  fixture.portal.networkFault = 'none';
  await fixture.portal.misbehave({ refuse_items: [REFUSED] });
  await fixture.clock.pass(70 * MINUTE);
  // A web page counts against an edit only if others pass.
  for (let passed = 0; passed < 2 * (MAX_PAGES_ALONE + 1); passed += 1) {
    await fixture.post({ id: 'proof', available: true });
    await fixture.clock.pass(6 * MINUTE);
  }

  const ends = accepted.length === 0 ? [] : await fixture.receiptsOf(accepted);
  assert.deepEqual(
    ends.map(({ edit_id, seq, updated_at }) => [edit_id, seq, updated_at]),
    accepted.map(({ edit_id, seq, updated_at }) => [edit_id, seq, updated_at]),
    'no accepted edit is lost, and none changes its place or its stamp',
  );
  const items = await fixture.portal.items();
  for (const id of [...GOOD, ...BAD]) {
    const ofItem = ends.filter((end) => end.id === id);
    const held = items.find((item) => (item.id as string) === id);
    checkEnds(ofItem, id, told);
    checkHeld(held, ofItem, told);
  }
  await checkJournal(fixture, ends, steps);
  const needless = needlessCalls(fixture.portal.sent, { leastThrow: throws.leastAt, setBack: told.setBack });
  assert.deepEqual(needless, []);
}

/** By the time of sending: a late value arrives after newer ones, which are resent. */
function checkOrder({ portal }: DeliveryFixture): void {
  const newest = new Map<string, string>();
  for (const { id, updated_at } of portal.sent.all.flatMap(({ items }) => items)) {
    assert.ok((newest.get(id) ?? '') <= updated_at, 'no older edit after a newer');
    newest.set(id, updated_at);
  }
}

/** A random source that records its lowest value. */
class Throws {
  readonly #least = new Map<number, number>();
  readonly #random: () => number;
  readonly #now: () => number;

  constructor(random: () => number, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  readonly next = (): number => {
    const thrown = this.#random();
    this.#least.set(this.#now(), Math.min(thrown, this.leastAt(this.#now()) ?? 1));
    return thrown;
  };

  readonly leastAt = (at: number): number | undefined => this.#least.get(at);
}

async function take(fixture: DeliveryFixture, next: Step, told: Told): Promise<void> {
  switch (next.do) {
    case 'post': {
      const receipts = await fixture.post(...next.requests);
      receipts.forEach((receipt, at) => {
        note(told, receipt, next.requests[at]?.available);
      });
      break;
    }
    case 'decide': {
      const edit = told.accepted.at(-1 - next.back);
      const [word] = edit === undefined ? [] : await fixture.decide(next.what, edit);
      if (edit === undefined || word === undefined) break;
      if (next.what === 'retry') note(told, word, told.values.get(edit.edit_id));
      else told.discarded.add(edit.edit_id);
      break;
    }
    case 'pass':
      await fixture.clock.pass(next.milliseconds);
      break;
    case 'network fault':
      fixture.portal.networkFault = next.networkFault;
      break;
    case 'down':
      await fixture.portal.misbehave({ down: next.down, refuse_items: [REFUSED] });
      break;
    case 'set clock':
      if (next.by < 0) told.setBack.push(fixture.clock.monotonic());
      told.stamps.noteClockSet();
      fixture.clock.setWallBy(next.by);
      break;
    case 'set portal clock':
      fixture.portal.time.setBy(next.by);
      break;
    case 'freeze portal clock':
      fixture.portal.time.freeze(next.frozen);
      break;
    case 'expire tokens':
      await fixture.portal.expireTokens();
      break;
    case 'restart':
      await fixture.restart();
      told.stamps.noteStart();
      break;
    case 'crash':
      fixture.portal.sent.noteKill();
      await fixture.crash();
      told.stamps.noteStart();
      break;
  }
}

function note(told: Told, receipt: Receipt, available: boolean | undefined): void {
  const { accepted, values } = told;
  assert.ok(available !== undefined);
  assert.equal(told.stamps.excessOf(receipt), 0, 'no stamp is ahead of the portal');
  accepted.push(receipt);
  values.set(receipt.edit_id, available);
}

/** Each edit of an item has a final state that its position allows. */
function checkEnds(ends: readonly Receipt[], id: string, { discarded }: Told): void {
  for (const [at, { edit_id, state, updated_at }] of ends.entries()) {
    assert.ok(at === 0 || (ends[at - 1]?.updated_at ?? '') < updated_at, 'stamps increase');
    if (discarded.has(edit_id)) assert.equal(state, 'discarded');
    else if (at < ends.length - 1 && state === 'superseded') continue;
    else assert.equal(state, BAD.includes(id) ? 'refused' : 'delivered', `an edit of ${id}`);
  }
  assert.ok(ends.filter(({ state }) => state === 'refused').length <= 1, 'a person decides on the newest alone');
}

/** The portal has the newest value that was not discarded, whether it orders by arrival or by timestamp. */
function checkHeld(held: StoredItem | undefined, ends: readonly Receipt[], { values }: Told): void {
  const last = ends.filter(({ state }) => state === 'delivered').at(-1);
  const value = last && { available: values.get(last.edit_id), updated_at: last.updated_at };
  assert.deepEqual([held?.by_arrival, held?.by_updated_at], [value, value]);
}

async function checkJournal(fixture: DeliveryFixture, ends: readonly Receipt[], steps: readonly Step[]): Promise<void> {
  checkOrder(fixture);
  const applied = new Map<string, number>();
  const answered = new Set<string>();
  const withdrawn = new Set(
    ends.filter(({ state }) => state === 'discarded').map(({ id, updated_at }) => `${id} ${updated_at}`),
  );
  for (const { inventory, applied: isApplied, status } of await fixture.portal.updates()) {
    for (const { id, updated_at } of inventory ?? []) {
      assert.ok(BAD.includes(id) || !withdrawn.has(`${id} ${updated_at}`), 'what was discarded in time never leaves');
      if (!isApplied) continue;
      applied.set(`${id} ${updated_at}`, (applied.get(`${id} ${updated_at}`) ?? 0) + 1);
      if (status === 200) answered.add(`${id} ${updated_at}`);
    }
  }
  for (const { id, updated_at, state } of ends) {
    if (state === 'delivered') assert.ok(answered.has(`${id} ${updated_at}`), 'delivered is what the portal answered');
  }
  const isLossless = steps.every(
    (next) => next.do !== 'crash' && !(next.do === 'network fault' && LOSSY.has(next.networkFault)),
  );
  if (!isLossless) return;
  // After a clock was set back, the time of an attempt is unknown: a value may be resent needlessly.
  const mostTimes = 1 + steps.filter((next) => next.do === 'set clock' && next.by < 0).length;
  for (const [what, times] of applied) assert.ok(times <= mostTimes, `${what} arrived ${times} times`);
}
