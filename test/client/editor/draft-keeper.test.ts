import { expect } from '@open-wc/testing';
import { promisifyRequest } from 'idb-keyval';
import { DraftTable } from '../../../src/client/storage/draft-table.js';
import { DraftAutosave } from '../../../src/client/editor/saved/draft-autosave.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemSelection } from '../../../src/client/editor/selection.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { deleteDatabase, openDatabase, rowsIn } from '../support/database.js';
import { hearWarnings } from '../support/console-warnings.js';
import { blockOpening, forbidStorage, hangStorage, loseConnections } from '../support/failing-storage.js';
import { NO_HOST } from '../support/no-host.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { fakeTimeouts } from '../support/fake-timeouts.js';
import { FakeStore } from '../support/fake-store.js';
import { until } from '../support/until.js';

const IDS = ['boat-tour-1', 'cabin-7', 'kayak-tour-2'] as const;
const [BOAT, CABIN, KAYAK] = [0, 1, 2];

/**
 * A page with three unavailable items. Closing it has the effect of a reload.
 *
 * @param available ids of items that the host's page shows as available
 */
function openPage(owner: string, ids: readonly string[] = IDS, editor = {}, available: readonly string[] = []) {
  const store = new FakeStore();
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
  const keeper = new DraftAutosave(draft, store, onChange, editor);
  const close = async (): Promise<void> => {
    keeper.close();
    draft.close();
    table.close();
    await keeper.settled;
  };
  afterThisTest(() => void close());
  return { store, table, draft, keeper, close, told: () => told, offers };
}

/** The stored drafts of one person. */
function onDisk(owner: string): Promise<unknown[]> {
  return rowsIn('vendor-inventory-drafts', 'drafts', IDBKeyRange.bound([owner], [owner, []]));
}

/** Makes the browser's storage full. @returns a function that frees it */
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

/**
 * Gives the page a Promise of its own: a chain that begins with `Promise.resolve()` learns of its first step only when the
 * test says so.
 *
 * @returns tells it, and gives the page the browser's own Promise again
 */
function replacePromise(): () => void {
  const Native = Promise;
  let callBack = (): void => undefined;
  const called = new Promise<void>((done) => {
    callBack = done;
  });
  class LatePromise<T> extends Native<T> {
    static override resolve(value?: unknown): Promise<never> {
      return {
        then(onValue: (value: unknown) => unknown) {
          const step = Native.resolve(value).then(onValue);
          step.catch(() => undefined);
          return { catch: (onReason: (reason: unknown) => unknown) => called.then(() => step.catch(onReason)) };
        },
      } as Promise<never>;
    }
  }
  window.Promise = LatePromise;
  const putBack = (): void => {
    window.Promise = Native;
    callBack();
  };
  afterThisTest(putBack);
  return putBack;
}

/** The page replaces the list of an editor with a draft by a longer one that has a copy of the draft. */
async function repeatADraft() {
  const { anna } = ownersAtNewProxy();
  const editor = {};
  const first = openPage(anna, IDS, editor);
  await first.draft.set(BOAT, true);
  await first.close();
  return { anna, second: openPage(anna, [...IDS, 'sauna-3'], editor, [IDS[0]]) };
}

/** A page on which the draft of an earlier page is offered. */
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

describe('the draft autosave', () => {
  it('offers drafts that a closing page is still writing, as soon as they are written', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    for (const itemIndex of [BOAT, CABIN, KAYAK]) void before.draft.set(itemIndex, true);
    void before.close();

    const next = openPage(anna);
    await untilOffered(next);

    expect(next.keeper.offered?.count).to.equal(3);
  });

  it('writes a draft when it is made, with its base', async () => {
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

  it('deletes a draft that is switched back, saved or discarded', async () => {
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

  it('offers unsaved drafts with their age after a reload, and restores none by itself', async () => {
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

  it('restores the offered drafts as one step, and stores them for the next reload', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.draft.set(CABIN, true);
    await before.keeper.settled;
    await before.close();
    const page = openPage(anna);
    await untilOffered(page);

    const result = await page.keeper.restore();

    expect(result).to.deep.equal({ changed: 2, skipped: 0 });
    expect(page.keeper.offered).to.equal(undefined);
    expect([page.table.row(BOAT)?.draft, page.table.row(CABIN)?.draft]).to.deep.equal([true, true]);
    await page.close();
    const next = openPage(anna);
    await untilOffered(next);
    expect(next.keeper.offered?.count).to.equal(2);
    await next.keeper.restore();
    await next.draft.undo();
    await next.keeper.settled;
    expect(next.table.counts.changed).to.equal(0);
    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('leaves restored drafts on the disk if there is no space to write them again', async () => {
    const { anna, page } = await openAfterADraft();
    fillStorage();

    await page.keeper.restore();
    await page.keeper.settled;

    expect(page.table.counts.changed).to.equal(1);
    expect((await onDisk(anna)).length).to.equal(1);
  });

  it('does not restore drafts of the same editor that an unknown person made in another session', async () => {
    const { tab, ben } = ownersAtNewProxy();
    const editor = {};
    const first = openPage(tab, IDS, editor);
    await first.draft.set(BOAT, true);
    await first.close();

    const second = openPage(ben, IDS, editor);
    await untilOffered(second);

    expect(second.table.counts.changed).to.equal(0);
  });

  it('restores drafts in a list that replaces one which had not restored them yet', async () => {
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

  it('restores a draft in a list into which the same page has copied its value', async () => {
    const { second } = await repeatADraft();

    await until(() => second.table.row(BOAT)?.draft === true, 'it is drafted');
    expect(second.table.counts.changed).to.equal(1);
    expect(await second.draft.save()).to.deep.equal({ saved: 1, left: 0, held: 0 });
  });

  it("accepts the value of the host's page on a later page that has copied a draft", async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.draft.set(CABIN, true);
    await before.close();

    const page = openPage(anna, IDS, {}, [IDS[0]]);
    await untilOffered(page);

    expect(await page.keeper.restore()).to.deep.equal({ changed: 1, skipped: 0 });
    expect(page.table.row(BOAT)?.draft).to.equal(undefined);
  });

  it('drops a draft in a list of the same page if the proxy has its value', async () => {
    const { anna, second } = await repeatADraft();
    second.store.learn(IDS[BOAT] as ItemId, { available: true, by: 'Ben' });

    await until(async () => (await onDisk(anna)).length === 0, 'nothing is kept');
    expect(second.table.counts.changed).to.equal(0);
  });

  it('deletes offered drafts that the person does not want', async () => {
    const { anna, page } = await openAfterADraft();

    await page.keeper.discardOffered();

    expect(page.keeper.offered).to.equal(undefined);
    expect(await onDisk(anna)).to.deep.equal([]);
  });

  it('does not let a draft overwrite what another person has set since', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    before.store.learn(IDS[KAYAK] as ItemId, { available: undefined });
    for (const itemIndex of [BOAT, CABIN, KAYAK]) await before.draft.set(itemIndex, true);
    await before.keeper.settled;
    await before.close();

    const page = openPage(anna);
    page.store.learn(IDS[BOAT] as ItemId, { available: false, by: 'Ben' });
    page.store.learn(IDS[CABIN] as ItemId, { available: true, by: 'Ben' });
    page.store.learn(IDS[KAYAK] as ItemId, { available: false });
    await untilOffered(page);
    const result = await page.keeper.restore();

    expect(result).to.deep.equal({ changed: 2, skipped: 0 });
    expect(page.table.row(BOAT)?.conflict).to.deep.equal({ base: false, mine: true, theirs: false });
    expect(page.table.row(CABIN)?.draft).to.equal(undefined);
    expect(page.table.row(KAYAK)?.conflict).to.deep.equal({ base: undefined, mine: true, theirs: false });
    expect(await page.draft.save()).to.deep.equal({ saved: 0, left: 0, held: 2 });
  });

  it('leaves a newer draft of this page as it is', async () => {
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

    await page.keeper.restore();

    expect(page.table.row(KAYAK)?.draft).to.equal(false);
  });

  it('keeps drafts of items that this page does not know on offer', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.draft.set(KAYAK, true);
    await before.keeper.settled;
    await before.close();
    const page = openPage(anna, ['kayak-tour-2']);
    await untilOffered(page);

    const result = await page.keeper.restore();

    expect(result).to.deep.equal({ changed: 1, skipped: 1 });
    expect(page.keeper.offered?.count).to.equal(1);
  });

  it('offers the drafts of an open page only once it is closed', async () => {
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

  it('deletes saved drafts from the disk before it releases the lock of its page', async () => {
    const { anna } = ownersAtNewProxy();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;
    const { held = [] } = await navigator.locks.query();
    const [name = ''] = held.flatMap((lock) => lock.name?.match(/^vendor-inventory-draft:.*/)?.[0] ?? []);
    const { requestAnimationFrame } = globalThis;
    // A slow frame.
    globalThis.requestAnimationFrame = () => 0;
    afterThisTest(() => (globalThis.requestAnimationFrame = requestAnimationFrame));
    const left = navigator.locks.request(name, { mode: 'shared' }, () => onDisk(anna));

    page.draft.discard();

    expect(await left).to.deep.equal([]);
  });

  it('offers drafts that were not written yet when their editor was removed', async () => {
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    void before.draft.set(KAYAK, true);
    void before.close();

    const next = openPage(anna);
    await until(() => next.keeper.offered !== undefined, 'it is offered');

    expect(next.keeper.offered?.count).to.equal(1);
  });

  it('does not show the drafts of another person, and keeps them for that person', async () => {
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
    await his.keeper.restore();
    expect(his.table.row(BOAT)?.draft).to.equal(undefined);
    const hers = openPage(anna);
    await untilOffered(hers);
    expect(hers.keeper.offered?.count).to.equal(1);
  });

  it('shows no drafts, not for a moment, that were looked up for another person', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.close();

    const page = openPage(anna);
    page.store.turnTo(ben);
    await page.keeper.settled;

    expect(page.offers.filter(Boolean)).to.deep.equal([]);
  });

  it('does not restore drafts for the next person that the previous one has just requested', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.close();
    const page = openPage(anna);
    await untilOffered(page);

    const taken = page.keeper.restore();
    page.store.turnTo(ben);

    expect(await taken).to.deep.equal({ changed: 0, skipped: 0 });
    expect(page.table.row(BOAT)?.draft).to.equal(undefined);
    const hers = openPage(anna);
    await untilOffered(hers);
    expect(hers.keeper.offered?.count).to.equal(1);
  });

  it('offers their drafts to a person who returns to the page after another one', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const page = openPage(anna);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    page.store.turnTo(ben);
    await page.keeper.settled;
    page.store.turnTo(anna);
    await untilOffered(page);

    expect(page.keeper.offered?.count).to.equal(1);
    await page.keeper.restore();
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

  it('drops an anonymous draft at a sign-out before the person is known', async () => {
    const { tab } = ownersAtNewProxy();
    const page = openPage(tab);
    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    page.store.update({ status: 'signed-out', problem: 'signed_out' });
    await page.keeper.settled;

    expect(page.table.counts.changed).to.equal(0);
    expect(await onDisk(tab)).to.deep.equal([]);
  });

  it('passes drafts from before the person was known to that person', async () => {
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

  it('offers drafts of a tab that closed before its person was known to the next person, but not at another proxy', async () => {
    const { anna, tab } = ownersAtNewProxy();
    const lost = openPage(tab);
    await lost.draft.set(BOAT, true);
    await lost.keeper.settled;
    await lost.close();

    const elsewhere = openPage(ownersAtNewProxy().anna);
    const hers = openPage(anna);
    await untilOffered(hers);
    await hers.keeper.restore();
    await hers.keeper.settled;

    expect(elsewhere.keeper.offered).to.equal(undefined);
    expect(hers.table.counts.changed).to.equal(1);
    expect((await onDisk(anna)).length).to.equal(1);
    expect(await onDisk(tab)).to.deep.equal([]);
  });

  it('does not offer the drafts of an open tab that does not know its person', async () => {
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

  it('reports when the browser does not store drafts, and stores all of them once it does again', async () => {
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

  it('works in memory if the browser forbids storage', async () => {
    hearWarnings();
    forbidStorage();
    const page = openPage(ownersAtNewProxy().anna);

    await page.draft.set(BOAT, true);
    await page.keeper.settled;

    expect(page.keeper.refused).to.equal(true);
    expect(await page.draft.save()).to.deep.equal({ saved: 1, left: 0, held: 0 });
  });

  it('reports a failure if storage does not respond', async () => {
    hearWarnings();
    hangStorage();
    const { asked, end } = fakeTimeouts();
    const page = openPage(ownersAtNewProxy().anna);
    await page.draft.set(BOAT, true);

    await until(() => asked.length > 0, 'somebody waits for storage');
    end();
    await page.keeper.settled;

    expect(page.keeper.refused).to.equal(true);
    expect(page.table.counts.changed).to.equal(1);
  });

  it('offers drafts once the database opens, if that takes longer than the timeout', async () => {
    hearWarnings();
    const { anna } = ownersAtNewProxy();
    const before = openPage(anna);
    await before.draft.set(BOAT, true);
    await before.keeper.settled;
    await before.close();
    const release = await blockOpening('vendor-inventory-drafts');
    const { asked, end, restore } = fakeTimeouts();
    const page = openPage(anna);
    await until(() => asked.length > 0, 'the page waits for storage');
    end();
    await page.keeper.settled;
    restore();
    const offeredTooEarly = page.keeper.offered;

    release();
    await untilOffered(page);

    expect(offeredTooEarly).to.equal(undefined);
    expect(page.keeper.offered?.count).to.equal(1);
  });

  it('offers drafts once the database opens, though a Promise of the page calls back late', async () => {
    hearWarnings();
    const { anna } = ownersAtNewProxy();
    // Not a page: its end would make the next page look for drafts once more.
    const closed = new DraftTable();
    await closed.write(anna, 'page', 1, [{ id: IDS[BOAT] as ItemId, available: true, stamp: 1 }], []);
    closed.close();
    expect((await onDisk(anna)).length).to.equal(1);
    const release = await blockOpening('vendor-inventory-drafts');
    const { asked, end, restore } = fakeTimeouts();
    const callBack = replacePromise();
    const page = openPage(anna);
    await until(() => asked.length > 0, 'the page waits for storage');
    end();
    restore();
    release();
    await rowsIn('vendor-inventory-drafts', 'drafts');

    callBack();
    await untilOffered(page);

    expect(page.keeper.offered?.count).to.equal(1);
  });

  it('opens its database again after the browser closed it under an open page', async () => {
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

  it('stores and restores a bulk change of thousands of rows', async () => {
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
    const result = await page.keeper.restore();

    expect(result).to.deep.equal({ changed: 1_100, skipped: 0 });
    expect(page.table.counts.changed).to.equal(1_100);
    expect((await onDisk(anna)).length).to.equal(1_100);
  });

  it('reads drafts that were stored under the former name of their table', async () => {
    const { anna } = ownersAtNewProxy();
    // Both requests stand in one queue (Indexed Database API, 2.1), so that no page of an earlier test opens in between.
    const deleted = deleteDatabase('vendor-inventory-drafts');
    const opened = openDatabase('vendor-inventory-drafts', 1, (database) => {
      for (const name of ['wishes', 'pages']) database.createObjectStore(name);
    });
    await deleted;
    const former = await opened;
    const writing = former.transaction(['wishes', 'pages'], 'readwrite');
    writing.objectStore('wishes').put({ id: IDS[BOAT], available: true, stamp: 1 }, [anna, 'page', String(IDS[BOAT])]);
    writing.objectStore('pages').put(1, [anna, 'page']);
    await promisifyRequest(writing);
    former.close();

    const page = openPage(anna);
    await untilOffered(page);
    const result = await page.keeper.restore();

    expect(result).to.deep.equal({ changed: 1, skipped: 0 });
  });

  it('closes its database when another page wants to delete it', async () => {
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
