import { expect } from '@open-wc/testing';
import { newEditId } from '../../src/client/edit-id.js';
import { EditQueue } from '../../src/client/edit-queue.js';
import { InventoryStore } from '../../src/client/inventory-store.js';
import { createProxyClient } from '../../src/client/proxy-client.js';
import { QueueDb } from '../../src/client/queue-db.js';
import { provisionalOwner } from '../../src/client/queue-owner.js';
import { createTokenSource } from '../../src/client/session.js';
import { afterThisTest } from './clean-up.js';
import { hearWarnings } from './console-warnings.js';
import { fillStorage } from './failing-storage.js';
import { BOAT, KAYAK } from './items.js';
import { untilStatus } from './open-store.js';
import { pretendProxy, type PretendProxy } from './pretend-proxy.js';
import { until } from './until.js';

/** With a database of its own. */
async function openOwnStore(proxy: PretendProxy) {
  hearWarnings();
  const name = `own-${newEditId()}`;
  const queue = new EditQueue(provisionalOwner(proxy.url, newEditId), new QueueDb(name));
  const client = createProxyClient(proxy.url, createTokenSource());
  const store = new InventoryStore({ proxy: proxy.url, client, queue, live: false });
  afterThisTest(store.subscribe(() => undefined));
  await untilStatus(store, proxy.down ? 'unreachable' : 'ready');
  return { store };
}

/** All that was begun is over: what is pressed now has left, too. */
async function untilMoreHasLeft(store: InventoryStore, proxy: PretendProxy): Promise<void> {
  await store.set(BOAT, true);
  await until(() => proxy.accepted.some(({ id }) => id === BOAT), 'what was pressed later has left');
  await store.refresh();
}

describe('a disk that is full', () => {
  it('lets the newest wish win, also where the clock was set back before it', async () => {
    const proxy = pretendProxy();
    proxy.down = true;
    const { store } = await openOwnStore(proxy);
    await store.set(KAYAK, false);
    fillStorage();
    const { now } = Date;
    Date.now = () => now() - 60_000;
    afterThisTest(() => {
      Date.now = now;
    });
    await store.set(KAYAK, true);

    proxy.down = false;
    await store.refresh();
    await untilMoreHasLeft(store, proxy);

    const last = proxy.accepted.filter(({ id }) => id === KAYAK).at(-1);
    expect([last?.available, store.view(KAYAK).available]).to.deep.equal([true, true]);
  });
});
