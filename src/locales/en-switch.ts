import type { SwitchTexts } from './dictionary.js';

/** Apart, because a plain switch needs no more of the dictionary. */
export const enSwitch: SwitchTexts = {
  available: 'Available',
  notAvailable: 'Not available',
  required: 'Switch this on to go on.',
};
