import { codeOf, isChanged, NONE, OFF, ON, wishIn, type Code } from '../domain/stand.js';
import type { FilterName } from './editor-model.js';
import type { ItemView } from './item-view.js';

/**
 * All that the table keeps of an item, in sixteen bits, so that counting, filtering and bulk changes are a pass over one
 * typed array. Nothing (0): not read yet, or no row.
 */
export type Bits = number;

/** Value and wish stand as the draft has them; above them the value that the wish was made on. */
export const VALUE = 3;
const WISH_SHIFT = 2;
export const BASE_SHIFT = 4;
const WAITING = 1 << 6;
const ATTENTION = 1 << 7;
const CONFLICT = 1 << 8;
/** Somebody else spoke after the wish was made. */
export const MET = 1 << 9;
/** A row, and counted. */
export const LIVE = 1 << 10;
/** The store has a word on it: its view says more than the host's entry. */
export const KNOWN = 1 << 11;

const ALL_OF_WISH = (VALUE << WISH_SHIFT) | (VALUE << BASE_SHIFT) | MET;

/** The same item with another wish; one that equals the value is none. */
export function withWish(bits: Bits, wish: Code): Bits {
  const bare = bits & ~ALL_OF_WISH;
  if (wish === NONE || wish === (bits & VALUE)) return bare;
  // A wish that is only turned round still stands on what the person saw when it was made.
  const base = isChanged(bits) ? bits & ((VALUE << BASE_SHIFT) | MET) : (bits & VALUE) << BASE_SHIFT;
  return bare | (wish << WISH_SHIFT) | base;
}

/** The same item with another value. One that moves below a wish has met it. */
export function withValue(bits: Bits, value: Code): Bits {
  const met = wishIn(bits) !== NONE && value !== (bits & VALUE) ? MET : 0;
  return (bits & ~VALUE) | value | met;
}

/** The same item as the store sees it now. */
export function withView(bits: Bits, { available, truth, writing, reason }: ItemView): Bits {
  let next = withValue(bits, codeOf(available)) & (VALUE | ALL_OF_WISH);
  if (truth === 'needs-attention') next |= reason === 'conflict' ? ATTENTION | CONFLICT : ATTENTION;
  else if (writing === true || truth === 'on-device' || truth === 'received') next |= WAITING;
  return next | LIVE | KNOWN;
}

/** The rows that each filter keeps, and each count counts. */
export const FILTERS: Readonly<Record<FilterName, (bits: Bits) => boolean>> = {
  all: (bits) => bits !== 0,
  available: (bits) => (bits & VALUE) === ON,
  unavailable: (bits) => (bits & VALUE) === OFF,
  unknown: (bits) => bits !== 0 && (bits & VALUE) === NONE,
  changed: isChanged,
  waiting: (bits) => (bits & WAITING) !== 0,
  attention: (bits) => (bits & ATTENTION) !== 0,
  conflict: (bits) => (bits & CONFLICT) !== 0,
};

/** Counts one item in, or out. The filters say the same, and one call for each of them would take ten times as long. */
export function count(counts: Record<FilterName, number>, bits: Bits, by: 1 | -1): void {
  if (bits === 0) return;
  counts.all += by;
  if ((bits & VALUE) === ON) counts.available += by;
  else if ((bits & VALUE) === OFF) counts.unavailable += by;
  else counts.unknown += by;
  if (isChanged(bits)) counts.changed += by;
  if ((bits & WAITING) !== 0) counts.waiting += by;
  if ((bits & ATTENTION) !== 0) counts.attention += by;
  if ((bits & CONFLICT) !== 0) counts.conflict += by;
}

export function noCounts(): Record<FilterName, number> {
  return { all: 0, available: 0, unavailable: 0, unknown: 0, changed: 0, waiting: 0, attention: 0, conflict: 0 };
}
