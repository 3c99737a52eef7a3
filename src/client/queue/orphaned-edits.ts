import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from './edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import type { InventoryLoader } from '../sync/inventory-loader.js';
import { locks } from '../browser/tab-locks.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { TAB_LOCK, UNCLAIMED } from '../storage/queue-owner.js';
import { toJson } from '../to-json.js';

export interface UnclaimedOptions {
  readonly proxy: string;
  readonly queue: EditQueue;
  readonly ledger: ItemLedger;
  readonly loader: InventoryLoader;
  readonly mayEdit: (id: ItemId) => boolean;
}

/**
 * Edits of tabs that were closed before it was known who was there: the network of such a page was gone while it loaded.
 * Nobody can tell whose they are, so the person who is here now is asked: the edits are shown where they can be decided, and
 * leave only then. An edit needs no decision where its value counts by now, or where a newer one was made on this device.
 * Items that are not this person's are left for the person whose they are.
 */
export async function findOrphanedEdits({ proxy, queue, ledger, loader, mayEdit }: UnclaimedOptions): Promise<void> {
  const owners = provisionalOwners(proxy);
  let isFound = false;
  await queue.takeIn(owners, (row) => {
    isFound = true;
    return row;
  });
  if (!isFound) return;
  const { held = [] } = (await locks()?.query()) ?? {};
  const living = new Set(held.map(({ name }) => name));
  const { owner } = queue;
  const ask = (row: QueuedEdit): QueuedEdit | undefined => {
    if (living.has(TAB_LOCK + row.owner) || !ledger.isShown(row.id) || !mayEdit(row.id)) return row;
    const local = ledger.local(row.id)?.edit;
    // A value that only the host's page names is no reason: it may repeat this edit.
    const isSo = ledger.confirmed(row.id) !== undefined && ledger.settled(row.id) === row.available;
    if (local === undefined ? isSo : local.updated_at > row.updated_at) return undefined;
    return { ...row, owner, stage: 'refused', reason: UNCLAIMED };
  };
  await queue.takeIn(owners, ask);
  if (queue.owner === owner) await loader.loadQueue();
}

/** All tabs that did not know their person. */
function provisionalOwners(proxy: string): IDBKeyRange {
  const start = toJson([proxy, 'tab']).slice(0, -1);
  return IDBKeyRange.bound(`${start},`, `${start}-`, true, true);
}
