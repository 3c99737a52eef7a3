import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { listing, type Listing, type Permission, type Receipt, receipts } from '../../../src/contract/widget.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Person {
  post(available: boolean, more?: { base?: string | undefined; minutesOld?: number }): Promise<Receipt>;
  list(since?: number): Promise<Listing>;
  decide(what: 'retry' | 'discard', editId: string): Promise<Response>;
}

async function person(
  { ask, clock }: OpenProxy,
  name: string,
  { permissions = ['view', 'edit'], vendor }: { permissions?: Permission[]; vendor?: string } = {},
): Promise<Person> {
  const token = await embedToken({ subject: name.toLowerCase(), name, permissions, ...(vendor && { vendor }) });
  return {
    async post(available, { base, minutesOld = 0 } = {}) {
      const [clicked, sent_at] = [clock.wall() - minutesOld * MINUTE, clock.wall()].map(timeOf);
      const inventory = [{ id: vendor ?? 'kayak', available, updated_at: clicked, base }];
      const answer = await ask('POST', '/v1/inventory', { token, body: { inventory, sent_at } });
      const [receipt] = receipts.parse(await answer.json()).receipts;
      assert.ok(receipt);
      return receipt;
    },
    async list(since) {
      const answer = await ask('GET', `/v1/inventory${since === undefined ? '' : `?since=${String(since)}`}`, {
        token,
      });
      return listing.parse(await answer.json());
    },
    decide: (what, editId) => ask('POST', `/v1/edits/${editId}/${what}`, { token, body: {} }),
  };
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}

/** Ana saw the kayak, Ben changed it, and Ana's click of ten minutes ago arrives now. */
async function conflict(t: TestContext) {
  const stand = openProxy(t);
  const [ana, ben] = [await person(stand, 'Ana'), await person(stand, 'Ben')];
  const seen = await ana.post(true);
  await stand.clock.pass(SECOND);
  const other = await ben.post(false, { base: seen.updated_at });
  await stand.clock.pass(10 * MINUTE);
  const mine = await ana.post(true, { base: seen.updated_at, minutesOld: 10 });
  assert.equal(mine.state, 'conflict');
  return { stand, ana, ben, seen, mine, other };
}

describe('a person who may edit and not view', () => {
  it('learns nothing of what another person did, nor who it was', async (t) => {
    const stand = openProxy(t);
    const [ana, ben] = [await person(stand, 'Ana', { permissions: ['edit'] }), await person(stand, 'Ben')];
    const seen = await ana.post(true);
    await stand.clock.pass(SECOND);
    const other = await ben.post(false, { base: seen.updated_at });
    await stand.clock.pass(10 * MINUTE);

    const mine = await ana.post(true, { base: seen.updated_at, minutesOld: 10 });
    const decided = await ana.decide('discard', mine.edit_id);
    const [stranger, unknown] = [await ana.decide('retry', other.edit_id), await ana.decide('retry', 'no-such-edit')];

    assert.equal(mine.state, 'conflict');
    for (const receipt of [mine, receipts.parse(await decided.json()).receipts[0]]) {
      assert.deepEqual([receipt?.by, receipt?.base, receipt?.theirs], [undefined, undefined, undefined]);
    }
    const problems = await Promise.all([stranger, unknown].map((answer) => expectProblem(answer, 'edit_unknown')));
    assert.deepEqual(
      problems.map(({ detail }) => detail),
      [problems[0]?.detail, problems[0]?.detail],
    );
  });
});

describe('a fresh click over the newer value of somebody else', () => {
  it('is taken, and the page of the other learns what it is now, since when and by whom', async (t) => {
    const stand = openProxy(t);
    const [ana, ben] = [await person(stand, 'Ana'), await person(stand, 'Ben')];
    const seen = await ana.post(true);
    await stand.clock.pass(SECOND);
    await ben.post(false, { base: seen.updated_at });
    const { revision } = await ben.list();
    await stand.clock.pass(SECOND);

    const receipt = await ana.post(true, { base: seen.updated_at });

    assert.equal(receipt.state, 'received');
    const { inventory } = await ben.list(revision);
    assert.deepEqual(
      inventory.map(({ id, available, updated_at, by }) => [id, available, updated_at, by]),
      [['kayak', true, receipt.updated_at, 'Ana']],
    );
    const { inventory: own } = await ana.list(revision);
    assert.equal(own[0]?.by, undefined);
  });

  it('tells a person of another vendor nothing of it', async (t) => {
    const stand = openProxy(t);
    const [ana, ben] = [await person(stand, 'Ana'), await person(stand, 'Ben')];
    const stranger = await person(stand, 'Cleo', { vendor: 'weavers' });
    const seen = await ana.post(true);
    await ben.post(false, { base: seen.updated_at });

    const told = [await stranger.post(true), await stranger.list(), await stranger.list(0)];

    assert.equal(/ana|ben|kayak/i.test(JSON.stringify(told)), false);
  });
});

describe('a person whose old click met the newer value of somebody else', () => {
  it('is told by the answer and by the listing which value that is, since when and by whom', async (t) => {
    const { ana, mine, other } = await conflict(t);
    const theirs = { available: false, updated_at: other.updated_at, by: 'Ben' };

    const { inventory } = await ana.list();

    assert.deepEqual(mine.theirs, theirs);
    assert.deepEqual(
      inventory.map(({ state, available, theirs: told, by }) => [state, available, told, by]),
      [['conflict', true, theirs, undefined]],
    );
  });

  it('is told by both what it was that they saw, and when they chose', async (t) => {
    const { stand, ana, ben, seen, mine } = await conflict(t);
    const base = { available: true, updated_at: seen.updated_at };
    const clicked_at = timeOf(stand.clock.wall() - 10 * MINUTE);

    const [item] = (await ana.list()).inventory;
    const [seenByBen] = (await ben.list()).inventory;

    assert.deepEqual([mine.base, mine.clicked_at], [base, clicked_at]);
    assert.deepEqual([item?.base, item?.clicked_at], [base, clicked_at]);
    assert.deepEqual(seenByBen?.base, { ...base, by: 'Ana' });
  });

  it('keeps their own value with the permission to edit alone', async (t) => {
    const { stand, ana, ben, mine } = await conflict(t);
    stand.proxy.start();

    const answer = await ana.decide('retry', mine.edit_id);
    await stand.clock.pass(SECOND);

    assert.equal(answer.status, 202);
    const { inventory } = await ben.list();
    assert.deepEqual(
      inventory.map(({ available, state, by }) => [available, state, by]),
      [[true, 'delivered', 'Ana']],
    );
  });

  it('takes the other value with the permission to edit alone', async (t) => {
    const { stand, ana, mine } = await conflict(t);
    stand.proxy.start();

    const answer = await ana.decide('discard', mine.edit_id);
    await stand.clock.pass(SECOND);

    assert.equal(answer.status, 200);
    const { inventory } = await ana.list();
    assert.deepEqual(
      inventory.map(({ available, state, by }) => [available, state, by]),
      [[false, 'delivered', 'Ben']],
    );
  });

  it('decides about it no more where they may only look', async (t) => {
    const { stand, mine } = await conflict(t);
    const looking = await person(stand, 'Ana', { permissions: ['view'] });

    for (const what of ['retry', 'discard'] as const) {
      await expectProblem(await looking.decide(what, mine.edit_id), 'permission_missing');
    }
  });

  it('is the only one who decides, but for people who may decide about the changes of others', async (t) => {
    const { stand, ben, mine } = await conflict(t);
    const resolving = await person(stand, 'Cleo', { permissions: ['view', 'resolve'] });

    const refused = [await ben.decide('retry', mine.edit_id), await ben.decide('discard', mine.edit_id)];
    const answer = await resolving.decide('retry', mine.edit_id);

    for (const one of refused) await expectProblem(one, 'permission_missing');
    assert.equal(answer.status, 202);
    const { inventory } = await ben.list();
    assert.deepEqual([inventory[0]?.available, inventory[0]?.by], [true, 'Cleo']);
  });
});
