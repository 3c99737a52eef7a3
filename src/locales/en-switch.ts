import type { SwitchTexts } from './dictionary.js';

/** Apart, because a plain switch needs no more of the dictionary. */
export const enSwitch: SwitchTexts = {
  available: 'Available',
  notAvailable: 'Not available',
  required: 'Switch this on to go on.',
  secretGiven: (attribute) =>
    `This element was given ${attribute}="…", which looks like a secret. A page can keep none: take it out, and change it where it is in use.`,
};
