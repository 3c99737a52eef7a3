import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ItemCatalog } from '../../../src/proxy/access/item-catalog.js';
import type { ItemId } from '../../../src/domain/item.js';
import { embedToken } from '../../support/page-request.js';
import { expectProblem } from '../../support/expect-problem.js';
import { OutboxFile } from '../../support/outbox-file.js';
import { describeRevert, MANAGER, RevertFixture } from './revert-contract.js';

const SECOND = 1000;

/** The operator's list, of all vendors in one. */
const CATALOG: ItemCatalog = {
  byVendor: false,
  itemsOf: () => Promise.resolve([]),
  ownerOf: () => undefined,
  isRead: () => true,
  readAgain: () => Promise.resolve(false),
  onRead: () => undefined,
  reload: () => undefined,
};

describeRevert('SQLite', () => Promise.resolve(new OutboxFile().open()));

describe('a request to revert a change set', () => {
  it('needs the permissions to edit and to read the history', async (t) => {
    const fixture = new RevertFixture(t, {});
    await fixture.set('kayak', true);
    await fixture.close('kayak');

    for (const permissions of [['view', 'history'] as const, ['view', 'edit', 'bulk'] as const]) {
      await expectProblem(await fixture.ask({ permissions: [...permissions] }), 'permission_missing');
    }

    assert.deepEqual(await fixture.values(), { kayak: false });
  });

  it('delivers the previous values to the portal', async (t) => {
    const fixture = new RevertFixture(t, {});
    fixture.proxy.proxy.start();
    await fixture.set(['kayak', 'boat'], true);
    await fixture.close(['kayak', 'boat']);
    await fixture.proxy.clock.pass(SECOND);

    const { receipts } = await fixture.revert();
    await fixture.proxy.clock.pass(SECOND);

    const held = await fixture.proxy.portal.items();
    const values = held.map(({ id, by_updated_at }) => [id, by_updated_at.available]);
    assert.deepEqual(Object.fromEntries(values), { kayak: true, boat: true });
    const entries = await fixture.history('state=delivered&limit=2');
    assert.deepEqual(new Set(entries.map(({ edit_id }) => edit_id)), new Set(receipts.map(({ edit_id }) => edit_id)));
  });

  it('restores the value before the change set for an item whose edit was retried', async (t) => {
    const fixture = new RevertFixture(t, {});
    fixture.proxy.proxy.start();
    await fixture.set(['kayak', 'boat'], true);
    await fixture.proxy.clock.pass(SECOND);
    await fixture.proxy.portal.misbehave({ refuse_items: ['kayak'] });
    await fixture.close(['kayak', 'boat']);
    await fixture.proxy.clock.pass(SECOND);
    await fixture.proxy.portal.misbehave({});
    const [refused] = await fixture.history('item=kayak');
    const token = await embedToken(MANAGER);
    await fixture.proxy.ask('POST', `/v1/edits/${String(refused?.edit_id)}/retry`, { token, body: {} });

    const { receipts, skipped } = await fixture.revert();

    assert.equal(refused?.state, 'refused');
    assert.deepEqual([receipts.length, skipped], [2, []]);
    assert.deepEqual(await fixture.values(), { kayak: true, boat: true });
  });

  it('is rejected without an idempotency key, with unknown fields, and for an unknown change set', async (t) => {
    const fixture = new RevertFixture(t, {});
    await fixture.close('kayak');

    await expectProblem(await fixture.ask({}, {}, { 'Idempotency-Key': '' }), 'idempotency_key_required');
    await expectProblem(await fixture.ask({}, { item: 'kayak' }), 'invalid_body');
    await expectProblem(await fixture.ask({}, { cursor: 'x' }), 'invalid_body');
    await expectProblem(await fixture.ask({}, {}, {}, '/v1/change-sets/calm/revert'), 'change_set_unknown');
    await expectProblem(await fixture.ask({}, {}, {}, '/v1/change-sets/a%20b/revert'), 'change_set_unknown');
  });

  it('costs as much of the write budget as the change set has edits, and bulk has a larger budget', async (t) => {
    const writeLimits = { edits: 5, bulkEdits: 10 };
    const fixture = new RevertFixture(t, { writeLimits });
    const ids = ['a', 'b', 'c'];
    await fixture.set(ids, true, {}, { subject: 'ben' });
    await fixture.close(ids);

    await expectProblem(await fixture.ask(), 'budget_spent');
    const cleo = { subject: 'cleo', permissions: ['edit' as const, 'history' as const, 'bulk' as const] };
    const { receipts, change_set } = await fixture.revert(cleo);
    const again = await fixture.revert(cleo, {}, {}, `/v1/change-sets/${String(change_set)}/revert`);

    assert.deepEqual([receipts.length, again.receipts.length], [3, 3]);
  });

  it('is rejected while too many edits wait', async (t) => {
    const fixture = new RevertFixture(t, { maxWaiting: 2 });
    await fixture.set('kayak', true);
    await fixture.close('kayak');
    await fixture.set(['boat', 'tent'], true);
    await fixture.proxy.clock.pass(60_000);

    await expectProblem(await fixture.ask(), 'overloaded');
  });

  it('skips an item that the item catalog assigns to another vendor by now', async (t) => {
    const owners = new Map<ItemId, string>();
    const itemCatalog = { ...CATALOG, ownerOf: (id: ItemId) => owners.get(id) };
    const fixture = new RevertFixture(t, { itemCatalog });
    await fixture.set(['kayak', 'boat'], true);
    await fixture.close(['kayak', 'boat']);
    owners.set('boat' as ItemId, 'pottery');

    const { receipts, skipped } = await fixture.revert();

    assert.deepEqual(
      receipts.map(({ id }) => id),
      ['kayak'],
    );
    assert.deepEqual(skipped, [{ id: 'boat', reason: 'not_permitted' }]);
  });

  it('is rejected until the item catalog of the vendor was read, and then skips items that are not in it', async (t) => {
    const before = new RevertFixture(t, {});
    await before.set('kayak', true);
    await before.close('kayak');
    const { outbox, clock } = before.proxy;
    let isRead = false;
    const itemCatalog = { ...CATALOG, byVendor: true, isRead: () => isRead };
    const fixture = new RevertFixture(t, { outbox, clock, itemCatalog });

    await expectProblem(await fixture.ask(), 'items_unverifiable');
    isRead = true;
    const { receipts, skipped } = await fixture.revert();

    assert.deepEqual([receipts, skipped], [[], [{ id: 'kayak', reason: 'not_permitted' }]]);
    assert.deepEqual(await before.values(), { kayak: false });
  });
});
