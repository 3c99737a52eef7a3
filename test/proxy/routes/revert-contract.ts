import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { history, revertedChangeSet, type HistoryEntry } from '../../../src/contract/history.js';
import { listing, type EditBatch } from '../../../src/contract/widget.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { Outbox } from '../../../src/proxy/outbox/outbox.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';

const SECOND = 1000;
const STORM = '/v1/change-sets/storm/revert';

type Claims = Parameters<typeof embedToken>[0];
type Edit = Partial<EditBatch['inventory'][number]>;
type Options = Parameters<typeof openProxy>[1];

export const MANAGER = { permissions: ['view', 'edit', 'history', 'resolve'] } satisfies Claims;

/** People of one vendor before a proxy, with this outbox. */
export class RevertFixture {
  readonly proxy: OpenProxy;

  constructor(t: TestContext, options: Options) {
    this.proxy = openProxy(t, options);
  }

  /** Sets these items, as one person and in one batch. */
  async set(ids: string | readonly string[], available: boolean, more: Edit = {}, claims: Claims = {}): Promise<void> {
    const updated_at = new Date(this.proxy.clock.wall()).toISOString();
    const body = { inventory: [ids].flat().map((id) => ({ id, available, updated_at, ...more })) };
    const answer = await this.proxy.ask('POST', '/v1/inventory', {
      token: await embedToken({ ...MANAGER, ...claims }),
      body,
    });
    assert.equal(answer.status, 202, await answer.clone().text());
  }

  close(ids: string | readonly string[], claims: Claims = {}, set = 'storm'): Promise<void> {
    return this.set(ids, false, { change_set: set as EditId }, claims);
  }

  async ask(claims: Claims = {}, body: object = {}, headers: Readonly<Record<string, string>> = {}, path = STORM) {
    return this.proxy.ask('POST', path, { token: await embedToken({ ...MANAGER, ...claims }), body, headers });
  }

  async revert(...request: Parameters<RevertFixture['ask']>) {
    const answer = await this.ask(...request);
    assert.equal(answer.status, 202, await answer.clone().text());
    return revertedChangeSet.parse(await answer.json());
  }

  /** The values that a person of this vendor sees. */
  async values(vendor = 'boat-tours'): Promise<Record<string, boolean | undefined>> {
    const answer = await this.proxy.ask('GET', '/v1/inventory', { token: await embedToken({ vendor }) });
    const { inventory } = listing.parse(await answer.json());
    return Object.fromEntries(inventory.map(({ id, available }) => [id, available]));
  }

  async history(query: string): Promise<readonly HistoryEntry[]> {
    const answer = await this.proxy.ask('GET', `/v1/history?${query}`, { token: await embedToken(MANAGER) });
    return history.parse(await answer.json()).history;
  }
}

/** Reverting a change set at the door of its route, with the outbox of each engine. */
export function describeRevert(engine: string, open: () => Promise<Outbox>): void {
  const test = (title: string, body: (fixture: RevertFixture) => Promise<void>, options: Options = {}): void => {
    it(title, async (t) => body(new RevertFixture(t, { outbox: await open(), ...options })));
  };

  describe(`a request to revert a change set, in ${engine}`, () => {
    test('restores the previous values, with a receipt for each item', async (fixture) => {
      await fixture.set(['kayak', 'boat'], true);
      await fixture.close(['kayak', 'boat']);

      const { receipts, skipped, next } = await fixture.revert({ subject: 'ben' });

      assert.deepEqual(
        receipts.map(({ id, state }) => [id, state]),
        [
          ['boat', 'received'],
          ['kayak', 'received'],
        ],
      );
      assert.deepEqual([skipped, next], [[], undefined]);
      assert.deepEqual(await fixture.values(), { kayak: true, boat: true });
    });

    test('makes edits of the person who reverts, in a new change set that can be reverted too', async (fixture) => {
      await fixture.set(['kayak', 'boat'], true);
      await fixture.close(['kayak', 'boat']);

      const { change_set } = await fixture.revert({ subject: 'ben' });
      const made = await fixture.history(`change_set=${String(change_set)}`);
      const again = await fixture.revert({}, {}, {}, `/v1/change-sets/${String(change_set)}/revert`);

      assert.notEqual(change_set, 'storm');
      assert.deepEqual(
        made.map(({ id, from, to, subject, current }) => [id, from, to, subject, current]),
        [
          ['kayak', false, true, 'ben', true],
          ['boat', false, true, 'ben', true],
        ],
      );
      assert.equal(again.receipts.length, 2);
      assert.deepEqual(await fixture.values(), { kayak: false, boat: false });
    });

    test('returns each skipped item with the reason', async (fixture) => {
      await fixture.set(['kayak', 'boat', 'sauna'], true);
      await fixture.set('cabin', false);
      await fixture.close(['kayak', 'boat', 'sauna', 'cabin', 'tent']);
      // Ben has closed the boat himself, and has opened the sauna.
      await fixture.set('boat', false, {}, { subject: 'ben', name: 'Ben' });
      await fixture.set('sauna', true, {}, { subject: 'ben' });

      const { receipts, skipped } = await fixture.revert();

      assert.deepEqual(
        receipts.map(({ id }) => id),
        ['kayak'],
      );
      assert.deepEqual(skipped, [
        { id: 'tent', reason: 'unset_before' },
        { id: 'cabin', reason: 'same_value' },
        { id: 'sauna', reason: 'same_value' },
        { id: 'boat', reason: 'changed_since', by: 'Ben' },
      ]);
      assert.deepEqual(await fixture.values(), { kayak: true, boat: false, sauna: true, cabin: false, tent: false });
    });

    test('skips an item in conflict', async (fixture) => {
      await fixture.set('kayak', true);
      const [seen] = await fixture.history('item=kayak');
      const clicked = new Date(fixture.proxy.clock.wall()).toISOString();
      await fixture.proxy.clock.pass(200 * SECOND);
      await fixture.set('kayak', true, {}, { subject: 'ben', name: 'Ben' });
      const late = { id: 'kayak', available: false, updated_at: clicked, base: seen?.updated_at };
      const sent_at = new Date(fixture.proxy.clock.wall()).toISOString();
      await fixture.proxy.ask('POST', '/v1/inventory', {
        token: await embedToken(MANAGER),
        body: { inventory: [{ ...late, change_set: 'storm' }], sent_at },
      });
      const [entry] = await fixture.history('item=kayak');

      const { receipts, skipped } = await fixture.revert();

      assert.deepEqual([entry?.state, receipts], ['conflict', []]);
      assert.deepEqual(skipped, [{ id: 'kayak', reason: 'changed_since' }]);
    });

    test('returns the same response for the same idempotency key, and makes no second edit', async (fixture) => {
      await fixture.set(['kayak', 'boat'], true);
      await fixture.close(['kayak', 'boat', 'tent']);
      const key = { 'Idempotency-Key': 'revert-1' };

      const answers = await Promise.all([1, 2].map(() => fixture.revert({}, {}, key)));
      const again = await fixture.revert({}, {}, key);

      assert.equal(answers[0]?.receipts.length, 2);
      assert.deepEqual(answers[1], answers[0]);
      assert.deepEqual(again, answers[0]);
      assert.equal((await fixture.history('')).length, 7);
    });

    test('does not reopen an item that was closed again since, if it is repeated under its key', async (fixture) => {
      await fixture.set('kayak', true);
      await fixture.close('kayak');
      const key = { 'Idempotency-Key': 'revert-1' };
      const [first] = (await fixture.revert({}, {}, key)).receipts;
      await fixture.close('kayak');

      const { receipts, skipped } = await fixture.revert({}, {}, key);

      assert.deepEqual([receipts.map(({ edit_id }) => edit_id), skipped], [[first?.edit_id], []]);
      assert.deepEqual(await fixture.values(), { kayak: false });
    });

    test('returns only the items of the session, if it is repeated with fewer of them', async (fixture) => {
      await fixture.set(['kayak', 'boat'], true);
      await fixture.close(['kayak', 'boat', 'tent']);
      const key = { 'Idempotency-Key': 'revert-1' };
      await fixture.revert({}, {}, key);

      const { receipts, skipped } = await fixture.revert({ items: ['kayak'] }, {}, key);

      assert.deepEqual([receipts.map(({ id }) => id), skipped], [['kayak'], []]);
    });

    test('is rejected under the idempotency key of another request', async (fixture) => {
      await fixture.set('kayak', true);
      await fixture.close('kayak');
      const key = { 'Idempotency-Key': 'revert-1' };
      await fixture.revert({}, {}, key);

      await expectProblem(await fixture.ask({}, { change_set: 'undo' }, key), 'idempotency_key_reused');
    });

    test('never replaces a value that another person sets concurrently', async (fixture) => {
      await fixture.set(['kayak', 'boat'], true);
      await fixture.close(['kayak', 'boat']);

      const [{ receipts, skipped }] = await Promise.all([
        fixture.revert(),
        fixture.set('kayak', false, {}, { subject: 'ben' }),
        fixture.revert({ subject: 'cleo' }),
      ]);

      assert.equal(receipts.length + skipped.length, 2);
      assert.deepEqual(await fixture.values(), { kayak: false, boat: true });
    });

    test(
      'is split into parts of the maximum batch size, in the change set that the page names',
      async (fixture) => {
        const ids = ['a', 'b', 'c', 'd', 'e'];
        for (const id of ids) {
          await fixture.set(id, true);
          await fixture.close(id);
        }
        const change_set = 'undo';

        const first = await fixture.revert({}, { change_set });
        const second = await fixture.revert({}, { change_set, cursor: first.next });
        const third = await fixture.revert({}, { change_set, cursor: second.next });

        const parts = [first, second, third].map(({ receipts }) => receipts.map(({ id }) => id));
        assert.deepEqual([parts, third.next], [[['e', 'd'], ['c', 'b'], ['a']], undefined]);
        assert.equal((await fixture.history('change_set=undo')).length, 5);
      },
      { limits: { maxEdits: 2 } },
    );

    test('affects the edits of the named vendor and person only, whoever else uses the id of the change set', async (fixture) => {
      await fixture.set(['kayak', 'boat'], true);
      await fixture.close('kayak');
      await fixture.close('boat', { subject: 'ben' });
      await fixture.set('loom', true, {}, { vendor: 'weavers' });
      await fixture.close('loom', { vendor: 'weavers' });

      const { receipts, skipped } = await fixture.revert({}, { subject: 'ben' });
      await expectProblem(await fixture.ask({ vendor: 'pottery' }), 'change_set_unknown');

      assert.deepEqual([receipts.map(({ id }) => id), skipped], [['boat'], []]);
      assert.deepEqual(await fixture.values(), { kayak: false, boat: true });
      assert.deepEqual(await fixture.values('weavers'), { loom: false });
    });

    test('neither reverts nor returns items outside the session', async (fixture) => {
      await fixture.set(['kayak', 'boat', 'tent'], true);
      await fixture.close(['kayak', 'boat', 'tent']);
      await fixture.set('tent', false, {}, { subject: 'ben' });

      const { receipts, skipped } = await fixture.revert({ items: ['kayak'] });
      await expectProblem(await fixture.ask({ items: ['sauna'] }), 'change_set_unknown');

      assert.deepEqual([receipts.map(({ id }) => id), skipped], [['kayak'], []]);
      assert.deepEqual(await fixture.values(), { kayak: true, boat: false, tent: false });
    });
  });
}
