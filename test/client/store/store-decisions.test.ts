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

describe('many edits at once', () => {
  it('leave for the items that are otherwise, and for no other', async () => {
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

  it('are all taken, in batches that the proxy takes', async () => {
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

describe('an edit that follows while many are being written', () => {
  it('is the one that counts, though one of the many takes an earlier one back', async () => {
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

describe('an edit that comes while the first of very many are being written', () => {
  it('is not overruled by the values requested for all before', async () => {
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

describe('a page that is left while the first of very many are being written', () => {
  function isAsked(): boolean {
    return !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  }

  it('asks, because the others are nowhere but there; and no more once all are', async () => {
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

describe('somebody else who comes while the first of very many are being written', () => {
  it('edits none of the others', async () => {
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

describe('an edit that is given up', () => {
  it("is not the word of another person who has signed in by the host's own cookies since", async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);
    proxy.person = BEN;

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(false);
    expect(proxy.accepted.map(({ receipt }) => receipt.state)).to.deep.equal(['refused']);
    await until(() => store.snapshot.owner.includes('ben'), 'the other person is known');
  });

  it('is never sent, where nobody has sent it yet', async () => {
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

  it('leaves what the page says, where the proxy has no other word on the item', async () => {
    const { store } = await openRefusedStore(fakeProxy(), KAYAK);
    store.addHostItems(hostSays({ id: KAYAK, available: true }));

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(true);
    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
    expect(store.snapshot).to.include({ openCount: 0, attentionCount: 0 });
  });

  it('does not announce the earlier change by another person that is valid again', async () => {
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

  it('leaves what the page says, where somebody else gave it up', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: KAYAK, available: true }));
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.settle(KAYAK, 'discarded');
    await until(() => store.snapshot.openCount === 0, 'it is told');

    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
  });

  it('leaves what the page says, where somebody else gave it up while this person did', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);
    store.addHostItems(hostSays({ id: KAYAK, available: true }));
    proxy.settle(KAYAK, 'discarded');

    const gone = await store.discard(KAYAK);

    expect(gone).to.equal(true);
    expect(store.view(KAYAK)).to.include({ available: true, truth: undefined });
  });

  it('stays, where the proxy has it and nobody has to decide', async () => {
    const { store } = await openReadyStore(fakeProxy());
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    expect(await store.discard(KAYAK)).to.equal(false);
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'received' });
  });

  it('stays in sight where it has left, and no receipt has come', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'it has left');

    expect(await store.discard(KAYAK)).to.equal(false);
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('stays and says why, where the proxy cannot be asked', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);
    proxy.down = true;

    expect(await store.discard(KAYAK)).to.equal(false);
    expect(store.snapshot.status).to.equal('unreachable');
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'needs-attention' });
  });
});

describe('two values that stand against each other', () => {
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

  it('wait for the person, and are counted', async () => {
    const { store } = await conflict();

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'needs-attention', reason: 'conflict' });
    expect(store.snapshot).to.include({ openCount: 1, attentionCount: 1 });
  });

  it('are told once, however often the proxy says the same of both', async () => {
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

  it('end with mine, as a new edit, if the person says so', async () => {
    const { proxy, store } = await conflict();

    expect(await store.resolve(KAYAK, 'mine')).to.equal(true);
    await until(() => proxy.accepted.length === 2, 'mine was sent again');

    expect(proxy.accepted[1]).to.include({ id: KAYAK, available: false });
    expect(proxy.accepted[1]?.edit_id).not.to.equal(proxy.accepted[0]?.edit_id);
  });

  it('end with theirs if the person says so, and nothing is sent', async () => {
    const { proxy, store } = await conflict();

    expect(await store.resolve(KAYAK, 'theirs')).to.equal(true);

    await untilTruth(store, KAYAK, 'on-portal');
    expect(store.view(KAYAK).available).to.equal(true);
    expect(store.snapshot).to.include({ openCount: 0, attentionCount: 0 });
    expect(proxy.accepted).to.have.length(1);
  });
});

describe('the other value of two, chosen as the proxy goes away', () => {
  it('is shown, as it was told before', async () => {
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

describe('the other value of two, chosen when it counts no more', () => {
  it('is not shown over what the listing says since', async () => {
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

describe('whoever draws one item', () => {
  it('hears of that item and of the connection, and of no other item', async () => {
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

  it('hears of it when another person is there', async () => {
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
  it('is taken in slices, so that the page goes on drawing and hearing its person', async () => {
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
