import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { history } from '../../../src/contract/history.js';
import { listing, type Permission, type Receipt, receipts } from '../../../src/contract/widget.js';
import type { ItemId } from '../../../src/domain/item.js';
import { createItemCatalog } from '../../../src/proxy/access/item-catalog.js';
import { canAccessItem, catalogOwner, isOwnedByOther, visibleReceipt } from '../../../src/proxy/access/permissions.js';
import { ROUTES } from '../../../src/proxy/app.js';
import { noLog } from '../../../src/proxy/runtime/log.js';
import { expectProblem } from '../../support/expect-problem.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const EDIT = { available: true, updated_at: '2026-11-21T08:30:00.000Z' };

const without = (denied: Permission): Permission[] =>
  (['view', 'edit', 'bulk', 'schedule', 'history', 'resolve'] as const).filter((permission) => permission !== denied);

describe('a session without a permission is refused', () => {
  const needs: readonly (readonly [permission: Permission, method: string, path: string])[] = [
    ['view', 'GET', '/v1/inventory'],
    ['view', 'GET', '/v1/receipts?ids=edit-1'],
    ['edit', 'POST', '/v1/inventory'],
  ];

  for (const [permission, method, path] of needs) {
    it(`to ${permission}: ${method} ${path}`, async (t) => {
      const { ask, outbox } = openProxy(t);
      const body = method === 'POST' ? { inventory: [{ id: 'kayak', ...EDIT }] } : undefined;

      const answer = await ask(method, path, { token: await embedToken({ permissions: without(permission) }), body });

      await expectProblem(answer, 'permission_missing');
      assert.equal(await outbox.nextDueAt(), undefined);
    });
  }
});

describe('a session with no permission at all is refused', () => {
  // What a session may do is the one thing that any session may ask.
  for (const { method, path } of ROUTES.filter((route) => route.path !== '/v1/session')) {
    it(`at ${method} ${path}`, async (t) => {
      const { ask } = openProxy(t);
      const body = method === 'POST' ? { inventory: [{ id: 'kayak', ...EDIT }] } : undefined;

      const answer = await ask(method, path, { token: await embedToken({ permissions: [] }), body });

      await expectProblem(answer, 'permission_missing');
    });
  }
});

describe('a session that is restricted to some items', () => {
  const items = ['kayak', 'boat-*'];
  const scopes: readonly (readonly [id: string, permitted: boolean])[] = [
    ['kayak', true],
    ['kayak-2', false],
    ['Kayak', false],
    ['boat-1', true],
    ['boat-', true],
    ['boat', false],
    ['a-boat-1', false],
    ['boat-*', true],
    ['*', false],
  ];

  for (const [id, permitted] of scopes) {
    it(`${permitted ? 'may' : 'may not'} edit ${id}`, async (t) => {
      const { ask } = openProxy(t);
      const body = { inventory: [{ id, ...EDIT }] };

      const answer = await ask('POST', '/v1/inventory', { token: await embedToken({ items }), body });

      if (permitted) assert.equal(answer.status, 202);
      else await expectProblem(answer, 'item_unknown');
    });
  }

  it('gets the indices of the other items in a batch, and nothing of the batch is stored', async (t) => {
    const { ask, outbox } = openProxy(t);
    const body = { inventory: ['kayak', 'sauna', 'boat-1', 'cabin'].map((id) => ({ id, ...EDIT })) };

    const answer = await ask('POST', '/v1/inventory', { token: await embedToken({ items }), body });

    const { errors } = await expectProblem(answer, 'item_unknown');
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/inventory/1', '/inventory/3'],
    );
    assert.equal(await outbox.nextDueAt(), undefined);
  });

  it('may edit nothing if its list of items is empty', async (t) => {
    const { ask } = openProxy(t);
    const body = { inventory: [{ id: 'kayak', ...EDIT }] };

    const answer = await ask('POST', '/v1/inventory', { token: await embedToken({ items: [] }), body });

    await expectProblem(answer, 'item_unknown');
  });

  it('gets full pages of its items only', async (t) => {
    const { ask } = openProxy(t);
    const ids = ['aaa', 'boat-1', 'bz', 'kayak', 'sauna', 'zzz'];
    await ask('POST', '/v1/inventory', {
      token: await embedToken(),
      body: { inventory: ids.map((id) => ({ id, ...EDIT })) },
    });

    const answer = await ask('GET', '/v1/inventory?limit=2', { token: await embedToken({ items }) });

    const { inventory } = listing.parse(await answer.json());
    assert.deepEqual(
      inventory.map(({ id }) => id),
      ['boat-1', 'kayak'],
    );
  });

  it('gets the history of its items only', async (t) => {
    const { ask } = openProxy(t);
    const ids = ['sauna', 'kayak', 'boat-1', 'cabin'];
    const body = { inventory: ids.map((id) => ({ id, ...EDIT })) };
    await ask('POST', '/v1/inventory', { token: await embedToken(), body });
    const token = await embedToken({ items, permissions: ['history'] });

    const answers = [await ask('GET', '/v1/history', { token }), await ask('GET', '/v1/history?item=sauna', { token })];

    const read = await Promise.all(answers.map(async (answer) => history.parse(await answer.json()).history));
    assert.deepEqual(
      read.map((rows) => rows.map(({ id }) => id)),
      [['boat-1', 'kayak'], []],
    );
  });

  it('gets no receipt for an edit of another item', async (t) => {
    const { ask } = openProxy(t);
    await ask('POST', '/v1/inventory', {
      token: await embedToken(),
      body: {
        inventory: [
          { id: 'kayak', edit_id: 'edit-1', ...EDIT },
          { id: 'sauna', edit_id: 'edit-2', ...EDIT },
        ],
      },
    });

    const answer = await ask('GET', '/v1/receipts?ids=edit-1,edit-2', { token: await embedToken({ items }) });

    assert.deepEqual(
      receipts.parse(await answer.json()).receipts.map(({ id }) => id),
      ['kayak'],
    );
  });
});

describe('a session whose token names no items', () => {
  it('can access every item of its vendor', () => {
    const session = { vendor: 'boat-tours', subject: 'ada', permissions: new Set<Permission>(), expiresAt: 0 };

    assert.equal(canAccessItem(session, 'kayak' as ItemId), true);
    assert.equal(canAccessItem({ ...session, items: ['sauna'] }, 'kayak' as ItemId), false);
  });
});

describe('the receipt of an edit in conflict', () => {
  const own = { id: 'kayak', available: true, edit_id: 'edit-1', state: 'conflict' };
  const others = { by: 'Ada', base: 'rev-1', theirs: { available: false, by: 'Bo' }, portal_available: false };
  const receipt = { ...own, ...others } as unknown as Receipt;
  const session = (permissions: readonly Permission[]) => ({
    vendor: 'boat-tours',
    subject: 'ada',
    permissions: new Set(permissions),
    expiresAt: 0,
  });

  it('is shown whole to a session with the permission view', () => {
    assert.equal(visibleReceipt(session(['view']), receipt), receipt);
  });

  it('is shown to a session without the permission view without the values and names of other people', () => {
    assert.deepEqual(visibleReceipt(session(without('view')), receipt), own);
  });
});

describe('an id in the lists of items', () => {
  const lists = new Map([
    ['boat-tours', ['kayak']],
    ['pottery', ['jug']],
  ]);
  const read = async (): Promise<Parameters<typeof isOwnedByOther>[1]['itemCatalog']> => {
    const catalog = createItemCatalog({
      byVendor: true,
      read: (vendor) => Promise.resolve({ items: (lists.get(vendor) ?? []).map((id) => ({ id: id as ItemId })) }),
      clock: new VirtualClock(),
      log: noLog,
    });
    for (const vendor of lists.keys()) await catalog.itemsOf(vendor);
    return catalog;
  };
  const kayak = 'kayak' as ItemId;

  it('belongs to the vendor of the list, and to no other vendor', async () => {
    const itemCatalog = await read();
    const isForeignTo = (vendor: string): boolean =>
      isOwnedByOther(vendor, { itemCatalog, isIsolated: () => false })(kayak);

    assert.deepEqual(['boat-tours', 'pottery'].map(isForeignTo), [false, true]);
    assert.equal(catalogOwner('pottery', { itemCatalog, isIsolated: () => false })(kayak), 'boat-tours');
  });

  it('is a separate item of a vendor that the portal keeps apart, and has no owner among the others', async () => {
    const itemCatalog = await read();
    const isForeign = (vendor: string, isolated: string): boolean =>
      isOwnedByOther(vendor, { itemCatalog, isIsolated: (one) => one === isolated })(kayak);

    assert.equal(isForeign('pottery', 'pottery'), false);
    assert.equal(isForeign('pottery', 'boat-tours'), false);
    assert.equal(isForeign('pottery', 'sauna-house'), true);
  });

  it('has no owner if no list names it, or if there are no lists', async () => {
    const itemCatalog = await read();
    const sauna = 'sauna' as ItemId;

    assert.equal(isOwnedByOther('pottery', { itemCatalog, isIsolated: () => false })(sauna), false);
    assert.equal(isOwnedByOther('pottery', { isIsolated: () => false })(kayak), false);
  });
});
