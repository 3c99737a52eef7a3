import type { Position, SortName } from './editor-types.js';
import { foldText } from './fold-text.js';
import { STEP } from '../browser/next-frame.js';
import type { ItemList } from './item-list.js';
import { FILTERS, isChanged, type RowState } from './row-state.js';

type Key = string | number;

/**
 * All rows by one of their facts; rows with the same one stay in the host's order. A merge sort, because it can stop anywhere
 * and go on in the next slice.
 */
export function* sortedRows(table: ItemList, sort: SortName): Generator<void, readonly Position[]> {
  const keyOf = KEYS[sort];
  const keys: Key[] = [];
  for (let position = 0; position < table.size; position += 1) {
    keys.push(table.isRow(position) ? keyOf(table, position) : '');
    if (position % STEP === STEP - 1) yield;
  }
  const isBefore = (a: Position, b: Position): boolean => (keys[a] ?? '') < (keys[b] ?? '');
  const { order } = table;
  let rows: Position[] = [];
  for (let place = 0; place < order.length; place += 1) rows.push(order.at(place) ?? 0);
  for (let width = 1; width < rows.length; width *= 2) {
    const merged: Position[] = [];
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length);
      const end = Math.min(start + 2 * width, rows.length);
      for (let left = start, right = middle; left < middle || right < end;) {
        const [leftRow = 0, rightRow = 0] = [rows[left], rows[right]];
        const takesRight = left >= middle || (right < end && isBefore(rightRow, leftRow));
        merged.push(takesRight ? rightRow : leftRow);
        if (takesRight) right += 1;
        else left += 1;
        if (merged.length % (4 * STEP) === 0) yield;
      }
    }
    rows = merged;
  }
  return rows;
}

const KEYS: Readonly<Record<SortName, (table: ItemList, position: Position) => Key>> = {
  given: () => 0,
  label: (table, position) => {
    return toNaturalKey(table.facts(position)?.label ?? table.idAt(position) ?? '');
  },
  id: (table, position) => toNaturalKey(table.idAt(position) ?? ''),
  state: (table, position) => urgency(table.at(position)),
  // The newest first; rows without a time come last.
  'changed-at': (table, position) => {
    const facts = table.facts(position);
    const settled = facts !== undefined && 'settled_at' in facts ? facts.settled_at : undefined;
    return -(Date.parse(settled ?? facts?.updated_at ?? '') || 0);
  },
};

/** Numbers inside a text sort by their size: each is preceded by its length. */
function toNaturalKey(text: string): string {
  return foldText(text).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(0x30 + number.length) + number;
  });
}

/** What a person has to look at comes first. */
function urgency(row: RowState | undefined): number {
  if (row === undefined) return 9;
  if (FILTERS.conflict(row)) return 0;
  if (FILTERS.attention(row)) return 1;
  if (isChanged(row)) return 2;
  if (row.isWaiting) return 3;
  return row.value === undefined ? 4 : row.value ? 6 : 5;
}
