import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from './edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import type { Loader } from '../sync/inventory-loader.js';

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
