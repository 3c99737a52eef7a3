import { expect } from '@open-wc/testing';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { InventoryStore } from '../../../src/client/store/inventory-store.js';
import { createProxyClient } from '../../../src/client/api/proxy-client.js';
import { EditTable } from '../../../src/client/storage/edit-table.js';
import { createProvisionalOwner } from '../../../src/client/storage/queue-owner.js';
import { createTokenSource } from '../../../src/client/api/token-source.js';
import { afterThisTest } from '../support/clean-up.js';
import { hearWarnings } from '../support/console-warnings.js';
import { openDatabase } from '../support/database.js';
import { fillStorage, keepEverything, refuseChanges } from '../support/failing-storage.js';
import { BOAT, KAYAK } from '../support/items.js';
import { untilStatus, untilTruth } from '../support/open-store.js';
import { pretendProxy, type PretendProxy } from '../support/pretend-proxy.js';
import { until } from '../support/until.js';

/** With a database of its own, which another build may take. */
async function openOwnStore(proxy: PretendProxy) {
  hearWarnings();
  const name = `own-${newEditId()}`;
  const queue = new EditQueue(createProvisionalOwner(proxy.url, newEditId), new EditTable(name));
  const client = createProxyClient(proxy.url, createTokenSource());
  const store = new InventoryStore({ proxy: proxy.url, client, queue, live: false });
  afterThisTest(store.subscribe(() => undefined));
  await untilStatus(store, proxy.down ? 'unreachable' : 'ready');
  return { store, queue, name };
}

/** Another tab has a newer build, which has brought the database to its version. */
async function takeByNewerBuild(name: string): Promise<void> {
  const newer = await openDatabase(name, 3);
  afterThisTest(() => void newer.close());
}

/** All that was begun is over: what is pressed now has left, too. */
async function untilMoreHasLeft(store: InventoryStore, proxy: PretendProxy): Promise<void> {
  await store.set(BOAT, true);
  await until(() => proxy.accepted.some(({ id }) => id === BOAT), 'what was pressed later has left');
  await store.refresh();
}

const timesSent = (proxy: PretendProxy): number => proxy.accepted.filter(({ id }) => id === KAYAK).length;

describe('a database that rejects changes', () => {
  it('does not undo the delivery of an edit', async () => {
    const proxy = pretendProxy();
    const { store, queue, name } = await openOwnStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    await store.set(KAYAK, false);
    await until(() => proxy.heardOn('POST v1/inventory').length === 1, 'it has left');
    await takeByNewerBuild(name);
    proxy.portal = 'swift';
    release();
    await untilTruth(store, KAYAK, 'on-portal');

    await store.refresh();

    expect([queue.known, store.view(KAYAK).truth]).to.deep.equal([[], 'on-portal']);
  });

  for (const [why, refuse] of [
    ['a newer build has it', takeByNewerBuild],
    ['nothing can be deleted', () => void keepEverything()],
  ] as const) {
    it(`sends nothing again that a colleague has overruled since, where ${why}`, async () => {
      const proxy = pretendProxy();
      const { store, name } = await openOwnStore(proxy);
      const release = proxy.hold('POST v1/inventory');
      await store.set(KAYAK, false);
      await until(() => proxy.heardOn('POST v1/inventory').length === 1, 'it has left');
      await refuse(name);
      release();
      await untilTruth(store, KAYAK, 'received');
      proxy.settle(KAYAK, 'superseded');
      proxy.takeFromElsewhere(KAYAK, true, 'delivered', 'Ben');
      await store.refresh();
      await until(() => store.view(KAYAK).available === true, 'their value is shown');

      await untilMoreHasLeft(store, proxy);

      expect([timesSent(proxy), store.view(KAYAK).available]).to.deep.equal([1, true]);
    });
  }

  it('does not let an edit that was sent be withdrawn without another edit', async () => {
    const proxy = pretendProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openOwnStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    refuseChanges();
    await store.set(KAYAK, false);
    await until(() => proxy.heardOn('POST v1/inventory').length === 1, 'it has left');

    await store.set(KAYAK, true);
    release();
    await until(() => proxy.accepted.length === 2, 'the other wish has left, too');

    expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([false, true]);
    expect(store.view(KAYAK).available).to.equal(true);
  });

  it('lets the newest edit win, also if the clock was set back before it', async () => {
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
