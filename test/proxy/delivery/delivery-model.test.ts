import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Receipt } from '../../../src/contract/widget.js';
import { MAX_PAGES_ALONE } from '../../../src/proxy/delivery/systemic-failure.js';
import type { StoredItem } from '../../../src/sandbox/portal-items.js';
import { seededRandom } from '../../faults/random.js';
import { DeliveryStand } from '../../support/delivery-stand.js';
import { needlessCalls } from '../../support/needless-calls.js';
import { StampWatch } from '../../support/stamp-watch.js';
import { tryProperty } from '../../support/try-property.js';
import { BAD, BLOCKED, EXAMPLES, GOOD, HOUR, LOSSY, MINUTE, REFUSED, step, type Step } from './delivery-life.js';

/** So many steps follow at once, before hours pass. */
const BURST = 3;

/** Of weather in each life, in hours; without it only what the steps take. */
const WEATHER_HOURS = (process.env['WEATHER_HOURS'] ?? '0-0').split('-').map(Number);

/** What the proxy has said to the person. */
interface Told {
  readonly accepted: Receipt[];
  /** What each edit wants, by its id. */
  readonly wishes: Map<string, boolean>;
  /** Ids of edits. */
  readonly discarded: Set<string>;
  /** When the clock was set back. */
  readonly setBack: number[];
  readonly stamps: StampWatch;
}

describe('after any weather, crashes and clocks, once all is well again', () => {
  it('every edit has come to its end, and the portal holds the last wish that stands for each item', async (t) => {
    await tryProperty(
      t,
      fc.asyncProperty(
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: WEATHER_HOURS[0] ?? 0, max: WEATHER_HOURS[1] ?? 0 }),
        (steps, chance, hours) => live(t, steps, chance, hours),
      ),
      { examples: EXAMPLES, numRuns: 16 },
    );
  });
});

async function live(t: TestContext, steps: readonly Step[], chance: number, hours: number): Promise<void> {
  // One throw for all of a short life finds the extremes. Days of the shortest wait would be calls without end.
  const dice = hours > 0 ? { random: seededRandom(chance * 2 ** 32).next, restTurns: 20 } : { random: () => chance };
  const throws = new Throws(dice.random, () => stand.clock.monotonic());
  const stand: DeliveryStand = new DeliveryStand(t, { itemsPerCall: 3, ...dice, random: throws.next });
  stand.portal.tellsTrueTime = true;
  // A credential that never had a 2xx may be refused for what it is.
  await stand.post({ id: 'proof', available: true });
  await stand.clock.pass(1000);
  await stand.portal.misbehave({ refuse_items: [REFUSED] });
  stand.portal.blocked = [BLOCKED];
  const told: Told = {
    accepted: [],
    wishes: new Map(),
    discarded: new Set(),
    setBack: [],
    stamps: new StampWatch(stand.portal, stand.clock),
  };
  const { accepted } = told;

  for (const [at, next] of steps.entries()) {
    await take(stand, next, told);
    // Some steps meet what is still on its way, and some a portal that has been as it is for hours.
    if (at % BURST === BURST - 1) await stand.clock.pass(Math.floor((BURST * hours * HOUR) / steps.length));
  }
  stand.portal.weather = 'clear';
  await stand.portal.misbehave({ refuse_items: [REFUSED] });
  await stand.clock.pass(70 * MINUTE);
  // A page is held against an edit only where others pass.
  for (let passed = 0; passed < 2 * (MAX_PAGES_ALONE + 1); passed += 1) {
    await stand.post({ id: 'proof', available: true });
    await stand.clock.pass(6 * MINUTE);
  }

  const ends = accepted.length === 0 ? [] : await stand.receiptsOf(accepted);
  assert.deepEqual(
    ends.map(({ edit_id, seq, updated_at }) => [edit_id, seq, updated_at]),
    accepted.map(({ edit_id, seq, updated_at }) => [edit_id, seq, updated_at]),
    'no accepted edit is lost, and none changes its place or its stamp',
  );
  const items = await stand.portal.items();
  for (const id of [...GOOD, ...BAD]) {
    const ofItem = ends.filter((end) => end.id === id);
    const held = items.find((item) => (item.id as string) === id);
    checkEnds(ofItem, id, told);
    checkHeld(held, ofItem, told);
  }
  await checkJournal(stand, ends, steps);
  const needless = needlessCalls(stand.portal.sent, { leastThrow: throws.leastAt, setBack: told.setBack });
  assert.deepEqual(needless, []);
}

/** As they leave: what the portal is late with lands after newer ones, which are said again. */
function checkOrder({ portal }: DeliveryStand): void {
  const newest = new Map<string, string>();
  for (const { id, updated_at } of portal.sent.all.flatMap(({ items }) => items)) {
    assert.ok((newest.get(id) ?? '') <= updated_at, 'no older edit after a newer');
    newest.set(id, updated_at);
  }
}

/** The dice, and how low they fell. */
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

async function take(stand: DeliveryStand, next: Step, told: Told): Promise<void> {
  switch (next.do) {
    case 'post': {
      const receipts = await stand.post(...next.wishes);
      receipts.forEach((receipt, at) => {
        note(told, receipt, next.wishes[at]?.available);
      });
      break;
    }
    case 'decide': {
      const edit = told.accepted.at(-1 - next.back);
      const [word] = edit === undefined ? [] : await stand.decide(next.what, edit);
      if (edit === undefined || word === undefined) break;
      if (next.what === 'retry') note(told, word, told.wishes.get(edit.edit_id));
      else told.discarded.add(edit.edit_id);
      break;
    }
    case 'pass':
      await stand.clock.pass(next.milliseconds);
      break;
    case 'weather':
      stand.portal.weather = next.weather;
      break;
    case 'down':
      await stand.portal.misbehave({ down: next.down, refuse_items: [REFUSED] });
      break;
    case 'set clock':
      if (next.by < 0) told.setBack.push(stand.clock.monotonic());
      told.stamps.noteClockSet();
      stand.clock.setWallBy(next.by);
      break;
    case 'set portal clock':
      stand.portal.time.setBy(next.by);
      break;
    case 'freeze portal clock':
      stand.portal.time.freeze(next.frozen);
      break;
    case 'expire tokens':
      await stand.portal.expireTokens();
      break;
    case 'restart':
      await stand.restart();
      told.stamps.noteStart();
      break;
    case 'crash':
      stand.portal.sent.noteKill();
      await stand.crash();
      told.stamps.noteStart();
      break;
  }
}

function note(told: Told, receipt: Receipt, available: boolean | undefined): void {
  const { accepted, wishes } = told;
  assert.ok(available !== undefined);
  assert.equal(told.stamps.excessOf(receipt), 0, 'no stamp is ahead of the portal');
  accepted.push(receipt);
  wishes.set(receipt.edit_id, available);
}

/** Each edit of an item has come to an end that its place allows. */
function checkEnds(ends: readonly Receipt[], id: string, { discarded }: Told): void {
  for (const [at, { edit_id, state, updated_at }] of ends.entries()) {
    assert.ok(at === 0 || (ends[at - 1]?.updated_at ?? '') < updated_at, 'stamps increase');
    if (discarded.has(edit_id)) assert.equal(state, 'discarded');
    else if (at < ends.length - 1 && state === 'superseded') continue;
    else assert.equal(state, BAD.includes(id) ? 'refused' : 'delivered', `an edit of ${id}`);
  }
  assert.ok(ends.filter(({ state }) => state === 'refused').length <= 1, 'a person decides on the newest alone');
}

/** Whether the portal orders by arrival or by stamp, it holds the last wish that was not discarded. */
function checkHeld(held: StoredItem | undefined, ends: readonly Receipt[], { wishes }: Told): void {
  const last = ends.filter(({ state }) => state === 'delivered').at(-1);
  const value = last && { available: wishes.get(last.edit_id), updated_at: last.updated_at };
  assert.deepEqual([held?.by_arrival, held?.by_updated_at], [value, value]);
}

async function checkJournal(stand: DeliveryStand, ends: readonly Receipt[], steps: readonly Step[]): Promise<void> {
  checkOrder(stand);
  const applied = new Map<string, number>();
  const answered = new Set<string>();
  const withdrawn = new Set(
    ends.filter(({ state }) => state === 'discarded').map(({ id, updated_at }) => `${id} ${updated_at}`),
  );
  for (const { inventory, applied: isApplied, status } of await stand.portal.updates()) {
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
  const isLossless = steps.every((next) => next.do !== 'crash' && !(next.do === 'weather' && LOSSY.has(next.weather)));
  if (!isLossless) return;
  // Where a clock was set back, when an attempt was made is not known afterwards: a value may be said once more for nothing.
  const mostTimes = 1 + steps.filter((next) => next.do === 'set clock' && next.by < 0).length;
  for (const [what, times] of applied) assert.ok(times <= mostTimes, `${what} arrived ${times} times`);
}
