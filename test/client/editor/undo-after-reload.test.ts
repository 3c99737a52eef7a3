import { expect } from '@open-wc/testing';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import { UndoAutosave } from '../../../src/client/editor/saved/undo-autosave.js';
import { ItemSelection } from '../../../src/client/editor/selection.js';
import type { InventoryStore } from '../../../src/client/store/inventory-store.js';
import { afterThisTest } from '../support/clean-up.js';
import { rowsIn } from '../support/database.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { NO_HOST } from '../support/no-host.js';
import { openReadyStore, untilTruth } from '../support/open-store.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { FakeStore } from '../support/fake-store.js';
import { fakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

const IDS: readonly string[] = [KAYAK, BOAT, CABIN];
type Mode = ItemDraft['mode'];
const MODES: readonly Mode[] = ['auto', 'manual'];

/** The editor's model on one page, on which all items are available. Closing it has the effect of a reload. */
function openEditor(store: FakeStore | InventoryStore, mode: Mode = 'auto', ids = IDS) {
  const table = new ItemList(
    store,
    ids.map((id) => ({ id, available: true })),
    () => undefined,
  );
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode });
  const undo = new UndoAutosave(draft, store, () => undefined);
  const close = async (): Promise<void> => {
    undo.close();
    draft.close();
    table.close();
    await undo.settled;
  };
  afterThisTest(() => void close());
  return { table, draft, undo, close };
}

/** @param values the proxy's values, if they differ from those of the page */
async function openPage(
  owner: string,
  { mode = 'auto' as Mode, ids = IDS, values = {} as Record<string, boolean> } = {},
) {
  const store = new FakeStore();
  store.turnTo(owner);
  for (const [id, available] of Object.entries(values))
    store.learn(id as typeof KAYAK, { available, truth: 'on-portal' });
  const page = { store, ...openEditor(store, mode, ids) };
  await page.undo.settled;
  return page;
}

/** Opens a page, closes some items in a step each, and closes the page. */
async function closeItems(owner: string, ids: readonly string[], mode: Mode = 'auto'): Promise<void> {
  const page = await openPage(owner, { mode });
  for (const id of ids) await page.draft.set(IDS.indexOf(id), false);
  if (mode === 'manual') await page.draft.save();
  await page.close();
}

function onDisk(owner: string): Promise<unknown[]> {
  return rowsIn('vendor-inventory-undo', 'steps', IDBKeyRange.bound([owner], [owner, []]));
}

describe('undo after a reload', () => {
  for (const mode of MODES)
    it(`reverts a delivered change, if changes are saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const first = await openReadyStore(proxy);
      const before = openEditor(first.store, mode, [KAYAK]);
      await until(() => before.table.complete, 'the table is complete');
      await before.draft.set(0, false);
      if (mode === 'manual') await before.draft.save();
      await untilTruth(first.store, KAYAK, 'received');
      proxy.settle(KAYAK, 'delivered');
      await untilTruth(first.store, KAYAK, 'on-portal');
      await before.close();
      first.close();

      const second = await openReadyStore(proxy);
      const after = openEditor(second.store, mode, [KAYAK]);
      await until(() => after.draft.canUndo, 'undo is possible');
      const result = await after.draft.undo();

      expect(result).to.deep.equal({ changed: 1, skipped: 0 });
      expect(second.store.view(KAYAK).available).to.equal(true);
    });

  it('reverts the steps one by one, the newest first, and redoes them', async () => {
    const { anna } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK, BOAT]);

    const { draft, store } = await openPage(anna, { values: { [KAYAK]: false, [BOAT]: false } });
    await draft.undo();
    await draft.undo();
    await draft.redo();

    expect(store.sent.map(({ id, available }) => [id, available])).to.deep.equal([
      [BOAT, true],
      [KAYAK, true],
      [KAYAK, false],
    ]);
    expect([draft.canUndo, draft.canRedo]).to.deep.equal([true, true]);
  });

  it('skips a step that an earlier page has undone', async () => {
    const { anna } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK]);
    const second = await openPage(anna, { values: { [KAYAK]: false } });
    await second.draft.undo();
    await second.close();

    const third = await openPage(anna);

    expect(third.draft.canUndo).to.equal(false);
    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('reverts a bulk change as one step', async () => {
    const { anna } = ownersAtNewProxy();
    const first = await openPage(anna);
    const selection = new ItemSelection(first.table);
    selection.selectAll(first.table.order);
    await first.draft.setSelected(selection, false);
    await first.close();

    const { draft } = await openPage(anna, { values: Object.fromEntries(IDS.map((id) => [id, false])) });

    expect(await draft.undo()).to.deep.equal({ changed: 3, skipped: 0 });
    expect(draft.canUndo).to.equal(false);
  });

  it('comes after the steps of this page', async () => {
    const { anna } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK]);
    const store = new FakeStore();
    store.turnTo(anna);
    store.update({ status: 'loading', complete: false });
    store.learn(KAYAK, { available: false, truth: 'on-portal' });
    const { draft, undo } = openEditor(store);
    await draft.set(IDS.indexOf(CABIN), false);

    store.update({ status: 'ready', complete: true });
    await undo.settled;
    await draft.undo();
    await draft.undo();

    expect(store.sent.map(({ id }) => id)).to.deep.equal([CABIN, CABIN, KAYAK]);
  });

  it('leaves items alone that a colleague has set since', async () => {
    const { anna } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK]);
    const { draft, store } = await openPage(anna, { values: { [KAYAK]: false } });
    store.learn(KAYAK, { available: false, by: 'Ben' });

    expect(await draft.undo()).to.deep.equal({ changed: 0, skipped: 1 });
  });

  it('skips a step if the list lacks one of its items', async () => {
    const { anna } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK]);

    const other = await openPage(anna, { ids: [BOAT, CABIN] });
    const own = await openPage(anna, { values: { [KAYAK]: false } });

    expect([other.draft.canUndo, own.draft.canUndo]).to.deep.equal([false, true]);
  });

  it('stores no draft', async () => {
    const { anna } = ownersAtNewProxy();
    const page = await openPage(anna, { mode: 'manual' });

    await page.draft.set(0, false);
    await page.close();

    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('stores the rows that a cancelled save has sent, and the other rows once they are saved', async () => {
    const { anna } = ownersAtNewProxy();
    const ids = Array.from({ length: 600 }, (_, at) => `tour-${String(at)}`);
    const page = await openPage(anna, { mode: 'manual', ids });
    const selection = new ItemSelection(page.table);
    selection.selectAll(page.table.order);
    await page.draft.setSelected(selection, false);
    const countRows = async () =>
      (await onDisk(anna)).flatMap((step) => (step as { ids: unknown[] }[]).flatMap((group) => group.ids)).length;

    const cancel = new AbortController();
    await page.draft.save(() => void cancel.abort(), cancel.signal);
    await page.undo.settled;
    const cancelled = await countRows();
    await page.draft.save();
    await page.undo.settled;

    expect([cancelled, await countRows()]).to.deep.equal([500, 600]);
  });

  it('belongs to the person who made the steps', async () => {
    const { anna, ben } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK]);

    const other = await openPage(ben, { values: { [KAYAK]: false } });
    const own = await openPage(anna, { values: { [KAYAK]: false } });

    expect([other.draft.canUndo, own.draft.canUndo]).to.deep.equal([false, true]);
  });

  it('passes to the person once that person is known', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const first = await openPage(tab);
    await first.draft.set(0, false);
    first.store.turnTo(anna);
    await first.undo.settled;
    await first.close();

    const second = await openPage(anna, { values: { [KAYAK]: false } });

    expect(second.draft.canUndo).to.equal(true);
    expect(await onDisk(tab)).to.deep.equal([]);
  });

  it('is deleted when the person signs out', async () => {
    const { anna, tab } = ownersAtNewProxy();
    await closeItems(anna, [KAYAK]);
    const page = await openPage(anna, { values: { [KAYAK]: false } });
    const before = page.draft.canUndo;

    page.store.turnTo(tab);
    await page.undo.settled;

    expect([before, page.draft.canUndo]).to.deep.equal([true, false]);
    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('is deleted at a sign-out before the person is known', async () => {
    const { tab } = ownersAtNewProxy();
    const page = await openPage(tab);
    await page.draft.set(0, false);
    await page.undo.settled;

    page.store.update({ status: 'signed-out', problem: 'signed_out' });
    await page.undo.settled;

    expect(page.draft.canUndo).to.equal(false);
    expect(await onDisk(tab)).to.deep.equal([]);
  });

  it('keeps the 20 newest steps', async () => {
    const { anna } = ownersAtNewProxy();
    const page = await openPage(anna);
    for (let step = 0; step < 25; step += 1) await page.draft.set(0, step % 2 === 1);
    await page.close();

    expect(await onDisk(anna)).to.have.length(20);
  });

  it('drops no edit if the browser stores nothing', async () => {
    const { anna } = ownersAtNewProxy();
    const { put } = IDBObjectStore.prototype;
    afterThisTest(() => {
      IDBObjectStore.prototype.put = put;
    });
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no space left', 'QuotaExceededError');
    };
    const page = await openPage(anna);

    await page.draft.set(0, false);
    await page.undo.settled;

    expect(page.store.sent).to.have.length(1);
    expect(await page.draft.undo()).to.deep.equal({ changed: 1, skipped: 0 });
  });
});
