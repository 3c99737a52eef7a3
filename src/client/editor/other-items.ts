import type { ItemId } from '../../domain/item.js';
import type { Position } from './editor-types.js';
import { idOf } from './host-list.js';
import type { ItemList } from './item-list.js';
import { isChanged } from './row-state.js';

/**
 * The number of unused positions that a list may have beyond one for each item. With more, a new list takes less
 * memory.
 */
const MAX_UNUSED = 1_000;

/**
 * Replaces the host's array by one with other items or another order, as a page may set with each response of its
 * server. Items of both arrays keep their position, and so their drafts, selection and open details.
 *
 * @param onGone called for each row that is removed, before its removal
 * @returns `false` if nothing was replaced, because a draft would be lost with its item or few items would remain
 */
export function replaceItems(table: ItemList, entries: readonly unknown[], onGone: (row: Position) => void): boolean {
  const { size } = table;
  const placed: unknown[] = new Array<unknown>(size);
  const order: Position[] = [];
  let next = 0;
  for (const entry of entries) {
    const id: unknown = idOf(entry);
    // Most items follow the same item as before, so they are found without a lookup.
    const isNext = table.at(next) !== undefined && table.idAt(next) === id;
    const position = isNext ? next : (find(table, id) ?? placed.length);
    next = position + 1;
    // Of a repeated id, the first entry counts.
    if (placed[position] !== undefined) continue;
    placed[position] = entry;
    order.push(position);
  }
  if (placed.length > 2 * order.length + MAX_UNUSED) return false;
  const withoutEntry = new Set<Position>();
  const removed: Position[] = [];
  for (let position = 0; position < size; position += 1) {
    if (placed[position] !== undefined) continue;
    const row = table.at(position);
    const isGone = row !== undefined && !row.isKnown;
    if (isGone && isChanged(row)) return false;
    if (isGone) removed.push(position);
    placed[position] = { id: table.idAt(position) };
    withoutEntry.add(position);
    order.push(position);
  }
  removed.forEach(onGone);
  table.replaceEntries(placed, withoutEntry, removed, order);
  return true;
}

function find(table: ItemList, id: unknown): Position | undefined {
  return typeof id === 'string' ? table.positionOf(id as ItemId) : undefined;
}
