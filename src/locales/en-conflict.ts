import type { ConflictTexts } from './dictionary.js';

/** Loaded with the question where two people chose two values. */
export const enConflict: ConflictTexts = {
  mine: (value) => `You chose “${value}”.`,
  theirs: (value, by, ago) => `${by === undefined ? 'Somebody else' : `\u2068${by}\u2069`} chose “${value}”, ${ago}.`,
  keepMine: (value) => `Set to “${value}”`,
  takeTheirs: (value) => `Leave it “${value}”`,
};
