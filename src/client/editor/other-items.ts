import type { ItemId } from '../../domain/item.js';
import type { ItemIndex } from './editor-types.js';
import { idOf } from './host-list.js';
import type { ItemList } from './item-list.js';
import { isChanged } from './row-state.js';

/**
 * The number of unused item indexes that a list may have beyond one for each item. With more, a new list takes less
 * memory.
 */
const MAX_UNUSED = 1_000;

/**
 * Replaces the host's array by one with other items or another order, as a page may set with each response of its
 * server. Items of both arrays keep their index, and so their drafts, selection and open details.
 *
 * @param onGone called for each row that is removed, before its removal
 * @returns `false` if nothing was replaced, because a draft would be lost with its item or few items would remain
 */
export function replaceItems(table: ItemList, entries: readonly unknown[], onGone: (row: ItemIndex) => void): boolean {
  const { size } = table;
  const placed: unknown[] = new Array<unknown>(size);
  const order: ItemIndex[] = [];
  let next = 0;
  for (const entry of entries) {
    const id: unknown = idOf(entry);
    // Most items follow the same item as before, so they are found without a lookup.
    const isNext = table.at(next) !== undefined && table.idAt(next) === id;
    const itemIndex = isNext ? next : (find(table, id) ?? placed.length);
    next = itemIndex + 1;
    // Of a repeated id, the first entry counts.
    if (placed[itemIndex] !== undefined) continue;
    placed[itemIndex] = entry;
    order.push(itemIndex);
  }
  if (placed.length > 2 * order.length + MAX_UNUSED) return false;
  const withoutEntry = new Set<ItemIndex>();
  const removed: ItemIndex[] = [];
  for (let itemIndex = 0; itemIndex < size; itemIndex += 1) {
    if (placed[itemIndex] !== undefined) continue;
    const row = table.at(itemIndex);
    const isGone = row !== undefined && !row.isKnown;
    if (isGone && isChanged(row)) return false;
    if (isGone) removed.push(itemIndex);
    placed[itemIndex] = { id: table.idAt(itemIndex) };
    withoutEntry.add(itemIndex);
    order.push(itemIndex);
  }
  removed.forEach(onGone);
  table.replaceEntries(placed, withoutEntry, removed, order);
  return true;
}

function find(table: ItemList, id: unknown): ItemIndex | undefined {
  return typeof id === 'string' ? table.findItemIndex(id as ItemId) : undefined;
}
