import { toEditIds } from '../../domain/edit.js';
import type { ApiError } from '../api/api-error.js';
import type { ItemStates } from '../model/item-state.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import type { EditQueue } from './edit-queue.js';

/**
 * Handles a batch that the proxy rejected as a whole: its bad edits must not delay the others.
 *
 * @returns the batches to send in its place
 * @throws {ApiError} the same error, if the batch did not cause it, or if a single edit is too long: that edit waits, because
 *   only a wrong limit on the way can reject it
 */
export async function splitRejectedBatch(
  error: ApiError,
  batch: readonly QueuedEdit[],
  { queue, itemStates }: { readonly queue: EditQueue; readonly itemStates: ItemStates },
): Promise<(readonly QueuedEdit[])[]> {
  const { batchFault, code } = error;
  if (batchFault === undefined || (batchFault.kind === 'too-long' && batch.length === 1)) throw error;
  const indices = batchFault.kind === 'edits' ? batchFault.indices : [];
  const isAboutAll = batchFault.kind === 'edits' && (batch.length === 1 || code === 'permission_missing');
  const bad = new Set(isAboutAll ? batch : indices.flatMap((at) => batch[at] ?? []));
  // The proxy does not name the bad edits, so the batch is halved until they are isolated.
  if (bad.size === 0) return halvesOf(batch);
  const newest = new Map((await queue.rows()).map((row) => [row.id, row.edit_id]));
  // If a newer edit of the item waits, the rejected one needs no decision.
  const last = [...bad].filter(({ id, edit_id }) => (newest.get(id) ?? edit_id) === edit_id);
  await queue.mark(toEditIds(last), 'refused', code);
  await queue.remove(toEditIds([...bad].filter((edit) => !last.includes(edit))));
  for (const edit of last) itemStates.advance(edit, { stage: 'refused', reason: code });
  return [batch.filter((edit) => !bad.has(edit))];
}

function halvesOf(batch: readonly QueuedEdit[]): (readonly QueuedEdit[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
