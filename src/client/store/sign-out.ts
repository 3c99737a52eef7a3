import type { ItemLedger } from '../model/item-state.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { Sender } from '../queue/sender.js';
import type { StoreSnapshot } from './store-snapshot.js';
import { isStorageAllowed } from '../browser/tab-locks.js';
import { request } from '../api/http.js';
import { authorized, type ProxyClient } from '../api/proxy-client.js';

/** What a person who has signed out on purpose leaves. */
const SIGNED_OUT: Partial<StoreSnapshot> = {
  status: 'signed-out',
  problem: 'signed_out',
  requestId: undefined,
  canEdit: false,
  complete: false,
};

/** The store, as signing out sees it. */
export interface SigningOut {
  readonly client: ProxyClient;
  readonly queue: EditQueue;
  readonly ledger: ItemLedger;
  readonly sender: Sender;
  readonly canEdit: boolean;
  readonly update: (change: Partial<StoreSnapshot>) => void;
  /** Nothing is asked or sent any more until the page asks for something. */
  readonly rest: (onReturn: () => void) => void;
  readonly stopUpdates: () => void;
  readonly refresh: () => Promise<void>;
}

/** What waits is sent first; where something cannot be, nothing happens unless it may be deleted. */
export async function signOut(store: SigningOut, deleteUnsent: boolean): Promise<number> {
  const { client, queue, ledger, sender, canEdit } = store;
  const unsent = deleteUnsent ? 0 : await sender.sendNow();
  if (unsent > 0) return unsent;
  // What is on its way may bring their token back.
  store.rest(() => void endSession(client));
  // An edit that is made now would be the next person's.
  store.update({ canEdit: false, status: 'loading' });
  let late = 0;
  try {
    await queue.wipe(async (db, owner) => {
      if (!isStorageAllowed()) return;
      await db.change(owner, undefined, ({ stage }) => {
        if (deleteUnsent || stage === 'handed-over') return;
        // Another tab has stored it since all were counted. There is one at least: the next try counts all.
        late = 1;
        throw new Error();
      });
    });
  } catch (error) {
    // Edits of the person are still here, and so is the person. What was to be deleted does not leave by itself.
    store.update({ canEdit, ...(deleteUnsent && { status: 'unreachable', problem: 'not_deleted' }) });
    if (!deleteUnsent) void store.refresh();
    if (late > 0) return late;
    throw error;
  }
  store.stopUpdates();
  const isHeard = endSession(client);
  // Before the proxy has heard of it: that may take long, and by then the next person may be here.
  ledger.forget();
  store.update(SIGNED_OUT);
  await isHeard;
  return 0;
}

/**
 * Ends the person's session at the proxy, as far as it can be reached. Where it cannot, the token is good for a few minutes
 * more. Never rejects.
 */
async function endSession(client: ProxyClient): Promise<void> {
  const token = client.leave();
  if (token === undefined) return;
  // The page may be on its way out.
  const last = authorized({ method: 'DELETE', json: {}, keepalive: true }, token);
  await request(`${client.base}/v1/session`, last, () => Promise.resolve()).catch(() => undefined);
}
