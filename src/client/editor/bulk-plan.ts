import { BitSet } from '../../domain/bit-set.js';
import { perRow, type PerRow } from '../../domain/draft.js';
import { isChanged, shownIn, STAND, type Code } from '../../domain/stand.js';
import { changedStates } from './changed-states.js';
import type { BulkPreview } from './editor-types.js';
import type { StatesOfAll } from './item-states.js';
import type { ItemTable } from './item-table.js';
import { withWish } from './with-wish.js';

/** Everything that setting many rows to one value comes to: the press that does it only has to take it. */
export interface BulkPlan {
  readonly preview: BulkPreview;
  /** Those that would get another value. */
  readonly rows: BitSet;
  /** Of these, the ones that nobody has a wish for. */
  readonly fresh: BitSet;
  /** Where each of them stands. */
  readonly before: PerRow;
  /** All rows, as they would be then. */
  readonly after: StatesOfAll;
}

/**
 * Two passes over typed arrays that call hardly anything: a browser runs them a few times in its life, and never fast.
 *
 * @param selected is written over
 * @param wish what would be noted of each; nothing where the edits are sent at once
 */
export function planBulk(table: ItemTable, selected: Uint32Array, code: Code, wish: Code): BulkPlan {
  const { states, store, size } = table;
  const { bits } = states;
  const mayEditAll = store.mayEdit();
  const before = new Uint8Array(selected.length);
  const rows = new Uint32Array((size >>> 5) + 1);
  const fresh = new Uint32Array(rows.length);
  let change = 0;
  let same = 0;
  let freshCount = 0;
  for (let at = 0; at < selected.length; at += 1) {
    const position = selected[at] ?? 0;
    const stand = (bits[position] ?? 0) & STAND;
    if (shownIn(stand) === code) same += 1;
    else if (mayEditAll || store.mayEdit(table.idAt(position))) {
      const word = position >>> 5;
      const bit = 1 << (position & 31);
      rows[word] = (rows[word] ?? 0) | bit;
      if (!isChanged(stand)) {
        fresh[word] = (fresh[word] ?? 0) | bit;
        freshCount += 1;
      }
      before[change] = stand;
      selected[change++] = position;
    }
  }
  return {
    preview: { change, same, locked: selected.length - change - same },
    rows: new BitSet(rows, change),
    fresh: new BitSet(fresh, freshCount),
    before: perRow(before.slice(0, change)),
    after: changedStates(states, selected.subarray(0, change), (row) => withWish(row, wish)),
  };
}
