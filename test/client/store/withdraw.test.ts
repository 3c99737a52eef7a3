import { expect } from '@open-wc/testing';
import { promisifyRequest } from 'idb-keyval';
import type { QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { openDatabase } from '../support/database.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { goOffline } from '../support/offline.js';
import { openReadyStore, untilStatus } from '../support/open-store.js';
import { pretendProxy } from '../support/pretend-proxy.js';

/** The last that was made, as another tab does of which this page has not heard yet. */
async function markSending(): Promise<void> {
  const database = await openDatabase('vendor-inventory');
  const edits = database.transaction('edits', 'readwrite').objectStore('edits');
  const keys = await promisifyRequest(edits.getAllKeys());
  const rows = await promisifyRequest<QueuedEdit[]>(edits.getAll());
  await promisifyRequest(edits.put({ ...rows.at(-1), stage: 'sending' }, keys.at(-1)));
  database.close();
}

describe('a first wish that is taken back', () => {
  it('leaves nothing, here or anywhere', async () => {
    const proxy = pretendProxy();
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

  it('stays where the proxy has a value to go back to', async () => {
    const proxy = pretendProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store, queue } = await openReadyStore(proxy);
    proxy.down = true;
    await store.set(KAYAK, false);

    expect(await store.withdraw([KAYAK])).to.equal(0);
    expect(await queue.rows()).to.have.length(1);
    expect(store.view(KAYAK)).to.include({ available: false, truth: 'on-device' });
  });

  it('stays behind one that may have arrived', async () => {
    const proxy = pretendProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.loseAnswers('POST v1/inventory');
    await store.set(BOAT, false);
    await untilStatus(store, 'unreachable');
    proxy.down = true;
    await store.set(BOAT, true);

    expect(await store.withdraw([BOAT])).to.equal(0);
    expect((await queue.rows()).map(({ available }) => available)).to.deep.equal([false, true]);
  });

  it('stays where another tab sends it just then', async () => {
    const proxy = pretendProxy();
    const { store, queue } = await openReadyStore(proxy);
    proxy.down = true;
    await store.set(BOAT, false);
    await markSending();

    expect(await store.withdraw([BOAT])).to.equal(0);
    expect(await queue.rows()).to.have.length(1);
    expect(store.view(BOAT).available).to.equal(false);
  });
});
