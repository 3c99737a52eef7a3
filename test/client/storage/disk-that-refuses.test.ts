import { expect } from '@open-wc/testing';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { InventoryStore } from '../../../src/client/store/inventory-store.js';
import { ProxyClient } from '../../../src/client/api/proxy-client.js';
import { EditTable } from '../../../src/client/storage/edit-table.js';
import { createProvisionalOwner } from '../../../src/client/storage/queue-owner.js';
import { createTokenSource } from '../../../src/client/api/token-source.js';
import { afterThisTest } from '../support/clean-up.js';
import { hearWarnings } from '../support/console-warnings.js';
import { openDatabase } from '../support/database.js';
import { fillStorage, keepEverything, refuseChanges } from '../support/failing-storage.js';
import { BOAT, KAYAK } from '../support/items.js';
import { untilStatus, untilTruth } from '../support/open-store.js';
import { fakeProxy, type FakeProxy } from '../support/fake-proxy.js';
import { until } from '../support/until.js';

/** A store with a database of its own, which a newer version of the widget may upgrade. */
async function openOwnStore(proxy: FakeProxy) {
  hearWarnings();
  const name = `own-${newEditId()}`;
  const queue = new EditQueue(createProvisionalOwner(proxy.url, newEditId), new EditTable(name));
  const client = new ProxyClient(proxy.url, createTokenSource());
  const store = new InventoryStore({ proxy: proxy.url, client, queue, live: false });
  afterThisTest(store.subscribe(() => undefined));
  await untilStatus(store, proxy.down ? 'unreachable' : 'ready');
  return { store, queue, name };
}

/** Upgrades the database, as a tab with a newer version of the widget does. */
async function takeByNewerBuild(name: string): Promise<void> {
  const newer = await openDatabase(name, 3);
  afterThisTest(() => void newer.close());
}

/** Resolves once all earlier requests have ended: a later edit was sent too. */
async function untilMoreHasLeft(store: InventoryStore, proxy: FakeProxy): Promise<void> {
  await store.set(BOAT, true);
  await until(() => proxy.accepted.some(({ id }) => id === BOAT), 'what was pressed later has left');
  await store.refresh();
}

const timesSent = (proxy: FakeProxy): number => proxy.accepted.filter(({ id }) => id === KAYAK).length;

describe('a database that rejects changes', () => {
  it('does not undo the delivery of an edit', async () => {
    const proxy = fakeProxy();
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
    it(`does not make the page resend an edit that a colleague has overwritten since, if ${why}`, async () => {
      const proxy = fakeProxy();
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
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const { store } = await openOwnStore(proxy);
    const release = proxy.hold('POST v1/inventory');
    refuseChanges();
    await store.set(KAYAK, false);
    await until(() => proxy.heardOn('POST v1/inventory').length === 1, 'it has left');

    await store.set(KAYAK, true);
    release();
    await until(() => proxy.accepted.length === 2, 'the other edit has left, too');

    expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([false, true]);
    expect(store.view(KAYAK).available).to.equal(true);
  });

  it('lets the newest edit win, also if the clock was set back before it', async () => {
    const proxy = fakeProxy();
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
