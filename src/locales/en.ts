import type { Dictionary } from './dictionary.js';
import { enSwitch } from './en-switch.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

function counted(count: number, one: string, other: string): string {
  return `${number.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

export const en: Dictionary = {
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
  since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, by \u2068${by}\u2069`),
  mine: (value) => `You chose “${value}”.`,
  theirs: (value, by, ago) => `${by === undefined ? 'Somebody else' : `\u2068${by}\u2069`} chose “${value}”, ${ago}.`,
  changedBy: (by, name, value) => `\u2068${by}\u2069 set \u2068${name}\u2069 to “${value}”.`,
  changedByOthers: (count) => `Others changed ${en.total(count)}.`,
  keepMine: (value) => `Set to “${value}”`,
  takeTheirs: (value) => `Leave it “${value}”`,
  confirmQuestion: (name) => `Make “${name}” unavailable?`,
  confirmYes: 'Make unavailable',
  confirmNo: 'Keep available',
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
      case 'permission_missing':
        return 'You may not see this inventory. Ask whoever manages your account.';
      default:
        return 'The inventory service cannot be reached. Changes stay on this device; we keep trying.';
    }
  },
  signedOut: 'You are signed out. Sign in again on this page; your changes are kept on this device.',
  goodbye: 'You are signed out. Nothing of yours is kept on this device.',
  missingPart: 'This list has not loaded completely, so it cannot be changed yet. Check your connection.',
  missingProxy: 'This element needs the address of its proxy: add proxy="https://…".',
  badItem: 'This element needs the id of its item: add item="…", 1 to 200 characters, no control characters.',
  requestId: (id) => `For support: ${id}`,
  inventory: 'Inventory',
  loading: 'Loading the inventory…',
  empty: 'No items yet. Items appear here as soon as this page or the inventory service names them.',
  openCount: (count) => counted(count, 'change is not on the portal yet', 'changes are not on the portal yet'),
  nothingOpen: 'Nothing is waiting',
  readOnly: 'You may look but not change.',
  columns: { item: 'Item', group: 'Group', availability: 'Availability', status: 'Status', updated: 'Last update' },
  total: (count) => counted(count, 'item', 'items'),
  counting: 'counting…',
  selectEvery: 'Select all items that are listed',
};
