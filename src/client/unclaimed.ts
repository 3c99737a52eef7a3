import type { ItemId } from '../domain/item.js';
import type { EditQueue } from './edit-queue.js';
import { locks } from './held-name.js';
import type { ItemLedger } from './item-ledger.js';
import { UNCLAIMED } from './item-view.js';
import type { Loader } from './loader.js';
import type { QueuedEdit } from './queue-db.js';
import { TAB_LOCK } from './queue-owner.js';

export interface UnclaimedOptions {
  readonly proxy: string;
  readonly queue: EditQueue;
  readonly ledger: ItemLedger;
  readonly loader: Loader;
  readonly mayEdit: (id: ItemId) => boolean;
}

/**
 * Edits of tabs that went before it was known who was there: a page whose network was gone while it loaded. Nobody can say
 * whose they are, so the person who is here now is asked: they are shown where they may be decided, and leave only then. What is
 * the value by now, or was wished anew at this device, needs no word, and items that are not this person's are left for somebody whose they are.
 */
export async function askAboutUnclaimed({ proxy, queue, ledger, loader, mayEdit }: UnclaimedOptions): Promise<void> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const living = new Set(held.map(({ name }) => name));
  const { owner } = queue;
  const ask = (row: QueuedEdit): QueuedEdit | undefined => {
    if (living.has(TAB_LOCK + row.owner) || !ledger.isShown(row.id) || !mayEdit(row.id)) return row;
    const local = ledger.local(row.id)?.edit;
    // Somebody has wished anew at this device since, or it is so without.
    if (local === undefined ? ledger.settled(row.id) === row.available : local.updated_at > row.updated_at)
      return undefined;
    return { ...row, owner, stage: 'refused', reason: UNCLAIMED };
  };
  await queue.takeIn(provisionalOwners(proxy), ask);
  if (queue.owner === owner) await loader.loadQueue();
}

/** All tabs that did not know their person. */
function provisionalOwners(proxy: string): IDBKeyRange {
  const start = JSON.stringify([proxy, 'tab']).slice(0, -1);
  return IDBKeyRange.bound(`${start},`, `${start}-`, true, true);
}
