import type { ItemTexts } from './dictionary.js';
import { enSwitch } from './en-switch.js';

const MISUSED = 'This element is set up wrongly.';
const SIGNED_OUT = 'You are signed out.';

/** What every element with an item says. Of reasons and mistakes only the general: `en-reasons.ts` has all. */
export const en: ItemTexts = {
  ...enSwitch,
  notSetYet: 'Not set yet',
  asGiven: 'As given by this page',
  truth: {
    'on-device': 'On this device',
    received: 'Received',
    'on-portal': 'On the portal',
    'needs-attention': 'Needs attention',
  },
  waitingForNetwork: 'waiting for a connection; keep this page open',
  waitingForSignIn: 'waiting for you to sign in again',
  unsaved: 'Not stored on this device: keep this page open until it is received',
  tryAgain: 'Try again',
  justNow: 'just now',
  changedBy: (by, name, value) => `\u2068${by}\u2069 set \u2068${name}\u2069 to “${value}”.`,
  changedByOthers: (count) => `Others changed ${count.toLocaleString('en')} items.`,
  delayed: () => 'on its way to the portal',
  attention: () => 'This change was not accepted.',
  connection: () => 'The inventory service cannot be reached. Changes stay on this device; we keep trying.',
  signedOut: SIGNED_OUT,
  goodbye: SIGNED_OUT,
  secretGiven: () => MISUSED,
  missingProxy: MISUSED,
  badItem: MISUSED,
  requestId: (id) => `For support: ${id}`,
  readOnly: 'You may look but not change.',
};
