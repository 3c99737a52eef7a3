import { toEditIds } from '../../domain/edit.js';
import type { ApiError } from '../api/api-error.js';
import type { ItemLedger } from '../model/item-state.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import type { EditQueue } from './edit-queue.js';

/**
 * What becomes of a batch that was rejected: nothing of it was stored, and its bad edits must not hold up the others.
 *
 * @returns the batches to send in its place
 * @throws {ApiError} the error itself, where it is not about the batch, or where a single edit is too long: that one waits,
 * since no setting means that
 */
export async function sortOut(
  error: ApiError,
  batch: readonly QueuedEdit[],
  { queue, ledger }: { readonly queue: EditQueue; readonly ledger: ItemLedger },
): Promise<(readonly QueuedEdit[])[]> {
  const { batchFault, code } = error;
  if (batchFault === undefined || (batchFault.kind === 'too-long' && batch.length === 1)) throw error;
  const places = batchFault.kind === 'edits' ? batchFault.places : [];
  const isAboutAll = batchFault.kind === 'edits' && (batch.length === 1 || code === 'permission_missing');
  const bad = new Set(isAboutAll ? batch : places.flatMap((at) => batch[at] ?? []));
  // The proxy does not say which: until each stands alone.
  if (bad.size === 0) return halvesOf(batch);
  const newest = new Map((await queue.rows()).map((row) => [row.id, row.edit_id]));
  // Where a newer edit of the item waits behind it, nothing is left to decide about this one.
  const last = [...bad].filter(({ id, edit_id }) => (newest.get(id) ?? edit_id) === edit_id);
  await queue.mark(toEditIds(last), 'refused', code);
  await queue.remove(toEditIds([...bad].filter((edit) => !last.includes(edit))));
  for (const edit of last) ledger.advance(edit, { stage: 'refused', reason: code });
  return [batch.filter((edit) => !bad.has(edit))];
}

function halvesOf(batch: readonly QueuedEdit[]): (readonly QueuedEdit[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
