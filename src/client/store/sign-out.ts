import type { InventoryStore, StoreSnapshot } from './inventory-store.js';
import { mayStore } from '../browser/tab-locks.js';
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

/**
 * Ends the session at this page. What waits is sent first; where something cannot be, nothing happens unless it may be
 * deleted.
 *
 * @returns how many edits have not left this device, 0 when the person is signed out
 */
export async function signOut(store: InventoryStore, deleteUnsent = false): Promise<number> {
  const { client, queue, ledger, sender } = store.parts;
  const unsent = deleteUnsent ? 0 : await sender.sendNow();
  if (unsent > 0) return unsent;
  // What is on its way may bring their token back.
  store.rest(() => void endSession(client));
  const { canEdit } = store.snapshot;
  // An edit that were made now would be the next person's.
  store.update({ canEdit: false, status: 'loading' });
  let late = 0;
  try {
    await queue.wipe(async (db, owner) => {
      if (!mayStore()) return;
      await db.change(owner, undefined, ({ stage }) => {
        if (deleteUnsent || stage === 'handed-over') return;
        // Another tab has stored it since all were counted. One at least: whoever asks again hears of all.
        late = 1;
        throw new Error();
      });
    });
  } catch (error) {
    // Something of theirs is still here, and so are they. What was to be deleted does not leave by itself.
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
 * The last that the page says to the proxy about a person: their session ends there, as far as the proxy can be reached. Where
 * it does not hear that, it has a token for a few minutes more. Never rejects.
 */
export async function endSession(client: ProxyClient): Promise<void> {
  const token = client.leave();
  if (token === undefined) return;
  // The page may be on its way out.
  const last = authorized({ method: 'DELETE', json: {}, keepalive: true }, token);
  await request(`${client.base}/v1/session`, last, () => Promise.resolve()).catch(() => undefined);
}
