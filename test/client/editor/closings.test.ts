import { expect } from '@open-wc/testing';
import { ClosureTable } from '../../../src/client/storage/closure-table.js';
import { Closures } from '../../../src/client/editor/saved/saved-closure.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { NO_HOST } from '../support/no-host.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { FakeStore } from '../support/fake-store.js';
import { until } from '../support/until.js';

const id = (itemIndex: number): ItemId => `tour-${String(itemIndex)}` as ItemId;

/** A page with four items: available, unavailable, available and without a value. */
async function openPage(
  owner: string,
  mode: 'manual' | 'auto' = 'manual',
  confirmChange = NO_HOST.confirmChange,
  entries = [true, false, true, undefined].map((available, at) => ({ id: id(at), available })),
  onChange: (closings: Closures) => void = () => undefined,
  store = new FakeStore(),
) {
  if (store.snapshot.owner !== owner) store.turnTo(owner);
  const table = new ItemList(store, entries, () => undefined);
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode, confirmChange });
  const closings: Closures = new Closures(draft, store, () => void onChange(closings), new ClosureTable());
  afterThisTest(() => {
    closings.close();
    draft.close();
    table.close();
  });
  await closings.settled;
  return { store, table, draft, closings };
}

type Page = Awaited<ReturnType<typeof openPage>>;

/**
 * In this tab, the first and the third tour are closed by now, and the second was opened: the closure has the second.
 */
async function closeSecond({ store, closings }: Page): Promise<void> {
  for (const at of [0, 2]) store.learn(id(at), { available: false });
  store.learn(id(1), { available: true });
  await closings.apply(false);
}

async function expectSecondOnOffer(owner: string): Promise<void> {
  const later = await openPage(owner);
  later.store.learn(id(1), { available: false });
  expect(later.closings.preview(true).ids).to.deep.equal([id(1)]);
}

describe('a closure of all items', () => {
  for (const mode of ['auto', 'manual'] as const) {
    it(`closes nothing for a person who signs in while the stored closure is read, saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const { anna, ben } = ownersAtNewProxy();
      const { store, closings, table } = await openPage(anna, mode);

      const turned = closings.apply(false);
      store.turnTo(ben);

      expect(await turned).to.equal(0);
      expect(store.sent).to.deep.equal([]);
      expect(table.counts.changed).to.equal(0);
    });

    it(`closes nothing for a person who signs in while the closure is written, saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const { anna, ben } = ownersAtNewProxy();
      const page = await openPage(anna, mode, undefined, undefined, (closings) => {
        if (closings.offered !== undefined) page.store.turnTo(ben);
      });

      const turned = await page.closings.apply(false);

      expect(turned).to.equal(0);
      expect(page.store.sent).to.deep.equal([]);
      expect(page.table.counts.changed).to.equal(0);
    });
  }

  it('closes only available items, and reopens only these', async () => {
    const { closings, table } = await openPage(ownersAtNewProxy().anna);

    expect(closings.preview(false)).to.include({ change: 2, skipped: 0 });
    expect(await closings.apply(false)).to.equal(2);
    expect(table.counts.changed).to.equal(2);
    expect(closings.preview(true).ids).to.deep.equal([id(0), id(2)]);
    expect(await closings.apply(true)).to.equal(2);

    expect(table.counts.changed).to.equal(0);
    expect(closings.offered).to.equal(undefined);
  });

  it('survives its page, for the person who made it and for no other', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = await openPage(anna, 'auto');
    await before.closings.apply(false);
    await before.closings.settled;

    const [hers, his] = [await openPage(anna), await openPage(ben)];

    expect(hers.closings.offered).to.include({ count: 2, isStored: true });
    expect(his.closings.offered).to.equal(undefined);
  });

  it('of another tab is included in the next one', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna, 'auto'), await openPage(anna, 'auto')];
    await one.closings.apply(false);

    await closeSecond(other);

    expect(other.closings.preview(true).ids).to.have.members([id(0), id(1), id(2)]);
  });

  for (const [name, end] of [
    ['undone', ({ draft }: Page) => draft.undo()],
    ['opened again', ({ closings }: Page) => closings.apply(true)],
    ['let be', ({ closings }: Page) => Promise.resolve(closings.forget())],
  ] as const) {
    it(`of another tab stays on offer when an earlier one is ${name}`, async () => {
      const { anna } = ownersAtNewProxy();
      const [one, other] = [await openPage(anna, 'auto'), await openPage(anna, 'auto')];
      await one.closings.apply(false);
      await closeSecond(other);

      await end(one);
      await one.closings.settled;

      await expectSecondOnOffer(anna);
    });
  }

  it('of another tab stays on offer when drafts from before and after it are discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna), await openPage(anna, 'auto')];
    await one.closings.apply(false);
    await closeSecond(other);
    await one.draft.set(0, true);
    await one.closings.apply(false);

    one.draft.discard();
    one.closings.afterDrafts(false);
    await one.closings.settled;

    await expectSecondOnOffer(anna);
  });

  it('of another tab stays on offer when the same draft was undone before and other drafts are discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna), await openPage(anna, 'auto')];
    await one.closings.apply(false);
    await one.draft.undo();
    await one.closings.settled;
    await other.closings.apply(false);
    await one.draft.set(1, true);

    one.draft.discard();
    one.closings.afterDrafts(false);
    await one.closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('of items of another page stays on offer when this page reopens its own items', async () => {
    const { anna } = ownersAtNewProxy();
    const cabins = [{ id: 'cabin-7' as ItemId, available: true }];
    const openCabins = () => openPage(anna, 'auto', undefined, cabins);
    const [tours, others] = [await openPage(anna, 'auto'), await openCabins()];
    await tours.closings.apply(false);
    await others.closings.apply(false);

    await others.closings.apply(true);
    await others.closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('stays on offer for the next page if its page closed with the reopening as an unsaved draft', async () => {
    const { anna } = ownersAtNewProxy();
    const before = await openPage(anna, 'auto');
    await before.closings.apply(false);
    const drafting = await openPage(anna);
    for (const at of [0, 2]) drafting.store.learn(id(at), { available: false });

    await drafting.closings.apply(true);
    await drafting.closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('has the items that a cancelled save has closed, if the rest is discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const entries = Array.from({ length: 600 }, (_, at) => ({ id: id(at), available: true }));
    const { closings, draft } = await openPage(anna, 'manual', undefined, entries);
    const cancel = new AbortController();
    await closings.apply(false);
    await draft.save(() => void cancel.abort(), cancel.signal);

    draft.discard();
    closings.afterDrafts(false);
    await closings.settled;

    expect(closings.offered).to.include({ count: 500 });
    expect((await openPage(anna)).closings.offered).to.include({ count: 500 });
  });

  it('is offered again if its reopening is discarded, and not if that is saved', async () => {
    const { anna } = ownersAtNewProxy();
    const { closings, draft } = await openPage(anna);
    await closings.apply(false);
    await draft.save();
    closings.afterDrafts(true);

    await closings.apply(true);
    draft.discard();
    closings.afterDrafts(false);
    const discarded = closings.offered?.count;
    await closings.apply(true);
    await draft.save();
    closings.afterDrafts(true);
    await closings.settled;

    expect([discarded, closings.offered]).to.deep.equal([2, undefined]);
    expect((await openPage(anna)).closings.offered).to.equal(undefined);
  });

  it('has the age of the previous one again when it is undone', async () => {
    const { anna } = ownersAtNewProxy();
    const db = new ClosureTable();
    await db.change(anna, () => ({ at: 1_000, ids: [id(1)] }));
    db.close();
    const { closings, draft } = await openPage(anna, 'auto');
    await closings.apply(false);
    const made = closings.offered;

    await draft.undo();

    expect(made?.madeAt).to.be.greaterThan(1_000);
    expect(closings.offered).to.include({ count: 1, madeAt: 1_000 });
  });

  it('is stored with that of another tab if both are made at the same time', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna, 'auto'), await openPage(anna, 'auto')];
    one.store.learn(id(0), { available: false });
    other.store.learn(id(2), { available: false });

    await Promise.all([one.closings.apply(false), other.closings.apply(false)]);

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('skips items that another person has changed since, and items that may not be edited', async () => {
    const { closings, store } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.apply(false);

    store.learn(id(0), { available: false, by: 'Ben' });
    expect(closings.preview(true)).to.include({ change: 1, skipped: 1 });
    store.locked.add(id(2));

    expect(closings.preview(true)).to.include({ change: 0, skipped: 2 });
  });

  it('keeps items that were closed before and still are', async () => {
    const { closings, store } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.apply(false);
    store.learn(id(1), { available: true });

    await closings.apply(false);

    expect(closings.preview(true).ids).to.have.members([id(0), id(1), id(2)]);
  });

  it('is reverted when its drafts are discarded, and stays when they are saved', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna);
    await closings.apply(false);
    draft.discard();
    closings.afterDrafts(false);
    expect(closings.offered).to.equal(undefined);

    await closings.apply(false);
    await draft.save();
    closings.afterDrafts(true);
    closings.afterDrafts(false);

    expect(closings.offered).to.include({ count: 2 });
  });

  it('is reverted to the saved state when it was made twice and all drafts are discarded', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna);
    await closings.apply(false);
    await draft.set(0, true);
    await closings.apply(false);

    draft.discard();
    closings.afterDrafts(false);

    expect(closings.offered).to.equal(undefined);
  });

  it('is reverted by undo, and restored by redo', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna);
    await closings.apply(false);

    await draft.undo();
    const undone = closings.offered;
    await draft.redo();

    expect(undone).to.equal(undefined);
    expect(closings.offered).to.include({ count: 2 });
  });

  it('is offered again when its reopening is undone, on the next page too', async () => {
    const { anna } = ownersAtNewProxy();
    const { closings, draft } = await openPage(anna, 'auto');
    await closings.apply(false);
    await closings.apply(true);

    await draft.undo();
    await closings.settled;

    expect(closings.offered).to.include({ count: 2 });
    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('stays on offer if the host refuses to undo it', async () => {
    const { closings, draft, table } = await openPage(ownersAtNewProxy().anna, 'auto', () => false);
    await closings.apply(false);

    expect(await draft.undo()).to.deep.equal({ changed: 0, skipped: 2 });

    expect(table.row(0)?.view.available).to.equal(false);
    expect(closings.offered).to.include({ count: 2 });
  });

  it('is offered again when its reopening is undone while that is being written', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.apply(false);

    const opening = closings.apply(true);
    await Promise.all([opening, draft.undo()]);

    expect(closings.offered).to.include({ count: 2 });
  });

  it('from before the person was known passes to the person, together with their earlier closure', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const earlier = await openPage(anna, 'auto');
    earlier.store.learn(id(0), { available: false });
    await earlier.closings.apply(false);
    const { closings, store } = await openPage(tab, 'auto');
    store.learn(id(2), { available: false });
    await closings.apply(false);

    store.turnTo(anna);
    await until(() => closings.offered?.count === 2, 'both are on offer');
    await closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2, isStored: true });
    expect((await openPage(tab)).closings.offered).to.equal(undefined);
  });

  it('that is undone once the person is known leaves the person’s earlier closure on offer', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const earlier = await openPage(anna, 'auto');
    earlier.store.learn(id(0), { available: false });
    await earlier.closings.apply(false);
    const { closings, draft, store } = await openPage(tab, 'auto');
    store.learn(id(2), { available: false });
    await closings.apply(false);
    store.turnTo(anna);
    await until(() => closings.offered?.count === 2, 'both are on offer');

    store.learn(id(0), { available: false });
    await draft.undo();
    await closings.settled;

    expect(closings.offered).to.include({ count: 1 });
    expect((await openPage(anna)).closings.offered).to.include({ count: 1, isStored: true });
    await draft.redo();
    expect(closings.offered).to.include({ count: 2 });
  });

  it('is deleted when its person signs out', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const { closings, store } = await openPage(anna, 'auto');
    await closings.apply(false);

    store.turnTo(tab);
    await closings.settled;

    expect(closings.offered).to.equal(undefined);
    expect((await openPage(anna)).closings.offered).to.equal(undefined);
  });

  it('is deleted when its person signs out before they are known', async () => {
    const { tab, ben } = ownersAtNewProxy();
    const { closings, store } = await openPage(tab, 'auto');
    await closings.apply(false);

    store.update({ canEdit: false, status: 'signed-out', problem: 'signed_out' });
    await closings.settled;
    const offered = closings.offered;
    store.turnTo(ben);
    await closings.settled;

    expect([offered, closings.offered]).to.deep.equal([undefined, undefined]);
    expect((await openPage(tab)).closings.offered).to.equal(undefined);
  });

  it('stays as it is if another person signs in while it is reopened', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const entries = [true, true].map((available, at) => ({ id: id(at), available }));
    const bens = await openPage(ben, 'auto', NO_HOST.confirmChange, entries);
    await bens.closings.apply(false);
    const { closings, store } = await openPage(anna, 'auto', NO_HOST.confirmChange, entries);
    store.learn(id(0), { available: false });
    await closings.apply(false);
    const setSome = store.setSome.bind(store);
    store.setSome = async (edits) => {
      await setSome(edits);
      store.turnTo(ben);
      await until(() => closings.offered?.count === 2, 'what Ben closed is on offer');
    };

    await closings.apply(true);
    await closings.settled;

    expect(closings.offered).to.include({ count: 2 });
    expect((await openPage(ben)).closings.offered).to.include({ count: 2 });
  });

  it('is forgotten when the person leaves the items closed', async () => {
    const { anna } = ownersAtNewProxy();
    const { closings } = await openPage(anna, 'auto');
    await closings.apply(false);

    closings.forget();
    await closings.settled;

    expect((await openPage(anna)).closings.offered).to.equal(undefined);
  });

  describe('that was made on another device', () => {
    const STORM = 'closing-storm' as EditId;

    /** The proxy says that the first and the third tour were closed there, by a colleague. */
    function closeElsewhere({ store }: Page, closing = STORM): void {
      for (const at of [0, 2]) store.learn(id(at), { available: false, truth: 'on-portal', by: 'Ben', closing });
    }

    for (const mode of ['auto', 'manual'] as const)
      it(`is offered, and reopens exactly its items, saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
        const page = await openPage(ownersAtNewProxy().anna, mode);
        closeElsewhere(page);
        const { offered } = page.closings;

        expect(await page.closings.apply(true)).to.equal(2);
        if (mode === 'manual') await page.draft.save();

        expect(offered).to.include({ count: 2, isStored: true });
        expect(page.store.sent.map((sent) => [sent.id, sent.available])).to.deep.equal([
          [id(0), true],
          [id(2), true],
        ]);
        expect(page.closings.offered).to.equal(undefined);
      });

    it('is offered on a page that is opened later', async () => {
      const { anna } = ownersAtNewProxy();
      const store = new FakeStore();
      store.turnTo(anna);
      closeElsewhere({ store } as Page);

      const page = await openPage(anna, 'auto', undefined, undefined, undefined, store);

      expect(page.closings.offered).to.include({ count: 2 });
    });

    it('is offered without items that have changed since', async () => {
      const page = await openPage(ownersAtNewProxy().anna, 'auto');
      closeElsewhere(page);
      page.store.learn(id(2), { available: true, by: 'Carla', closing: undefined });

      expect(page.closings.closedIds).to.deep.equal([id(0)]);
    });

    it('is offered together with the closure of this device', async () => {
      const page = await openPage(ownersAtNewProxy().anna, 'auto');
      await page.closings.apply(false);
      page.store.learn(id(3), { available: false, by: 'Ben', closing: STORM });

      expect(page.closings.closedIds).to.deep.equal([id(0), id(2), id(3)]);
    });

    it('is offered again when its reopening is undone', async () => {
      const page = await openPage(ownersAtNewProxy().anna, 'auto');
      closeElsewhere(page);
      await page.closings.apply(true);

      await page.draft.undo();

      expect(page.closings.offered).to.include({ count: 2 });
    });

    it('is not offered again after the person has kept its items closed, and a later one is', async () => {
      const { anna } = ownersAtNewProxy();
      const page = await openPage(anna, 'auto');
      closeElsewhere(page);

      page.closings.forget();
      expect(page.closings.offered).to.equal(undefined);
      await page.closings.settled;

      const later = await openPage(anna, 'auto');
      closeElsewhere(later);
      expect(later.closings.offered).to.equal(undefined);
      closeElsewhere(later, 'closing-winter' as EditId);
      expect(later.closings.offered).to.include({ count: 2 });
    });

    it('notifies listeners once, however many items it has', async () => {
      let changes = 0;
      const page = await openPage(ownersAtNewProxy().anna, 'auto', undefined, undefined, () => (changes += 1));
      changes = 0;

      closeElsewhere(page);
      await Promise.resolve();

      expect(changes).to.equal(1);
    });
  });

  it('marks its change set as a closure, for other devices, also when it is redone', async () => {
    const { closings, draft, store } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.apply(false);
    await draft.undo();
    await draft.redo();

    const sets = store.sent.map(({ changeSet }) => changeSet?.startsWith('closing-'));
    expect(sets).to.deep.equal([true, true, false, false, true, true]);
  });

  it('is offered once if the proxy lists it as well', async () => {
    const { closings, store } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.apply(false);
    const changeSet = store.sent[0]?.changeSet;

    for (const at of [0, 2]) store.learn(id(at), { available: false, truth: 'on-portal', closing: changeSet });
    expect(closings.closedIds).to.deep.equal([id(0), id(2)]);
    closings.forget();

    expect(closings.offered).to.equal(undefined);
  });
});
