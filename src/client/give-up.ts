import type { ItemId } from '../domain/item.js';
import { truthOf } from '../domain/truth.js';
import type { EditQueue } from './edit-queue.js';
import type { ItemLedger } from './item-ledger.js';
import type { ProxyClient } from './proxy-client.js';
import { ProxyFailure } from './proxy-failure.js';

/**
 * Gives up the newest edit of an item, where it has not left this device or waits for a person's word at the proxy.
 *
 * @returns from where it is gone, `undefined`: it is on its way, or there is none
 * @throws {ProxyFailure}
 */
export async function giveUp(
  id: ItemId,
  ledger: ItemLedger,
  { client, queue }: { readonly client: ProxyClient; readonly queue: EditQueue },
): Promise<'here' | 'at-proxy' | undefined> {
  const local = ledger.local(id);
  if (local !== undefined) {
    if (!(await queue.discard(local.edit.edit_id))) return undefined;
    ledger.dropLocal(id, local.edit.edit_id);
    return 'here';
  }
  const { edit_id, state } = ledger.confirmed(id) ?? {};
  if (edit_id === undefined || state === undefined || truthOf(state) !== 'needs-attention') return undefined;
  try {
    await client.discard(edit_id);
  } catch (error) {
    // Somebody decided before: the listing says how.
    if (!(error instanceof ProxyFailure) || error.code !== 'edit_settled') throw error;
  }
  return 'at-proxy';
}
