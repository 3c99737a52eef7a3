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

describe('an edit', () => {
  it('shows its value at once, and no truth before the disk has answered', async () => {
    const { store } = await openReadyStore(fakeProxy());

    const stored = store.set(KAYAK, false);

    expect(store.view(KAYAK)).to.include({ available: false, writing: true, truth: undefined });
    await stored;
    expect(store.view(KAYAK)).to.include({ available: false, writing: false, truth: 'on-device' });
  });

  it('shows no truth, either, after the queue was read while the edit was written', async () => {
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

  it('moves from this device to received to the portal, and only by receipts', async () => {
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

  it('says why it is held up on its way to the portal', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.settle(KAYAK, 'received', { delayed: true, reason: 'portal_busy' });

    await until(() => store.view(KAYAK).delayed, 'the delay is told');
    expect(store.view(KAYAK)).to.include({ truth: 'received', reason: 'portal_busy' });
  });

  it('is not taken back by the receipt of the one before it, however close they are', async () => {
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

  it('is not settled by the receipt of the edit before it', async () => {
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

  it('is not taken back by a listing from before it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);

    await store.refresh();

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('is not taken back by a listing that comes late, after its receipt', async () => {
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

  it('gives way to a newer value of somebody else once it is settled', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'on-portal');
    proxy.takeFromElsewhere(KAYAK, true);

    await store.refresh();

    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-portal' });
  });

  it('that another replaced shows what counts instead', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.takeFromElsewhere(KAYAK, true);
    proxy.settle(KAYAK, 'superseded');

    await until(() => store.view(KAYAK).available === true, 'the newer value is shown');
    expect(store.view(KAYAK).truth).to.equal('on-portal');
  });

  it('that was discarded shows the value from before it', async () => {
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

  it('that was discarded stays so, though an older listing comes late and says otherwise', async () => {
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

  it('names what the person saw: the value of the proxy, not of their own unsent edit', async () => {
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

  it('names what the person saw, though somebody else has changed it behind an edit that is still on its way', async () => {
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

  it('names their own earlier edit once the proxy has stamped it', async () => {
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

  it('sends the label for the operator, and the name that the host gave counts most', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: KAYAK, label: 'Kayak tour' }));

    await store.set(KAYAK, false, 'Kayak tour Boats');
    await store.set(BOAT, false, 'Boat tour');
    await until(() => proxy.accepted.length === 2, 'both edits are accepted');

    expect(proxy.accepted.map(({ label }) => label)).to.deep.equal(['Kayak tour', 'Boat tour']);
  });
});

describe('an edit that was not accepted', () => {
  it('needs attention, with the reason', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const { store } = await openReadyStore(proxy);

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'needs-attention');
    expect(store.view(KAYAK)).to.include({ available: false, reason: 'item_unknown' });
  });

  it('by the portal needs attention too', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });

    await untilTruth(store, KAYAK, 'needs-attention');
    expect(store.view(KAYAK)).to.include({ available: false, reason: 'item_refused' });
  });

  it('goes out as a new edit when the person tries again', async () => {
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

  it('goes out as a new edit though the page has written the choice into its items', async () => {
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

  it('goes out as a new edit after the portal refused it', async () => {
    const proxy = fakeProxy();
    const { store } = await openRefusedStore(proxy, KAYAK);

    await store.retry(KAYAK);

    await until(() => proxy.accepted.length === 2, 'the new edit is accepted');
    const [refused, again] = proxy.accepted;
    expect(again?.edit_id).not.to.equal(refused?.edit_id);
    expect(again?.base).to.equal(refused?.receipt.updated_at);
  });

  it('is the only kind that can be tried again', async () => {
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

  it('does not come back after a newer one was accepted', async () => {
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

describe('an item of the operator’s list that nobody has edited', () => {
  it('has the list’s value, or none, and no truth', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: KAYAK, available: false, updated_at: LONG_AGO, label: 'Kayak tour' });
    proxy.lists({ id: BOAT, group: 'Water' });

    const { store } = await openReadyStore(proxy);

    expect(store.view(KAYAK)).to.include({ available: false, truth: undefined, label: 'Kayak tour' });
    expect(store.view(BOAT)).to.include({ available: undefined, truth: undefined, group: 'Water' });
  });

  it('is shown as the host’s page shows it, with the list’s value where it has one', async () => {
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

  it('has the value of an edit from then on', async () => {
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

describe('the count of what is not on the portal', () => {
  it('counts an edit from the click to the portal', async () => {
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

  it('counts what needs attention, and what the proxy has of an earlier visit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'received' });
    proxy.knows({ id: BOAT, available: true, state: 'refused' });
    proxy.knows({ id: CABIN, available: true });

    const { store } = await openReadyStore(proxy);

    expect(store.snapshot.openCount).to.equal(2);
  });
});

describe('what is known of an item', () => {
  it('is nothing until somebody says it', async () => {
    const { store } = await openReadyStore(fakeProxy());

    expect(store.view(KAYAK)).to.include({ id: KAYAK, available: undefined, truth: undefined });
  });

  it("is the proxy's value over the host's, and an edit over both", async () => {
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

  it('keeps the name and the group that the proxy gave when an edit settles', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    proxy.knows({ id: KAYAK, available: true, label: 'Kayak tour', group: 'Tours' });
    const { store } = await openReadyStore(proxy);

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'on-portal');
    expect(store.view(KAYAK)).to.include({ available: false, label: 'Kayak tour', group: 'Tours' });
  });

  it('lists what the proxy knows, to the last page', async () => {
    const proxy = fakeProxy();
    proxy.pageSize = 1;
    for (const id of [BOAT, KAYAK, CABIN]) proxy.knows({ id, available: true });
    const { store } = openStore(proxy);
    expect(store.snapshot.complete).to.equal(false);

    await untilStatus(store, 'ready');

    expect([...store.knownIds]).to.deep.equal([BOAT, KAYAK, CABIN]);
    expect(store.snapshot.complete).to.equal(true);
  });

  it('asks later for what changed while the pages of a listing came', async () => {
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

  it("is the host's last word on an id", async () => {
    const { store } = await openReadyStore(fakeProxy());
    const takeBack = store.addHostItems(hostSays({ id: KAYAK, available: true }));
    expect(store.view(KAYAK).available).to.equal(true);

    takeBack();
    store.addHostItems(hostSays({ id: KAYAK, available: false }));

    expect(store.view(KAYAK).available).to.equal(false);
    expect([...store.knownIds]).to.deep.equal([]);
  });

  it("is not an older edit's, however the proxy writes the time", async () => {
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

describe('what the store shows', () => {
  it('is frozen: the snapshot, and the view of an item whoever said it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true });
    const { store } = await openReadyStore(proxy);
    store.addHostItems(hostSays({ id: CABIN, available: true }));
    await store.set(KAYAK, false);

    const shown = [store.snapshot, store.view(KAYAK), store.view(BOAT), store.view(CABIN)];

    expect(shown.map((value) => Object.isFrozen(value))).to.deep.equal([true, true, true, true]);
  });

  it('is the same object while nothing changed, and nobody is told', async () => {
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

  it('is told to each who asked, by item, and no more to one who left', async () => {
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

  it('says that the person may look but not change', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;

    const { store } = await openReadyStore(proxy);

    expect(store.snapshot).to.include({ status: 'ready', canEdit: false });
  });

  it('says why the proxy cannot be used, with the number for support, and forgets it when it can', async () => {
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

  it('calls nothing stored that storage refused, and sends it all the same', async () => {
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

  it('sends the way back, too, of what has left though storage refused it', async () => {
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
