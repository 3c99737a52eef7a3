import type { ConfirmTexts, ConflictTexts, ItemTexts, ListTexts, SwitchTexts, ToggleTexts } from './dictionary.js';

/** The texts of a switch without an item. */
export const enSwitch: SwitchTexts = {
  available: 'Available',
  notAvailable: 'Not available',
  required: 'Switch this on to continue.',
};

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

function counted(count: number, one: string, other: string): string {
  return `${number.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

/**
 * The texts of every element with an item.
 *
 * @param portal its name, if the page gives one
 */
export function enItem(portal = 'the portal'): ItemTexts {
  return {
    ...enSwitch,
    notSetYet: 'Not set yet',
    checking: 'Checking…',
    notKnown: 'No connection',
    guestsSee: (value) => `Guests see now: “${value}”.`,
    asGiven: 'From your website, not confirmed yet',
    changedOnPortal: `Changed on ${portal}`,
    truth: {
      'on-device': 'Saved here, not sent yet',
      received: `Sent, ${portal} confirms soon`,
      'on-portal': `Live on ${portal}`,
      'needs-attention': 'Not accepted: you decide',
    },
    waitingForNetwork: 'Saved here. It goes out when the connection is back; keep this page open.',
    waitingForSignIn: 'Saved here. It goes out when you sign in again.',
    notSentYet: 'Saved here. Cannot be sent yet; keep this page open.',
    unsaved: 'Not saved on this device: keep this page open until it is sent.',
    tryAgain: 'Try again',
    sendAgain: 'Send again',
    justNow: 'just now',
    changedBy: (by, item, value) => `\u2068${by}\u2069 set \u2068${item}\u2069 to “${value}”.`,
    changedByOthers: (count) => `Others changed ${counted(count, 'item', 'items')}.`,
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Sent, but ${portal} cannot be reached. We keep trying.`;
        case 'portal_busy':
          return `Sent, but ${portal} is busy. We keep trying.`;
        case 'portal_error':
          return `Sent, but ${portal} has a fault. We keep trying.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Sent, but ${portal} does not accept our connection. Its operator has to look at it; your change is safe.`;
        case 'portal_confirms':
          return 'Sent, confirmation follows';
        default:
          return `Sent, ${portal} confirms soon`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Not accepted: ${portal} refused this change. Check that the item still exists there, then send it again.`;
        case 'item_unknown':
          return 'Not accepted: you may not change this item. Ask the person who manages your account.';
        case 'conflict':
          return `\u2068${you ?? 'You'}\u2069 and \u2068${other ?? 'somebody else'}\u2069 chose differently. Which one counts?`;
        case 'unclaimed':
          return 'Changed on this device before anybody was signed in. Should it count?';
        case 'permission_missing':
          return 'Not accepted: you may look at this item but not change it. Ask the person who manages your account.';
        default:
          return 'Not accepted. Send it again; if that does not help, ask for support.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'origin_refused':
          return 'This page may not show your items. The people who run it have to allow its address.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Your sign-in cannot be checked right now. Your changes are safe here; we keep trying.';
        case 'budget_spent':
          return 'That was a lot at once. The rest is safe here and goes out in a moment.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'No changes can be taken right now. Yours are safe here; we keep trying.';
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'This page is not set up correctly, so changes cannot be sent yet. They stay on this device. Please tell the people who run this page.';
        case 'not_deleted':
          return 'Your changes could not be deleted from this device, so you are still signed in. They go out when you try again or sign out.';
        case 'permission_missing':
          return 'You may not see these items. Ask the person who manages your account.';
        default:
          return 'No connection. Your changes are safe here; we keep trying.';
      }
    },
    signedOut: 'You are signed out. Sign in again on this page; your changes are safe here.',
    goodbye: 'You are signed out. Nothing of yours is kept on this device.',
    secretGiven: (attribute) =>
      `This element was given ${attribute}="…", which looks like a secret. A page can keep none: take it out, and change it where it is in use.`,
    missingProxy: 'This element needs the address of its proxy: add proxy="https://…".',
    badItem: 'This element needs the id of its item: add item="…", 1 to 200 characters, no control characters.',
    requestId: (id) => `For support: ${id}`,
    readOnly: 'You may look but not change.',
  };
}

/** The texts that only a list has. @param portal its name, if the page gives one */
export function enList(portal = 'the portal'): ListTexts {
  return {
    missingPart: 'This list has not loaded completely, so it cannot be changed yet. Check your connection.',
    triedAgain: (time) => `Tried again at ${time}.`,
    inventory: 'Availability',
    loading: 'Loading your items…',
    empty: 'No items yet. They appear here as soon as your website lists them.',
    openCount: (count) =>
      counted(count, `change is not live on ${portal} yet`, `changes are not live on ${portal} yet`),
    unsavedCount: (count) => counted(count, 'change is not saved yet', 'changes are not saved yet'),
    nothingOpen: `Everything is up to date on ${portal}`,
    nothingWaiting: 'No changes are waiting',
    columns: { item: 'Item', group: 'Group', availability: 'Availability', status: 'Status', updated: 'Last change' },
    total: (count) => counted(count, 'item', 'items'),
    leftOut: (count) => `Not shown because of faulty data from this page: ${counted(count, 'item', 'items')}`,
    counting: 'counting…',
    selectEvery: 'Select all items that are listed',
    selectItem: (name) => `Select \u2068${name}\u2069`,
  };
}

/** The texts of a toggle with an item. @param portal its name, if the page gives one */
export function enToggle(portal?: string): ToggleTexts {
  return {
    ...enItem(portal),
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, by \u2068${by}\u2069`),
  };
}

/** The question before an item becomes unavailable. */
export const enConfirm: ConfirmTexts = {
  confirmQuestion: (name) => `Make “\u2068${name}\u2069” unavailable?`,
  confirmYes: 'Make unavailable',
  confirmNo: 'Keep available',
};

/** The question in a conflict of two values. */
export const enConflict: ConflictTexts = {
  before: 'Before',
  you: 'You',
  now: 'Now',
  keepMine: (value, by = 'you') => `Set to “${value}” (\u2068${by}\u2069)`,
  takeTheirs: (value, by) => `Leave it “${value}”${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
  notDecided: 'Not done: there is no connection right now. Nothing has changed; choose again.',
};
