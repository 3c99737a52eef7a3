import { count, KINDS, type Bits } from './item-bits.js';
import type { ItemStates, StatesOfAll } from './item-states.js';

/**
 * What all rows would be with many of them changed, in one pass. What becomes of a row depends on its bits alone: it is found
 * out and counted once for all rows that have the same.
 */
export function changedStates(states: ItemStates, rows: Uint32Array, next: (bits: Bits) => Bits): StatesOfAll {
  const bits = new Uint16Array(states.bits);
  const counts = { ...states.counts };
  const after = new Int32Array(KINDS).fill(-1);
  const rowsOf = new Uint32Array(KINDS);
  for (let at = 0; at < rows.length; at += 1) {
    const position = rows[at] ?? 0;
    const before = bits[position] ?? 0;
    let now = after[before] ?? 0;
    if (now < 0) now = after[before] = next(before);
    rowsOf[before] = (rowsOf[before] ?? 0) + 1;
    bits[position] = now;
  }
  rowsOf.forEach((length, before) => {
    if (length === 0) return;
    count(counts, before, -length);
    count(counts, after[before] ?? 0, length);
  });
  return { bits, counts };
}
