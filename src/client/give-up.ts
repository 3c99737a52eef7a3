import type { ItemId } from '../domain/item.js';
import type { EditQueue } from './edit-queue.js';
import type { ItemLedger } from './item-ledger.js';
import type { ProxyClient } from './proxy-client.js';
import { loadAfterLoad } from './sender.js';

/**
 * Gives up the newest edit of an item, where it has not left this device or waits for a person's word at the proxy.
 *
 * @param look asks the proxy whose word counts now
 * @returns whether it is gone; where not, it is on its way, or there is none
 * @throws {ProxyFailure}
 */
export async function giveUp(
  id: ItemId,
  ledger: ItemLedger,
  { client, queue }: { readonly client: ProxyClient; readonly queue: EditQueue },
  look: () => Promise<void>,
): Promise<boolean> {
  const edit = ledger.local(id)?.edit.edit_id;
  if (edit === undefined) {
    const part = await loadAfterLoad().catch(() => undefined);
    return part?.giveUpAtProxy(id, ledger, client, look) ?? false;
  }
  const gone = await queue.discard(edit);
  if (gone) ledger.dropLocal(id, edit);
  return gone;
}
