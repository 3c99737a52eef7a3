import { isChanged, valueIn } from '../../domain/stand.js';
import type { Position, SortName } from './editor-types.js';
import { foldText } from './fold-text.js';
import { STEP } from '../browser/idle-work.js';
import { FILTERS, type Bits } from './item-bits.js';
import type { ItemTable } from './item-table.js';

type Key = string | number;

/**
 * All rows by one of their facts; rows with the same one stay in the host's order. A merge sort, because it can stop anywhere
 * and go on in the next slice.
 */
export function* sortedRows(table: ItemTable, sort: SortName): Generator<void, readonly Position[]> {
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

const KEYS: Readonly<Record<SortName, (table: ItemTable, position: Position) => Key>> = {
  given: () => 0,
  label: (table, position) => {
    const label = table.facts(position)?.label;
    return toNaturalKey(typeof label === 'string' ? label : (table.idAt(position) ?? ''));
  },
  id: (table, position) => toNaturalKey(table.idAt(position) ?? ''),
  state: (table, position) => urgency(table.states.at(position)),
  // The newest first; rows without a time come last.
  'changed-at': (table, position) => {
    const facts = table.facts(position);
    return -(Date.parse(String(facts?.settled_at ?? facts?.updated_at)) || 0);
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
function urgency(bits: Bits): number {
  if (FILTERS.conflict(bits)) return 0;
  if (FILTERS.attention(bits)) return 1;
  if (isChanged(bits)) return 2;
  return FILTERS.waiting(bits) ? 3 : 4 + valueIn(bits);
}
