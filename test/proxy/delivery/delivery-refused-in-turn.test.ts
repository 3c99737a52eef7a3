import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openSqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { StorageFailed } from '../../../src/proxy/outbox/outbox.js';
import { DeliveryFixture, type EditRequest } from '../../support/delivery-fixture.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const BOATS = Array.from({ length: 5 }, (_, at) => `boat-${String(at)}`);

const request = (id: string): EditRequest => ({ id, available: true });

/** A proxy that has delivered, with a portal that now rejects all boats. */
async function refusedFixture(t: TestContext): Promise<DeliveryFixture> {
  const fixture = new DeliveryFixture(t);
  await fixture.post(request('proof'));
  await fixture.clock.pass(SECOND);
  await fixture.portal.misbehave({ refuse_items: BOATS });
  return fixture;
}

describe('a portal that rejects five different items in a row', () => {
  for (const how of ['restart', 'crash'] as const) {
    it(`and later accepts them causes no refused edit, despite a ${how} in between`, async (t) => {
      const fixture = await refusedFixture(t);
      const edits = await fixture.post(...BOATS.slice(0, 4).map(request));
      await fixture.clock.pass(MINUTE);
      const parked = await fixture.statesOf(edits);
      await fixture[how]();
      edits.push(...(await fixture.post(request('boat-4'))));
      await fixture.clock.pass(MINUTE);
      const back = await fixture.statesOf(edits);

      await fixture.portal.misbehave({});
      await fixture.clock.pass(20 * MINUTE);

      assert.deepEqual(new Set(parked), new Set(['refused']));
      assert.deepEqual(new Set(back), new Set(['received']));
      assert.deepEqual(new Set(await fixture.statesOf(edits)), new Set(['delivered']));
    });
  }

  it('and accepted another one in between, before a restart, leaves all five refused', async (t) => {
    const fixture = await refusedFixture(t);
    const edits = await fixture.post(...BOATS.slice(0, 4).map(request));
    await fixture.clock.pass(MINUTE);
    await fixture.post(request('sauna'));
    await fixture.clock.pass(MINUTE);

    await fixture.restart();
    edits.push(...(await fixture.post(request('boat-4'))));
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(new Set(await fixture.statesOf(edits)), new Set(['refused']));
  });

  it('causes no edit to be reopened that a person has decided about before a restart', async (t) => {
    const fixture = await refusedFixture(t);
    const edits = await fixture.post(...BOATS.slice(0, 4).map(request));
    await fixture.clock.pass(MINUTE);
    const [discarded, ...others] = edits;
    assert.ok(discarded);
    await fixture.decide('discard', discarded);

    await fixture.restart();
    others.push(...(await fixture.post(request('boat-4'))));
    await fixture.clock.pass(MINUTE);

    assert.deepEqual(await fixture.statesOf([discarded]), ['discarded']);
    assert.deepEqual(new Set(await fixture.statesOf(others)), new Set(['received']));
  });

  it('sent by two proxies causes no refused edit', async (t) => {
    const outbox = openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
    const one = openProxy(t, { outbox });
    const other = openProxy(t, { outbox, clock: one.clock, portal: one.portal.account, fetch: one.portal.fetch });
    for (const { proxy } of [one, other]) proxy.start();
    await post(one, 'proof');
    await one.portal.misbehave({ refuse_items: BOATS });

    // The proxy that accepts an edit delivers it: the other rests.
    for (const [at, boat] of BOATS.entries()) await post(at % 2 === 0 ? one : other, boat);
    await one.portal.misbehave({});
    await one.clock.pass(20 * MINUTE);

    assert.equal((await outbox.count()).delivered, 6);
  });

  it('causes no refused edit, even if the process is killed right before they are reopened', async (t) => {
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
