import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inventoryUpdate } from '../../../src/contract/portal.js';
import { receipts } from '../../../src/contract/widget.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const MINUTE = 60_000;

type Result = { readonly id: string | number; readonly status?: number | string };
type Answering = (ids: readonly string[], call: number) => readonly Result[];

const yesTo = (id: string): Result => ({ id, status: 200 });

interface More {
  /** Headers of each response. */
  readonly headers?: Record<string, string>;
  /** The item that a person switches off after the first call. */
  readonly off?: readonly string[];
}

/** The calls to a portal that answers with a result for each item (207), and the states of the edits. */
async function told(
  t: TestContext,
  ids: readonly string[],
  answering: Answering,
  { headers = {}, off = [] }: More = {},
) {
  const calls: string[][] = [];
  const times: number[] = [];
  const values: string[] = [];
  const { ask, clock, portal, proxy, outbox } = openProxy(t, {
    fetch: async (input, init) => {
      if (new URL(String(input)).pathname === '/v1/oauth/token') return portal.fetch(input, init);
      const { inventory } = inventoryUpdate.parse(JSON.parse(String(init?.body)));
      const sent = inventory.map(({ id }) => String(id));
      calls.push(sent);
      times.push(clock.monotonic());
      values.push(...inventory.map(({ id, available }) => `${String(id)} ${available ? 'on' : 'off'}`));
      return Response.json({ results: answering(sent, calls.length) }, { status: 207, headers });
    },
  });
  const token = await embedToken();
  const post = async (some: readonly string[], available = true) => {
    const inventory = some.map((id) => ({ id, available, updated_at: '2026-11-21T08:30:00.000Z' }));
    return receipts.parse(await (await ask('POST', '/v1/inventory', { token, body: { inventory } })).json()).receipts;
  };
  const statesOf = async (edits: readonly { readonly edit_id: string }[]) => {
    const answer = await ask('GET', `/v1/receipts?ids=${edits.map(({ edit_id }) => edit_id).join(',')}`, { token });
    return receipts.parse(await answer.json()).receipts.map(({ state, reason }) => reason ?? state);
  };
  const edits = await post(ids);
  proxy.start();
  await clock.pass(100);
  const [first, held] = [await statesOf(edits), [...(await outbox.heldLanes()).keys()]];
  if (off.length > 0) await post(off, false);
  await clock.pass(10 * MINUTE);
  return { first, held, last: await statesOf(edits), calls, times, values };
}

describe('a portal that answers with a result for each item', () => {
  for (const [status, reason] of [
    [429, 'portal_busy'],
    ['429', 'portal_busy'],
    [408, 'portal_error'],
    [425, 'portal_error'],
    [500, 'portal_error'],
    [503, 'portal_error'],
    [504, 'portal_error'],
  ] as const) {
    it(`gets an item with status ${JSON.stringify(status)} resent, and no edit is refused`, async (t) => {
      const { first, held, last, calls } = await told(t, ['kayak', 'canoe', 'sauna'], (ids, call) =>
        ids.map((id) => (call === 1 && id === 'canoe' ? { id, status } : yesTo(id))),
      );

      assert.deepEqual(first, ['delivered', reason, 'delivered']);
      assert.deepEqual(held, []);
      assert.deepEqual(last, ['delivered', 'delivered', 'delivered']);
      assert.deepEqual(calls.slice(0, 2), [['kayak', 'canoe', 'sauna'], ['canoe']]);
    });
  }

  it('gets the whole call resent if it rejects all items with 503', async (t) => {
    const { first, held, last } = await told(t, ['kayak', 'canoe'], (ids, call) =>
      ids.map((id) => (call === 1 ? { id, status: 503 } : yesTo(id))),
    );

    assert.deepEqual([first, held], [['portal_error', 'portal_error'], []]);
    assert.deepEqual(last, ['delivered', 'delivered']);
  });

  it('gets the newer value of an item resent if the older call may still arrive', async (t) => {
    const { values } = await told(
      t,
      ['canoe', 'kayak'],
      (ids, call) => ids.map((id) => (call === 1 ? { id, status: id === 'kayak' ? 504 : 429 } : yesTo(id))),
      { off: ['kayak'] },
    );

    assert.deepEqual(
      values.slice(2).filter((value) => value.startsWith('kayak')),
      ['kayak on', 'kayak off', 'kayak off'],
    );
  });

  for (const [what, result] of [
    ['answers 503 for each item', (id: string) => ({ id, status: 503 })],
    ['rejects each item', (id: string) => ({ id, status: 422 })],
    ['rejects an item that was not sent', () => ({ id: 'sauna', status: 422 })],
  ] as const) {
    it(`and that ${what} gets the next call after its Retry-After`, async (t) => {
      const { times } = await told(t, ['kayak', 'canoe'], (ids) => ids.map(result), {
        headers: { 'Retry-After': '400' },
      });

      const [first = NaN, second = NaN] = times;
      assert.ok(second - first >= 400_000, `${second - first} ms`);
    });
  }

  it('has an item refused only after another item was delivered', async (t) => {
    const { last } = await told(t, ['kayak', 'canoe'], (ids, call) =>
      ids.map((id) => (id === 'canoe' ? { id, status: 422 } : call === 1 ? { id, status: 503 } : yesTo(id))),
    );

    assert.deepEqual(last, ['delivered', 'item_refused']);
  });

  it('gets the items without a result resent, and they do not count as delivered', async (t) => {
    const { first, held, last, calls } = await told(t, ['kayak', 'canoe', 'sauna'], (ids, call) =>
      (call === 1 ? ids.slice(0, 1) : ids).map(yesTo),
    );

    assert.deepEqual(first, ['delivered', 'portal_unreadable', 'portal_unreadable']);
    assert.deepEqual(held, []);
    assert.deepEqual(last, ['delivered', 'delivered', 'delivered']);
    assert.deepEqual(new Set(calls.slice(1).flat()), new Set(['canoe', 'sauna']));
  });

  it('has no item counted as delivered if only rejected items have a status', async (t) => {
    const { first, held, last } = await told(t, ['kayak', 'canoe'], (ids) =>
      ids.map((id) => (id === 'canoe' ? { id, status: 422 } : { id })),
    );

    assert.deepEqual([first, held], [['portal_unreadable', 'portal_unreadable'], ['portal_unreadable']]);
    assert.equal(last[0], 'portal_unreadable');
  });

  it('has the other items counted as delivered if it names only the rejected ones', async (t) => {
    const { last } = await told(t, ['kayak', 'canoe', 'sauna'], (ids) =>
      ids.filter((id) => id === 'canoe').map((id) => ({ id, status: 422 })),
    );

    assert.deepEqual(last, ['delivered', 'item_refused', 'delivered']);
  });

  it('may write ids as numbers', async (t) => {
    const { first, held, last } = await told(t, ['17', '0023', '-4'], (ids) =>
      ids.map((id) => ({ id: Number(id), status: id === '0023' ? 422 : 200 })),
    );

    assert.deepEqual([first, held], [['delivered', 'item_refused', 'delivered'], []]);
    assert.deepEqual(last, first);
  });

  it('is unreadable if one number stands for two ids, and no edit is settled', async (t) => {
    const { first, held } = await told(t, ['17', '017'], (ids) =>
      ids.map((id) => ({ id: Number(id), status: id === '017' ? 422 : 200 })),
    );

    assert.deepEqual([first, held], [['portal_unreadable', 'portal_unreadable'], ['portal_unreadable']]);
  });

  for (const [id, number] of [
    ['12345678901234567890', 12345678901234567891n],
    ['17', 17.5],
    ['0x11', 17],
    ['1e1', 10],
  ] as const) {
    it(`is unreadable if it writes ${number} for the id ${id}`, async (t) => {
      const { first, held } = await told(t, [id], () => [{ id: Number(number), status: 200 }]);

      assert.deepEqual([first, held], [['portal_unreadable'], ['portal_unreadable']]);
    });
  }

  it('may write ids in another case if it accepts all items', async (t) => {
    const { last, calls } = await told(t, ['kayak', 'canoe'], (ids) => ids.map((id) => yesTo(id.toUpperCase())));

    assert.deepEqual([last, calls.length], [['delivered', 'delivered'], 1]);
  });

  it('has no item counted as delivered if it writes ids in another case and delays one', async (t) => {
    const { first } = await told(t, ['kayak', 'canoe'], (ids) =>
      ids.map((id) => ({ id: id.toUpperCase(), status: id === 'canoe' ? 503 : 200 })),
    );

    assert.deepEqual(first, ['portal_unreadable', 'portal_unreadable']);
  });
});
