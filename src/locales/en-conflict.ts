import type { ConflictTexts } from './dictionary.js';

/** Loaded with the question where two people chose two values. */
export const enConflict: ConflictTexts = {
  before: 'Before',
  you: 'You',
  now: 'Now',
  keepMine: (value) => `Set to “${value}”`,
  takeTheirs: (value) => `Leave it “${value}”`,
  notDecided: 'Not done: the inventory service cannot be asked now. Nothing has changed; choose again.',
};
