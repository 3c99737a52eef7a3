import { expect } from '@open-wc/testing';
import { setMany } from '../../../src/client/editor/bulk-edit.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { Timestamp } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, CABIN, hostSays, itemId, KAYAK, LONG_AGO } from '../support/items.js';
import { goOffline } from '../support/offline.js';
import { openReadyStore, openRefusedStore, openStore, untilStatus, untilTruth } from '../support/open-store.js';
import { BEN, fakeProxy } from '../support/fake-proxy.js';
import { BEN as OWNER_BEN, FakeStore } from '../support/fake-store.js';
import { until } from '../support/until.js';

describe('a bulk change', () => {
  it('sends edits only for items with another value', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: false });
    proxy.knows({ id: KAYAK, available: true });
    proxy.knows({ id: CABIN, available: true });
    const { store } = await openReadyStore(proxy);

    await setMany(
      store,
      [BOAT, KAYAK].map((id) => ({ id, available: false })),
    );
    await untilTruth(store, KAYAK, 'received');

    expect(proxy.sent.map(({ id }) => id)).to.deep.equal([KAYAK]);
    expect(store.view(BOAT).truth).to.equal('on-portal');
  });

  it('is sent in batches of the size that the proxy accepts', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const ids = Array.from({ length: 600 }, (_, at) => itemId(`item-${String(at)}`));
    const { store } = await openReadyStore(proxy);

    await setMany(
      store,
      ids.map((id) => ({ id, available: false })),
    );
    await until(() => store.snapshot.openCount === 0, 'all are on the portal');

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal(ids);
    expect([...store.knownIds]).to.deep.equal(ids);
  });
});

describe('a single edit during a bulk change', () => {
  it('wins over the bulk change, even if that reverts an earlier edit of the same item', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: false });
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    const goOnline = goOffline();
    await store.set(BOAT, true);

    const many = store.setSome([KAYAK, BOAT].map((id) => ({ id, available: false })));
    await Promise.all([many, store.set(BOAT, true)]);

    expect(store.view(BOAT)).to.include({ available: true, truth: 'on-device' });
    goOnline();
    await store.refresh();
    await untilTruth(store, BOAT, 'received');
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.have.deep.members([
      [KAYAK, false],
      [BOAT, true],
    ]);
  });
});

describe('a single edit while the first part of a large bulk change is written', () => {
  it('is not overwritten by the later parts', async () => {
    const proxy = fakeProxy();
    const ids = Array.from({ length: 1_001 }, (_, at) => itemId(`item-${String(at)}`));
    const [last = KAYAK] = ids.slice(-1);
    for (const id of ids) proxy.knows({ id, available: true });
    const { store } = await openReadyStore(proxy);
    const many = setMany(
      store,
      ids.map((id) => ({ id, available: false })),
    );

    await Promise.all([store.set(last, true), many]);

    expect(store.view(last).available).to.equal(true);
    expect(store.snapshot.openCount).to.equal(1_001);
  });
});

describe('a page that closes while the first part of a large bulk change is written', () => {
  function isAsked(): boolean {
    return !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  }

  it('asks the person, until all parts are stored', async () => {
    const { store } = await openReadyStore(fakeProxy());
    const ids = Array.from({ length: 1_001 }, (_, at) => itemId(`item-${String(at)}`));

    const many = setMany(
      store,
      ids.map((id) => ({ id, available: false })),
    );
    const asked = [isAsked()];
    await many;
    asked.push(isAsked());

    expect(asked).to.deep.equal([true, false]);
    expect(store.snapshot.openCount).to.equal(1_001);
  });
});

describe('another person who signs in while the first part of a large bulk change is written', () => {
  it('gets none of the later parts', async () => {
    const store = new FakeStore();
    const ids = Array.from({ length: 1_001 }, (_, at) => itemId(`item-${String(at)}`));

    const many = setMany(
      store,
      ids.map((id) => ({ id, available: false })),
    );
    store.turnTo(OWNER_BEN);
    await many;

    expect(store.sent.map(({ id }) => id)).to.deep.equal(ids.slice(0, 1_000));
  });
});

describe('discarding an edit', () => {
  it('fails after another person has signed in by cookies of the host', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);
    proxy.person = BEN;

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(false);
    expect(proxy.accepted.map(({ receipt }) => receipt.state)).to.deep.equal(['refused']);
    await until(() => store.snapshot.owner.includes('ben'), 'the other person is known');
  });

  it('prevents an edit from being sent that was not sent yet', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.down = true;
    const goOnline = goOffline();
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(true);
    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-portal' });
    proxy.down = false;
    goOnline();
    await store.set(BOAT, false);
    await store.refresh();
    await untilTruth(store, BOAT, 'received');
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('restores the value of the host’s items if the proxy has no other', async () => {
    const { store } = await openRefusedStore(fakeProxy(), KAYAK);
    store.addHostItems(hostSays({ id: KAYAK, available: true }));

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(true);
    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
    expect(store.snapshot).to.include({ openCount: 0, attentionCount: 0 });
  });

  it('does not announce the earlier change by another person that is shown again', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, by: 'Ben' });
    const { store } = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'the page receives changes');
    const announced: [string, number][] = [];
    store.announcers.add({ shows: () => true, announce: ({ id }, count) => announced.push([id, count]) });
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await untilTruth(store, KAYAK, 'needs-attention');

    await store.discard(KAYAK);
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Ben');
    await until(() => announced.length > 0, 'a change is announced');

    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-portal', by: 'Ben' });
    expect(announced).to.deep.equal([[BOAT, 1]]);
  });

  it('by another person restores the value of the host’s items', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: KAYAK, available: true }));
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.settle(KAYAK, 'discarded');
    await until(() => store.snapshot.openCount === 0, 'it is told');

    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
  });

  it('restores the value of the host’s items if another person has discarded the edit at the same time', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);
    store.addHostItems(hostSays({ id: KAYAK, available: true }));
    proxy.settle(KAYAK, 'discarded');

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(true);
    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
  });

  it('fails if the proxy has accepted the edit and no decision is needed', async () => {
    const { store } = await openReadyStore(fakeProxy());
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    expect(await store.discard(KAYAK)).to.equal(false);
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'received' });
  });

  it('fails if the edit was sent and no receipt has arrived', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'it has left');

    expect(await store.discard(KAYAK)).to.equal(false);
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('fails and shows the reason if the proxy is unreachable', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);
    proxy.down = true;

    expect(await store.discard(KAYAK)).to.equal(false);
    expect(store.snapshot.status).to.equal('unreachable');
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'needs-attention' });
  });
});

describe('a conflict of two values', () => {
  async function conflict(): Promise<{
    proxy: ReturnType<typeof fakeProxy>;
    store: Awaited<ReturnType<typeof openReadyStore>>['store'];
  }> {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    proxy.takeFromElsewhere(KAYAK, true);
    proxy.settle(KAYAK, 'conflict');
    await untilTruth(store, KAYAK, 'needs-attention');
    return { proxy, store };
  }

  it('waits for a decision, and is counted', async () => {
    const { store } = await conflict();

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'needs-attention', reason: 'conflict' });
    expect(store.snapshot).to.include({ openCount: 1, attentionCount: 1 });
  });

  it('notifies listeners once, however often the proxy repeats it', async () => {
    const proxy = fakeProxy();
    const at = '2026-01-05T09:00:00.000Z' as Timestamp;
    const [base, theirs] = [true, false].map((available) => ({ available, updated_at: at, by: 'Ben' }));
    proxy.knows({ id: KAYAK, available: true, state: 'conflict', base, theirs });
    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');
    const before = store.view(KAYAK);
    const told: unknown[] = [];
    afterThisTest(store.subscribe((changed) => told.push(changed), KAYAK));

    await store.refresh();

    expect(store.view(KAYAK)).to.equal(before);
    expect(before).to.deep.include({ base, theirs });
    expect(told.filter((id) => id === KAYAK)).to.deep.equal([]);
  });

  it('is resolved with a new edit if the person keeps their own value', async () => {
    const { proxy, store } = await conflict();

    expect(await store.resolve(KAYAK, 'mine')).to.equal(true);
    await until(() => proxy.accepted.length === 2, 'mine was sent again');

    expect(proxy.accepted[1]).to.include({ id: KAYAK, available: false });
    expect(proxy.accepted[1]?.edit_id).not.to.equal(proxy.accepted[0]?.edit_id);
  });

  it('is resolved without an edit if the person takes the other value', async () => {
    const { proxy, store } = await conflict();

    expect(await store.resolve(KAYAK, 'theirs')).to.equal(true);

    await untilTruth(store, KAYAK, 'on-portal');
    expect(store.view(KAYAK).available).to.equal(true);
    expect(store.snapshot).to.include({ openCount: 0, attentionCount: 0 });
    expect(proxy.accepted).to.have.length(1);
  });
});

describe('the other value of a conflict that is chosen as the proxy becomes unreachable', () => {
  it('is shown as it was known before', async () => {
    const proxy = fakeProxy();
    const [updated_at, by] = ['2026-01-05T09:00:00.000Z' as Timestamp, 'Ben'];
    proxy.knows({
      id: KAYAK,
      available: true,
      label: 'Kayak tour',
      state: 'conflict',
      edit_id: 'mine-1' as EditId,
      theirs: { available: false, updated_at, by },
    });
    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.answers.set('POST v1/edits/discard', () => {
      proxy.down = true;
      return Response.json({ receipts: [] });
    });

    expect(await store.resolve(KAYAK, 'theirs')).to.equal(true);

    expect(store.snapshot.status).to.equal('unreachable');
    expect(store.view(KAYAK)).to.include({ available: false, truth: undefined, updated_at, label: 'Kayak tour' });
  });
});

describe('the other value of a conflict that was withdrawn before it is chosen', () => {
  it('is not shown in place of the value of the listing', async () => {
    const proxy = fakeProxy();
    const theirs = { available: false, updated_at: LONG_AGO, by: 'Ben' };
    proxy.knows({ id: KAYAK, available: true, state: 'conflict', edit_id: 'mine-1' as EditId, theirs });
    const { store } = await openReadyStore(proxy);
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.answers.set('POST v1/edits/discard', () => {
      proxy.withdrawElsewhere(KAYAK);
      proxy.lists({ id: KAYAK, available: true });
      return Response.json({ receipts: [] });
    });

    expect(await store.resolve(KAYAK, 'theirs')).to.equal(true);

    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
  });
});

describe('a listener of one item', () => {
  it('is notified of changes of that item, and not of another one', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const told: unknown[] = [];
    const leave = store.subscribe((changed) => told.push(changed), KAYAK);

    await store.set(BOAT, false);
    expect(told).to.deep.equal([]);
    await store.set(KAYAK, false);
    leave();
    await store.set(KAYAK, true);

    expect(new Set(told)).to.deep.equal(new Set([KAYAK]));
  });

  it('is notified when another person signs in', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const told: unknown[] = [];
    store.subscribe((changed) => told.push(changed), KAYAK);
    proxy.person = { ...BEN, permissions: ['view'] };
    proxy.expireTokens();

    await store.refresh();

    expect(told).to.include(KAYAK).and.to.include(undefined);
    expect(store.snapshot).to.include({ canEdit: false });
  });
});

describe('a listing of a hundred thousand items', () => {
  it('is applied in slices, so that the page keeps rendering and reacting to input', async () => {
    const proxy = fakeProxy();
    const ids = Array.from({ length: 100_000 }, (_, at) => itemId(`item-${String(at)}`));
    for (const id of ids) proxy.knows({ id, available: true });
    proxy.pageSize = 50_000;
    const { store } = openStore(proxy);
    let tasks = 0;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      tasks += 1;
      port2.postMessage(undefined);
    };
    port2.postMessage(undefined);
    let told = 0;
    let between = 0;
    let longest = 0;
    store.subscribe(() => {
      told += 1;
      longest = tasks === between ? longest : Math.max(longest, told);
      if (tasks !== between) told = 0;
      between = tasks;
    });

    await untilStatus(store, 'ready');
    port1.close();

    expect([...store.knownIds]).to.have.length(100_000);
    expect(longest, 'items told of within one task').to.be.below(50_000);
  });
});
