import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SOON_MS = 10 * SECOND;
const BOATS = Array.from({ length: 500 }, (_, at) => `boat-${String(at)}`);

const NEIGHBOUR = { vendor: 'guest-house', subject: 'ada' };
const BOATMAN = { vendor: 'boat-tours', subject: 'bo' };
type Person = typeof NEIGHBOUR;

/** A proxy that has delivered for both vendors, with a portal that rejects every boat. */
async function open(t: TestContext): Promise<OpenProxy> {
  const fixture = openProxy(t);
  fixture.proxy.start();
  await post(fixture, NEIGHBOUR, 'sauna');
  await post(fixture, BOATMAN, 'raft');
  await fixture.clock.pass(5 * SECOND);
  await fixture.portal.misbehave({ refuse_items: BOATS });
  return fixture;
}

async function post({ ask }: OpenProxy, person: Person, ...ids: readonly string[]): Promise<readonly Receipt[]> {
  const inventory = ids.map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }));
  const response = await ask('POST', '/v1/inventory', { token: await embedToken(person), body: { inventory } });
  assert.equal(response.status, 202);
  return receipts.parse(await response.json()).receipts;
}

async function statesOf({ outbox }: OpenProxy, person: Person, edits: readonly Receipt[]): Promise<string[]> {
  const now = await outbox.receipts(
    person,
    edits.map(({ edit_id }) => edit_id),
  );
  return now.map(({ state }) => state);
}

/** Posts an edit of the neighbour. @returns after how many milliseconds the portal had it */
async function timeOf(fixture: OpenProxy, id: string): Promise<number> {
  const edits = await post(fixture, NEIGHBOUR, id);
  const began = fixture.clock.wall();
  while ((await statesOf(fixture, NEIGHBOUR, edits))[0] !== 'delivered' && fixture.clock.wall() - began < 10 * MINUTE) {
    await fixture.clock.pass(SECOND);
  }
  return fixture.clock.wall() - began;
}

describe('a vendor whose items the portal rejects', () => {
  it('delays no edit of another vendor on the same credential, however long that goes on', async (t) => {
    const fixture = await open(t);
    const times: number[] = [];

    for (let minute = 0; minute < 6; minute += 1) {
      for (const boat of BOATS.slice(minute * 5, minute * 5 + 5)) {
        await post(fixture, BOATMAN, boat);
        await fixture.clock.pass(5 * SECOND);
      }
      times.push(await timeOf(fixture, `room-${String(minute)}`));
      times.push(await timeOf(fixture, `cabin-${String(minute)}`));
    }

    assert.ok(Math.max(...times) <= SOON_MS, `took ${times.join(', ')} ms`);
  });

  it('delays no edit that is sent in one call with five of its own', async (t) => {
    const fixture = await open(t);

    const boats = await post(fixture, BOATMAN, ...BOATS.slice(0, 5));
    const took = await timeOf(fixture, 'room');
    await fixture.clock.pass(10 * MINUTE);

    assert.ok(took <= SOON_MS, `took ${String(took)} ms`);
    assert.deepEqual(new Set(await statesOf(fixture, BOATMAN, boats)), new Set(['refused']));
  });

  it('delays no edit while a batch is split in which every other item is rejected', async (t) => {
    const fixture = await open(t);
    const mixed = BOATS.slice(0, 50).flatMap((boat, at) => [boat, `canoe-${String(at)}`]);
    const times: number[] = [];

    const edits = await post(fixture, BOATMAN, ...mixed);
    for (let nth = 0; nth < 5; nth += 1) times.push(await timeOf(fixture, `room-${String(nth)}`));
    await fixture.clock.pass(60 * MINUTE);
    const states = await statesOf(fixture, BOATMAN, edits);

    assert.ok(Math.max(...times) <= 2 * SOON_MS, `took ${times.join(', ')} ms`);
    assert.deepEqual(
      states.map((state, at) => [mixed[at], state]),
      mixed.map((id) => [id, id.startsWith('boat') ? 'refused' : 'delivered']),
    );
  });

  it('has its own next valid edit delivered within a minute', async (t) => {
    const fixture = await open(t);
    await post(fixture, BOATMAN, ...BOATS.slice(0, 5));
    await fixture.clock.pass(2 * SECOND);
    await post(fixture, NEIGHBOUR, 'room');

    const good = await post(fixture, BOATMAN, 'canoe');
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await statesOf(fixture, BOATMAN, good), ['delivered']);
  });
});

describe('a list whose first call failed', () => {
  it('is delivered although another vendor on the same credential makes an edit between any two calls', async (t) => {
    const fixture = await open(t);
    const rooms = Array.from({ length: 21 }, (_, at) => `room-${String(at)}`);
    await fixture.portal.misbehave({ down: true });
    const edits = await post(fixture, NEIGHBOUR, ...rooms);
    await fixture.clock.pass(SECOND);
    await fixture.portal.misbehave({});

    for (let nth = 0; nth < 75; nth += 1) {
      await post(fixture, BOATMAN, `canoe-${String(nth)}`);
      await fixture.clock.pass(400);
    }

    assert.deepEqual(new Set(await statesOf(fixture, NEIGHBOUR, edits)), new Set(['delivered']));
  });
});

describe('two vendors whose first call the portal rejects for the items of one', () => {
  it('take turns, so that the bulk edits of the other are delivered though they are rewritten all the time', async (t) => {
    const fixture = openProxy(t);
    await fixture.portal.misbehave({ refuse_items: BOATS });
    const rooms = Array.from({ length: 21 }, (_, at) => `room-${String(at)}`);
    await post(fixture, NEIGHBOUR, ...rooms);
    await post(fixture, BOATMAN, 'boat-0');
    fixture.proxy.start();
    await fixture.clock.pass(SECOND);
    await post(fixture, { vendor: 'pottery', subject: 'cy' }, 'kiln');

    const states = new Set<string>();
    for (const boat of BOATS.slice(1, 21)) {
      const edits = await post(fixture, NEIGHBOUR, ...rooms);
      await post(fixture, BOATMAN, boat);
      await fixture.clock.pass(3 * SECOND);
      for (const state of await statesOf(fixture, NEIGHBOUR, edits)) states.add(state);
    }

    assert.ok(states.has('delivered'), [...states].join(', '));
  });
});

describe('a portal that begins to reject everything', () => {
  it('causes no refused edit of either vendor, and gets them all once it accepts edits again', async (t) => {
    const fixture = await open(t);
    await fixture.portal.misbehave({ refuse_items: [...BOATS, 'room', 'cabin'] });
    const boats = await post(fixture, BOATMAN, ...BOATS.slice(0, 5));
    await fixture.clock.pass(SECOND);
    const rooms = await post(fixture, NEIGHBOUR, 'room', 'cabin');
    await fixture.clock.pass(20 * MINUTE);
    const meanwhile = [...(await statesOf(fixture, BOATMAN, boats)), ...(await statesOf(fixture, NEIGHBOUR, rooms))];

    await fixture.portal.misbehave({});
    await fixture.clock.pass(20 * MINUTE);

    assert.deepEqual(new Set(meanwhile), new Set(['received']));
    assert.deepEqual(new Set(await statesOf(fixture, BOATMAN, boats)), new Set(['delivered']));
    assert.deepEqual(new Set(await statesOf(fixture, NEIGHBOUR, rooms)), new Set(['delivered']));
  });

  it('is tried with an edit of a third vendor within seconds, and less and less often', async (t) => {
    const fixture = await open(t);
    await fixture.portal.misbehave({ refuse_items: [...BOATS, 'room', 'cabin', 'hut'] });
    await post(fixture, BOATMAN, ...BOATS.slice(0, 5));
    await fixture.clock.pass(5 * SECOND);
    const calls = fixture.portal.updateCalls;

    await post(fixture, NEIGHBOUR, 'room');
    await post(fixture, { vendor: 'pottery', subject: 'cy' }, 'cabin');
    await fixture.clock.pass(SOON_MS);
    const soon = fixture.portal.updateCalls;
    await fixture.clock.pass(4 * MINUTE);

    assert.equal(soon - calls, 2);
    assert.equal(fixture.portal.updateCalls, soon);
  });
});
