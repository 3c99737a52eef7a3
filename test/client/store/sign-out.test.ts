import { expect } from '@open-wc/testing';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { setMany } from '../../../src/client/editor/bulk-edit.js';
import { yieldToEventLoop } from '../../../src/client/browser/next-frame.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { afterThisTest } from '../support/clean-up.js';
import { hearWarnings } from '../support/console-warnings.js';
import { fillStorage, keepEverything } from '../support/failing-storage.js';
import { BOAT, itemId, KAYAK } from '../support/items.js';
import { openReadyStore, openStore, untilStatus, untilTruth } from '../support/open-store.js';
import { ANNA, BEN, fakeProxy, type FakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

/** The first wait of a connection that tries again, jitter included. */
const isFirstWait = (milliseconds: number): boolean => milliseconds >= 500 && milliseconds <= 1000;

/** Records the time of each timer that the page sets from now on. */
function recordTimers(): number[] {
  const planned: number[] = [];
  const { setTimeout: real } = window;
  window.setTimeout = ((work: () => void, milliseconds = 0) => {
    planned.push(milliseconds);
    return real(work, milliseconds);
  }) as typeof setTimeout;
  afterThisTest(() => (window.setTimeout = real));
  return planned;
}

/** Simulates a slow machine: a slice of work ends after one row. */
function eachRowTakesLong(): void {
  const { now } = performance;
  let ahead = 0;
  performance.now = () => now.call(performance) + (ahead += 100);
  afterThisTest(() => (performance.now = now));
}

async function rowsOfAnna(proxy: FakeProxy): Promise<number> {
  const queue = new EditQueue(newEditId());
  await queue.setOwner(toOwner(proxy.url, ANNA));
  return (await queue.rows()).length;
}

describe('signing out', () => {
  it('sends the waiting edits, and leaves no row behind', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');
    proxy.down = false;

    const unsent = await store.signOut();

    expect(unsent).to.equal(0);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
    expect(await rowsOfAnna(proxy)).to.equal(0);
    expect(store.snapshot).to.include({ status: 'signed-out', canEdit: false, openCount: 0 });
  });

  it('does nothing while an edit cannot be sent, and returns the number of these edits', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await store.set(KAYAK, false);
    await store.set(BOAT, true);

    const unsent = await store.signOut();

    expect(unsent).to.equal(2);
    expect(await rowsOfAnna(proxy)).to.equal(2);
    expect(store.snapshot.status).to.equal('unreachable');
    expect(store.view(KAYAK).truth).to.equal('on-device');
  });

  it('deletes edits that could not be sent, if the person decides so', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await store.set(KAYAK, false);

    const unsent = await store.signOut(true);

    expect(unsent).to.equal(0);
    expect(await rowsOfAnna(proxy)).to.equal(0);
    expect(store.view(KAYAK)).to.include({ available: undefined, truth: undefined });
  });

  it('ends the token at the proxy, and requests no other by itself', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const tokens = proxy.heardOn('POST inventory-session').length;

    await store.signOut();
    window.dispatchEvent(new Event('online'));
    await until(() => proxy.heardOn('DELETE v1/session').length === 1, 'the proxy hears of it');

    const [ended] = proxy.heardOn('DELETE v1/session');
    expect(ended?.headers.get('Authorization')).to.equal('Bearer token-1');
    expect(proxy.heardOn('POST inventory-session')).to.have.length(tokens);
    expect(store.snapshot.status).to.equal('signed-out');
  });

  it('lets the next person sign in, who sees nothing of the first', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    await store.signOut();
    proxy.person = BEN;
    proxy.loseEdits();

    await store.refresh();

    expect(store.snapshot).to.include({ status: 'ready', canEdit: true });
    expect(store.view(KAYAK).available).to.equal(undefined);
  });

  it('ends the live updates', async () => {
    const proxy = fakeProxy();
    const { store } = openStore(proxy, proxy.sessionUrl, true);
    await untilStatus(store, 'ready');
    await until(() => proxy.streams === 1, 'it hears what changes');

    await store.signOut();

    await until(() => proxy.streams === 0, 'it hears nothing any more');
    expect(store.snapshot.status).to.equal('signed-out');
  });
});

describe('during a sign-out', () => {
  it('no edit is accepted, because it would belong to the next person', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const release = proxy.holdAnswers('DELETE v1/session');

    const leaving = store.signOut();
    await until(() => proxy.heardOn('DELETE v1/session').length === 1, 'the proxy hears of it');
    const canEdit = store.canEdit(BOAT);
    release();
    await leaving;

    expect(canEdit).to.equal(false);
  });

  it('that reaches the proxy late, the page already shows nothing, and the next person may sign in', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const release = proxy.holdAnswers('DELETE v1/session');
    const leaving = store.signOut();
    await until(() => proxy.heardOn('DELETE v1/session').length === 1, 'the proxy hears of it');
    const left = store.view(KAYAK).available;
    proxy.person = BEN;
    await store.refresh();

    release();
    await leaving;

    expect(left).to.equal(undefined);
    expect(store.snapshot).to.include({ status: 'ready', canEdit: true });
    expect(store.view(KAYAK).available).to.equal(true);
  });

  it('an edit that was still accepted is sent, or reported as unsent', async () => {
    const proxy = fakeProxy();
    const lost: number[] = [];
    let taken = 0;
    for (let tasks = 0; tasks < 40; tasks += 1) {
      const { store, close } = await openReadyStore(proxy, proxy.sessionUrl);
      const id = itemId(`item-${String(tasks)}`);
      const leaving = store.signOut();
      for (let task = 0; task < tasks; task += 1) await yieldToEventLoop();
      const isTaken = store.canEdit(id);
      const setting = isTaken ? store.set(id, false) : undefined;
      const unsent = await leaving;
      await setting;
      if (isTaken) taken += 1;
      if (isTaken && unsent === 0 && !proxy.accepted.some((edit) => edit.id === id)) lost.push(tasks);
      close();
    }

    expect(lost).to.deep.equal([]);
    expect(taken).to.be.greaterThan(0);
  });

  it('an edit that another tab stores after the count is reported, and not deleted', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const other = await openReadyStore(proxy, proxy.sessionUrl);
    let setting: Promise<void> | undefined;
    afterThisTest(
      store.subscribe(() => {
        if (store.snapshot.status === 'loading') setting ??= other.store.set(KAYAK, false);
      }),
    );

    const unsent = await store.signOut();
    await setting;
    const unsentThen = await store.signOut();

    expect([unsent, unsentThen]).to.deep.equal([1, 0]);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
    expect(store.snapshot).to.include({ status: 'signed-out', canEdit: false });
  });

  it('a load that began before does not sign the person in again', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    const asked = proxy.heardOn('GET v1/session').length;
    const release = proxy.holdAnswers('GET v1/session');
    const loading = store.refresh();
    await until(() => proxy.heardOn('GET v1/session').length > asked, 'it has begun');
    const tokens = proxy.heardOn('POST inventory-session').length;

    await store.signOut();
    release();
    await loading;

    expect(store.snapshot).to.include({ status: 'signed-out', canEdit: false });
    expect(proxy.heardOn('POST inventory-session')).to.have.length(tokens);
  });

  it('a listing that was in flight shows none of the person’s items', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.knows({ id: KAYAK, available: true });
    const asked = proxy.heardOn('GET v1/inventory').length;
    const release = proxy.holdAnswers('GET v1/inventory');
    const loading = store.reloadListing();
    await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'it has begun');

    await store.signOut();
    release();
    await loading;

    expect([...store.knownIds]).to.deep.equal([]);
    expect(store.view(KAYAK).available).to.equal(undefined);
  });

  it('a change that was in flight is not shown', async () => {
    const proxy = fakeProxy();
    const { store } = openStore(proxy, proxy.sessionUrl, true);
    await until(() => proxy.streams === 1, 'it listens');
    const asked = proxy.heardOn('GET v1/inventory').length;
    const release = proxy.holdAnswers('GET v1/inventory');
    proxy.takeFromElsewhere(KAYAK, true);
    await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'it asks for the change');
    await store.signOut();
    const shown: unknown[] = [];
    afterThisTest(store.subscribe(() => shown.push(store.view(KAYAK).available), KAYAK));
    proxy.withdrawElsewhere(KAYAK);
    proxy.person = BEN;

    release();
    await store.refresh();

    await untilStatus(store, 'ready');
    expect(shown).not.to.include(true);
    expect(shown).not.to.deep.equal([]);
  });

  it('a long listing that is being applied stops', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    for (let item = 0; item < 1000; item += 1) proxy.knows({ id: itemId(`boat-${item}`), available: true });
    eachRowTakesLong();
    const loading = store.reloadListing();
    await until(() => [...store.knownIds].length > 0, 'the first row is there');

    await store.signOut();
    await loading;

    expect([...store.knownIds]).to.deep.equal([]);
  });

  for (const route of ['POST inventory-session', 'GET v1/session', 'GET v1/inventory'] as const) {
    it(`a request that waits for ${route} does not sign the first person in again`, async () => {
      const proxy = fakeProxy();
      const { store, queue } = openStore(proxy, proxy.sessionUrl);
      if (route !== 'POST inventory-session') {
        await untilStatus(store, 'ready');
      }
      const asked = proxy.heardOn(route).length;
      const release = proxy.hold(route);
      const loading = store.refresh();
      await until(() => proxy.heardOn(route).length > asked, 'it waits');
      await store.signOut();
      release();
      await loading;
      proxy.person = BEN;

      await store.refresh();

      await untilStatus(store, 'ready');
      expect(queue.owner).to.include('ben');
    });
  }

  it('a new subscriber sees no items before the next person is known', async () => {
    const proxy = fakeProxy();
    const { store, close } = await openReadyStore(proxy, proxy.sessionUrl);
    await store.signOut();
    close();
    const release = proxy.hold('GET v1/session');
    const statuses = new Set<string>();
    afterThisTest(store.subscribe(() => statuses.add(store.snapshot.status)));

    const loading = store.refresh();
    await yieldToEventLoop();
    const before = [...statuses];
    release();
    await loading;

    expect(before).not.to.include('ready');
    expect(store.snapshot.status).to.equal('ready');
  });

  it('a bulk change that is still being written stops', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy, proxy.sessionUrl);
    const ids = Array.from({ length: 4_000 }, (_, at) => itemId(`item-${String(at)}`));
    const writing = setMany(
      store,
      ids.map((id) => ({ id, available: false })),
    );

    await store.signOut(true);
    await writing;

    expect((await queue.rows()).length).to.equal(0);
    expect(queue.known.length).to.equal(0);
  });

  it('a disk that deletes nothing is reported, and the person stays signed in', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const mend = keepEverything();
    const answerAgain = proxy.hold('GET v1/session');

    const failure: unknown = await store.signOut().catch((error: unknown) => error);

    mend();
    expect(failure).to.be.instanceOf(DOMException);
    expect(store.canEdit(BOAT)).to.equal(true);
    answerAgain();
    await store.set(BOAT, false);
    await untilTruth(store, BOAT, 'received');
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK, BOAT]);
  });

  it('edits that the person chose to delete are not sent if the disk deletes nothing', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');
    proxy.down = false;
    const mend = keepEverything();

    const failure: unknown = await store.signOut(true).catch((error: unknown) => error);
    window.dispatchEvent(new Event('online'));
    mend();

    expect(failure).to.be.instanceOf(DOMException);
    expect(store.snapshot).to.include({ status: 'unreachable', problem: 'not_deleted', canEdit: true });
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
    expect(await store.signOut(true)).to.equal(0);
    expect(await rowsOfAnna(proxy)).to.equal(0);
    expect(proxy.accepted).to.deep.equal([]);
  });

  it('edits in memory are not lost if the disk deletes nothing', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');
    fillStorage();
    await store.set(BOAT, false);
    const mend = keepEverything();

    const failure: unknown = await store.signOut(true).catch((error: unknown) => error);
    mend();

    expect(failure).to.be.instanceOf(DOMException);
    expect(queue.unsavedCount).to.equal(1);
    expect((await queue.rows()).map(({ id }) => id)).to.deep.equal([KAYAK, BOAT]);
  });
});

describe('a session that the host refuses', () => {
  it('is reported once, keeps the edits, and is not requested again and again', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.expireTokens();
    proxy.person = undefined;
    const planned = recordTimers();
    await store.set(KAYAK, false);
    await untilStatus(store, 'signed-out');
    const asked = proxy.heardOn('POST inventory-session').length;

    await store.set(BOAT, false);
    await store.set(KAYAK, true);

    expect(planned.filter(isFirstWait)).to.deep.equal([]);
    expect(proxy.heardOn('POST inventory-session')).to.have.length(asked);
    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-device' });
    expect(await rowsOfAnna(proxy)).to.equal(2);
  });

  it('sends the edits as soon as the person has signed in and returns to the page', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.expireTokens();
    proxy.person = undefined;
    await store.set(KAYAK, false);
    await untilStatus(store, 'signed-out');

    proxy.person = ANNA;
    window.dispatchEvent(new Event('online'));
    await untilTruth(store, KAYAK, 'received');

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });
});

describe('a page that is opened while the proxy is down', () => {
  it('shows the edits that wait for the person whom the host names', async () => {
    const proxy = fakeProxy();
    proxy.namedInToken = (person) => person;
    const before = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await before.store.set(KAYAK, false);
    before.close();

    const { store } = openStore(proxy, proxy.sessionUrl);
    await untilStatus(store, 'unreachable');

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('shows none of them to another person', async () => {
    const proxy = fakeProxy();
    proxy.namedInToken = (person) => person;
    const before = await openReadyStore(proxy, proxy.sessionUrl);
    proxy.down = true;
    await before.store.set(KAYAK, false);
    await untilStatus(before.store, 'unreachable');
    before.close();
    proxy.person = BEN;

    const { store } = openStore(proxy, proxy.sessionUrl);
    await untilStatus(store, 'unreachable');
    await store.set(BOAT, true);
    proxy.person = BEN;
    proxy.down = false;
    await store.refresh();
    await untilTruth(store, BOAT, 'received');

    expect(store.view(KAYAK).available).to.equal(undefined);
    expect(proxy.sent.map(({ id }) => id)).to.deep.equal([BOAT]);
  });
});
