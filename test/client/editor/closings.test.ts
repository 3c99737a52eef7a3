import { expect } from '@open-wc/testing';
import { ClosureTable } from '../../../src/client/storage/closure-table.js';
import { Closings } from '../../../src/client/editor/saved/saved-closure.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { NO_HOST } from '../support/no-host.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { PretendStore } from '../support/pretend-store.js';
import { until } from '../support/until.js';

const id = (position: number): ItemId => `tour-${String(position)}` as ItemId;

/** Available, not available, available, and nobody has said. */
async function openPage(
  owner: string,
  mode: 'manual' | 'auto' = 'manual',
  mayChange = NO_HOST.mayChange,
  entries = [true, false, true, undefined].map((available, at) => ({ id: id(at), available })),
  onChange: (closings: Closings) => void = () => undefined,
) {
  const store = new PretendStore();
  store.turnTo(owner);
  const table = new ItemList(store, entries, () => undefined);
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode, mayChange });
  const closings: Closings = new Closings(draft, store, () => void onChange(closings), new ClosureTable());
  afterThisTest(() => {
    closings.close();
    draft.close();
    table.close();
  });
  await closings.settled;
  return { store, table, draft, closings };
}

type Page = Awaited<ReturnType<typeof openPage>>;

/** In this tab the first and the third tour are closed by now, and the second has been opened: it is closed. */
async function closeSecond({ store, closings }: Page): Promise<void> {
  for (const at of [0, 2]) store.learn(id(at), { available: false });
  store.learn(id(1), { available: true });
  await closings.turn(false);
}

async function expectSecondOnOffer(owner: string): Promise<void> {
  const later = await openPage(owner);
  later.store.learn(id(1), { available: false });
  expect(later.closings.preview(true).ids).to.deep.equal([id(1)]);
}

describe('a closing', () => {
  for (const mode of ['auto', 'manual'] as const) {
    it(`closes nothing as somebody who came while it was looked for what is closed, saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const { anna, ben } = ownersAtNewProxy();
      const { store, closings, table } = await openPage(anna, mode);

      const turned = closings.turn(false);
      store.turnTo(ben);

      expect(await turned).to.equal(0);
      expect(store.sent).to.deep.equal([]);
      expect(table.counts.changed).to.equal(0);
    });

    it(`closes nothing as somebody who came while it was written down, saved ${mode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const { anna, ben } = ownersAtNewProxy();
      const page = await openPage(anna, mode, undefined, undefined, (closings) => {
        if (closings.offered !== undefined) page.store.turnTo(ben);
      });

      const turned = await page.closings.turn(false);

      expect(turned).to.equal(0);
      expect(page.store.sent).to.deep.equal([]);
      expect(page.table.counts.changed).to.equal(0);
    });
  }

  it('turns only what is available, and opening it again only that', async () => {
    const { closings, table } = await openPage(ownersAtNewProxy().anna);

    expect(closings.preview(false)).to.include({ change: 2, skipped: 0 });
    expect(await closings.turn(false)).to.equal(2);
    expect(table.counts.changed).to.equal(2);
    expect(closings.preview(true).ids).to.deep.equal([id(0), id(2)]);
    expect(await closings.turn(true)).to.equal(2);

    expect(table.counts.changed).to.equal(0);
    expect(closings.offered).to.equal(undefined);
  });

  it('outlives its page, for whoever closed and for nobody else', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = await openPage(anna, 'auto');
    await before.closings.turn(false);
    await before.closings.settled;

    const [hers, his] = [await openPage(anna), await openPage(ben)];

    expect(hers.closings.offered).to.include({ count: 2, isKept: true });
    expect(his.closings.offered).to.equal(undefined);
  });

  it('of another tab is taken in by the next one, and not forgotten over it', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna, 'auto'), await openPage(anna, 'auto')];
    await one.closings.turn(false);

    await closeSecond(other);

    expect(other.closings.preview(true).ids).to.have.members([id(0), id(1), id(2)]);
  });

  for (const [name, end] of [
    ['undone', ({ draft }: Page) => draft.undo()],
    ['opened again', ({ closings }: Page) => closings.turn(true)],
    ['let be', ({ closings }: Page) => Promise.resolve(closings.drop())],
  ] as const) {
    it(`of another tab stays on offer where one before it is ${name}`, async () => {
      const { anna } = ownersAtNewProxy();
      const [one, other] = [await openPage(anna, 'auto'), await openPage(anna, 'auto')];
      await one.closings.turn(false);
      await closeSecond(other);

      await end(one);
      await one.closings.settled;

      await expectSecondOnOffer(anna);
    });
  }

  it('of another tab stays on offer where drafts before and after it are discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna), await openPage(anna, 'auto')];
    await one.closings.turn(false);
    await closeSecond(other);
    await one.draft.set(0, true);
    await one.closings.turn(false);

    one.draft.discard();
    one.closings.afterDrafts(false);
    await one.closings.settled;

    await expectSecondOnOffer(anna);
  });

  it('of another tab stays on offer where the same was drafted before, undone, and other drafts are discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna), await openPage(anna, 'auto')];
    await one.closings.turn(false);
    await one.draft.undo();
    await one.closings.settled;
    await other.closings.turn(false);
    await one.draft.set(1, true);

    one.draft.discard();
    one.closings.afterDrafts(false);
    await one.closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('of what another page has stays on offer where this page opens its own again', async () => {
    const { anna } = ownersAtNewProxy();
    const cabins = [{ id: 'cabin-7' as ItemId, available: true }];
    const openCabins = () => openPage(anna, 'auto', undefined, cabins);
    const [tours, others] = [await openPage(anna, 'auto'), await openCabins()];
    await tours.closings.turn(false);
    await others.closings.turn(false);

    await others.closings.turn(true);
    await others.closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('stays on offer for the next page where its opening was drafted, and its page went before that was saved', async () => {
    const { anna } = ownersAtNewProxy();
    const before = await openPage(anna, 'auto');
    await before.closings.turn(false);
    const drafting = await openPage(anna);
    for (const at of [0, 2]) drafting.store.learn(id(at), { available: false });

    await drafting.closings.turn(true);
    await drafting.closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('has what a save has closed that was cancelled, where the rest is discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const entries = Array.from({ length: 600 }, (_, at) => ({ id: id(at), available: true }));
    const { closings, draft } = await openPage(anna, 'manual', undefined, entries);
    const cancel = new AbortController();
    await closings.turn(false);
    await draft.save(() => void cancel.abort(), cancel.signal);

    draft.discard();
    closings.afterDrafts(false);
    await closings.settled;

    expect(closings.offered).to.include({ count: 500 });
    expect((await openPage(anna)).closings.offered).to.include({ count: 500 });
  });

  it('is on offer again where its opening is discarded, and nowhere where it is saved', async () => {
    const { anna } = ownersAtNewProxy();
    const { closings, draft } = await openPage(anna);
    await closings.turn(false);
    await draft.save();
    closings.afterDrafts(true);

    await closings.turn(true);
    draft.discard();
    closings.afterDrafts(false);
    const discarded = closings.offered?.count;
    await closings.turn(true);
    await draft.save();
    closings.afterDrafts(true);
    await closings.settled;

    expect([discarded, closings.offered]).to.deep.equal([2, undefined]);
    expect((await openPage(anna)).closings.offered).to.equal(undefined);
  });

  it('is as old as the one before it where it is undone', async () => {
    const { anna } = ownersAtNewProxy();
    const db = new ClosureTable();
    await db.change(anna, () => ({ at: 1_000, ids: [id(1)] }));
    db.close();
    const { closings, draft } = await openPage(anna, 'auto');
    await closings.turn(false);
    const made = closings.offered;

    await draft.undo();

    expect(made?.madeAt).to.be.greaterThan(1_000);
    expect(closings.offered).to.include({ count: 1, madeAt: 1_000 });
  });

  it('is kept with that of another tab where both are made at once', async () => {
    const { anna } = ownersAtNewProxy();
    const [one, other] = [await openPage(anna, 'auto'), await openPage(anna, 'auto')];
    one.store.learn(id(0), { available: false });
    other.store.learn(id(2), { available: false });

    await Promise.all([one.closings.turn(false), other.closings.turn(false)]);

    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('leaves alone what somebody else has spoken of since, and what may not be edited', async () => {
    const { closings, store } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.turn(false);

    store.learn(id(0), { available: false, by: 'Ben' });
    expect(closings.preview(true)).to.include({ change: 1, skipped: 1 });
    store.locked.add(id(2));

    expect(closings.preview(true)).to.include({ change: 0, skipped: 2 });
  });

  it('keeps what was closed before and is closed still', async () => {
    const { closings, store } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.turn(false);
    store.learn(id(1), { available: true });

    await closings.turn(false);

    expect(closings.preview(true).ids).to.have.members([id(0), id(1), id(2)]);
  });

  it('is as it was before where its drafts are discarded, and stays where they are saved', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna);
    await closings.turn(false);
    draft.discard();
    closings.afterDrafts(false);
    expect(closings.offered).to.equal(undefined);

    await closings.turn(false);
    await draft.save();
    closings.afterDrafts(true);
    closings.afterDrafts(false);

    expect(closings.offered).to.include({ count: 2 });
  });

  it('is as it was before any draft where it was made twice, and all of it is discarded', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna);
    await closings.turn(false);
    await draft.set(0, true);
    await closings.turn(false);

    draft.discard();
    closings.afterDrafts(false);

    expect(closings.offered).to.equal(undefined);
  });

  it('is as it was before where it is undone, and there again where it is made again', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna);
    await closings.turn(false);

    await draft.undo();
    const undone = closings.offered;
    await draft.redo();

    expect(undone).to.equal(undefined);
    expect(closings.offered).to.include({ count: 2 });
  });

  it('is on offer again where opening it again is undone, on the next page too', async () => {
    const { anna } = ownersAtNewProxy();
    const { closings, draft } = await openPage(anna, 'auto');
    await closings.turn(false);
    await closings.turn(true);

    await draft.undo();
    await closings.settled;

    expect(closings.offered).to.include({ count: 2 });
    expect((await openPage(anna)).closings.offered).to.include({ count: 2 });
  });

  it('stays on offer where the page refuses to have it undone', async () => {
    const { closings, draft, table } = await openPage(ownersAtNewProxy().anna, 'auto', () => false);
    await closings.turn(false);

    expect(await draft.undo()).to.deep.equal({ changed: 0, skipped: 2 });

    expect(table.row(0)?.view.available).to.equal(false);
    expect(closings.offered).to.include({ count: 2 });
  });

  it('is on offer again where opening it again is undone while that is still being written', async () => {
    const { closings, draft } = await openPage(ownersAtNewProxy().anna, 'auto');
    await closings.turn(false);

    const opening = closings.turn(true);
    await Promise.all([opening, draft.undo()]);

    expect(closings.offered).to.include({ count: 2 });
  });

  it('that was made before it was known who is there is theirs then, with what they had closed earlier', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const earlier = await openPage(anna, 'auto');
    earlier.store.learn(id(0), { available: false });
    await earlier.closings.turn(false);
    const { closings, store } = await openPage(tab, 'auto');
    store.learn(id(2), { available: false });
    await closings.turn(false);

    store.turnTo(anna);
    await until(() => closings.offered?.count === 2, 'both are on offer');
    await closings.settled;

    expect((await openPage(anna)).closings.offered).to.include({ count: 2, isKept: true });
    expect((await openPage(tab)).closings.offered).to.equal(undefined);
  });

  it('that is undone once it is known who is there leaves on offer what they had closed earlier', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const earlier = await openPage(anna, 'auto');
    earlier.store.learn(id(0), { available: false });
    await earlier.closings.turn(false);
    const { closings, draft, store } = await openPage(tab, 'auto');
    store.learn(id(2), { available: false });
    await closings.turn(false);
    store.turnTo(anna);
    await until(() => closings.offered?.count === 2, 'both are on offer');

    store.learn(id(0), { available: false });
    await draft.undo();
    await closings.settled;

    expect(closings.offered).to.include({ count: 1 });
    expect((await openPage(anna)).closings.offered).to.include({ count: 1, isKept: true });
    await draft.redo();
    expect(closings.offered).to.include({ count: 2 });
  });

  it('is wiped when its person signs out', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const { closings, store } = await openPage(anna, 'auto');
    await closings.turn(false);

    store.turnTo(tab);
    await closings.settled;

    expect(closings.offered).to.equal(undefined);
    expect((await openPage(anna)).closings.offered).to.equal(undefined);
  });

  it('is wiped when its person signs out before it is known who they are', async () => {
    const { tab, ben } = ownersAtNewProxy();
    const { closings, store } = await openPage(tab, 'auto');
    await closings.turn(false);

    store.update({ canEdit: false, status: 'signed-out', problem: 'signed_out' });
    await closings.settled;
    const offered = closings.offered;
    store.turnTo(ben);
    await closings.settled;

    expect([offered, closings.offered]).to.deep.equal([undefined, undefined]);
    expect((await openPage(tab)).closings.offered).to.equal(undefined);
  });

  it('of the next person stays as it is, where another one comes while theirs is opened again', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const entries = [true, true].map((available, at) => ({ id: id(at), available }));
    const bens = await openPage(ben, 'auto', NO_HOST.mayChange, entries);
    await bens.closings.turn(false);
    const { closings, store } = await openPage(anna, 'auto', NO_HOST.mayChange, entries);
    store.learn(id(0), { available: false });
    await closings.turn(false);
    const setSome = store.setSome.bind(store);
    store.setSome = async (edits) => {
      await setSome(edits);
      store.turnTo(ben);
      await until(() => closings.offered?.count === 2, 'what Ben closed is on offer');
    };

    await closings.turn(true);
    await closings.settled;

    expect(closings.offered).to.include({ count: 2 });
    expect((await openPage(ben)).closings.offered).to.include({ count: 2 });
  });

  it('is forgotten when the person lets it be', async () => {
    const { anna } = ownersAtNewProxy();
    const { closings } = await openPage(anna, 'auto');
    await closings.turn(false);

    closings.drop();
    await closings.settled;

    expect((await openPage(anna)).closings.offered).to.equal(undefined);
  });
});
