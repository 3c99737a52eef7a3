import type { ToggleTexts } from './dictionary.js';
import { en } from './en.js';

/** What a toggle with an item says. */
export const enToggle: ToggleTexts = {
  ...en,
  since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, by \u2068${by}\u2069`),
};
