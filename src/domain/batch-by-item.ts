import type { ItemId } from './item.js';

/**
 * Splits edits into batches that name no item twice, in the order in which they were made.
 * A batch is all or nothing at the proxy, and the order of two edits of one item has to survive it.
 */
export function batchByItem<E extends { readonly id: ItemId }>(edits: readonly E[], most: number): E[][] {
  const batches: E[][] = [];
  // Of the last batch.
  const ids = new Set<ItemId>();
  for (const edit of edits) {
    if (ids.size % most === 0 || ids.has(edit.id)) {
      batches.push([]);
      ids.clear();
    }
    batches.at(-1)?.push(edit);
    ids.add(edit.id);
  }
  return batches;
}
