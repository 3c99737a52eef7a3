import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from './edit-queue.js';
import type { ItemStates } from '../model/item-state.js';
import type { InventoryLoader } from '../sync/inventory-loader.js';
import { locks } from '../browser/tab-locks.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { TAB_LOCK, UNCLAIMED } from '../storage/queue-owner.js';
import { toJson } from '../to-json.js';

export interface OrphanedEditsOptions {
  readonly proxy: string;
  readonly queue: EditQueue;
  readonly itemStates: ItemStates;
  readonly loader: InventoryLoader;
  readonly canEdit: (id: ItemId) => boolean;
}

/**
 * Finds edits of tabs that closed before their person was known, because the network failed while the page loaded. Their
 * person cannot be determined, so the person who is signed in decides: the edits are shown with both values, and are sent
 * only after that. An edit needs no decision if its value is the current one, or if this device has a newer edit of the
 * item. Edits of items that this person may not edit are left for another person.
 */
export async function findOrphanedEdits({
  proxy,
  queue,
  itemStates,
  loader,
  canEdit,
}: OrphanedEditsOptions): Promise<void> {
  const owners = rangeOfTabs(proxy);
  let isFound = false;
  await queue.changeOthers(owners, (row) => {
    isFound = true;
    return row;
  });
  if (!isFound) return;
  const { held = [] } = (await locks()?.query()) ?? {};
  const openTabs = new Set(held.map(({ name }) => name));
  const { owner } = queue;
  const claim = (row: QueuedEdit): QueuedEdit | undefined => {
    if (openTabs.has(TAB_LOCK + row.owner) || !itemStates.isShown(row.id) || !canEdit(row.id)) return row;
    const local = itemStates.local(row.id)?.edit;
    // A value that only the host's page has does not count: the page may repeat this very edit.
    const isCurrent = itemStates.confirmed(row.id) !== undefined && itemStates.settled(row.id) === row.available;
    if (local === undefined ? isCurrent : local.updated_at > row.updated_at) return undefined;
    return { ...row, owner, stage: 'refused', reason: UNCLAIMED };
  };
  await queue.changeOthers(owners, claim);
  if (queue.owner === owner) await loader.loadQueue();
}

/** The range of all owners that are tabs with an unknown person. */
function rangeOfTabs(proxy: string): IDBKeyRange {
  const start = toJson([proxy, 'tab']).slice(0, -1);
  return IDBKeyRange.bound(`${start},`, `${start}-`, true, true);
}
