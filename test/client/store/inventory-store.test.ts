import { expect } from '@open-wc/testing';
import type { Timestamp } from '../../../src/domain/item.js';
import { hearWarnings } from '../support/console-warnings.js';
import { fillStorage, keepDiskBusy } from '../support/failing-storage.js';
import { BOAT, CABIN, hostSays, KAYAK, LONG_AGO } from '../support/items.js';
import {
  openReadyStore,
  openRefusedStore,
  openStore,
  recordTruths,
  untilStatus,
  untilTruth,
} from '../support/open-store.js';
import { fakeProxy, REQUEST_ID, VISITOR } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

describe('an edit of the store', () => {
  it('shows its value at once, and no delivery status before it is stored', async () => {
    const { store } = await openReadyStore(fakeProxy());

    const stored = store.set(KAYAK, false);

    expect(store.view(KAYAK)).to.include({ available: false, writing: true, truth: undefined });
    await stored;
    expect(store.view(KAYAK)).to.include({ available: false, writing: false, truth: 'on-device' });
  });

  it('shows no delivery status if the queue is read while the edit is written', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const asked = proxy.heardOn('GET v1/session').length;
    const allowRead = await keepDiskBusy();
    void store.refresh();
    await keepDiskBusy();
    void store.set(KAYAK, false);

    allowRead();
    await until(() => proxy.heardOn('GET v1/session').length > asked, 'the queue is read');

    expect(store.view(KAYAK)).to.include({ available: false, writing: true, truth: undefined });
  });

  it('moves from on-device to received to on-portal, and only by receipts', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const truths = recordTruths(store, KAYAK);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the edit has left');
    const beforeTheReceipt = store.view(KAYAK).truth;

    release();
    await untilTruth(store, KAYAK, 'received');
    proxy.settle(KAYAK, 'delivered');
    await untilTruth(store, KAYAK, 'on-portal');

    expect(beforeTheReceipt).to.equal('on-device');
    expect(truths).to.deep.equal([undefined, 'on-device', 'received', 'on-portal']);
    expect(store.view(KAYAK).available).to.equal(false);
  });

  it('shows the reason of a delay at the portal', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.settle(KAYAK, 'received', { delayed: true, reason: 'portal_busy' });

    await until(() => store.view(KAYAK).delayed, 'the delay is told');
    expect(store.view(KAYAK)).to.include({ truth: 'received', reason: 'portal_busy' });
  });

  it('is not reverted by the receipt of the previous edit, which arrives at the same time', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const remove = queue.remove.bind(queue);
    let clicked = Promise.resolve();
    queue.remove = (settled) => {
      queue.remove = remove;
      clicked = store.set(KAYAK, true);
      return remove(settled);
    };

    proxy.settle(KAYAK, 'delivered');
    await until(() => proxy.accepted.length === 2, 'the second edit is accepted');
    await clicked;
    await untilTruth(store, KAYAK, 'received');

    expect(store.view(KAYAK).available).to.equal(true);
  });

  it('is not settled by the receipt of the previous edit', async () => {
    const proxy = fakeProxy();
    const { store } = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'the page receives changes');
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, true);

    proxy.settle(KAYAK, 'delivered');
    // Changes are applied one after the other, so the receipt is applied before the second of these values shows.
    for (const available of [false, true]) {
      proxy.takeFromElsewhere(BOAT, available);
      await until(() => store.view(BOAT).available === available, 'the change is applied');
    }

    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-device' });
    expect([...store.openIds]).to.deep.equal([KAYAK]);
  });

  it('is not reverted by a listing without it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);

    await store.refresh();

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('is not reverted by an older listing that arrives after its receipt', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    const releaseTheListing = proxy.holdAnswers('GET v1/inventory');
    const refreshed = store.refresh();
    await until(() => proxy.heardOn('GET v1/inventory').length === 2, 'the listing is asked for');
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'on-portal');

    releaseTheListing();
    await refreshed;

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-portal' });
  });

  it('is replaced by a newer value of another person once it is settled', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'on-portal');
    proxy.takeFromElsewhere(KAYAK, true);

    await store.refresh();

    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-portal' });
  });

  it('that was superseded shows the newer value', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.takeFromElsewhere(KAYAK, true);
    proxy.settle(KAYAK, 'superseded');

    await until(() => store.view(KAYAK).available === true, 'the newer value is shown');
    expect(store.view(KAYAK).truth).to.equal('on-portal');
  });

  it('that was discarded shows the previous value', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    await store.refresh();

    proxy.settle(KAYAK, 'discarded');

    await until(() => store.view(KAYAK).available === true, 'the value from before is shown');
    expect(store.view(KAYAK).truth).to.equal('on-portal');
    expect(store.snapshot.openCount).to.equal(0);
  });

  it('that was discarded is not restored by an older listing', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const releaseTheListing = proxy.holdAnswers('GET v1/inventory');
    const refreshed = store.refresh();
    await until(() => proxy.heardOn('GET v1/inventory').length === 2, 'the listing is asked for');
    proxy.settle(KAYAK, 'discarded');
    await until(() => store.view(KAYAK).truth === undefined, 'the discard is told');

    releaseTheListing();
    await refreshed;

    await until(() => store.view(KAYAK).available === true, 'the value from before is shown');
    expect(store.view(KAYAK).truth).to.equal('on-portal');
  });

  it('has the value of the proxy as its base, not that of the person’s unsent edit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.down = true;
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');
    await store.set(KAYAK, true);
    proxy.down = false;

    await store.refresh();
    await until(() => proxy.accepted.length === 2, 'both edits have arrived');

    // The first may have arrived when its answer was lost, so it goes ahead of the second.
    expect(proxy.accepted.map(({ available, base }) => [available, base])).to.deep.equal([
      [false, LONG_AGO],
      [true, LONG_AGO],
    ]);
  });

  it('has the value that the person saw as its base, even if another person has changed the item since', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the first edit has left');
    proxy.takeFromElsewhere(KAYAK, true);
    await store.refresh();

    await store.set(KAYAK, true);
    release();
    await until(() => proxy.accepted.length === 2, 'both edits are accepted');

    expect(proxy.accepted.map(({ base }) => base)).to.deep.equal([LONG_AGO, LONG_AGO]);
  });

  it('has the person’s earlier edit as its base once the proxy has accepted that', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    await store.set(KAYAK, true);
    await until(() => proxy.accepted.length === 2, 'the second edit is accepted');

    const [first, second] = proxy.accepted;
    expect(first).not.to.have.property('base');
    expect(second?.base).to.equal(first?.receipt.updated_at);
  });

  it('has the label of the host’s items, or else the label given with it', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: KAYAK, label: 'Kayak tour' }));

    await store.set(KAYAK, false, 'Kayak tour Boats');
    await store.set(BOAT, false, 'Boat tour');
    await until(() => proxy.accepted.length === 2, 'both edits are accepted');

    expect(proxy.accepted.map(({ label }) => label)).to.deep.equal(['Kayak tour', 'Boat tour']);
  });
});

describe('an edit that was refused', () => {
  it('needs attention, with the reason, if the proxy rejected it', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const { store } = await openReadyStore(proxy);

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'needs-attention');
    expect(store.view(KAYAK)).to.include({ available: false, reason: 'item_unknown' });
  });

  it('needs attention, with the reason, if the portal rejected it', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });

    await untilTruth(store, KAYAK, 'needs-attention');
    expect(store.view(KAYAK)).to.include({ available: false, reason: 'item_refused' });
  });

  it('is sent as a new edit when the person retries it', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false, 'Kayak tour');
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.foreign.clear();

    await store.retry(KAYAK);

    await untilTruth(store, KAYAK, 'received');
    const [refused, again] = proxy.sent;
    expect(again).to.include({ id: KAYAK, available: false, label: 'Kayak tour' });
    expect(again?.edit_id).not.to.equal(refused?.edit_id);
  });

  it('is sent as a new edit even if the page has copied its value into its items', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    store.addHostItems(hostSays({ id: KAYAK, available: false }));
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.foreign.clear();

    await store.retry(KAYAK);

    await untilTruth(store, KAYAK, 'received');
    expect(proxy.accepted.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
  });

  it('is sent as a new edit with the refused one as its base, after the portal rejected it', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);

    await store.retry(KAYAK);

    await until(() => proxy.accepted.length === 2, 'the new edit is accepted');
    const [refused, again] = proxy.accepted;
    expect(again?.edit_id).not.to.equal(refused?.edit_id);
    expect(again?.base).to.equal(refused?.receipt.updated_at);
  });

  it('can be retried, and an edit that was delivered cannot', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'on-portal');

    await store.retry(KAYAK);
    await store.retry(BOAT);

    expect(store.snapshot.openCount).to.equal(0);
    expect(proxy.sent).to.have.length(1);
  });

  it('is not restored after a newer edit was accepted', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const page = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await page.store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the first edit has left');
    await page.store.set(KAYAK, true);
    proxy.portal = 'swift';

    release();
    await until(() => proxy.sent.length === 2, 'the second edit has left');
    await untilTruth(page.store, KAYAK, 'needs-attention');
    proxy.foreign.clear();
    await page.store.retry(KAYAK);
    await untilTruth(page.store, KAYAK, 'on-portal');
    page.close();
    const reloaded = await openReadyStore(proxy);

    expect(reloaded.store.view(KAYAK)).to.include({ available: true, truth: 'on-portal' });
  });
});

describe('an item of the catalog without an edit', () => {
  it('has the value of the catalog, if there is one, and no delivery status', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: KAYAK, available: false, updated_at: LONG_AGO, label: 'Kayak tour' });
    proxy.lists({ id: BOAT, group: 'Water' });

    const { store } = await openReadyStore(proxy);

    expect(store.view(KAYAK)).to.include({ available: false, truth: undefined, label: 'Kayak tour' });
    expect(store.view(BOAT)).to.include({ available: undefined, truth: undefined, group: 'Water' });
  });

  it('has the label of the host’s items and the value of the catalog, if there is one', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: KAYAK, available: false, label: 'Kayak of the list' });
    proxy.lists({ id: BOAT });

    const { store } = await openReadyStore(proxy);
    store.addHostItems(
      hostSays({ id: KAYAK, available: true, label: 'Kayak of the page' }, { id: BOAT, available: true }),
    );

    expect(store.view(KAYAK)).to.include({ available: false, label: 'Kayak of the page' });
    expect(store.view(BOAT)).to.include({ available: true });
  });

  it('has the value of an edit once there is one', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: KAYAK, available: false });
    const { store } = await openReadyStore(proxy);

    await store.set(KAYAK, true);
    await untilTruth(store, KAYAK, 'received');
    proxy.settle(KAYAK, 'delivered');
    await untilTruth(store, KAYAK, 'on-portal');

    expect(store.view(KAYAK).available).to.equal(true);
  });
});

describe('the count of items that are not on the portal', () => {
  it('includes an item from the click until its delivery', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const counts = [store.snapshot.openCount];

    const stored = store.set(KAYAK, false);
    counts.push(store.snapshot.openCount);
    await stored;
    await untilTruth(store, KAYAK, 'received');
    counts.push(store.snapshot.openCount);
    proxy.settle(KAYAK, 'delivered');
    await untilTruth(store, KAYAK, 'on-portal');
    counts.push(store.snapshot.openCount);

    expect(counts).to.deep.equal([0, 1, 1, 0]);
  });

  it('counts items, not clicks', async () => {
    const { store } = await openReadyStore(fakeProxy());

    await Promise.all([store.set(KAYAK, false), store.set(KAYAK, true), store.set(BOAT, true)]);

    expect(store.snapshot.openCount).to.equal(2);
  });

  it('includes items that need attention, and open edits of an earlier visit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'received' });
    proxy.knows({ id: BOAT, available: true, state: 'refused' });
    proxy.knows({ id: CABIN, available: true });

    const { store } = await openReadyStore(proxy);

    expect(store.snapshot.openCount).to.equal(2);
  });
});

describe('the view of an item', () => {
  it('has no value until the host or the proxy gives one', async () => {
    const { store } = await openReadyStore(fakeProxy());

    expect(store.view(KAYAK)).to.include({ id: KAYAK, available: undefined, truth: undefined });
  });

  it('has the value of the proxy before that of the host, and that of an edit before both', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, label: 'Kayak' });
    const { store } = openStore(proxy);
    store.addHostItems(hostSays({ id: KAYAK, available: false, label: 'Kayak tour', updated_at: LONG_AGO }));
    const ofTheHost = store.view(KAYAK);
    await untilStatus(store, 'ready');
    const ofTheProxy = store.view(KAYAK);

    await store.set(KAYAK, false);

    expect(ofTheHost).to.include({ available: false, truth: undefined, label: 'Kayak tour' });
    expect(ofTheProxy).to.include({ available: true, truth: 'on-portal', label: 'Kayak tour' });
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device', label: 'Kayak tour' });
  });

  it('keeps the label and the group of the proxy when an edit settles', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    proxy.knows({ id: KAYAK, available: true, label: 'Kayak tour', group: 'Tours' });
    const { store } = await openReadyStore(proxy);

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'on-portal');
    expect(store.view(KAYAK)).to.include({ available: false, label: 'Kayak tour', group: 'Tours' });
  });

  it('is loaded from all pages of the listing', async () => {
    const proxy = fakeProxy();
    proxy.pageSize = 1;
    for (const id of [BOAT, KAYAK, CABIN]) proxy.knows({ id, available: true });
    const { store } = openStore(proxy);
    expect(store.snapshot.complete).to.equal(false);

    await untilStatus(store, 'ready');

    expect([...store.knownIds]).to.deep.equal([BOAT, KAYAK, CABIN]);
    expect(store.snapshot.complete).to.equal(true);
  });

  it('is updated later if the item changes while the listing is loaded', async () => {
    const proxy = fakeProxy();
    proxy.pageSize = 1;
    for (const id of [BOAT, KAYAK]) proxy.knows({ id, available: true });
    const first = proxy.hold('GET v1/inventory');
    const { store } = openStore(proxy);
    await until(() => proxy.heardOn('GET v1/inventory').length === 1, 'the first page is asked for');
    first();
    const second = proxy.hold('GET v1/inventory');
    await until(() => proxy.heardOn('GET v1/inventory').length === 2, 'the first page is there');

    proxy.takeFromElsewhere(BOAT, false);
    second();
    await untilStatus(store, 'ready');
    document.dispatchEvent(new Event('visibilitychange'));

    await until(() => store.view(BOAT).available === false, 'the change is shown');
  });

  it('has the newest value that the host gave for an id', async () => {
    const { store } = await openReadyStore(fakeProxy());
    const takeBack = store.addHostItems(hostSays({ id: KAYAK, available: true }));
    expect(store.view(KAYAK).available).to.equal(true);

    takeBack();
    store.addHostItems(hostSays({ id: KAYAK, available: false }));

    expect(store.view(KAYAK).available).to.equal(false);
    expect([...store.knownIds]).to.deep.equal([]);
  });

  it('does not have the value of an older edit, in whatever format the proxy writes timestamps', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    proxy.knows({ id: KAYAK, available: true, updated_at: tomorrow as Timestamp });
    await store.refresh();
    proxy.settle(KAYAK, 'delivered');

    await untilTruth(store, KAYAK, 'on-portal');

    expect(store.view(KAYAK).available).to.equal(true);
  });
});

describe('the snapshots and notifications of the store', () => {
  it('are frozen objects, for an item of the host, of the proxy or of an edit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true });
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: CABIN, available: true }));
    await store.set(KAYAK, false);

    const shown = [store.snapshot, store.view(KAYAK), store.view(BOAT), store.view(CABIN)];

    expect(shown.map((value) => Object.isFrozen(value))).to.deep.equal([true, true, true, true]);
  });

  it('stay the same objects without a change, and notify no listener', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true });
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const before = [store.view(KAYAK), store.view(BOAT)];
    const told: unknown[] = [];
    store.subscribe((changed) => told.push(changed));

    await store.refresh();
    await until(() => proxy.heardOn('GET v1/receipts').length >= 3, 'the edit was asked for again');

    expect([store.view(KAYAK), store.view(BOAT)]).to.deep.equal(before);
    expect(store.view(KAYAK)).to.equal(before[0]);
    expect(store.view(BOAT)).to.equal(before[1]);
    expect(told.filter((changed) => changed !== undefined)).to.deep.equal([]);
  });

  it('reach each listener with the changed item until it unsubscribes', async () => {
    const { store } = await openReadyStore(fakeProxy());
    const [first, second]: [unknown[], unknown[]] = [[], []];
    const leave = store.subscribe((changed) => first.push(changed));
    const leaveLater = store.subscribe((changed) => second.push(changed));
    await store.set(KAYAK, false);

    leave();
    await store.set(BOAT, false);
    leaveLater();

    expect(first).to.include(KAYAK).and.not.to.include(BOAT);
    expect(second).to.include(KAYAK).and.to.include(BOAT);
  });

  it('show that the person may view but not edit', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;

    const { store } = await openReadyStore(proxy);

    expect(store.snapshot).to.include({ status: 'ready', canEdit: false });
  });

  it('show why the proxy cannot be used, with the request id, until it can be used again', async () => {
    const proxy = fakeProxy();
    proxy.refusal = 'origin_refused';
    const { store } = openStore(proxy);
    await untilStatus(store, 'unreachable');
    const inTrouble = store.snapshot;
    proxy.refusal = undefined;

    await store.refresh();

    expect(inTrouble).to.include({ problem: 'origin_refused', requestId: REQUEST_ID });
    expect(store.snapshot).to.include({ status: 'ready', problem: undefined, requestId: undefined });
  });

  it('mark an edit as unsaved while storage rejects it, and it is sent nevertheless', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    fillStorage();

    await store.set(KAYAK, false);
    const onlyHere = store.view(KAYAK);
    release();
    await untilTruth(store, KAYAK, 'received');

    expect(onlyHere).to.include({ available: false, unsaved: true });
    expect(store.view(KAYAK).unsaved).to.equal(false);
    expect(proxy.accepted).to.have.length(1);
  });

  it('include the revert of an edit that was sent though storage rejected it', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    fillStorage();
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the edit has left');

    await store.set(KAYAK, true);
    release();

    await until(() => proxy.accepted.length === 2, 'the way back has left, too');
    expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([false, true]);
    await untilTruth(store, KAYAK, 'received');
    expect(store.view(KAYAK).available).to.equal(true);
  });
});
