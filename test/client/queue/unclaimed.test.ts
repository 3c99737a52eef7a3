import { expect } from '@open-wc/testing';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { holdLock } from '../../../src/client/browser/tab-locks.js';
import { EditTable } from '../../../src/client/storage/edit-table.js';
import { toOwner, TAB_LOCK } from '../../../src/client/storage/queue-owner.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, CABIN, hostSays, KAYAK } from '../support/items.js';
import { openReadyStore, openStore, untilStatus, untilTruth } from '../support/open-store.js';
import { ANNA, BEN, type Person, fakeProxy, type FakeProxy, VISITOR } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

function tabOwner(proxy: FakeProxy, name: string): string {
  return JSON.stringify([proxy.url, 'tab', name]);
}

/** Stores an edit as a tab does that closes before its person is known. @returns the owner of its rows */
async function leftBy(
  tab: string,
  proxy: FakeProxy,
  id: ItemId,
  available: boolean,
  at = Date.now() - 60_000,
): Promise<string> {
  const owner = tabOwner(proxy, tab);
  const edit = { edit_id: newEditId(), id, available, updated_at: toTimestamp(at) };
  await new EditTable().add([{ ...edit, owner, stage: 'stored' }], 'new');
  return owner;
}

async function rowsOf(owner: string): Promise<(readonly [ItemId, boolean])[]> {
  return (await new EditTable().all(owner)).map(({ id, available }) => [id, available]);
}

async function isHeld(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === name);
}

function personOwner(proxy: FakeProxy, { vendor, subject }: Person): string {
  return toOwner(proxy.url, { vendor, subject });
}

function accepted(proxy: FakeProxy): unknown {
  return proxy.accepted.map(({ id, available }) => [id, available]);
}

describe('an orphaned edit, from a tab that closed before its person was known', () => {
  it('is offered with both values to the next person, and sent on their decision', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, by: 'Carla' });
    const gone = await leftBy('gone', proxy, KAYAK, false);

    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');

    expect(store.view(KAYAK)).to.include({ available: false, reason: 'unclaimed' });
    expect(store.view(KAYAK).theirs).to.include({ available: true, by: 'Carla' });
    expect(store.snapshot).to.include({ openCount: 1, attentionCount: 1 });
    expect(proxy.sent).to.deep.equal([]);
    expect(await rowsOf(gone)).to.deep.equal([]);

    await store.resolve(KAYAK, 'mine');
    await untilTruth(store, KAYAK, 'received');

    expect(accepted(proxy)).to.deep.equal([[KAYAK, false]]);
    // The base is the value that the person has just seen.
    expect(proxy.sent[0]?.base).to.be.a('string');
  });

  it('is discarded if the person keeps the current value, and no row is left', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    await leftBy('gone', proxy, KAYAK, false);
    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');

    await store.resolve(KAYAK, 'theirs');

    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-portal' });
    expect(store.snapshot.openCount).to.equal(0);
    expect(await rowsOf(personOwner(proxy, ANNA))).to.deep.equal([]);
    expect(proxy.sent).to.deep.equal([]);
  });

  it('is replaced by a new edit of the person', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    await leftBy('gone', proxy, KAYAK, false);
    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');

    await store.set(KAYAK, true);

    await untilTruth(store, KAYAK, 'on-portal');
    expect(proxy.sent).to.deep.equal([]);
    expect(await rowsOf(personOwner(proxy, ANNA))).to.deep.equal([]);
  });

  it('is settled with a newer edit of the person, made in a tab that learned its person later', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    proxy.down = true;
    const late = openStore(proxy);
    await untilStatus(late.store, 'unreachable');
    proxy.down = false;
    await leftBy('gone', proxy, KAYAK, true);
    proxy.knows({ id: KAYAK, available: false });
    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');
    await late.store.set(KAYAK, false);

    await late.store.refresh();

    await untilTruth(late.store, KAYAK, 'on-portal');
    await until(async () => (await rowsOf(personOwner(proxy, ANNA))).length === 0, 'nothing is left');
    expect(accepted(proxy)).to.deep.equal([[KAYAK, false]]);
  });

  it('is offered over an older edit of the person that is in delivery', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, true);
    await untilTruth(store, KAYAK, 'received');
    await leftBy('gone', proxy, KAYAK, false, Date.now());

    await store.refresh();

    await untilTruth(store, KAYAK, 'needs-attention');
    expect(store.view(KAYAK)).to.include({ available: false, reason: 'unclaimed' });
    expect(store.view(KAYAK).theirs).to.include({ available: true });
  });

  it('still waits for a decision after a reload, and in another tab of the same person', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    await leftBy('gone', proxy, KAYAK, false);
    const first = await openReadyStore(proxy);
    await untilTruth(first.store, KAYAK, 'needs-attention');
    first.close();

    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');

    expect(store.view(KAYAK).reason).to.equal('unclaimed');
    expect(proxy.sent).to.deep.equal([]);
  });

  it('is offered in a tab too that had read the database before', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const before = openStore(proxy, undefined, true);
    await untilStatus(before.store, 'ready');
    await until(() => proxy.heardOn('GET v1/events').length === 1, 'it hears what changes');
    await leftBy('gone', proxy, KAYAK, false);

    const { store } = openStore(proxy, undefined, true);
    await untilTruth(store, KAYAK, 'needs-attention');
    await untilTruth(before.store, KAYAK, 'needs-attention');

    expect(before.store.view(KAYAK)).to.include({ available: false, reason: 'unclaimed' });
    expect(proxy.sent).to.deep.equal([]);
  });

  it('of an item that only this page knows is offered too', async () => {
    const proxy = fakeProxy();
    await leftBy('gone', proxy, CABIN, true);
    const { store } = await openReadyStore(proxy);
    expect(store.view(CABIN).truth).to.equal(undefined);
    store.addHostItems(hostSays({ id: CABIN }));

    await store.refresh();
    await untilTruth(store, CABIN, 'needs-attention');

    expect(store.view(CABIN).theirs).to.equal(undefined);
    await store.retry(CABIN);
    await untilTruth(store, CABIN, 'received');
    expect(accepted(proxy)).to.deep.equal([[CABIN, true]]);
  });

  it('whose value is the current one needs no decision, and is deleted', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });
    const gone = await leftBy('gone', proxy, KAYAK, false);

    const { store } = await openReadyStore(proxy);

    await until(async () => (await rowsOf(gone)).length === 0, 'the row is gone');
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-portal' });
    expect(await rowsOf(personOwner(proxy, ANNA))).to.deep.equal([]);
  });

  it("whose value only the host's page shows still waits for a decision", async () => {
    const proxy = fakeProxy();
    await leftBy('gone', proxy, CABIN, true);
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: CABIN, available: true }));

    await store.refresh();
    await untilTruth(store, CABIN, 'needs-attention');

    expect(store.view(CABIN)).to.include({ available: true, reason: 'unclaimed' });
  });

  for (const [what, person, id] of [
    ['an item that is not on their page', ANNA, BOAT],
    ['an item of which they may change nothing', VISITOR, KAYAK],
    ['an item outside of what they look after', { ...BEN, items: ['cabin-*'] }, KAYAK],
  ] as const) {
    it(`stays for another person: ${what}`, async () => {
      const proxy = fakeProxy();
      proxy.person = person;
      proxy.knows({ id: KAYAK, available: true });
      await leftBy('decided first', proxy, CABIN, true);
      const gone = await leftBy('gone', proxy, id, false);
      proxy.knows({ id: CABIN, available: true });

      const { store } = await openReadyStore(proxy);
      // The search for orphaned edits has ended once the edit with the current value is deleted.
      if (person !== VISITOR) {
        const decided = tabOwner(proxy, 'decided first');
        await until(async () => (await rowsOf(decided)).length === 0, 'the rows were looked at');
      } else await store.refresh();

      expect(await rowsOf(gone)).to.deep.equal([[id, false]]);
      expect(store.snapshot.openCount).to.equal(0);
    });
  }

  it('is not claimed while its page is open', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    proxy.knows({ id: CABIN, available: true });
    const living = await leftBy('living', proxy, KAYAK, false);
    const gone = await leftBy('gone', proxy, CABIN, false);
    afterThisTest(holdLock(TAB_LOCK + living));
    await until(() => isHeld(TAB_LOCK + living), 'the page lives');

    const { store } = await openReadyStore(proxy);
    await untilTruth(store, CABIN, 'needs-attention');

    expect(await rowsOf(living)).to.deep.equal([[KAYAK, false]]);
    expect(await rowsOf(gone)).to.deep.equal([]);
    expect(store.view(KAYAK).truth).to.equal('on-portal');
  });

  it('goes to one tab only if several tabs claim it at once', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    await leftBy('gone', proxy, KAYAK, false);

    const pages = await Promise.all([openReadyStore(proxy), openReadyStore(proxy), openReadyStore(proxy)]);
    await Promise.race(pages.map(({ store }) => untilTruth(store, KAYAK, 'needs-attention')));

    expect(await rowsOf(personOwner(proxy, ANNA))).to.deep.equal([[KAYAK, false]]);
  });
});

describe('a page that does not know its person', () => {
  it('holds its lock also for edits from before its reload, so that no other page claims them', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    proxy.knows({ id: BOAT, available: true });
    const owner = await leftBy('reloaded', proxy, KAYAK, false);
    await leftBy('gone', proxy, BOAT, false);
    const queue = new EditQueue(owner);
    await queue.rows();

    const { store } = await openReadyStore(proxy);
    await untilTruth(store, BOAT, 'needs-attention');
    expect(store.view(KAYAK).truth).to.equal('on-portal');
    await queue.setOwner(personOwner(proxy, ANNA));

    await until(async () => !(await isHeld(TAB_LOCK + owner)), 'it has let go');
    expect(queue.known.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('holds its lock from its first edit until it knows its person', async () => {
    const proxy = fakeProxy();
    const owner = tabOwner(proxy, 'this one');
    const queue = new EditQueue(owner);
    expect(await isHeld(TAB_LOCK + owner)).to.equal(false);

    await queue.add([{ edit_id: newEditId(), id: KAYAK, available: false, updated_at: toTimestamp(Date.now()) }]);
    expect(await isHeld(TAB_LOCK + owner)).to.equal(true);
    await queue.setOwner(personOwner(proxy, ANNA));

    await until(async () => !(await isHeld(TAB_LOCK + owner)), 'it has let go');
  });
});
