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
  const known = ledger.confirmed(id);
  if (known?.edit_id === undefined || truthOf(known.state) !== 'needs-attention') return false;
  try {
    await client.ask(`v1/edits/${known.edit_id}/discard`, { method: 'POST', json: {} });
  } catch (error) {
    // Somebody decided before: the listing says how.
    if (!(error instanceof ProxyFailure) || error.code !== 'edit_settled') throw error;
  }
  await look();
  // The listing names it no more, and no other word on the item.
  if (ledger.confirmed(id) === known) ledger.confirmEdit({ ...known, state: 'discarded' });
  return true;
}
