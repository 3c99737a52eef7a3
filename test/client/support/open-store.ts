import type { ItemId } from '../../../src/domain/item.js';
import type { Truth } from '../../../src/domain/edit-state.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { createProvisionalOwner } from '../../../src/client/storage/queue-owner.js';
import { InventoryStore } from '../../../src/client/store/inventory-store.js';
import { ProxyClient, requestHostToken } from '../../../src/client/api/proxy-client.js';
import { createTokenSource } from '../../../src/client/api/token-source.js';
import { afterThisTest } from './clean-up.js';
import type { FakeProxy } from './fake-proxy.js';
import { until } from './until.js';

export interface OpenStore {
  readonly store: InventoryStore;
  readonly queue: EditQueue;
  /** Removes the subscriber. A page that is opened again gets another store. */
  readonly close: () => void;
}

/** The store of one page, with a subscriber. */
export function openStore(proxy: FakeProxy, session?: string, live = false): OpenStore {
  const request = session === undefined ? undefined : () => requestHostToken(session);
  const queue = new EditQueue(createProvisionalOwner(proxy.url, newEditId));
  const client = new ProxyClient(proxy.url, createTokenSource(request));
  const store = new InventoryStore({ proxy: proxy.url, client, queue, live });
  const close = store.subscribe(() => undefined);
  afterThisTest(close);
  return { store, queue, close };
}

export async function openReadyStore(proxy: FakeProxy, session?: string): Promise<OpenStore> {
  const page = openStore(proxy, session);
  await untilStatus(page.store, 'ready');
  return page;
}

export function untilStatus(store: InventoryStore, status: InventoryStore['snapshot']['status']): Promise<void> {
  return until(() => store.snapshot.status === status, `the store is ${status}`);
}

export function untilTruth(store: InventoryStore, id: ItemId, truth: Truth): Promise<void> {
  return until(() => store.view(id).truth === truth, `${id} is ${truth}`);
}

/** @returns the delivery statuses of one item from now on: each change once, in order */
export function recordTruths(store: InventoryStore, id: ItemId): (Truth | undefined)[] {
  const truths: (Truth | undefined)[] = [store.view(id).truth];
  const stop = store.subscribe((changed) => {
    const { truth } = store.view(id);
    if (changed === id && truth !== truths.at(-1)) truths.push(truth);
  });
  afterThisTest(stop);
  return truths;
}

/** @returns a store whose newest edit, to unavailable, was refused by the portal */
export async function openRefusedStore(proxy: FakeProxy, id: ItemId): Promise<OpenStore> {
  const page = await openReadyStore(proxy);
  await page.store.set(id, false);
  await untilTruth(page.store, id, 'received');
  proxy.settle(id, 'refused', { reason: 'item_refused' });
  await untilTruth(page.store, id, 'needs-attention');
  return page;
}
