import { expect } from '@open-wc/testing';
import { promisifyRequest } from 'idb-keyval';
import type { QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { openDatabase } from '../support/database.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { goOffline } from '../support/offline.js';
import { openReadyStore, untilStatus } from '../support/open-store.js';
import { fakeProxy } from '../support/fake-proxy.js';

/** Marks the newest row as `sending`, as another tab does whose message has not arrived yet. */
async function markSending(): Promise<void> {
  const database = await openDatabase('vendor-inventory');
  const edits = database.transaction('edits', 'readwrite').objectStore('edits');
  const keys = await promisifyRequest(edits.getAllKeys());
  const rows = await promisifyRequest<QueuedEdit[]>(edits.getAll());
  await promisifyRequest(edits.put({ ...rows.at(-1), stage: 'sending' }, keys.at(-1)));
  database.close();
}

describe('a first value that is withdrawn', () => {
  it('leaves no edit on the page, on the device or at the proxy', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.down = true;
    const goOnline = goOffline();
    for (const id of [BOAT, CABIN]) await store.set(id, false);

    const count = await store.withdraw([BOAT, CABIN, KAYAK]);

    expect(count).to.equal(2);
    expect(await queue.rows()).to.deep.equal([]);
    expect(store.view(BOAT)).to.include({ available: undefined, truth: undefined });
    proxy.down = false;
    goOnline();
    await store.refresh();
    expect(proxy.sent).to.deep.equal([]);
  });

  it('stays if the proxy has an earlier value', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    proxy.down = true;
    await store.set(KAYAK, false);

    expect(await store.withdraw([KAYAK])).to.equal(0);
    expect(await queue.rows()).to.have.length(1);
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('stays after an edit that may have arrived', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.loseAnswers('POST v1/inventory');
    await store.set(BOAT, false);
    await untilStatus(store, 'unreachable');
    proxy.down = true;
    await store.set(BOAT, true);

    expect(await store.withdraw([BOAT])).to.equal(0);
    expect((await queue.rows()).map(({ available }) => available)).to.deep.equal([false, true]);
  });

  it('stays if another tab is sending it', async () => {
    const proxy = fakeProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.down = true;
    await store.set(BOAT, false);
    await markSending();

    expect(await store.withdraw([BOAT])).to.equal(0);
    expect(await queue.rows()).to.have.length(1);
    expect(store.view(BOAT).available).to.equal(false);
  });
});
