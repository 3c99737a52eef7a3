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

/** A proxy that has delivered for both vendors, before a portal that refuses every boat. */
async function open(t: TestContext): Promise<OpenProxy> {
  const stand = openProxy(t);
  stand.proxy.start();
  await post(stand, NEIGHBOUR, 'sauna');
  await post(stand, BOATMAN, 'raft');
  await stand.clock.pass(5 * SECOND);
  await stand.portal.misbehave({ refuse_items: BOATS });
  return stand;
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
async function timeOf(stand: OpenProxy, id: string): Promise<number> {
  const edits = await post(stand, NEIGHBOUR, id);
  const began = stand.clock.wall();
  while ((await statesOf(stand, NEIGHBOUR, edits))[0] !== 'delivered' && stand.clock.wall() - began < 10 * MINUTE) {
    await stand.clock.pass(SECOND);
  }
  return stand.clock.wall() - began;
}

describe('a vendor whose items the portal refuses', () => {
  it('holds no edit of another vendor on the same credential, however long that goes on', async (t) => {
    const stand = await open(t);
    const times: number[] = [];

    for (let minute = 0; minute < 6; minute += 1) {
      for (const boat of BOATS.slice(minute * 5, minute * 5 + 5)) {
        await post(stand, BOATMAN, boat);
        await stand.clock.pass(5 * SECOND);
      }
      times.push(await timeOf(stand, `room-${String(minute)}`));
      times.push(await timeOf(stand, `cabin-${String(minute)}`));
    }

    assert.ok(Math.max(...times) <= SOON_MS, `took ${times.join(', ')} ms`);
  });

  it('holds no edit that comes in one call with five of its own', async (t) => {
    const stand = await open(t);

    const boats = await post(stand, BOATMAN, ...BOATS.slice(0, 5));
    const took = await timeOf(stand, 'room');
    await stand.clock.pass(10 * MINUTE);

    assert.ok(took <= SOON_MS, `took ${String(took)} ms`);
    assert.deepEqual(new Set(await statesOf(stand, BOATMAN, boats)), new Set(['refused']));
  });

  it('holds no edit for as long as a batch takes in which every other item is refused', async (t) => {
    const stand = await open(t);
    const mixed = BOATS.slice(0, 50).flatMap((boat, at) => [boat, `canoe-${String(at)}`]);
    const times: number[] = [];

    const edits = await post(stand, BOATMAN, ...mixed);
    for (let nth = 0; nth < 5; nth += 1) times.push(await timeOf(stand, `room-${String(nth)}`));
    await stand.clock.pass(60 * MINUTE);
    const states = await statesOf(stand, BOATMAN, edits);

    assert.ok(Math.max(...times) <= 2 * SOON_MS, `took ${times.join(', ')} ms`);
    assert.deepEqual(
      states.map((state, at) => [mixed[at], state]),
      mixed.map((id) => [id, id.startsWith('boat') ? 'refused' : 'delivered']),
    );
  });

  it('has its own next edit delivered within a minute, where that one is in order', async (t) => {
    const stand = await open(t);
    await post(stand, BOATMAN, ...BOATS.slice(0, 5));
    await stand.clock.pass(2 * SECOND);
    await post(stand, NEIGHBOUR, 'room');

    const good = await post(stand, BOATMAN, 'canoe');
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await statesOf(stand, BOATMAN, good), ['delivered']);
  });
});

describe('a portal that comes to refuse everything', () => {
  it('parks no edit of either vendor, and gets them all once it takes edits again', async (t) => {
    const stand = await open(t);
    await stand.portal.misbehave({ refuse_items: [...BOATS, 'room', 'cabin'] });
    const boats = await post(stand, BOATMAN, ...BOATS.slice(0, 5));
    await stand.clock.pass(SECOND);
    const rooms = await post(stand, NEIGHBOUR, 'room', 'cabin');
    await stand.clock.pass(20 * MINUTE);
    const meanwhile = [...(await statesOf(stand, BOATMAN, boats)), ...(await statesOf(stand, NEIGHBOUR, rooms))];

    await stand.portal.misbehave({});
    await stand.clock.pass(20 * MINUTE);

    assert.deepEqual(new Set(meanwhile), new Set(['received']));
    assert.deepEqual(new Set(await statesOf(stand, BOATMAN, boats)), new Set(['delivered']));
    assert.deepEqual(new Set(await statesOf(stand, NEIGHBOUR, rooms)), new Set(['delivered']));
  });

  it('is asked with an edit of a third vendor within seconds, and less and less', async (t) => {
    const stand = await open(t);
    await stand.portal.misbehave({ refuse_items: [...BOATS, 'room', 'cabin', 'hut'] });
    await post(stand, BOATMAN, ...BOATS.slice(0, 5));
    await stand.clock.pass(5 * SECOND);
    const calls = stand.portal.updateCalls;

    await post(stand, NEIGHBOUR, 'room');
    await post(stand, { vendor: 'pottery', subject: 'cy' }, 'cabin');
    await stand.clock.pass(SOON_MS);
    const soon = stand.portal.updateCalls;
    await stand.clock.pass(4 * MINUTE);

    assert.equal(soon - calls, 2);
    assert.equal(stand.portal.updateCalls, soon);
  });
});
