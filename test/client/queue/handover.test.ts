import { expect } from '@open-wc/testing';
import { promisifyRequest } from 'idb-keyval';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId } from '../../../src/domain/item.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { afterThisTest } from '../support/clean-up.js';
import { deleteDatabase, openDatabase } from '../support/database.js';
import { BOAT, CABIN, itemId, KAYAK, LONG_AGO } from '../support/items.js';
import { goOffline } from '../support/offline.js';
import { openReadyStore, openStore, type OpenStore, untilStatus, untilTruth } from '../support/open-store.js';
import { fakeTimeouts } from '../support/fake-timeouts.js';
import { fakeProxy, type FakeProxy, problemAnswer, VISITOR } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

function batches(proxy: FakeProxy): string[][] {
  return proxy.heardOn('POST v1/inventory').map(({ body }) => {
    const { inventory } = body as { inventory: { id: string }[] };
    return inventory.map(({ id }) => id);
  });
}

/** Edits of a person without a connection, who sees them leave when it is back. */
async function offlineStore(proxy: FakeProxy) {
  proxy.down = true;
  const page = openStore(proxy);
  await untilStatus(page.store, 'unreachable');
  return {
    ...page,
    async reconnect(): Promise<void> {
      proxy.down = false;
      await page.store.refresh();
    },
  };
}

/** Two edits of an item, both with the proxy, and not at the portal yet. */
async function twoHandedOver() {
  const proxy = fakeProxy();
  const { store, queue } = await openReadyStore(proxy);
  for (const available of [false, true]) {
    await store.set(KAYAK, available);
    await until(() => proxy.accepted.at(-1)?.available === available, 'it has arrived');
    await until(async () => (await queue.rows()).every(({ stage }) => stage === 'handed-over'), 'it is noted');
  }
  const [before, newest] = proxy.accepted.map(({ receipt }) => receipt);
  if (before === undefined || newest === undefined) throw new Error('two were sent');
  return { proxy, store, queue, before, newest };
}

/** A page asks for receipts again only when it has applied those of the answer before. */
async function untilReceiptsApplied(proxy: FakeProxy): Promise<void> {
  const asked = proxy.heardOn('GET v1/receipts').length;
  await until(() => proxy.heardOn('GET v1/receipts').length >= asked + 2, 'the receipts are applied');
}

/** A bulk of items, as "save" hands them over. */
function bulkOf(count: number): { id: ItemId; available: boolean }[] {
  return Array.from({ length: count }, (_, at) => ({ id: itemId(`tour-${String(at)}`), available: false }));
}

describe('a bulk change over a slow network', () => {
  it('has a timeout that grows with the bytes of its batch', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const { asked } = fakeTimeouts();
    proxy.hold('POST v1/inventory');

    await store.setSome(bulkOf(300));
    await until(() => batches(proxy).length === 1, 'a batch has left');

    const bytes = JSON.stringify(proxy.heardOn('POST v1/inventory')[0]?.body).length;
    expect(Math.max(...asked)).to.equal(15_000 + bytes);
  });

  it('is sent in a smaller batch after a timeout, and in larger ones again once these arrive', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    const line = fakeTimeouts();
    const release = proxy.hold('POST v1/inventory');
    await store.setSome(bulkOf(300));
    await until(() => batches(proxy).length === 1, 'a batch has left');

    line.end();
    await untilStatus(store, 'unreachable');
    line.restore();
    release();
    await store.refresh();
    await until(() => new Set(proxy.accepted.map(({ id }) => id)).size === 300, 'all have arrived');
    await store.setSome(bulkOf(250).map(({ id }) => ({ id, available: true })));
    await until(async () => (await queue.rows()).every(({ stage }) => stage === 'handed-over'), 'it is noted');

    const [first = [], second = []] = batches(proxy);
    expect(first).to.have.length(300);
    expect(second.length).to.be.within(100, 160);
    expect(batches(proxy).at(-1)).to.have.length(250);
  });

  it('is overtaken by a single edit of the person, which is sent once', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await store.setSome(bulkOf(300));
    await until(() => batches(proxy).length === 1, 'a batch has left');

    await store.set(KAYAK, false);
    await until(() => batches(proxy).length === 2, 'the choice has left');
    await store.set(BOAT, true);
    release();
    await untilTruth(store, BOAT, 'received');
    await until(() => proxy.accepted.length === 302, 'all have arrived');

    expect(batches(proxy)[1]).to.deep.equal([KAYAK]);
    expect(proxy.sent).to.have.length(302);
  });

  it('keeps the order of an item that the person sets again, ahead of edits not yet sent', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    const [first = { id: KAYAK }, ...others] = bulkOf(900);
    await store.setSome([{ id: first.id, available: false }, ...others]);
    await until(() => batches(proxy).length === 1, 'a batch has left');

    await store.set(first.id, true);
    const before = batches(proxy).length;
    release();
    await until(() => proxy.accepted.length === 901, 'all have arrived');

    expect(before).to.equal(1);
    expect(proxy.accepted.filter(({ id }) => id === first.id).map(({ available }) => available)).to.deep.equal([
      false,
      true,
    ]);
    expect(batches(proxy).findIndex((batch) => batch.length === 1)).to.be.below(batches(proxy).length - 1);
    expect(proxy.sent).to.have.length(901);
  });

  it('is overtaken after a reload, too', async () => {
    const proxy = fakeProxy();
    const { store, reconnect } = await offlineStore(proxy);
    await store.setSome(bulkOf(100));
    await store.set(KAYAK, false);

    await reconnect();
    await until(() => proxy.accepted.length === 101, 'all have arrived');

    expect(batches(proxy).map((batch) => batch.length)).to.deep.equal([1, 100]);
    expect(batches(proxy)[0]).to.deep.equal([KAYAK]);
  });
});

describe('edits that wait to be sent', () => {
  it('are sent in one batch', async () => {
    const proxy = fakeProxy();
    const { store, reconnect } = await offlineStore(proxy);
    for (const id of [KAYAK, BOAT, CABIN]) await store.set(id, false);

    await reconnect();
    await untilTruth(store, CABIN, 'received');

    expect(batches(proxy)).to.deep.equal([[KAYAK, BOAT, CABIN]]);
  });

  it('are sent once: only the newest edit of each item', async () => {
    const proxy = fakeProxy();
    const { store, queue, reconnect } = await offlineStore(proxy);
    await store.set(KAYAK, false);
    await store.set(BOAT, false);
    await store.set(KAYAK, true);
    const waiting = await queue.rows();

    await reconnect();
    await untilTruth(store, KAYAK, 'received');

    expect(waiting).to.have.length(2);
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.deep.equal([
      [BOAT, false],
      [KAYAK, true],
    ]);
  });

  it('are split into batches that a browser still sends when the page closes', async () => {
    const proxy = fakeProxy();
    const { store, reconnect } = await offlineStore(proxy);
    const ids = Array.from({ length: 60 }, (_, index) => itemId(`${'ü'.repeat(190)}-${String(index)}`));
    await Promise.all(ids.map((id) => store.set(id, false, 'ö'.repeat(400))));

    await reconnect();
    await until(() => proxy.accepted.length === ids.length, 'all edits are accepted');

    const sizes = proxy
      .heardOn('POST v1/inventory')
      .map(({ body }) => new TextEncoder().encode(JSON.stringify(body)).length);
    expect(Math.max(...sizes)).to.be.below(60 * 1024);
    expect(sizes).to.have.length.within(2, 3);
  });

  it('follow an edit of their item that is in flight, in their order', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the first edit has left');
    await store.set(KAYAK, true);
    await store.set(KAYAK, false);

    release();
    await until(() => proxy.accepted.length === 2, 'the newest edit is accepted');

    expect(proxy.sent.map(({ available }) => available)).to.deep.equal([false, false]);
    expect(batches(proxy)).to.deep.equal([[KAYAK], [KAYAK]]);
  });

  it('stay on the disk while they are in flight, though a newer edit waits behind them', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the first edit has left');

    await store.set(KAYAK, true);

    expect((await queue.rows()).map(({ available }) => available)).to.deep.equal([false, true]);
  });

  for (const [why, limit] of [
    ['the proxy takes fewer edits at once', { mostEdits: 2 }],
    ['a gateway in front of it lets less through', { mostThrough: 1 }],
  ] as const) {
    it(`are sent in smaller batches if ${why}`, async () => {
      const proxy = fakeProxy();
      Object.assign(proxy, limit);
      const { store, reconnect } = await offlineStore(proxy);
      for (const id of [KAYAK, BOAT, CABIN]) await store.set(id, false);

      await reconnect();

      await until(() => proxy.accepted.length === 3, 'all edits are accepted');
      expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK, BOAT, CABIN]);
      expect(store.snapshot.status).to.equal('ready');
    });
  }

  it('all wait if a gateway rejects even a single edit', async () => {
    const proxy = fakeProxy();
    proxy.mostThrough = 0;
    const { store, reconnect } = await offlineStore(proxy);
    for (const id of [KAYAK, BOAT]) await store.set(id, false);

    await reconnect();
    await until(() => proxy.heardOn('POST v1/inventory').length >= 2, 'a part is tried');
    proxy.mostThrough = 1;
    await store.refresh();

    await until(() => proxy.accepted.length === 2, 'all edits are accepted');
    expect(store.view(KAYAK).truth).not.to.equal('needs-attention');
  });
});

describe('a batch with a bad edit', () => {
  it('is sent without the bad edit after a failure', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(BOAT);
    const { store, reconnect } = await offlineStore(proxy);
    for (const id of [KAYAK, BOAT, CABIN]) await store.set(id, false);

    await reconnect();
    await untilTruth(store, KAYAK, 'received');
    await untilTruth(store, CABIN, 'received');
    await untilTruth(store, BOAT, 'needs-attention');

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK, CABIN]);
    expect(store.view(BOAT).reason).to.equal('item_unknown');
    expect(store.snapshot).to.include({ status: 'ready', openCount: 3 });
  });

  it('is sent without the bad edit at once if the proxy names it', async () => {
    const proxy = fakeProxy();
    const { store, reconnect } = await offlineStore(proxy);
    const ids = Array.from({ length: 64 }, (_, index) => itemId(`room-${String(index)}`));
    const bad = itemId('room-41');
    proxy.foreign.add(bad);
    await Promise.all(ids.map((id) => store.set(id, false)));

    await reconnect();
    await until(() => proxy.accepted.length === 63, 'all good edits are accepted');
    await untilTruth(store, bad, 'needs-attention');

    expect(batches(proxy).map((batch) => batch.length)).to.deep.equal([64, 63]);
  });

  it('does not resend by itself an edit that needs attention', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.heard.length = 0;

    await store.set(BOAT, false);
    await untilTruth(store, BOAT, 'received');

    expect(batches(proxy)).to.deep.equal([[BOAT]]);
  });

  it('shows after a reload what needs attention, and lets the person retry', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const page = await openReadyStore(proxy);
    await page.store.set(KAYAK, false);
    await untilTruth(page.store, KAYAK, 'needs-attention');
    page.close();
    proxy.foreign.clear();
    const { store } = await openReadyStore(proxy);
    const shown = store.view(KAYAK);

    await store.retry(KAYAK);

    await untilTruth(store, KAYAK, 'received');
    expect(shown).to.include({ available: false, truth: 'needs-attention', reason: 'item_unknown' });
  });

  it('leaves no row behind when the person retries while other edits are in flight', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const { store, queue } = await openReadyStore(proxy);
    await store.set(BOAT, false);
    await until(() => proxy.heardOn('GET v1/receipts').length === 1, 'the first edit is followed');
    const release = proxy.hold('GET v1/receipts');
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.foreign.clear();
    proxy.portal = 'swift';

    await store.retry(KAYAK);
    release();
    await untilTruth(store, KAYAK, 'on-portal');

    expect((await queue.rows()).map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('needs no decision if a newer edit of its item waits behind it', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.foreign.add(KAYAK);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => batches(proxy).length === 1, 'it is on its way');
    await store.set(KAYAK, true);

    release();
    await untilTruth(store, KAYAK, 'needs-attention');

    expect((await queue.rows()).map(({ available, stage }) => [available, stage])).to.deep.equal([[true, 'refused']]);
  });
});

describe('a switch back to the first value', () => {
  it('before anything was sent leaves no edit, on the device or at the proxy', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    const goOnline = goOffline();
    proxy.down = true;
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');

    await store.set(KAYAK, true);

    const shown = store.view(KAYAK);
    expect(await queue.rows()).to.deep.equal([]);
    expect(shown).to.include({ available: true, truth: 'on-portal' });
    expect(store.snapshot.openCount).to.equal(0);
    proxy.down = false;
    goOnline();
    await store.refresh();
    await store.set(BOAT, false);
    await untilTruth(store, BOAT, 'received');
    expect(batches(proxy)).to.deep.equal([[BOAT]]);
  });

  it('that is switched once more before the write has ended stays visible', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    goOffline();
    proxy.down = true;
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');

    await Promise.all([store.set(KAYAK, true), store.set(KAYAK, false)]);

    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
    expect((await queue.rows()).map(({ available }) => available)).to.deep.equal([false]);
  });

  for (const [what, meanwhile] of [
    ['', () => Promise.resolve()],
    [
      ', also after a retry that the proxy rejected',
      async (proxy: FakeProxy, { store }: OpenStore) => {
        const tries = batches(proxy).length;
        proxy.answers.set('POST v1/inventory', () => problemAnswer('budget_spent'));
        await store.refresh();
        await until(() => batches(proxy).length > tries, 'it was sent again');
        await untilStatus(store, 'unreachable');
        proxy.answers.delete('POST v1/inventory');
      },
    ],
  ] as const) {
    it(`that follows an edit which may have arrived is sent after it${what}`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const page = await openReadyStore(proxy);
      proxy.loseAnswers('POST v1/inventory');
      await page.store.set(KAYAK, false);
      await untilStatus(page.store, 'unreachable');
      proxy.keepAnswers('POST v1/inventory');
      await meanwhile(proxy, page);

      await page.store.set(KAYAK, true);
      await page.store.refresh();
      await until(() => proxy.accepted.length === 2, 'both have arrived');

      expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([false, true]);
    });
  }

  it('before anything was sent leaves no edit even if its page closes during the write', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue, close } = await openReadyStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await store.set(BOAT, false);
    await until(() => batches(proxy).length === 1, 'one is on its way');
    await store.set(KAYAK, false);
    const isWritten = store.set(KAYAK, true);

    close();

    await isWritten;
    release();
    await until(async () => (await queue.rows()).every(({ stage }) => stage === 'handed-over'), 'all has arrived');
    expect(proxy.sent.map(({ id }) => id)).not.to.include(KAYAK);
  });

  it('settles the previous edit too once it is delivered, because the proxy keeps their order', async () => {
    const { proxy, queue } = await twoHandedOver();

    proxy.settle(KAYAK, 'delivered');

    await until(async () => (await queue.rows()).length === 0, 'both are settled');
  });

  it('settles only itself if it is refused', async () => {
    const { proxy, store, queue, before } = await twoHandedOver();

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await untilTruth(store, KAYAK, 'needs-attention');

    expect((await queue.rows()).map(({ edit_id }) => edit_id)).to.deep.equal([before.edit_id]);
  });

  it('stays in the queue if another tab has settled the previous edit', async () => {
    const { proxy, queue, before, newest } = await twoHandedOver();
    await queue.remove([before.edit_id]);

    proxy.answers.set('GET v1/receipts', () =>
      Response.json({ receipts: [{ ...before, state: 'delivered' }, newest] }),
    );
    await untilReceiptsApplied(proxy);

    expect((await queue.rows()).map(({ edit_id }) => edit_id)).to.deep.equal([newest.edit_id]);
  });

  it('stays if its page learns only now that the edit before it was delivered, and the person switches twice more', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    proxy.portal = 'swift';
    const answerLate = proxy.holdAnswers('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.accepted.length === 1, 'the proxy has the first edit');
    proxy.portal = 'slow';
    const goOnline = goOffline();
    proxy.down = true;
    await store.set(KAYAK, true);

    answerLate();
    await until(async () => (await queue.rows())[0]?.stage === 'handed-over', 'the receipt is applied');
    await store.set(KAYAK, false);
    await store.set(KAYAK, true);

    expect(store.view(KAYAK)).to.include({ available: true, truth: 'on-device' });
    proxy.settle(KAYAK, 'delivered');
    proxy.down = false;
    goOnline();
    await store.refresh();
    await until(() => proxy.accepted.at(-1)?.available === true, 'the last word has arrived');
  });

  it('stays if the database was lost in between, and the edit before it was restored behind it', async () => {
    const proxy = fakeProxy();
    const [here, there] = [await openReadyStore(proxy), await openReadyStore(proxy)];
    await here.store.set(KAYAK, false);
    await until(async () => (await there.queue.rows())[0]?.stage === 'handed-over', 'it has arrived');
    const answerReceipts = proxy.hold('GET v1/receipts');
    proxy.settle(KAYAK, 'delivered');
    afterThisTest(goOffline());
    const blocker = await openDatabase('vendor-inventory');
    const isDeleted = deleteDatabase('vendor-inventory');
    await new Promise((resolve) => (blocker.onversionchange = resolve));
    const isKept = here.store.set(KAYAK, true);
    blocker.close();
    await Promise.all([isDeleted, isKept]);
    await until(async () => (await there.queue.rows()).length === 2, 'both are back');

    answerReceipts();
    await there.store.refresh();
    await until(
      async () => !(await there.queue.rows()).some(({ available }) => !available),
      'the first edit is settled',
    );

    expect((await there.queue.rows()).map(({ available }) => available)).to.deep.equal([true]);
  });

  it('that is settled does not settle an edit whose request is still in flight', async () => {
    const proxy = fakeProxy();
    const { store, queue } = openStore(proxy, undefined, true);
    await until(() => proxy.streams === 1, 'the page receives changes');
    proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.sent.length === 1, 'the first edit is in flight');
    await store.set(KAYAK, true);
    const [before, newest] = await queue.rows();
    if (before === undefined || newest === undefined) throw new Error('one was sent of two');
    const { id, edit_id, available, updated_at } = newest;
    const delivered = { id, edit_id, available, updated_at, seq: 2, state: 'delivered' };
    proxy.answers.set('GET v1/inventory', () => Response.json({ inventory: [delivered], revision: 9 }));

    proxy.say(`id: 9\ndata: ${JSON.stringify({ id: KAYAK, seq: 1 })}\n\n`);
    await until(async () => (await queue.rows()).length === 1, 'the newest edit is settled');

    expect((await queue.rows()).map(({ edit_id, stage }) => [edit_id, stage])).to.deep.equal([
      [before.edit_id, 'sending'],
    ]);
  });

  it('of an edit that the proxy rejected unread leaves no edit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    proxy.refusal = 'budget_spent';
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');

    await store.set(KAYAK, true);

    expect(await queue.rows()).to.deep.equal([]);
  });

  it('of an edit that a gateway rejected waits behind it: that edit may have arrived before', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    proxy.answers.set('POST v1/inventory', () => new Response('<h1>Forbidden</h1>', { status: 403 }));
    await store.set(KAYAK, false);
    await untilStatus(store, 'unreachable');

    await store.set(KAYAK, true);

    expect((await queue.rows()).map(({ available }) => available)).to.deep.equal([false, true]);
  });
});

describe('a browser that reports to be offline', () => {
  it('and is not still sends its edits', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    goOffline();

    await store.set(KAYAK, false);

    await untilTruth(store, KAYAK, 'received');
  });

  it('sends no edit when its page closes: the person may still change their mind', async () => {
    const proxy = fakeProxy();
    const { store, queue, close } = await openReadyStore(proxy);
    await store.set(BOAT, false);
    await untilTruth(store, BOAT, 'received');
    goOffline();
    const asked = proxy.heardOn('GET v1/session').length;
    const release = proxy.hold('GET v1/session');
    await store.set(KAYAK, false);
    await until(() => proxy.heardOn('GET v1/session').length > asked, 'it looks whether that is so');

    close();

    expect((await queue.rows()).map(({ id, stage }) => [id, stage])).to.deep.equal([
      [BOAT, 'handed-over'],
      [KAYAK, 'stored'],
    ]);
    expect(batches(proxy)).to.deep.equal([[BOAT]]);
    release();
  });
});

describe('a person who lost the permission to edit', () => {
  it('learns it for all waiting edits by one call', async () => {
    const proxy = fakeProxy();
    const { store, reconnect } = await offlineStore(proxy);
    for (const id of [KAYAK, BOAT, CABIN]) await store.set(id, false);
    proxy.person = VISITOR;

    await reconnect();
    for (const id of [KAYAK, BOAT, CABIN]) await untilTruth(store, id, 'needs-attention');

    expect(store.view(CABIN).reason).to.equal('permission_missing');
    expect(batches(proxy)).to.have.length(1);
  });
});

describe('the proxy', () => {
  it('may lose an edit: it is on this device again, and is resent under its own id', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');

    const told: unknown[] = [];
    afterThisTest(store.subscribe(() => told.push(store.view(KAYAK).truth)));
    proxy.loseEdits();
    await store.refresh();
    await until(() => told.includes('on-device'), 'it is said to be on this device');
    await store.refresh();
    await untilTruth(store, KAYAK, 'received');

    const [first, again] = proxy.sent;
    expect(again).to.deep.equal(first);
  });

  it('may lose an edit of an item with a newer sent edit: the newer one stays valid', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    proxy.down = true;
    await store.refresh();
    proxy.loseEdits();
    await store.set(KAYAK, true);
    const asked = proxy.heardOn('GET v1/receipts').length;

    proxy.down = false;
    await store.refresh();
    await until(() => proxy.heardOn('GET v1/receipts').length > asked + 2, 'the proxy is asked again and again');

    expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([true]);
    expect((await queue.rows()).map(({ available }) => available)).to.deep.equal([true]);
    expect(store.view(KAYAK)).to.include({ available: true, truth: 'received' });
  });

  it('may not know an edit that another tab has settled long ago: the page stops waiting for it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    const [mine] = await queue.rows();
    if (mine === undefined) throw new Error('one was sent');
    proxy.loseEdits();

    await queue.remove([mine.edit_id]);
    await store.refresh();

    await until(() => store.snapshot.openCount === 0, 'nothing is waited for');
    expect(store.view(KAYAK).truth).not.to.equal('received');
    expect(proxy.accepted).to.deep.equal([]);
  });

  it('may lose an edit whose successor it has refused: the lost one is resent, since the refused one has no value', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    await store.set(KAYAK, false);
    await untilTruth(store, KAYAK, 'received');
    proxy.foreign.add(KAYAK);
    await store.set(KAYAK, true);
    await untilTruth(store, KAYAK, 'needs-attention');
    proxy.foreign.delete(KAYAK);

    proxy.loseEdits();
    await store.refresh();
    await until(() => proxy.accepted.length === 1, 'it has arrived again');
    await until(async () => (await queue.rows())[0]?.stage === 'handed-over', 'it is noted');

    expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([false]);
    expect((await queue.rows()).map(({ available, stage }) => [available, stage])).to.deep.equal([
      [false, 'handed-over'],
      [true, 'refused'],
    ]);
  });

  it('that loses every edit is not flooded', async () => {
    const proxy = fakeProxy();
    const { store } = await openReadyStore(proxy);
    let lost = Infinity;
    proxy.answers.set('GET v1/receipts', () => {
      lost = Math.min(lost, performance.now());
      return Response.json({ receipts: [] });
    });

    await store.set(KAYAK, false);
    await until(() => proxy.sent.length >= 2, 'the edit has left again');

    expect(performance.now() - lost).to.be.above(100);
  });

  it('is asked for all open edits, a hundred in a request', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    page.close();
    await handedOverBefore(page.queue.owner, 101);

    openStore(proxy);
    await until(() => proxy.heardOn('GET v1/receipts').length >= 2, 'all are asked for');

    const [first, second] = proxy.heardOn('GET v1/receipts').map(({ query }) => query.get('ids')?.split(',') ?? []);
    expect([first?.length, second?.length]).to.deep.equal([100, 1]);
    expect(new Set([...(first ?? []), ...(second ?? [])]).size).to.equal(101);
  });

  it('is asked again as long as one edit is open, though the last ones are settled already', async () => {
    const proxy = fakeProxy();
    const page = await openReadyStore(proxy);
    page.close();
    const edits = await handedOverBefore(page.queue.owner, 101);
    const [first] = edits;
    proxy.answers.set('GET v1/receipts', () => {
      const asked = proxy.heardOn('GET v1/receipts').at(-1)?.query.get('ids')?.split(',') ?? [];
      const receipts = edits.flatMap((edit_id, seq) => {
        const state = edit_id === first ? 'received' : 'delivered';
        const receipt = { edit_id, id: `room-${String(seq)}`, seq, state, updated_at: LONG_AGO };
        return asked.includes(edit_id) ? [receipt] : [];
      });
      return Response.json({ receipts });
    });

    openStore(proxy);
    await until(() => proxy.heardOn('GET v1/receipts').length >= 3, 'it is asked again');

    expect(proxy.heardOn('GET v1/receipts')[2]?.query.get('ids')).to.equal(first);
  });
});

/** Rows of earlier visits, put on the disk at once. */
async function handedOverBefore(owner: string, count: number): Promise<EditId[]> {
  const database = await openDatabase('vendor-inventory');
  const transaction = database.transaction('edits', 'readwrite');
  const edits = Array.from({ length: count }, newEditId);
  for (const [index, edit_id] of edits.entries()) {
    const id = itemId(`room-${String(index)}`);
    transaction
      .objectStore('edits')
      .add({ edit_id, id, available: true, updated_at: LONG_AGO, owner, stage: 'handed-over' });
  }
  await promisifyRequest(transaction);
  database.close();
  return edits;
}
