import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { StorageFailed } from '../../../src/proxy/outbox/outbox.js';
import { DeliveryStand, type Wish } from '../../support/delivery-stand.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const BOATS = Array.from({ length: 5 }, (_, at) => `boat-${String(at)}`);

const wish = (id: string): Wish => ({ id, available: true });

/** A proxy that has delivered, before a portal that has come to refuse all boats. */
async function refusedStand(t: TestContext): Promise<DeliveryStand> {
  const stand = new DeliveryStand(t);
  await stand.post(wish('proof'));
  await stand.clock.pass(SECOND);
  await stand.portal.misbehave({ refuse_items: BOATS });
  return stand;
}

describe('a portal that refuses five different items in a row', () => {
  for (const how of ['restart', 'crash'] as const) {
    it(`and all for a while parks nobody, though there is a ${how} in between`, async (t) => {
      const stand = await refusedStand(t);
      const edits = await stand.post(...BOATS.slice(0, 4).map(wish));
      await stand.clock.pass(MINUTE);
      const parked = await stand.statesOf(edits);
      await stand[how]();
      edits.push(...(await stand.post(wish('boat-4'))));
      await stand.clock.pass(MINUTE);
      const back = await stand.statesOf(edits);

      await stand.portal.misbehave({});
      await stand.clock.pass(20 * MINUTE);

      assert.deepEqual(new Set(parked), new Set(['refused']));
      assert.deepEqual(new Set(back), new Set(['received']));
      assert.deepEqual(new Set(await stand.statesOf(edits)), new Set(['delivered']));
    });
  }

  it('but took one in between, before a restart, refuses each for itself', async (t) => {
    const stand = await refusedStand(t);
    const edits = await stand.post(...BOATS.slice(0, 4).map(wish));
    await stand.clock.pass(MINUTE);
    await stand.post(wish('sauna'));
    await stand.clock.pass(MINUTE);

    await stand.restart();
    edits.push(...(await stand.post(wish('boat-4'))));
    await stand.clock.pass(MINUTE);

    assert.deepEqual(new Set(await stand.statesOf(edits)), new Set(['refused']));
  });

  it('brings back none that a person has decided about before a restart', async (t) => {
    const stand = await refusedStand(t);
    const edits = await stand.post(...BOATS.slice(0, 4).map(wish));
    await stand.clock.pass(MINUTE);
    const [discarded, ...others] = edits;
    assert.ok(discarded);
    await stand.decide('discard', discarded);

    await stand.restart();
    others.push(...(await stand.post(wish('boat-4'))));
    await stand.clock.pass(MINUTE);

    assert.deepEqual(await stand.statesOf([discarded]), ['discarded']);
    assert.deepEqual(new Set(await stand.statesOf(others)), new Set(['received']));
  });

  it('of two proxies that share the work parks nobody', async (t) => {
    const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    const one = openProxy(t, { outbox });
    const other = openProxy(t, { outbox, clock: one.clock, portal: one.portal.account, fetch: one.portal.fetch });
    for (const { proxy } of [one, other]) proxy.start();
    await post(one, 'proof');
    await one.portal.misbehave({ refuse_items: BOATS });

    // Whoever accepts an edit delivers it: the other rests.
    for (const [at, boat] of BOATS.entries()) await post(at % 2 === 0 ? one : other, boat);
    await one.portal.misbehave({});
    await one.clock.pass(20 * MINUTE);

    assert.equal((await outbox.count()).delivered, 6);
  });

  it('parks nobody, though the process is gone in the moment before they are brought back', async (t) => {
    const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    let isGone = false;
    const gone = (): Promise<never> => Promise.reject(new StorageFailed('gone'));
    const one = openProxy(t, {
      outbox: {
        ...outbox,
        reopen() {
          isGone = true;
          return gone();
        },
        releaseLease: (...words) => (isGone ? gone() : outbox.releaseLease(...words)),
        leaseLanes: (...words) => (isGone ? gone() : outbox.leaseLanes(...words)),
      },
    });
    one.proxy.start();
    await post(one, 'proof');
    await one.portal.misbehave({ refuse_items: BOATS });
    for (const boat of BOATS) await post(one, boat);
    const parked = (await outbox.count()).parked;

    const other = openProxy(t, { outbox, clock: one.clock, portal: one.portal.account, fetch: one.portal.fetch });
    other.proxy.start();
    await one.clock.pass(10 * MINUTE);
    const back = (await outbox.count()).received;
    await one.portal.misbehave({});
    await one.clock.pass(20 * MINUTE);

    assert.deepEqual([parked, back, (await outbox.count()).delivered], [4, 5, 6]);
  });
});

async function post({ ask, clock }: OpenProxy, id: string): Promise<void> {
  const body = { inventory: [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }] };
  const answer = await ask('POST', '/v1/inventory', { token: await embedToken(), body });
  assert.equal(answer.status, 202);
  await clock.pass(5 * SECOND);
}
