import type { ItemIndex, SortName } from '../editor-types.js';
import { foldText } from '../fold-text.js';
import { STEP } from '../../browser/next-frame.js';
import type { ItemList } from '../item-list.js';
import { FILTERS, isChanged, type RowState, shownValue } from '../row-state.js';

/** `undefined`: the row has nothing to sort by. */
type Key = string | number | undefined;

/**
 * Sorts all rows by one of their fields. Rows with equal keys stay in the host's order, in both directions. It is a
 * merge sort, because that can pause anywhere and continue in the next slice.
 */
export function* sortedRows(
  table: ItemList,
  sort: SortName,
  isReversed = false,
): Generator<void, readonly ItemIndex[]> {
  const keyOf = KEYS[sort];
  const keys: Key[] = [];
  for (let itemIndex = 0; itemIndex < table.size; itemIndex += 1) {
    keys.push(table.isRow(itemIndex) ? keyOf(table, itemIndex) : undefined);
    if (itemIndex % STEP === STEP - 1) yield;
  }
  const isBefore = (a: ItemIndex, b: ItemIndex): boolean => isKeyBefore(keys[a], keys[b], isReversed);
  const { order } = table;
  let rows: ItemIndex[] = [];
  for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1) rows.push(order.at(viewIndex) ?? 0);
  for (let width = 1; width < rows.length; width *= 2) {
    const merged: ItemIndex[] = [];
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

/** A row without a key comes last, in both directions. */
export function isKeyBefore(one: Key, other: Key, isReversed = false): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return isReversed ? one > other : one < other;
}

/** The name of an item's group; empty if it has none. */
export function groupOf(table: ItemList, itemIndex: ItemIndex): string {
  return table.facts(itemIndex)?.group?.trim() ?? '';
}

/**
 * The sort key of a group. Names that differ only in case or accents are different groups, and their rows do not mix.
 */
export function groupKey(name: string): Key {
  return name === '' ? undefined : `${toNaturalKey(name)}\n${name}`;
}

const KEYS: Readonly<Record<SortName, (table: ItemList, itemIndex: ItemIndex) => Key>> = {
  given: () => 0,
  label: (table, itemIndex) => {
    return toNaturalKey(table.facts(itemIndex)?.label ?? table.idAt(itemIndex) ?? '');
  },
  id: (table, itemIndex) => toNaturalKey(table.idAt(itemIndex) ?? ''),
  group: (table, itemIndex) => groupKey(groupOf(table, itemIndex)),
  // The shown value, drafts included.
  value: (table, itemIndex) => {
    const row = table.at(itemIndex);
    const value = row && shownValue(row);
    return value === undefined ? undefined : value ? 0 : 1;
  },
  state: (table, itemIndex) => urgency(table.at(itemIndex)),
  // The newest first.
  'changed-at': (table, itemIndex) => {
    const facts = table.facts(itemIndex);
    const settled = facts !== undefined && 'settled_at' in facts ? facts.settled_at : undefined;
    return -Date.parse(settled ?? facts?.updated_at ?? '') || undefined;
  },
};

/** Puts the length of each number before it, so that numbers sort by value. */
function toNaturalKey(text: string): string {
  return foldText(text).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(0x30 + number.length) + number;
  });
}

/** Rows that need a person's attention come first. */
function urgency(row: RowState | undefined): number {
  if (row === undefined) return 9;
  if (FILTERS.conflict(row)) return 0;
  if (FILTERS.attention(row)) return 1;
  if (isChanged(row)) return 2;
  if (row.isWaiting) return 3;
  return row.value === undefined ? 4 : row.value ? 6 : 5;
}
