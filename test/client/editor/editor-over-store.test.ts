import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { ClosureTable } from '../../../src/client/storage/closure-table.js';
import { Closures } from '../../../src/client/editor/saved/saved-closure.js';
import { DraftAutosave } from '../../../src/client/editor/saved/draft-autosave.js';
import type { InventoryStore } from '../../../src/client/store/inventory-store.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemSelection } from '../../../src/client/editor/selection.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, CABIN, itemId, KAYAK } from '../support/items.js';
import { NO_HOST } from '../support/no-host.js';
import { goOffline } from '../support/offline.js';
import { openReadyStore, openStore, untilStatus, untilTruth } from '../support/open-store.js';
import { ANNA, BEN, fakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

/** The editor's model over a real store. Only the network is simulated. */
function edit(store: InventoryStore, entries: readonly unknown[], mode: ItemDraft['mode'] = 'manual') {
  const table = new ItemList(store, entries, () => undefined);
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode, withdraw: (ids) => store.withdraw(ids) });
  const selection = new ItemSelection(table);
  const keeper = new DraftAutosave(draft, store, () => undefined);
  afterThisTest(() => {
    keeper.close();
    selection.close();
    draft.close();
    table.close();
  });
  return { table, draft, selection, keeper };
}

function findItemIndex(table: ItemList, id: ItemId): number {
  return table.findItemIndex(id) ?? -1;
}

describe('the editor over the store', () => {
  it('shows the proxy’s values in place of the host’s, and adds items that only the proxy knows', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true });
    proxy.lists({ id: CABIN, label: 'Cabin 7' });
    const { store } = openStore(proxy);
    const { table } = edit(store, [
      { id: KAYAK, available: false },
      { id: BOAT, available: false },
    ]);
    const early = { available: table.row(1)?.view.available, complete: table.complete };

    await untilStatus(store, 'ready');
    await until(() => table.complete, 'the table is complete');

    expect(early).to.deep.equal({ available: false, complete: false });
    expect(table.row(1)?.view.available).to.equal(true);
    expect(table.row(2)?.view).to.include({ id: CABIN, label: 'Cabin 7', available: undefined });
    expect(table.counts).to.include({ all: 3, available: 1, unavailable: 1, unknown: 1 });
  });

  for (const mode of ['auto', 'manual'] as const)
    it(`redoes a change that was withdrawn before it was sent, over a colleague’s value, saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true, by: 'Carla' });
      const { store } = await openReadyStore(proxy);
      const { table, draft } = edit(store, [{ id: KAYAK }], mode);
      await until(() => table.complete, 'the table is complete');
      goOffline();
      proxy.down = true;
      await draft.set(0, false);
      if (mode === 'manual') await draft.save();

      expect(await draft.undo()).to.deep.equal({ changed: 1, skipped: 0 });
      expect(await draft.redo()).to.deep.equal({ changed: 1, skipped: 0 });
      expect(table.row(0)?.draft ?? table.row(0)?.view.available).to.equal(false);
    });

  it('reopens items that were closed only in drafts, even if a colleague set them before', async () => {
    const proxy = fakeProxy();
    for (const id of [KAYAK, BOAT]) proxy.knows({ id, available: true, by: 'Carla' });
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK }, { id: BOAT }]);
    const closings = new Closures(draft, store, () => undefined, new ClosureTable());
    afterThisTest(() => {
      closings.close();
    });
    await until(() => table.complete, 'the table is complete');

    expect(await closings.apply(false)).to.equal(2);
    expect(closings.preview(true)).to.include({ change: 2, skipped: 0 });
    expect(await closings.apply(true)).to.equal(2);
    expect(table.counts.changed).to.equal(0);
  });

  it('withdraws a first value that was saved and not sent, so that the item has no value again', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    const entries = Array.from({ length: 1_200 }, (_, at) => ({ id: itemId(`tour-${String(at)}`) }));
    const { table, draft } = edit(store, entries);
    await until(() => table.complete, 'the table is complete');
    goOffline();
    proxy.down = true;
    await draft.setSelected({ rows: () => entries.map((_, at) => at) }, true);
    await draft.save();
    await until(() => table.counts.available === 1_200, 'all are set');

    const undone = await draft.undo();

    expect(undone).to.deep.equal({ changed: 1_200, skipped: 0 });
    expect(table.counts).to.include({ available: 0, unknown: 1_200, waiting: 0 });
    expect(await queue.rows()).to.deep.equal([]);
    expect(await draft.redo()).to.deep.equal({ changed: 1_200, skipped: 0 });
    expect(table.counts).to.include({ available: 1_200, waiting: 1_200 });
  });

  it('shows the value of the page if the person saves that value again before anything was sent', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK, available: true }]);
    goOffline();
    proxy.down = true;
    await draft.set(0, false);
    await draft.save();
    await until(() => table.row(0)?.view.available === false, 'it is unavailable');

    await draft.set(0, true);
    await draft.save();

    expect(table.row(0)?.view).to.include({ available: true, truth: undefined });
    expect(table.counts).to.include({ available: 1, unknown: 0, changed: 0, conflict: 0 });
  });

  for (const known of [false, undefined]) {
    it(`makes a draft if the person switches again while the save is written, over a value that is ${String(known)}`, async () => {
      const proxy = fakeProxy();
      if (known !== undefined) proxy.knows({ id: KAYAK, available: known });
      const { store } = await openReadyStore(proxy);
      const { table, draft } = edit(store, [{ id: KAYAK }]);
      await draft.set(0, true);

      const saving = draft.save();
      await draft.set(0, false);
      await saving;
      await untilTruth(store, KAYAK, 'received');

      expect(table.row(0)).to.include({ draft: false, conflict: undefined });
      expect(table.counts).to.include({ unavailable: 1, changed: 1, conflict: 0 });
      expect(await draft.save()).to.include({ saved: 1, held: 0 });
    });
  }

  /** More items than are stored in one transaction. */
  async function manyAtOnce(proxy = fakeProxy()) {
    const page = await openReadyStore(proxy);
    const entries = Array.from({ length: 1_200 }, (_, at) => ({ id: itemId(`tour-${String(at)}`) }));
    const { table, draft } = edit(page.store, entries, 'auto');
    await until(() => table.complete, 'the table is complete');
    return { ...page, table, draft, all: { rows: () => entries.map((_, at) => at) } };
  }

  it('does not overwrite an edit that the person makes while a bulk change is written', async () => {
    const { store, table, draft, all } = await manyAtOnce();

    const bulk = draft.setSelected(all, true);
    await Promise.all([draft.set(1_100, false), bulk]);

    expect(store.view(itemId('tour-1100')).available).to.equal(false);
    expect(table.counts).to.include({ available: 1_199, unavailable: 1 });
  });

  it('leaves nothing of a bulk change on the device if the person signs out while it is written', async () => {
    const proxy = fakeProxy();
    const { store, draft, all } = await manyAtOnce(proxy);

    const bulk = draft.setSelected(all, true);
    await Promise.all([store.signOut(true), bulk]);

    const { queue } = await openReadyStore(proxy);
    expect(await queue.rows()).to.deep.equal([]);
    expect(proxy.sent).to.deep.equal([]);
  });

  it('reports items that the person may no longer change as skipped by undo', async () => {
    const proxy = fakeProxy();
    proxy.person = { ...ANNA, items: [KAYAK] };
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK }], 'auto');
    await draft.set(findItemIndex(table, KAYAK), false);
    await untilTruth(store, KAYAK, 'received');
    proxy.person = { ...ANNA, items: [] };
    await store.refresh();

    const undone = await draft.undo();

    expect(undone).to.deep.equal({ changed: 0, skipped: 1 });
    expect(proxy.sent.map(({ available }) => available)).to.deep.equal([false]);
  });

  it('undoes a step without the items that the person sets during the undo', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK, available: false }, { id: BOAT }], 'auto');
    await until(() => table.complete, 'the table is complete');
    goOffline();
    proxy.down = true;
    await draft.setSelected({ rows: () => [0, 1] }, true);
    await until(() => table.counts.available === 2, 'both are available');

    const undone = draft.undo();
    await draft.set(1, false);
    await undone;

    const waiting = (await queue.rows()).map(({ id, available }) => [id, available]);
    expect(waiting.filter(([id]) => id === BOAT)).to.deep.equal([[BOAT, false]]);
    expect([0, 1].map((itemIndex) => table.row(itemIndex)?.view.available)).to.deep.equal([false, false]);
  });

  it('redoes a first value while its undo is running', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: BOAT }], 'auto');
    await until(() => table.complete, 'the table is complete');
    goOffline();
    proxy.down = true;
    await draft.set(0, true);

    const results = await Promise.all([draft.undo(), draft.redo()]);

    expect(results).to.deep.equal(Array(2).fill({ changed: 1, skipped: 0 }));
    expect(table.row(0)?.view.available).to.equal(true);
  });

  it('skips a first value that was sent, and reports that', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK }, { id: BOAT }]);
    for (const [itemIndex, id] of [KAYAK, BOAT].entries()) {
      await draft.set(itemIndex, true);
      await draft.save();
      await untilTruth(store, id, 'received');
    }
    proxy.settle(BOAT, 'delivered');
    await untilTruth(store, BOAT, 'on-portal');

    const undone = [await draft.undo(), await draft.undo()];

    expect(undone).to.deep.equal(Array(2).fill({ changed: 0, skipped: 1 }));
    expect(table.counts).to.include({ available: 2, unknown: 0 });
  });

  it('skips a value whose first edit is in flight, though the newest one was not sent', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK }]);
    proxy.hold('POST v1/inventory');
    await draft.set(0, true);
    await draft.save();
    await until(() => proxy.sent.length === 1, 'it is on its way');
    for (const available of [false, true]) {
      await draft.set(0, available);
      await draft.save();
    }

    await draft.undo();
    await draft.undo();
    const first = await draft.undo();

    expect(first).to.deep.equal({ changed: 0, skipped: 1 });
    expect(table.row(0)?.view.available).to.equal(true);
  });

  it('finds 5,000 items of the host for the store, and keeps up with 3,000 that the proxy lists', async () => {
    const proxy = fakeProxy();
    for (let at = 2_000; at < 5_000; at += 1) proxy.knows({ id: itemId(`tour-${String(at)}`), available: true });
    const { store } = openStore(proxy);
    const entries = Array.from({ length: 4_000 }, (_, at) => ({
      id: `tour-${String(at)}`,
      label: `Tour ${String(at)}`,
    }));
    const { table } = edit(store, entries);

    await until(() => table.complete, 'the table is complete');

    expect(table.counts).to.include({ all: 5_000, available: 3_000, unknown: 2_000 });
    expect(store.view(itemId('tour-3999'))).to.include({ label: 'Tour 3999', available: true });
  });

  it('shows new values of the host for rendered and other rows', async () => {
    const { store } = await openReadyStore(fakeProxy());
    const give = (available: boolean) =>
      Array.from({ length: 600 }, (_, at) => ({
        id: `tour-${String(at)}`,
        available,
        label: `Tour, ${String(available)}`,
      }));
    const { table } = edit(store, give(false));
    await until(() => table.complete, 'the table is complete');
    table.row(5);

    table.renew(give(true));
    await until(() => table.counts.available === 600, 'all is read again');
    table.renew(give(false));
    await until(() => table.counts.unavailable === 600, 'all is read once more');

    for (const itemIndex of [5, 500]) {
      expect(table.row(itemIndex)?.view).to.include({ available: false, label: 'Tour, false' });
    }
  });

  it('saves a draft, and follows it to the portal', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK, available: false }, { id: BOAT }]);
    await draft.set(0, true);

    const result = await draft.save();

    expect(result).to.deep.equal({ saved: 1, left: 0, held: 0 });
    await until(() => table.row(0)?.view.truth === 'on-portal', 'it is on the portal');
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, true]]);
    expect(table.counts).to.include({ changed: 0, waiting: 0, available: 1 });
    expect(table.row(0)?.conflict).to.equal(undefined);
  });

  it('undoes delivered changes with new edits, and skips what a colleague has changed', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const { store } = await openReadyStore(proxy);
    const { table, draft, selection } = edit(store, [
      { id: KAYAK, available: false },
      { id: BOAT, available: false },
    ]);
    selection.selectAll(table.order);
    await draft.setSelected(selection, true);
    await draft.save();
    await until(() => table.counts.waiting === 0, 'both are on the portal');
    proxy.knows({ id: BOAT, available: true, updated_at: toTimestamp(Date.now() + 60_000), by: 'Ben' });
    await store.refresh();

    const result = await draft.undo();

    expect(result).to.deep.equal({ changed: 1, skipped: 1 });
    await until(() => proxy.sent.length === 3, 'the other edit is sent');
    expect(proxy.sent.slice(2).map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
  });

  it('reports a conflict when a colleague changes the item of a draft', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });
    const { store } = await openReadyStore(proxy);
    const { table, draft } = edit(store, [{ id: KAYAK }]);
    await until(() => table.complete, 'the table is complete');
    await draft.set(0, true);

    proxy.knows({ id: KAYAK, available: false, updated_at: toTimestamp(Date.now()), by: 'Ben' });
    await store.refresh();

    expect(table.row(0)?.conflict).to.deep.equal({ base: false, mine: true, theirs: false });
    expect(await draft.save()).to.deep.equal({ saved: 0, left: 0, held: 1 });
    expect(proxy.sent).to.deep.equal([]);
    draft.resolve(0, 'mine');
    expect(await draft.save()).to.deep.equal({ saved: 1, left: 0, held: 0 });
  });

  it('keeps a draft through a session that is refused, and saves it in the next one', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const { table, draft, keeper } = edit(store, [{ id: KAYAK, available: false }]);
    await draft.set(0, true);
    proxy.person = undefined;
    proxy.expireTokens();
    await store.refresh();
    await untilStatus(store, 'signed-out');
    const meanwhile = table.counts.changed;

    proxy.person = { vendor: 'harbour-tours', subject: 'anna', permissions: ['view', 'edit'] };
    await store.refresh();
    await draft.save();
    await keeper.settled;

    expect(meanwhile).to.equal(1);
    await until(() => proxy.accepted.length === 1, 'it is sent');
  });

  it('shows the next person at the device no draft of the previous one', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const { table, draft, keeper } = edit(store, [{ id: KAYAK, available: false }]);
    await draft.set(0, true);
    await keeper.settled;

    proxy.person = BEN;
    proxy.expireTokens();
    await store.refresh();
    await until(() => store.snapshot.owner.includes('ben'), 'Ben is here');
    await keeper.settled;

    expect(table.counts.changed).to.equal(0);
    expect(keeper.offered).to.equal(undefined);
    expect(await draft.save()).to.deep.equal({ saved: 0, left: 0, held: 0 });
    expect(proxy.sent).to.deep.equal([]);
  });

  it('leaves no draft behind when a person signs out', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const { table, draft, keeper } = edit(store, [{ id: KAYAK, available: false }]);
    await draft.set(0, true);
    await keeper.settled;

    await store.signOut();
    await store.refresh();
    await untilStatus(store, 'ready');
    await keeper.settled;

    expect(table.counts.changed).to.equal(0);
    expect(keeper.offered).to.equal(undefined);
  });

  it('never sends an untouched item, whatever is drafted, saved and undone', async () => {
    const row = fc.nat(11);
    const act = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), row, available: fc.boolean() }),
      fc.record({ kind: fc.constant('bulk' as const), rows: fc.array(row, { maxLength: 5 }), available: fc.boolean() }),
      fc.record({ kind: fc.constantFrom('undo' as const, 'redo' as const, 'save' as const, 'discard' as const) }),
      fc.record({ kind: fc.constant('colleague' as const), row, available: fc.boolean() }),
    );
    const ids = Array.from({ length: 12 }, (_, at) => itemId(`tour-${String(at)}`));

    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const proxy = fakeProxy();
        const { store, close } = await openReadyStore(proxy);
        const { table, draft, selection, keeper } = edit(
          store,
          ids.map((id) => ({ id, available: false })),
        );
        const touched = new Set<ItemId>();
        for (const one of acts) {
          if (one.kind === 'set') {
            touched.add(ids[one.row] ?? KAYAK);
            await draft.set(one.row, one.available);
          } else if (one.kind === 'bulk') {
            selection.clear();
            for (const at of new Set(one.rows)) {
              touched.add(ids[at] ?? KAYAK);
              selection.toggle(table.order, findItemIndex(table, ids[at] ?? KAYAK));
            }
            await draft.setSelected(selection, one.available);
          } else if (one.kind === 'colleague') {
            proxy.takeFromElsewhere(ids[one.row] ?? KAYAK, one.available);
            await store.refresh();
          } else if (one.kind === 'discard') draft.discard();
          else await draft[one.kind]();
        }
        const result = await draft.save();
        const views = () => ids.map((id) => store.view(id));
        await until(
          () => views().every(({ truth, writing }) => truth !== 'on-device' && writing !== true),
          'all is sent',
        );

        expect(result.left).to.equal(0);
        expect(proxy.sent.filter(({ id }) => !touched.has(id))).to.deep.equal([]);
        for (const { id, truth, available } of views()) {
          const last = proxy.accepted.filter((accepted) => accepted.id === id).at(-1);
          if (truth === 'received') expect(last?.available).to.equal(available);
        }
        keeper.close();
        close();
      }),
      { numRuns: 6 },
    );
  });
});
