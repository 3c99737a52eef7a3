import { expect } from '@open-wc/testing';
import { DraftTable } from '../../../src/client/storage/draft-table.js';
import { DraftKeeper } from '../../../src/client/editor/saved/draft-autosave.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemSelection } from '../../../src/client/editor/selection.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { rowsIn } from '../support/database.js';
import { hearWarnings } from '../support/console-warnings.js';
import { forbidStorage, hangStorage, loseConnections } from '../support/failing-storage.js';
import { NO_HOST } from '../support/no-host.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { patience } from '../support/patience.js';
import { PretendStore } from '../support/pretend-store.js';
import { until } from '../support/until.js';

const IDS = ['boat-tour-1', 'cabin-7', 'kayak-tour-2'] as const;
const [BOAT, CABIN, KAYAK] = [0, 1, 2];

/**
 * A page with three items that are unavailable. Closing it is what a reload does.
 *
 * @param available what the host's page says is available
 */
function openPage(owner: string, ids: readonly string[] = IDS, editor = {}, available: readonly string[] = []) {
  const store = new PretendStore();
  store.turnTo(owner);
  const table = new ItemList(
    store,
    ids.map((id) => ({ id, available: available.includes(id) })),
    () => undefined,
  );
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode: 'manual' });
  let told = 0;
  const offers: (number | undefined)[] = [];
  const onChange = (): void => {
    told += 1;
    offers.push(keeper.offered?.count);
  };
  const keeper = new DraftKeeper(draft, store, onChange, editor);
  const close = async (): Promise<void> => {
    keeper.close();
    draft.close();
    table.close();
    await keeper.settled;
  };
  afterThisTest(() => void close());
  return { store, table, draft, keeper, close, told: () => told, offers };
}

/** What the disk has of one person. */
function onDisk(owner: string): Promise<unknown[]> {
  return rowsIn('vendor-inventory-drafts', 'wishes', IDBKeyRange.bound([owner], [owner, []]));
}

/** The browser's storage is full until it is told that there is room. */
function fillStorage(): () => void {
  const { put } = IDBObjectStore.prototype;
  const free = (): void => {
    IDBObjectStore.prototype.put = put;
  };
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('no space left', 'QuotaExceededError');
  };
  afterThisTest(free);
  return free;
}

/** The page of an editor with a draft gives it a longer list, in which it says what the draft says. */
async function repeatADraft() {
  const { anna } = ownersAtNewProxy();
  const editor = {};
  const first = openPage(anna, IDS, editor);
  await first.draft.set(BOAT, true);
  await first.close();
  return { anna, second: openPage(anna, [...IDS, 'sauna-3'], editor, [IDS[0]]) };
}

/** A page after one that left a draft, which is on offer. */
async function openAfterADraft() {
  const { anna } = ownersAtNewProxy();
  const before = openPage(anna);
  await before.draft.set(BOAT, true);
  await before.keeper.settled;
  await before.close();
  const page = openPage(anna);
  await untilOffered(page);
  return { anna, page };
}

function untilOffered(page: ReturnType<typeof openPage>): Promise<void> {
  return until(() => page.keeper.offered !== undefined, 'drafts are offered');
}

describe('the keeper of drafts', () => {
  it('offers what an earlier page is still writing while it goes, as soon as it is written', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    for (const position of [BOAT, CABIN, KAYAK]) void before.draft.set(position, true);
    void before.close();

    const next = openPage(anna);
    await untilOffered(next);

    expect(next.keeper.offered?.count).to.equal(3);
  });

  it('writes a wish when it is made, with what it stands on', async () => {
    const { anna } = ownersAtNewProxy();
    const page = openPage(anna);
    page.store.learn(IDS[KAYAK] as ItemId, { available: undefined });

    await page.draft.set(BOAT, true);
    await page.draft.set(KAYAK, false);
    await page.keeper.settled;

    const stamp = Date.parse(page.table.row(KAYAK)?.view.updated_at ?? '');
    expect(await onDisk(anna)).to.deep.equal([
      { id: 'boat-tour-1', available: true, base: false, stamp: 1 },
      { id: 'kayak-tour-2', available: false, base: undefined, stamp },
    ]);
  });

  it('takes a wish away when it is switched back, saved or discarded', async () => {
    const { anna } = ownersAtNewProxy();
    const page = openPage(anna);
    const left: number[] = [];
    const ends = [
      () => page.draft.set(BOAT, false),
      () => page.draft.save(),
      () => Promise.resolve(page.draft.discard()),
    ];
    for (const end of ends) {
      await page.draft.set(BOAT, true);
      await page.draft.set(CABIN, !page.table.row(CABIN)?.view.available);
      await page.keeper.settled;
      await end();
      await page.keeper.settled;
      left.push((await onDisk(anna)).length);
      page.draft.discard();
      page.store.learn(IDS[BOAT] as ItemId, { available: false });
    }

    expect(left).to.deep.equal([1, 0, 0]);
  });

  it('offers after a reload what was not saved, with its age, and puts nothing back unasked', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    const start = Date.now();
    await before.draft.set(BOAT, true);
    await before.draft.set(CABIN, true);
    await before.keeper.settled;
    await before.close();

    const page = openPage(anna);
    await untilOffered(page);

    expect(page.keeper.offered?.count).to.equal(2);
    expect(page.keeper.offered?.madeAt).to.be.within(start, Date.now());
    expect(page.table.counts.changed).to.equal(0);
  });

  it('gives back what it offered as one step, and keeps it for the next reload', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.draft.set(CABIN, true);
    await before.keeper.settled;
    await before.close();
    const page = openPage(anna);
    await untilOffered(page);

    const result = await page.keeper.takeBack();

    expect(result).to.deep.equal({ changed: 2, skipped: 0 });
    expect(page.keeper.offered).to.equal(undefined);
    expect([page.table.row(BOAT)?.draft, page.table.row(CABIN)?.draft]).to.deep.equal([true, true]);
    await page.close();
    const next = openPage(anna);
    await untilOffered(next);
    expect(next.keeper.offered?.count).to.equal(2);
    await next.keeper.takeBack();
    await next.draft.undo();
    await next.keeper.settled;
    expect(next.table.counts.changed).to.equal(0);
    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('leaves on the disk what it gives back where there is no room for it', async () => {
    const { anna, page } = await openAfterADraft();
    fillStorage();

    await page.keeper.takeBack();
    await page.keeper.settled;

    expect(page.table.counts.changed).to.equal(1);
    expect((await onDisk(anna)).length).to.equal(1);
  });

  it('goes on with nothing that was drafted in the same editor before it was known who was there, at another session', async () => {
    const { tab, ben } = ownersAtNewProxy();
    const editor = {};
    const first = openPage(tab, IDS, editor);
    await first.draft.set(BOAT, true);
    await first.close();

    const second = openPage(ben, IDS, editor);
    await untilOffered(second);

    expect(second.table.counts.changed).to.equal(0);
  });

  it('goes on with it in a list that takes the place of one which had not come to it', async () => {
    const { anna } = ownersAtNewProxy();
    const editor = {};
    const first = openPage(anna, IDS, editor);
    await first.draft.set(BOAT, true);
    await first.close();
    const second = openPage(anna, IDS, editor);
    await until(() => second.told() > 0, 'it has found them');
    void second.close();

    const third = openPage(anna, IDS, editor);

    await until(() => third.table.row(BOAT)?.draft === true, 'it is drafted');
    await until(() => third.keeper.offered === undefined, 'nothing is on offer');
    expect(third.table.counts.changed).to.equal(1);
  });

  it("goes on with it in a list of the same page that repeats it, which is nobody else's word", async () => {
    const { second } = await repeatADraft();

    await until(() => second.table.row(BOAT)?.draft === true, 'it is drafted');
    expect(second.table.counts.changed).to.equal(1);
    expect(await second.draft.save()).to.deep.equal({ saved: 1, left: 0, held: 0 });
  });

  it("takes the word of the host's page where another page repeats it", async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.draft.set(CABIN, true);
    await before.close();

    const page = openPage(anna, IDS, {}, [IDS[0]]);
    await untilOffered(page);

    expect(await page.keeper.takeBack()).to.deep.equal({ changed: 1, skipped: 0 });
    expect(page.table.row(BOAT)?.draft).to.equal(undefined);
  });

  it('lets go of it in a list of the same page where the proxy says that it is so', async () => {
    const { anna, second } = await repeatADraft();
    second.store.learn(IDS[BOAT] as ItemId, { available: true, by: 'Ben' });

    await until(async () => (await onDisk(anna)).length === 0, 'nothing is kept');
    expect(second.table.counts.changed).to.equal(0);
  });

  it('deletes what the person does not want back', async () => {
    const { anna, page } = await openAfterADraft();

    await page.keeper.dropOffered();

    expect(page.keeper.offered).to.equal(undefined);
    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('does not let a draft win over what somebody has said since', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    before.store.learn(IDS[KAYAK] as ItemId, { available: undefined });
    for (const position of [BOAT, CABIN, KAYAK]) await before.draft.set(position, true);
    await before.keeper.settled;
    await before.close();

    const page = openPage(anna);
    page.store.learn(IDS[BOAT] as ItemId, { available: false, by: 'Ben' });
    page.store.learn(IDS[CABIN] as ItemId, { available: true, by: 'Ben' });
    page.store.learn(IDS[KAYAK] as ItemId, { available: false });
    await untilOffered(page);
    const result = await page.keeper.takeBack();

    expect(result).to.deep.equal({ changed: 2, skipped: 0 });
    expect(page.table.row(BOAT)?.met).to.deep.equal({ base: false, mine: true, theirs: false });
    expect(page.table.row(CABIN)?.draft).to.equal(undefined);
    expect(page.table.row(KAYAK)?.met).to.deep.equal({ base: undefined, mine: true, theirs: false });
    expect(await page.draft.save()).to.deep.equal({ saved: 0, left: 0, held: 2 });
  });

  it('leaves a newer wish of this page as it is', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    before.store.learn(IDS[KAYAK] as ItemId, { available: undefined });
    await before.draft.set(KAYAK, true);
    await before.keeper.settled;
    await before.close();
    const page = openPage(anna);
    page.store.learn(IDS[KAYAK] as ItemId, { available: undefined });
    await untilOffered(page);
    await page.draft.set(KAYAK, false);

    await page.keeper.takeBack();

    expect(page.table.row(KAYAK)?.draft).to.equal(false);
  });

  it('keeps on offer what this page does not know', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.draft.set(KAYAK, true);
    await before.keeper.settled;
    await before.close();
    const page = openPage(anna, ['kayak-tour-2']);
    await untilOffered(page);

    const result = await page.keeper.takeBack();

    expect(result).to.deep.equal({ changed: 1, skipped: 1 });
    expect(page.keeper.offered?.count).to.equal(1);
  });

  it('offers nothing of a page that is still open, until it is gone', async () => {
    const { anna } = ownersAtNewProxy();
    const other = openPage(anna);
    await other.draft.set(BOAT, true);
    await other.keeper.settled;
    const page = openPage(anna);
    await until(() => page.told() > 0, 'the keeper has looked');
    const meanwhile = page.keeper.offered;

    await other.close();

    expect(meanwhile).to.equal(undefined);
    await untilOffered(page);
    expect(page.keeper.offered?.count).to.equal(1);
  });

  it('has saved drafts off the disk before another page hears that it lets go of them', async () => {
    const { anna } = ownersAtNewProxy();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;
    const { held = [] } = await navigator.locks.query();
    const [name = ''] = held.flatMap((lock) => lock.name?.match(/^vendor-inventory-draft:.*/)?.[0] ?? []);
    const { requestAnimationFrame } = globalThis;
    // A picture that takes long.
    globalThis.requestAnimationFrame = () => 0;
    afterThisTest(() => (globalThis.requestAnimationFrame = requestAnimationFrame));
    const left = navigator.locks.request(name, { mode: 'shared' }, () => onDisk(anna));

    page.draft.discard();

    expect(await left).to.deep.equal([]);
  });

  it('offers what was still to be written when its editor went', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    void before.draft.set(KAYAK, true);
    void before.close();

    const next = openPage(anna);
    await until(() => next.keeper.offered !== undefined, 'it is offered');

    expect(next.keeper.offered?.count).to.equal(1);
  });

  it('shows nobody the drafts of another person, and keeps them for that one', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.keeper.settled;

    before.store.turnTo(ben);
    await before.draft.set(CABIN, true);
    await before.keeper.settled;
    await before.close();

    const his = openPage(ben);
    await untilOffered(his);
    expect(his.keeper.offered?.count).to.equal(1);
    await his.keeper.takeBack();
    expect(his.table.row(BOAT)?.draft).to.equal(undefined);
    const hers = openPage(anna);
    await untilOffered(hers);
    expect(hers.keeper.offered?.count).to.equal(1);
  });

  it('shows nobody what was looked for while another person was there, not for a moment', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.close();

    const page = openPage(anna);
    page.store.turnTo(ben);
    await page.keeper.settled;

    expect(page.offers.filter(Boolean)).to.deep.equal([]);
  });

  it('gives nobody what another person has taken back just now, and keeps it for that one', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.close();
    const page = openPage(anna);
    await untilOffered(page);

    const taken = page.keeper.takeBack();
    page.store.turnTo(ben);

    expect(await taken).to.deep.equal({ changed: 0, skipped: 0 });
    expect(page.table.row(BOAT)?.draft).to.equal(undefined);
    const hers = openPage(anna);
    await untilOffered(hers);
    expect(hers.keeper.offered?.count).to.equal(1);
  });

  it('offers a person who comes back to the page what they drafted before another one was there', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    page.store.turnTo(ben);
    await page.keeper.settled;
    page.store.turnTo(anna);
    await untilOffered(page);

    expect(page.keeper.offered?.count).to.equal(1);
    await page.keeper.takeBack();
    expect(page.table.row(BOAT)?.draft).to.equal(true);
  });

  it('leaves nothing on the device of a person who signs out', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const earlier = openPage(anna);
    await earlier.draft.set(CABIN, true);
    await earlier.keeper.settled;
    await earlier.close();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    page.store.turnTo(tab);
    await page.keeper.settled;

    expect(await onDisk(anna)).to.deep.equal([]);
    expect(page.keeper.offered).to.equal(undefined);
  });

  it('drops a draft of nobody when nobody signs out', async () => {
    const { tab } = ownersAtNewProxy();
    const page = openPage(tab);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    page.store.update({ status: 'signed-out', problem: 'signed_out' });
    await page.keeper.settled;

    expect(page.table.counts.changed).to.equal(0);
    expect(await onDisk(tab)).to.deep.equal([]);
  });

  it('passes what a tab drafted before it knew its person to the person', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const before = openPage(tab);
    await before.draft.set(BOAT, true);
    await before.keeper.settled;

    before.store.turnTo(anna);
    await before.draft.set(CABIN, true);
    await before.keeper.settled;

    expect((await onDisk(anna)).length).to.equal(2);
    expect(await onDisk(tab)).to.deep.equal([]);
    expect(before.table.counts.changed).to.equal(2);
  });

  it('offers what a tab left that went before it knew its person to whoever is there next, and to nobody at another proxy', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const lost = openPage(tab);
    await lost.draft.set(BOAT, true);
    await lost.keeper.settled;
    await lost.close();

    const elsewhere = openPage(ownersAtNewProxy().anna);
    const hers = openPage(anna);
    await untilOffered(hers);
    await hers.keeper.takeBack();
    await hers.keeper.settled;

    expect(elsewhere.keeper.offered).to.equal(undefined);
    expect(hers.table.counts.changed).to.equal(1);
    expect((await onDisk(anna)).length).to.equal(1);
    expect(await onDisk(tab)).to.deep.equal([]);
  });

  it('offers nobody what a tab drafts that is still to know its person', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const other = openPage(tab);
    await other.draft.set(BOAT, true);
    await other.keeper.settled;

    const hers = openPage(anna);
    await hers.keeper.settled;
    expect(hers.keeper.offered).to.equal(undefined);

    await other.close();
    await untilOffered(hers);
  });

  it('keeps drafts through an expired session', async () => {
    const { anna } = ownersAtNewProxy();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);

    page.store.update({ status: 'signed-out', problem: 'session_refused' });
    await page.keeper.settled;

    expect(page.table.counts.changed).to.equal(1);
    expect((await onDisk(anna)).length).to.equal(1);
  });

  it('says where the browser refuses to keep them, and keeps them all once it does again', async () => {
    const { anna } = ownersAtNewProxy();
    const heard = hearWarnings();
    const page = openPage(anna);
    await page.keeper.settled;
    const free = fillStorage();

    await page.draft.set(BOAT, true);
    await page.keeper.settled;
    const refused = page.keeper.refused;
    free();
    await page.draft.set(CABIN, true);
    await page.keeper.settled;

    expect(refused).to.equal(true);
    expect(heard.length).to.equal(1);
    expect(page.keeper.refused).to.equal(false);
    expect((await onDisk(anna)).length).to.equal(2);
  });

  it('works on in memory where the browser forbids storage', async () => {
    hearWarnings();
    forbidStorage();
    const page = openPage(ownersAtNewProxy().anna);

    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    expect(page.keeper.refused).to.equal(true);
    expect(await page.draft.save()).to.deep.equal({ saved: 1, left: 0, held: 0 });
  });

  it('says that storage refuses where it does not answer at all', async () => {
    hearWarnings();
    hangStorage();
    const { asked, end } = patience();
    const page = openPage(ownersAtNewProxy().anna);
    await page.draft.set(BOAT, true);

    await until(() => asked.length > 0, 'somebody waits for storage');
    end();
    await page.keeper.settled;

    expect(page.keeper.refused).to.equal(true);
    expect(page.table.counts.changed).to.equal(1);
  });

  it('opens its database again that went away under a live page', async () => {
    const { anna } = ownersAtNewProxy();
    const lose = loseConnections();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    lose();
    await page.draft.set(CABIN, true);
    await page.keeper.settled;

    expect(page.keeper.refused).to.equal(false);
    expect((await onDisk(anna)).length).to.equal(2);
  });

  it('keeps and gives back a bulk change of thousands of rows', async () => {
    const { anna } = ownersAtNewProxy();
    const ids = Array.from({ length: 1_100 }, (_, at) => `tour-${String(at)}`);
    const before = openPage(anna, ids);
    await until(() => before.table.complete, 'the table is read');
    const selection = new ItemSelection(before.table);
    selection.selectAll(before.table.order);
    await before.draft.setSelected(selection, true);
    await before.keeper.settled;
    selection.close();
    await before.close();

    const page = openPage(anna, ids);
    await untilOffered(page);
    const result = await page.keeper.takeBack();

    expect(result).to.deep.equal({ changed: 1_100, skipped: 0 });
    expect(page.table.counts.changed).to.equal(1_100);
    expect((await onDisk(anna)).length).to.equal(1_100);
  });

  it('lets go of its database when another page wants to delete it', async () => {
    const { anna } = ownersAtNewProxy();
    const db = new DraftTable();
    await db.write(anna, 'page', 1, [{ id: IDS[BOAT] as ItemId, available: true, stamp: 1 }], []);

    const deleted = indexedDB.deleteDatabase('vendor-inventory-drafts');
    await new Promise<void>((resolve) => {
      deleted.onsuccess = () => {
        resolve();
      };
    });

    expect(await db.pages(anna)).to.deep.equal([]);
    db.close();
  });
});
