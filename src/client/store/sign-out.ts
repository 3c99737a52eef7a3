import type { ItemStates } from '../model/item-state.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { Sender } from '../queue/sender.js';
import type { StoreSnapshot } from './store-snapshot.js';
import { isStorageAllowed } from '../browser/tab-locks.js';
import { request } from '../api/http.js';
import { authorized, type ProxyClient } from '../api/proxy-client.js';

/** The snapshot after a sign-out. */
const SIGNED_OUT: Partial<StoreSnapshot> = {
  status: 'signed-out',
  problem: 'signed_out',
  requestId: undefined,
  canEdit: false,
  canSchedule: false,
  canReadHistory: false,
  complete: false,
};

/** The parts of the store that a sign-out needs. */
export interface SigningOut {
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  readonly itemStates: ItemStates;
  readonly sender: Sender;
  readonly canEdit: boolean;
  readonly update: (change: Partial<StoreSnapshot>) => void;
  /** Stops all requests until the next refresh, which calls `onReturn`. */
  readonly pauseUntilRefresh: (onReturn: () => void) => void;
  readonly stopUpdates: () => void;
  readonly refresh: () => Promise<void>;
}

/** Sends the waiting edits first. If one cannot be sent, the person stays signed in unless it may be deleted. */
export async function signOut(store: SigningOut, deleteUnsent: boolean): Promise<number> {
  const { client, queue, itemStates, sender, canEdit } = store;
  const unsent = deleteUnsent ? 0 : await sender.sendNow();
  if (unsent > 0) return unsent;
  // A request in flight may fetch a new token, which ends at the next refresh.
  store.pauseUntilRefresh(() => void endSession(client));
  // An edit that is made from now on would belong to the next person.
  store.update({ canEdit: false, status: 'loading' });
  let late = 0;
  try {
    await queue.wipe(async (db, owner) => {
      if (!isStorageAllowed()) return;
      await db.change(owner, undefined, ({ stage }) => {
        if (deleteUnsent || stage === 'handed-over') return;
        // Another tab has stored an edit since they were counted. One is enough to stop; the next attempt counts all.
        late = 1;
        throw new Error();
      });
    });
  } catch (error) {
    // The person's edits are still stored, so they stay signed in. Edits that they wanted to delete are not sent.
    store.update({ canEdit, ...(deleteUnsent && { status: 'unreachable', problem: 'not_deleted' }) });
    if (!deleteUnsent) void store.refresh();
    if (late > 0) return late;
    throw error;
  }
  store.stopUpdates();
  const ended = endSession(client);
  // The page forgets the person without waiting for the proxy, which may answer only after the next person has signed in.
  itemStates.forget();
  store.update(SIGNED_OUT);
  await ended;
  return 0;
}

/**
 * Ends the person's session at the proxy. If the proxy is unreachable, the token stays valid for the few minutes of its
 * lifetime. Never rejects.
 */
async function endSession(client: ProxyClient): Promise<void> {
  const token = client.leave();
  if (token === undefined) return;
  // `keepalive`, because the page may be closing.
  const last = authorized({ method: 'DELETE', json: {}, keepalive: true }, token);
  await request(`${client.base}/v1/session`, last, () => Promise.resolve()).catch(() => undefined);
}
