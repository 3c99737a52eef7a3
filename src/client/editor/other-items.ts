import type { ItemId } from '../../domain/item.js';
import type { Position } from './editor-types.js';
import { idOf } from './host-list.js';
import type { ItemList } from './item-list.js';
import { isChanged } from './row-state.js';

/** Positions that no item has any more, beside as many items; past that a table of its own takes less. */
const MOST_GONE = 1_000;

/**
 * Takes the host's next array where it has other items, or the same in another order, as pages give one with each answer of
 * their server. What is still there keeps its position, and so all that a person did to it and has open of it.
 *
 * @param onGone for a row that is none any more, before that
 * @returns `false`: nothing is taken, because a draft would go with its item, or hardly anything would stay
 */
export function takeOtherItems(table: ItemList, entries: readonly unknown[], onGone: (row: Position) => void): boolean {
  const { size } = table;
  const placed: unknown[] = new Array<unknown>(size);
  const order: Position[] = [];
  let next = 0;
  for (const entry of entries) {
    const id: unknown = idOf(entry);
    // Most of them stand behind the one that they stood behind before, and need not be looked for.
    const isNext = table.at(next) !== undefined && table.idAt(next) === id;
    const position = isNext ? next : (find(table, id) ?? placed.length);
    next = position + 1;
    // The first of a repeated id counts.
    if (placed[position] !== undefined) continue;
    placed[position] = entry;
    order.push(position);
  }
  if (placed.length > 2 * order.length + MOST_GONE) return false;
  const leftOut = new Set<Position>();
  const gone: Position[] = [];
  for (let position = 0; position < size; position += 1) {
    if (placed[position] !== undefined) continue;
    const row = table.at(position);
    const isGone = row !== undefined && !row.isKnown;
    if (isGone && isChanged(row)) return false;
    if (isGone) gone.push(position);
    placed[position] = { id: table.idAt(position) };
    leftOut.add(position);
    order.push(position);
  }
  gone.forEach(onGone);
  table.take(placed, leftOut, gone, order);
  return true;
}

function find(table: ItemList, id: unknown): Position | undefined {
  return typeof id === 'string' ? table.positionOf(id as ItemId) : undefined;
}
