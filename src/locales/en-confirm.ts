import type { ConfirmTexts } from './dictionary.js';

/** Loaded with the question. */
export const enConfirm: ConfirmTexts = {
  confirmQuestion: (name) => `Make “\u2068${name}\u2069” unavailable?`,
  confirmYes: 'Make unavailable',
  confirmNo: 'Keep available',
};
