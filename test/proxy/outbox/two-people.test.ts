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
  const fixture = openProxy(t);
  const [ana, ben] = [await person(fixture, 'Ana'), await person(fixture, 'Ben')];
  const seen = await ana.post(true);
  await fixture.clock.pass(SECOND);
  const other = await ben.post(false, { base: seen.updated_at });
  await fixture.clock.pass(10 * MINUTE);
  const mine = await ana.post(true, { base: seen.updated_at, minutesOld: 10 });
  assert.equal(mine.state, 'conflict');
  return { fixture, ana, ben, seen, mine, other };
}

describe('a person who may edit and not view', () => {
  it('learns neither the edit of another person nor its author', async (t) => {
    const fixture = openProxy(t);
    const [ana, ben] = [await person(fixture, 'Ana', { permissions: ['edit'] }), await person(fixture, 'Ben')];
    const seen = await ana.post(true);
    await fixture.clock.pass(SECOND);
    const other = await ben.post(false, { base: seen.updated_at });
    await fixture.clock.pass(10 * MINUTE);

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

describe('a new click after the newer value of another person', () => {
  it('is accepted, and the other person’s page learns the new value, its time and its author', async (t) => {
    const fixture = openProxy(t);
    const [ana, ben] = [await person(fixture, 'Ana'), await person(fixture, 'Ben')];
    const seen = await ana.post(true);
    await fixture.clock.pass(SECOND);
    await ben.post(false, { base: seen.updated_at });
    const { revision } = await ben.list();
    await fixture.clock.pass(SECOND);

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

  it('reveals nothing to a person of another vendor', async (t) => {
    const fixture = openProxy(t);
    const [ana, ben] = [await person(fixture, 'Ana'), await person(fixture, 'Ben')];
    const stranger = await person(fixture, 'Cleo', { vendor: 'weavers' });
    const seen = await ana.post(true);
    await ben.post(false, { base: seen.updated_at });

    const told = [await stranger.post(true), await stranger.list(), await stranger.list(0)];

    assert.equal(/ana|ben|kayak/i.test(JSON.stringify(told)), false);
  });
});

describe('a person whose old click conflicts with the newer value of another person', () => {
  it('gets that value, its time and its author in the response and in the listing', async (t) => {
    const { ana, mine, other } = await conflict(t);
    const theirs = { available: false, updated_at: other.updated_at, by: 'Ben' };

    const { inventory } = await ana.list();

    assert.deepEqual(mine.theirs, theirs);
    assert.deepEqual(
      inventory.map(({ state, available, theirs: told, by }) => [state, available, told, by]),
      [['conflict', true, theirs, undefined]],
    );
  });

  it('gets the value that they saw and the time of their choice in both', async (t) => {
    const { fixture, ana, ben, seen, mine } = await conflict(t);
    const base = { available: true, updated_at: seen.updated_at };
    const clicked_at = timeOf(fixture.clock.wall() - 10 * MINUTE);

    const [item] = (await ana.list()).inventory;
    const [seenByBen] = (await ben.list()).inventory;

    assert.deepEqual([mine.base, mine.clicked_at], [base, clicked_at]);
    assert.deepEqual([item?.base, item?.clicked_at], [base, clicked_at]);
    assert.deepEqual(seenByBen?.base, { ...base, by: 'Ana' });
  });

  it('may keep their own value with only the permission to edit', async (t) => {
    const { fixture, ana, ben, mine } = await conflict(t);
    fixture.proxy.start();

    const answer = await ana.decide('retry', mine.edit_id);
    await fixture.clock.pass(SECOND);

    assert.equal(answer.status, 202);
    const { inventory } = await ben.list();
    assert.deepEqual(
      inventory.map(({ available, state, by }) => [available, state, by]),
      [[true, 'delivered', 'Ana']],
    );
  });

  it('may take the other value with only the permission to edit', async (t) => {
    const { fixture, ana, mine } = await conflict(t);
    fixture.proxy.start();

    const answer = await ana.decide('discard', mine.edit_id);
    await fixture.clock.pass(SECOND);

    assert.equal(answer.status, 200);
    const { inventory } = await ana.list();
    assert.deepEqual(
      inventory.map(({ available, state, by }) => [available, state, by]),
      [[false, 'delivered', 'Ben']],
    );
  });

  it('may not decide with only the permission to view', async (t) => {
    const { fixture, mine } = await conflict(t);
    const measuring = await person(fixture, 'Ana', { permissions: ['view'] });

    for (const what of ['retry', 'discard'] as const) {
      await expectProblem(await measuring.decide(what, mine.edit_id), 'permission_missing');
    }
  });

  it('is the only one to decide, except people with the permission to resolve', async (t) => {
    const { fixture, ben, mine } = await conflict(t);
    const resolving = await person(fixture, 'Cleo', { permissions: ['view', 'resolve'] });

    const refused = [await ben.decide('retry', mine.edit_id), await ben.decide('discard', mine.edit_id)];
    const answer = await resolving.decide('retry', mine.edit_id);

    for (const one of refused) await expectProblem(one, 'permission_missing');
    assert.equal(answer.status, 202);
    const { inventory } = await ben.list();
    assert.deepEqual([inventory[0]?.available, inventory[0]?.by], [true, 'Cleo']);
  });
});
