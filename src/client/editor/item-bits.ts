import { codeOf, isChanged, NONE, OFF, ON, valueIn, wishIn, type Code } from '../../domain/stand.js';
import type { FilterName } from './editor-types.js';
import type { ItemView } from '../model/item-view.js';

/**
 * All that the table keeps of an item, in sixteen bits, so that counting, filtering and bulk changes are a pass over one
 * typed array. Nothing (0): not read yet, or no row.
 */
export type Bits = number;

/** Value and wish stand as the draft has them. */
export const VALUE = 3;
export const WISH_SHIFT = 2;
/** A row, and counted. */
export const LIVE = 1 << 4;
/** The store has a word on it: its view says more than the host's entry. */
export const KNOWN = 1 << 5;
export const WAITING = 1 << 6;
export const ATTENTION = 1 << 7;
/** The value that the wish was made on. From here up a list that is only looked at has nothing. */
export const BASE_SHIFT = 8;
const CONFLICT = 1 << 10;
/** Somebody else spoke after the wish was made. */
export const MET = 1 << 11;

/** How many different bits a row can have. */
export const KINDS = 1 << 12;

export const ALL_OF_WISH = (VALUE << WISH_SHIFT) | (VALUE << BASE_SHIFT) | MET;

/** The same item with another value. One that is not what a wish was made on has met it. */
function withValue(bits: Bits, value: Code): Bits {
  const met = wishIn(bits) !== NONE && value !== NONE && value !== valueIn(bits >> BASE_SHIFT) ? MET : 0;
  return (bits & ~VALUE) | value | met;
}

/**
 * The same item with another value of the host's page. One that repeats a wish tells of nobody's word but the person's own:
 * taken for the value, it would make the wish no change, and nothing would be sent.
 */
export function withHostValue(bits: Bits, value: Code): Bits {
  return isChanged(bits) && value === wishIn(bits) ? bits & ~VALUE : withValue(bits, value);
}

/** The same item as the store sees it now. @param isChoice a person has to pick one of two values */
export function withView(bits: Bits, view: ItemView, isChoice: boolean): Bits {
  const { available, truth, writing } = view;
  // Where no edit speaks, nor one that is being written, the value is the host's. Where one that waited has been taken back,
  // the host repeats nothing.
  const valued = !truth && !writing && !(bits & WAITING) ? withHostValue : withValue;
  let next = valued(bits, codeOf(available)) & (VALUE | ALL_OF_WISH);
  if (truth === 'needs-attention') next |= isChoice ? ATTENTION | CONFLICT : ATTENTION;
  else if (writing === true || truth === 'on-device' || truth === 'received') next |= WAITING;
  return next | LIVE | KNOWN;
}

/** Two values stand against each other, whether the wish has left the page or not: a person has to pick. */
export function isConflict(bits: Bits): boolean {
  return (bits & CONFLICT) !== 0 || ((bits & MET) !== 0 && isChanged(bits) && (bits & VALUE) !== NONE);
}

/** Counts items in, or out. `FILTERS` says the same, and a call of each of them would take ten times as long. */
export function count(counts: Record<FilterName, number>, bits: Bits, by: number): void {
  if (bits === 0) return;
  counts.all += by;
  if ((bits & VALUE) === ON) counts.available += by;
  else if ((bits & VALUE) === OFF) counts.unavailable += by;
  else counts.unknown += by;
  if (isChanged(bits)) counts.changed += by;
  if ((bits & WAITING) !== 0) counts.waiting += by;
  const conflicts = isConflict(bits);
  if (conflicts || (bits & ATTENTION) !== 0) counts.attention += by;
  if (conflicts) counts.conflict += by;
}

export function noCounts(): Record<FilterName, number> {
  return { all: 0, available: 0, unavailable: 0, unknown: 0, changed: 0, waiting: 0, attention: 0, conflict: 0 };
}

/** The rows that each filter keeps, and each count counts. */
export const FILTERS: Readonly<Record<FilterName, (bits: Bits) => boolean>> = {
  all: (bits) => bits !== 0,
  available: (bits) => (bits & VALUE) === ON,
  unavailable: (bits) => (bits & VALUE) === OFF,
  unknown: (bits) => bits !== 0 && (bits & VALUE) === NONE,
  changed: isChanged,
  waiting: (bits) => (bits & WAITING) !== 0,
  attention: (bits) => (bits & ATTENTION) !== 0 || isConflict(bits),
  conflict: isConflict,
};
