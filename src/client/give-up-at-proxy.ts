import type { ItemId } from '../domain/item.js';
import { truthOf } from '../domain/truth.js';
import type { ItemLedger } from './item-ledger.js';
import type { ProxyClient } from './proxy-client.js';
import { ProxyFailure } from './proxy-failure.js';

/**
 * Gives up the newest edit of an item, which waits for a person's word at the proxy.
 *
 * @param look asks the proxy whose word counts now, before this one is gone from sight
 * @returns whether it is gone; where not, it is on its way, or there is none
 * @throws {ProxyFailure}
 */
export async function giveUpAtProxy(
  id: ItemId,
  ledger: ItemLedger,
  client: ProxyClient,
  look: () => Promise<void>,
): Promise<boolean> {
  const { edit_id, state, available } = ledger.confirmed(id) ?? {};
  if (edit_id === undefined || available === undefined || state === undefined) return false;
  if (truthOf(state) !== 'needs-attention') return false;
  const receipts = await client.discard(edit_id).catch((error: unknown) => {
    // Somebody decided before, and the receipt says how.
    if (error instanceof ProxyFailure && error.code === 'edit_settled') return client.receipts([{ edit_id }]);
    throw error;
  });
  await look();
  for (const receipt of receipts) ledger.confirmEdit({ ...receipt, available });
  return true;
}
