import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { history } from '../../../src/contract/history.js';
import { type Receipt, receipts } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;

const deciding = (): Promise<string> =>
  embedToken({ permissions: ['view', 'edit', 'resolve', 'history'], name: 'Ada' });

interface Stand extends OpenProxy {
  post(id: string, available: boolean): Promise<Receipt>;
  decide(what: 'retry' | 'discard', editId: string): Promise<Response>;
}

/** A proxy whose portal has taken one item already, and refuses the kayak from now on. */
async function open(t: TestContext, options: Parameters<typeof openProxy>[1] = {}): Promise<Stand> {
  const proxy = openProxy(t, options);
  const token = await deciding();
  const post = async (id: string, available: boolean): Promise<Receipt> => {
    const updated_at = new Date(proxy.clock.wall()).toISOString();
    const answer = await proxy.ask('POST', '/v1/inventory', {
      token,
      body: { inventory: [{ id, available, updated_at }] },
    });
    const [receipt] = receipts.parse(await answer.json()).receipts;
    assert.ok(receipt);
    return receipt;
  };
  proxy.proxy.start();
  await post('sauna', true);
  await proxy.clock.pass(SECOND);
  await proxy.portal.misbehave({ refuse_items: ['kayak'] });
  return {
    ...proxy,
    post,
    decide: (what, editId) => proxy.ask('POST', `/v1/edits/${editId}/${what}`, { token, body: {} }),
  };
}

/** A change that the portal may have taken, as its answer was lost, and refused when it was sent again. */
async function openDoubtful(t: TestContext) {
  const owners: string[] = [];
  const itemsSource = {
    byVendor: false,
    itemsOf: () => Promise.resolve([]),
    ownerOf: () => owners[0],
    isRead: () => true,
    readAgain: () => Promise.resolve(false),
    onRead: () => undefined,
    reload: () => undefined,
  };
  const stand = await open(t, { itemCatalog: itemsSource });
  await stand.post('boat', true);
  await stand.clock.pass(SECOND);
  stand.portal.weather = 'answer lost';
  const doubtful = await stand.post('boat', false);
  await stand.clock.pass(SECOND / 2);
  stand.portal.weather = 'clear';
  await stand.portal.misbehave({ refuse_items: ['boat'] });
  await stand.clock.pass(60 * SECOND);
  await stand.portal.misbehave({});
  /** From now on the operator's list names the item as another vendor's. */
  const giveAway = (): void => void owners.push('pottery');
  return { stand, doubtful, giveAway };
}

async function stateOf({ ask }: OpenProxy, editId: string): Promise<string | undefined> {
  const answer = await ask('GET', `/v1/receipts?ids=${editId}`, { token: await deciding() });
  return receipts.parse(await answer.json()).receipts[0]?.state;
}

describe('a person who decides about an edit that the portal refused', () => {
  it('sends it again as a new edit, which the portal takes now', async (t) => {
    const stand = await open(t);
    const refused = await stand.post('kayak', true);
    await stand.clock.pass(SECOND);
    await stand.portal.misbehave({});

    const answer = await stand.decide('retry', refused.edit_id);
    await stand.clock.pass(SECOND);

    assert.equal(answer.status, 202);
    const [again] = receipts.parse(await answer.json()).receipts;
    assert.ok(again && again.edit_id !== refused.edit_id && again.seq > refused.seq);
    assert.equal(await stateOf(stand, again.edit_id), 'delivered');
    assert.equal(await stateOf(stand, refused.edit_id), 'superseded');
  });

  it('discards it under their name', async (t) => {
    const stand = await open(t);
    const refused = await stand.post('kayak', true);
    await stand.clock.pass(SECOND);

    const answer = await stand.decide('discard', refused.edit_id);

    assert.equal(answer.status, 200);
    const told = await stand.ask('GET', '/v1/history?item=kayak', { token: await deciding() });
    const [entry] = history.parse(await told.json()).history;
    assert.deepEqual([entry?.state, entry?.decided_by, entry?.name, entry?.to], ['discarded', 'ada', 'Ada', true]);
  });

  it('gets back the value that stands where the portal had taken the other one, and its answer was lost', async (t) => {
    const stand = await open(t);
    await stand.post('boat', true);
    await stand.clock.pass(SECOND);
    stand.portal.weather = 'answer lost';
    const doubtful = await stand.post('boat', false);
    await stand.clock.pass(SECOND / 2);
    const taken = await stand.portal.items();
    stand.portal.weather = 'clear';
    await stand.portal.misbehave({ refuse_items: ['boat'] });
    await stand.clock.pass(60 * SECOND);
    const before = await stateOf(stand, doubtful.edit_id);

    await stand.decide('discard', doubtful.edit_id);
    await stand.portal.misbehave({});
    await stand.clock.pass(SECOND);

    // Whether the portal goes by arrival or by stamps.
    const held = (items: typeof taken): unknown[] =>
      items.filter(({ id }) => id === 'boat').map((item) => [item.by_arrival.available, item.by_updated_at.available]);
    assert.deepEqual(
      [held(taken), before, held(await stand.portal.items())],
      [[[false, false]], 'refused', [[true, true]]],
    );
  });

  it('gets nothing sent of an item that is named as another vendor’s by now', async (t) => {
    const { stand, doubtful, giveAway } = await openDoubtful(t);
    const { accepted } = await stand.outbox.count();
    giveAway();

    const answer = await stand.decide('discard', doubtful.edit_id);
    await stand.clock.pass(SECOND);

    assert.equal(answer.status, 200);
    // Nor is there a new one, which would be refused, and have to be decided about again.
    assert.equal((await stand.outbox.count()).accepted, accepted);
    const boats = (await stand.portal.items()).filter(({ id }) => id === 'boat');
    assert.deepEqual(
      boats.map((item) => item.by_arrival.available),
      [false],
    );
  });

  for (const [verdict, outcome] of [
    ['retry', 'item_unknown'],
    ['discard', 'decided'],
  ] as const) {
    it(`and has nothing sent by an operator’s ${verdict} either`, async (t) => {
      const { stand, doubtful, giveAway } = await openDoubtful(t);
      const accepted = async (): Promise<number> => (await stand.outbox.count()).accepted;
      const before = await accepted();
      giveAway();

      const body = JSON.stringify({ verdict, edit_id: doubtful.edit_id, by: 'operator ada' });
      const answer = await stand.proxy.operate(new Request('http://operator/edits', { method: 'POST', body }));

      assert.equal(((await answer.json()) as { outcome: unknown }).outcome, outcome);
      assert.equal(await accepted(), before);
    });
  }

  it('cannot decide about one that is on the portal', async (t) => {
    const stand = await open(t);
    const done = await stand.post('boat', true);
    await stand.clock.pass(SECOND);

    const answers = [await stand.decide('retry', done.edit_id), await stand.decide('discard', done.edit_id)];

    for (const answer of answers) await expectProblem(answer, 'edit_settled');
  });

  it('knows no edit of another vendor, nor one outside their items', async (t) => {
    const stand = await open(t);
    const refused = await stand.post('kayak', true);
    await stand.clock.pass(SECOND);
    const tokens = [
      await embedToken({ vendor: 'pottery', permissions: ['resolve'] }),
      await embedToken({ items: ['boat*'], permissions: ['resolve'] }),
    ];

    for (const token of tokens) {
      const answer = await stand.ask('POST', `/v1/edits/${refused.edit_id}/discard`, { token, body: {} });

      await expectProblem(answer, 'edit_unknown');
    }
  });
});

describe('the history', () => {
  it('tells page by page who changed what, from and to', async (t) => {
    const stand = await open(t);
    for (let change = 0; change < 120; change += 1) await stand.post('boat', change % 2 === 0);
    const token = await deciding();

    const first = history.parse(await (await stand.ask('GET', '/v1/history?item=boat', { token })).json());
    const rest = history.parse(
      await (await stand.ask('GET', `/v1/history?item=boat&cursor=${first.next ?? ''}`, { token })).json(),
    );

    assert.deepEqual([first.history.length, rest.history.length, rest.next], [100, 20, undefined]);
    assert.deepEqual([first.history[0]?.from, first.history[0]?.to, first.history[0]?.subject], [true, false, 'ada']);
  });
});
