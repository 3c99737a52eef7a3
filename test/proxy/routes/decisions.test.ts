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

interface Fixture extends OpenProxy {
  post(id: string, available: boolean): Promise<Receipt>;
  decide(what: 'retry' | 'discard', editId: string): Promise<Response>;
}

/** A proxy whose portal has taken one item already, and refuses the kayak from now on. */
async function open(t: TestContext, options: Parameters<typeof openProxy>[1] = {}): Promise<Fixture> {
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
  const fixture = await open(t, { itemCatalog: itemsSource });
  await fixture.post('boat', true);
  await fixture.clock.pass(SECOND);
  fixture.portal.networkFault = 'answer lost';
  const doubtful = await fixture.post('boat', false);
  await fixture.clock.pass(SECOND / 2);
  fixture.portal.networkFault = 'none';
  await fixture.portal.misbehave({ refuse_items: ['boat'] });
  await fixture.clock.pass(60 * SECOND);
  await fixture.portal.misbehave({});
  /** From now on the operator's list names the item as another vendor's. */
  const giveAway = (): void => void owners.push('pottery');
  return { fixture, doubtful, giveAway };
}

async function stateOf({ ask }: OpenProxy, editId: string): Promise<string | undefined> {
  const answer = await ask('GET', `/v1/receipts?ids=${editId}`, { token: await deciding() });
  return receipts.parse(await answer.json()).receipts[0]?.state;
}

describe('a person who decides about a refused edit', () => {
  it('retries it as a new edit, which is delivered once the portal accepts it', async (t) => {
    const fixture = await open(t);
    const refused = await fixture.post('kayak', true);
    await fixture.clock.pass(SECOND);
    await fixture.portal.misbehave({});

    const answer = await fixture.decide('retry', refused.edit_id);
    await fixture.clock.pass(SECOND);

    assert.equal(answer.status, 202);
    const [again] = receipts.parse(await answer.json()).receipts;
    assert.ok(again && again.edit_id !== refused.edit_id && again.seq > refused.seq);
    assert.equal(await stateOf(fixture, again.edit_id), 'delivered');
    assert.equal(await stateOf(fixture, refused.edit_id), 'superseded');
  });

  it('discards it, and the history names the person', async (t) => {
    const fixture = await open(t);
    const refused = await fixture.post('kayak', true);
    await fixture.clock.pass(SECOND);

    const answer = await fixture.decide('discard', refused.edit_id);

    assert.equal(answer.status, 200);
    const told = await fixture.ask('GET', '/v1/history?item=kayak', { token: await deciding() });
    const [entry] = history.parse(await told.json()).history;
    assert.deepEqual([entry?.state, entry?.decided_by, entry?.name, entry?.to], ['discarded', 'ada', 'Ada', true]);
  });

  it('restores the delivered value at the portal by discarding an edit whose lost attempt the portal had applied', async (t) => {
    const fixture = await open(t);
    await fixture.post('boat', true);
    await fixture.clock.pass(SECOND);
    fixture.portal.networkFault = 'answer lost';
    const doubtful = await fixture.post('boat', false);
    await fixture.clock.pass(SECOND / 2);
    const taken = await fixture.portal.items();
    fixture.portal.networkFault = 'none';
    await fixture.portal.misbehave({ refuse_items: ['boat'] });
    await fixture.clock.pass(60 * SECOND);
    const before = await stateOf(fixture, doubtful.edit_id);

    await fixture.decide('discard', doubtful.edit_id);
    await fixture.portal.misbehave({});
    await fixture.clock.pass(SECOND);

    // Whether the portal goes by arrival or by stamps.
    const held = (items: typeof taken): unknown[] =>
      items.filter(({ id }) => id === 'boat').map((item) => [item.by_arrival.available, item.by_updated_at.available]);
    assert.deepEqual(
      [held(taken), before, held(await fixture.portal.items())],
      [[[false, false]], 'refused', [[true, true]]],
    );
  });

  it('sends nothing by discarding an edit whose item belongs to another vendor by now', async (t) => {
    const { fixture, doubtful, giveAway } = await openDoubtful(t);
    const { accepted } = await fixture.outbox.count();
    giveAway();

    const answer = await fixture.decide('discard', doubtful.edit_id);
    await fixture.clock.pass(SECOND);

    assert.equal(answer.status, 200);
    // Nor is there a new one, which would be refused, and have to be decided about again.
    assert.equal((await fixture.outbox.count()).accepted, accepted);
    const boats = (await fixture.portal.items()).filter(({ id }) => id === 'boat');
    assert.deepEqual(
      boats.map((item) => item.by_arrival.available),
      [false],
    );
  });

  for (const [verdict, outcome] of [
    ['retry', 'item_unknown'],
    ['discard', 'decided'],
  ] as const) {
    it(`sends nothing by an operator’s ${verdict} either`, async (t) => {
      const { fixture, doubtful, giveAway } = await openDoubtful(t);
      const accepted = async (): Promise<number> => (await fixture.outbox.count()).accepted;
      const before = await accepted();
      giveAway();

      const body = JSON.stringify({ verdict, edit_id: doubtful.edit_id, by: 'operator ada' });
      const answer = await fixture.proxy.operate(new Request('http://operator/edits', { method: 'POST', body }));

      assert.equal(((await answer.json()) as { outcome: unknown }).outcome, outcome);
      assert.equal(await accepted(), before);
    });
  }

  it('gets edit_settled for an edit that was delivered', async (t) => {
    const fixture = await open(t);
    const done = await fixture.post('boat', true);
    await fixture.clock.pass(SECOND);

    const answers = [await fixture.decide('retry', done.edit_id), await fixture.decide('discard', done.edit_id)];

    for (const answer of answers) await expectProblem(answer, 'edit_settled');
  });

  it('gets edit_unknown for an edit of another vendor or of an item outside the session', async (t) => {
    const fixture = await open(t);
    const refused = await fixture.post('kayak', true);
    await fixture.clock.pass(SECOND);
    const tokens = [
      await embedToken({ vendor: 'pottery', permissions: ['resolve'] }),
      await embedToken({ items: ['boat*'], permissions: ['resolve'] }),
    ];

    for (const token of tokens) {
      const answer = await fixture.ask('POST', `/v1/edits/${refused.edit_id}/discard`, { token, body: {} });

      await expectProblem(answer, 'edit_unknown');
    }
  });
});

describe('the history', () => {
  it('names who changed what, from and to, page by page', async (t) => {
    const fixture = await open(t);
    for (let change = 0; change < 120; change += 1) await fixture.post('boat', change % 2 === 0);
    const token = await deciding();

    const first = history.parse(await (await fixture.ask('GET', '/v1/history?item=boat', { token })).json());
    const rest = history.parse(
      await (await fixture.ask('GET', `/v1/history?item=boat&cursor=${first.next ?? ''}`, { token })).json(),
    );

    assert.deepEqual([first.history.length, rest.history.length, rest.next], [100, 20, undefined]);
    assert.deepEqual([first.history[0]?.from, first.history[0]?.to, first.history[0]?.subject], [true, false, 'ada']);
  });
});
