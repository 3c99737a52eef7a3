import type { FilterName, RowView } from './editor-model.js';

/**
 * All that the table keeps of an item, in sixteen bits, so that counting, filtering and bulk changes are a pass over one
 * typed array. Nothing (0): not read yet, or no row.
 */
export type Bits = number;

/** A value in two bits. As a wish, `NONE` is no wish; as a value, nobody has told us. */
export type Code = 0 | 1 | 2;
export const NONE = 0;
export const OFF = 1;
export const ON = 2;

/** The store's value stands in the lowest two bits; above it the wish, and the value that stood there when it was made. */
export const VALUE = 3;
export const WISH_SHIFT = 2;
export const BASE_SHIFT = 4;
const WAITING = 1 << 6;
const ATTENTION = 1 << 7;
const CONFLICT = 1 << 8;
/** Somebody else spoke after the wish was made. */
export const MET = 1 << 9;
/** A row, and counted. */
export const LIVE = 1 << 10;

const ALL_OF_WISH = (VALUE << WISH_SHIFT) | (VALUE << BASE_SHIFT) | MET;

export function codeOf(available: boolean | null | undefined): Code {
  return available === true ? ON : available === false ? OFF : NONE;
}

export function valueOf(code: Bits): boolean | undefined {
  return (code & VALUE) === NONE ? undefined : (code & VALUE) === ON;
}

export function wishOf(bits: Bits): Code {
  return ((bits >> WISH_SHIFT) & VALUE) as Code;
}

/** Whether a wish differs from the store's value: only then it is shown and sent. */
export function isChanged(bits: Bits): boolean {
  const wish = wishOf(bits);
  return wish !== NONE && wish !== (bits & VALUE);
}

/** What the person sees: the wish, else the value. */
export function shownCode(bits: Bits): Code {
  return (wishOf(bits) || bits & VALUE) as Code;
}

/** The same item with another wish; one that equals the value is none. */
export function withWish(bits: Bits, wish: Code): Bits {
  if (wish === NONE || wish === (bits & VALUE)) return bits & ~ALL_OF_WISH;
  const base = wishOf(bits) === NONE ? (bits & VALUE) << BASE_SHIFT : bits & (VALUE << BASE_SHIFT);
  return (bits & ~((VALUE << WISH_SHIFT) | (VALUE << BASE_SHIFT))) | (wish << WISH_SHIFT) | base;
}

/** The same item as the store sees it now. A value that moves below a wish has met it. */
export function withView(bits: Bits, { available, truth, writing, reason }: RowView): Bits {
  const value = codeOf(available);
  let next = LIVE | value | (bits & ALL_OF_WISH);
  if (wishOf(bits) !== NONE && value !== (bits & VALUE)) next |= MET;
  if (truth === 'needs-attention') next |= reason === 'conflict' ? ATTENTION | CONFLICT : ATTENTION;
  else if (writing === true || truth === 'on-device' || truth === 'received') next |= WAITING;
  return next;
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

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
