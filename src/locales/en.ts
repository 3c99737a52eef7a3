import type {
  ConfirmTexts,
  ConflictTexts,
  ItemTexts,
  ListTexts,
  MisuseTexts,
  Reasons,
  SwitchTexts,
  ToggleTexts,
} from './dictionary.js';

/** What a plain switch says. */
export const enSwitch: SwitchTexts = {
  available: 'Available',
  notAvailable: 'Not available',
  required: 'Switch this on to go on.',
};

const MISUSED = 'This element is set up wrongly.';
const SIGNED_OUT = 'You are signed out.';

/** What every element with an item says. Of reasons and mistakes only the general ones: `enReasons` has all. */
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
  notSentYet: 'cannot be sent yet; keep this page open',
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

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

function counted(count: number, one: string, other: string): string {
  return `${number.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

/** What a list says, and a toggle never does. */
export const enList: ListTexts = {
  missingPart: 'This list has not loaded completely, so it cannot be changed yet. Check your connection.',
  triedAgain: (time) => `Tried again at ${time}.`,
  inventory: 'Inventory',
  loading: 'Loading the inventory…',
  empty: 'No items yet. Items appear here as soon as this page or the inventory service names them.',
  openCount: (count) => counted(count, 'change is not on the portal yet', 'changes are not on the portal yet'),
  nothingOpen: 'Nothing is waiting',
  columns: { item: 'Item', group: 'Group', availability: 'Availability', status: 'Status', updated: 'Last update' },
  total: (count) => counted(count, 'item', 'items'),
  leftOut: (count) => `Not shown because of faulty data from this page: ${counted(count, 'item', 'items')}`,
  counting: 'counting…',
  selectEvery: 'Select all items that are listed',
};

/** What a toggle with an item says. */
export const enToggle: ToggleTexts = {
  ...en,
  since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, by \u2068${by}\u2069`),
};

/** Why something waits or was refused, or what is wrong with the page. */
export const enReasons: Reasons & MisuseTexts = {
  secretGiven: (attribute) =>
    `This element was given ${attribute}="…", which looks like a secret. A page can keep none: take it out, and change it where it is in use.`,
  missingProxy: 'This element needs the address of its proxy: add proxy="https://…".',
  badItem: 'This element needs the id of its item: add item="…", 1 to 200 characters, no control characters.',
  delayed(reason) {
    switch (reason) {
      case 'portal_unreachable':
        return 'the portal cannot be reached; we keep trying';
      case 'portal_busy':
        return 'the portal is busy; we keep trying';
      case 'portal_error':
        return 'the portal has a fault; we keep trying';
      case 'portal_credentials':
      case 'portal_refuses':
      case 'portal_unreadable':
        return 'the portal does not accept our connection; the operator has to look at it';
      case 'portal_confirms':
        return 'sent, confirmation follows';
      default:
        return 'on its way to the portal';
    }
  },
  attention(reason) {
    switch (reason) {
      case 'item_refused':
        return 'The portal refused this change. Check that the item still exists there, then try again.';
      case 'item_unknown':
        return 'You may not change this item. Ask whoever manages your account.';
      case 'conflict':
        return 'Somebody else changed this item before your change arrived. Which one should count?';
      case 'unclaimed':
        return 'Changed on this device before anybody was signed in. Should that count?';
      case 'permission_missing':
        return 'You may look at this item but not change it. Ask whoever manages your account.';
      default:
        return 'This change was not accepted. Try again; if that does not help, ask for support.';
    }
  },
  connection(problem) {
    switch (problem) {
      case 'token_refused':
      case 'session_missing':
      case 'session_unreadable':
      case 'page_blocked':
        return 'This page is not set up correctly, so changes cannot be sent yet. They stay on this device. Please tell whoever runs this page.';
      case 'origin_refused':
        return 'This page may not use the inventory service. Its operator has to allow this address.';
      case 'session_unreachable':
      case 'session_unverifiable':
        return 'Your sign-in cannot be checked right now. Changes stay on this device; we keep trying.';
      case 'budget_spent':
        return 'That was a lot at once. The rest stays on this device and goes out in a moment.';
      case 'overloaded':
      case 'storage_unavailable':
        return 'The inventory service cannot store changes right now. They stay on this device; we keep trying.';
      case 'not_deleted':
        return 'Your changes could not be deleted from this device, so you are still signed in. They go out when you try again or sign out.';
      case 'permission_missing':
        return 'You may not see this inventory. Ask whoever manages your account.';
      default:
        return 'The inventory service cannot be reached. Changes stay on this device; we keep trying.';
    }
  },
  signedOut: 'You are signed out. Sign in again on this page; your changes are kept on this device.',
  goodbye: 'You are signed out. Nothing of yours is kept on this device.',
};

/** The question before an item goes unavailable. */
export const enConfirm: ConfirmTexts = {
  confirmQuestion: (name) => `Make “\u2068${name}\u2069” unavailable?`,
  confirmYes: 'Make unavailable',
  confirmNo: 'Keep available',
};

/** The question where two people chose two values. */
export const enConflict: ConflictTexts = {
  before: 'Before',
  you: 'You',
  now: 'Now',
  keepMine: (value) => `Set to “${value}”`,
  takeTheirs: (value) => `Leave it “${value}”`,
  notDecided: 'Not done: the inventory service cannot be asked now. Nothing has changed; choose again.',
};
