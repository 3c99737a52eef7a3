import { isChanged } from '../domain/stand.js';
import type { ItemId } from '../domain/item.js';
import type { Position } from './editor-model.js';
import { KNOWN } from './item-bits.js';
import type { ItemTable } from './item-table.js';

/** Positions that no item has any more, beside as many items; past that a table of its own takes less. */
const MOST_GONE = 1_000;

/**
 * Takes the host's next array where it has other items, or the same in another order, as pages give one with each answer of
 * their server. What is still there keeps its position, and so all that a person did to it and has open of it.
 *
 * @param onGone for a row that is none any more, before that
 * @returns `false`: nothing is taken, because a draft would go with its item, or hardly anything would stay
 */
export function takeOtherItems(
  table: ItemTable,
  entries: readonly unknown[],
  onGone: (row: Position) => void,
): boolean {
  const { size, states } = table;
  const placed: unknown[] = new Array<unknown>(size);
  const order: Position[] = [];
  for (const entry of entries) {
    const id = (entry as { readonly id?: unknown } | null | undefined)?.id;
    const known = typeof id === 'string' ? table.positionOf(id as ItemId) : undefined;
    const position = known ?? placed.length;
    // The first of a repeated id counts.
    if (placed[position] !== undefined) continue;
    placed[position] = entry;
    order.push(position);
  }
  if (placed.length > 2 * order.length + MOST_GONE) return false;
  const others = Array.from({ length: size }, (_, at) => at).filter((position) => placed[position] === undefined);
  const gone = others.filter((position) => states.at(position) !== 0 && (states.at(position) & KNOWN) === 0);
  if (gone.some((position) => isChanged(states.at(position)))) return false;
  for (const position of others) placed[position] = { id: table.idAt(position) };
  gone.forEach(onGone);
  table.take(placed, new Set(others), gone, Uint32Array.from([...order, ...others]));
  return true;
}
