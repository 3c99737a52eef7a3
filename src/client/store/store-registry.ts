import { newEditId } from '../storage/edit-id.js';
import { EditQueue } from '../queue/edit-queue.js';
import { createProvisionalOwner } from '../storage/queue-owner.js';
import { InventoryStore } from './inventory-store.js';
import { ProxyClient, requestHostToken } from '../api/proxy-client.js';
import { createTokenSource, tokenFromFunction } from '../api/token-source.js';
import { toJson } from '../to-json.js';

/** The address of a store: the proxy, and the source of the session. */
export interface StoreAddress {
  /** Base URL of the proxy, absolute. */
  readonly proxy: string;
  /** URL on the host that answers a POST with an embed token, absolute. */
  readonly session?: string | undefined;
  /** Instead of a URL: the host's own function. */
  readonly getSession?: (() => Promise<string>) | undefined;
}

const byUrl = new Map<string, InventoryStore>();
const byFunction = new WeakMap<() => Promise<string>, Map<string, InventoryStore>>();

/** All elements of a page with the same address share one store, and so one session and one queue. */
export function storeFor({ proxy: address, session, getSession }: StoreAddress): InventoryStore {
  // The address is part of the owner of edits, so it must not depend on a slash at its end.
  const proxy = address.replace(/\/*$/, '/');
  let stores = byUrl;
  let key = toJson([proxy, session]);
  let request = session === undefined ? undefined : () => requestHostToken(session);
  if (getSession !== undefined) {
    stores = byFunction.get(getSession) ?? new Map<string, InventoryStore>();
    byFunction.set(getSession, stores);
    key = proxy;
    request = tokenFromFunction(getSession);
  }
  const known = stores.get(key);
  if (known !== undefined) return known;
  const store = new InventoryStore({
    proxy,
    client: new ProxyClient(proxy, createTokenSource(request)),
    queue: new EditQueue(createProvisionalOwner(proxy, newEditId, session)),
    live: true,
  });
  stores.set(key, store);
  return store;
}
