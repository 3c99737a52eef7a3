import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from './edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import type { Loader } from '../sync/inventory-loader.js';
import { locks } from '../browser/tab-locks.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { TAB_LOCK, UNCLAIMED } from '../storage/queue-owner.js';

export interface UnclaimedOptions {
  readonly proxy: string;
  readonly queue: EditQueue;
  readonly ledger: ItemLedger;
  readonly loader: Loader;
  readonly mayEdit: (id: ItemId) => boolean;
}

/** Of `decisions.ts`, where it is loaded. */
interface AsksAboutUnclaimed {
  readonly askAboutUnclaimed: (owners: IDBKeyRange, options: UnclaimedOptions) => Promise<void>;
}

/** Looks for edits that nobody claims (`unclaimed.ts`). They are rare, and so is what it takes to ask about them. */
export async function findUnclaimed(options: UnclaimedOptions, load: () => Promise<AsksAboutUnclaimed>): Promise<void> {
  const owners = provisionalOwners(options.proxy);
  let isFound = false;
  await options.queue.takeIn(owners, (row) => {
    isFound = true;
    return row;
  });
  // Where it is lost, they stay as they are until the next time.
  const part = isFound ? await load().catch(() => undefined) : undefined;
  await part?.askAboutUnclaimed(owners, options);
}

/** All tabs that did not know their person. */
function provisionalOwners(proxy: string): IDBKeyRange {
  const start = JSON.stringify([proxy, 'tab']).slice(0, -1);
  return IDBKeyRange.bound(`${start},`, `${start}-`, true, true);
}

/**
 * Edits of tabs that went before it was known who was there: a page whose network was gone while it loaded. Nobody can say
 * whose they are, so the person who is here now is asked: they are shown where they may be decided, and leave only then. What is
 * the value by now, or was wished anew at this device, needs no word, and items that are not this person's are left for somebody whose they are.
 */
export async function askAboutUnclaimed(
  owners: IDBKeyRange,
  { queue, ledger, loader, mayEdit }: UnclaimedOptions,
): Promise<void> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const living = new Set(held.map(({ name }) => name));
  const { owner } = queue;
  const ask = (row: QueuedEdit): QueuedEdit | undefined => {
    if (living.has(TAB_LOCK + row.owner) || !ledger.isShown(row.id) || !mayEdit(row.id)) return row;
    const local = ledger.local(row.id)?.edit;
    // Somebody has wished anew at this device since, or it is so without. That the host's page says so is no reason: it may
    // only repeat this wish.
    const isSo = ledger.confirmed(row.id) !== undefined && ledger.settled(row.id) === row.available;
    if (local === undefined ? isSo : local.updated_at > row.updated_at) return undefined;
    return { ...row, owner, stage: 'refused', reason: UNCLAIMED };
  };
  await queue.takeIn(owners, ask);
  if (queue.owner === owner) await loader.loadQueue();
}
