import type { ConfirmTexts } from './dictionary.js';

/** Loaded with the question. */
export const enConfirm: ConfirmTexts = {
  confirmQuestion: (name) => `Make “${name}” unavailable?`,
  confirmYes: 'Make unavailable',
  confirmNo: 'Keep available',
};
