import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import type { ItemId } from '../../../src/domain/item.js';
import { expectProblem } from '../../support/expect-problem.js';
import { LONG_INVENTORY as INVENTORY } from '../../support/long-inventory.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const MANY = INVENTORY.length;

async function post(
  { ask, clock }: OpenProxy,
  {
    inventory = INVENTORY,
    headers = {},
    items,
  }: { inventory?: object[]; headers?: Record<string, string>; items?: string[] } = {},
): Promise<Response> {
  const token = await clock.during(embedToken(items === undefined ? {} : { items }));
  return ask('POST', '/v1/inventory', { token, headers, body: { inventory, sent_at: '2026-11-21T08:30:01.000Z' } });
}

/** Longer than the thread that frees memory waits for a processor on a busy machine. */
const FREED_MS = 60_000;

/** Apart from objects. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

async function told(answer: Response): Promise<Receipt[]> {
  assert.equal(answer.status, 202);
  return receipts.parse(await answer.json()).receipts;
}

describe('a batch of hundreds of edits', () => {
  it('gets a receipt for each edit, which can be read again later, and is delivered', async (t) => {
    const fixture = openProxy(t);

    const answer = await told(await post(fixture));

    assert.deepEqual(
      answer.map(({ edit_id, id, seq }) => [edit_id, id, seq]),
      INVENTORY.map(({ edit_id, id }, at) => [edit_id, id, at + 1]),
    );
    const some = INVENTORY.slice(-9).map(({ edit_id }) => edit_id);
    const read = await fixture.ask('GET', `/v1/receipts?ids=${some.join()}`, { token: await embedToken() });
    assert.deepEqual(receipts.parse(await read.json()).receipts, answer.slice(-9));
    fixture.proxy.start();
    await fixture.clock.pass(10_000);
    const items = new Map((await fixture.portal.items()).map((item) => [item.id, item.by_arrival.available]));
    assert.deepEqual(items, new Map(INVENTORY.map(({ id, available }) => [id as ItemId, available])));
  });

  it('waits for the delivery if the page sends Prefer: wait', async (t) => {
    const fixture = openProxy(t);
    fixture.proxy.start();

    const answer = await fixture.clock.passUntil(post(fixture, { headers: { Prefer: 'wait=9' } }), 9_000);

    assert.equal(answer.status, 200);
    const states = receipts.parse(await answer.json()).receipts.map(({ state }) => state);
    assert.deepEqual(states, Array(MANY).fill('delivered'));
  });

  it('keeps none of its bytes in memory while it waits', async (t) => {
    const fixture = openProxy(t, { writeLimits: { edits: 10 * MANY } });
    const inventoryOf = (nth: number): object[] => {
      const label = 'Tour '.repeat(80);
      return INVENTORY.map((edit) => ({ ...edit, id: `${edit.id}-${nth}`, edit_id: `${edit.edit_id}-${nth}`, label }));
    };
    const before = bytesInUse();

    const waiting = Array.from({ length: 10 }, (_, nth) =>
      post(fixture, { inventory: inventoryOf(nth), headers: { Prefer: 'wait=9' } }),
    );
    await fixture.clock.asleep(waiting.length);

    const most = JSON.stringify(inventoryOf(0)).length;
    // What a collection sets free goes from the count some time later, in another thread.
    let grown = Infinity;
    for (const end = performance.now() + FREED_MS; performance.now() < end && grown >= most;) {
      await nextTurn();
      grown = bytesInUse() - before;
    }
    assert.equal((await fixture.outbox.count()).accepted, 10 * MANY);
    await fixture.clock.pass(9_000);
    assert.deepEqual([...new Set((await Promise.all(waiting)).map(({ status }) => status))], [202]);
    assert.ok(grown < most, `${grown} bytes are kept`);
  });

  it('is rejected with the indices of the items outside the session and of the repeated items', async (t) => {
    const fixture = openProxy(t);
    const twice = INVENTORY.map((edit, at) => (at === 7 ? { ...edit, id: 'tour-3' } : edit));

    const outside = await post(fixture, { items: ['tour-1*', 'tour-2*'] });
    const repeated = await post(fixture, { inventory: twice });

    const { errors } = await expectProblem(outside, 'item_unknown');
    assert.deepEqual(
      errors?.slice(0, 2).map(({ pointer }) => pointer),
      ['/inventory/0', '/inventory/3'],
    );
    const problem = await expectProblem(repeated, 'duplicate_item');
    assert.deepEqual(
      problem.errors?.map(({ pointer }) => pointer),
      ['/inventory/7'],
    );
    assert.equal((await fixture.outbox.count()).accepted, 0);
  });
});
