import { isChanged, NONE, OFF, ON } from '../../domain/stand.js';
import type { FilterName } from './editor-types.js';
import { ATTENTION, isConflict, VALUE, WAITING, type Bits } from './item-bits.js';

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
