import { idsOf } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { EditQueue } from '../queue/edit-queue.js';
import type { ItemLedger } from '../model/item-state.js';
import { isUnsent } from '../storage/edit-table.js';

/** What it needs of a store. */
interface WithdrawingStore {
  readonly parts: { readonly ledger: ItemLedger; readonly queue: EditQueue };
}

/** Edits that leave the disk together. */
const CHUNK = 1_000;

/**
 * Takes edits back that nobody has sent: of these items nobody has told anything then, as before. The portal has no word for
 * that, so one that was sent stays.
 *
 * @returns how many are gone
 */
export async function withdraw({ parts }: WithdrawingStore, ids: readonly ItemId[]): Promise<number> {
  const { ledger, queue } = parts;
  const sent = new Set(queue.known.filter((row) => !isUnsent(row)).map(({ id }) => id));
  const edits = ids.flatMap((id) => (sent.has(id) || ledger.confirmed(id) ? [] : (ledger.local(id)?.edit ?? [])));
  let count = 0;
  for (let at = 0; at < edits.length; at += CHUNK) {
    const chunk = edits.slice(at, at + CHUNK);
    const gone = new Set(await queue.discard(idsOf(chunk)));
    for (const edit of chunk) if (gone.has(edit.edit_id)) ledger.dropLocal(edit);
    count += gone.size;
  }
  return count;
}
