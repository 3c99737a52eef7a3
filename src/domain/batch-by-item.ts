import type { ItemId } from './item.js';

/**
 * Splits edits into batches that name no item twice, in the order in which they were made.
 * A batch is all or nothing at the proxy, and the order of two edits of one item has to survive it.
 */
export function batchByItem<E extends { readonly id: ItemId }>(edits: readonly E[], most: number): E[][] {
  const batches: E[][] = [];
  let batch: E[] = [];
  let ids = new Set<ItemId>();
  for (const edit of edits) {
    if (batch.length === most || ids.has(edit.id)) {
      batches.push(batch);
      batch = [];
      ids = new Set();
    }
    batch.push(edit);
    ids.add(edit.id);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
