import type { EditorDictionary } from './dictionary.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

function counted(count: number, one: string, other: string): string {
  return `${number.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

/** What was never set cannot be so again once that was sent, and the host may refuse a change. */
const leftAlone = (count: number): string =>
  count === 0
    ? ''
    : `; ${number.format(count)} left alone: changed since, sent without a value before, or refused by this page`;

const word = (available: boolean): string => (available ? 'available' : 'unavailable');

export const editorEn: EditorDictionary = {
  number: (count) => number.format(count),
  changed: 'Not saved yet',
  met: 'Somebody else changed this meanwhile: choose which value counts',
  search: 'Search by name, id or note',
  filters: 'Show',
  filter: {
    all: 'All',
    available: 'Available',
    unavailable: 'Not available',
    unknown: 'Not set',
    changed: 'Changed',
    waiting: 'Waiting',
    attention: 'Needs attention',
    conflict: 'Conflicting',
  },
  sort: 'Sort by',
  sorted: {
    given: 'Given order',
    label: 'Name',
    id: 'Id',
    state: 'Status',
    'changed-at': 'Last update',
  },
  found: (count) => (count === 0 ? 'No item matches' : counted(count, 'item matches', 'items match')),
  noMatch: 'No item matches.',
  showAll: 'Show all items',
  orderStale: 'Items have changed: order anew',
  keys: 'Keyboard',
  lists: 'Import, export',
  notLoaded: 'This could not be loaded. Check your connection and try again.',
  queue: (count) => `${number.format(count)} waiting`,
  conflicts: (count) => counted(count, 'conflict', 'conflicts'),
  selected: (count) => `${number.format(count)} selected`,
  selectAll: 'Select all that match',
  selectMatching: (count) => `Select all ${number.format(count)}`,
  clearSelection: 'Clear',
  setAvailable: 'Set available',
  setUnavailable: 'Set unavailable',
  changes: (count) => counted(count, 'change', 'changes'),
  save: 'Save',
  discard: 'Discard',
  discarded: (count) => `${counted(count, 'change', 'changes')} discarded.`,
  undo: 'Undo',
  redo: 'Redo',
  undone: (changed, skipped) => counted(changed, 'row changed back', 'rows changed back') + leftAlone(skipped),
  redone: (changed, skipped) => counted(changed, 'row changed again', 'rows changed again') + leftAlone(skipped),
  saving: (saved, of) => `Saving: ${number.format(saved)} of ${number.format(of)}`,
  cancel: 'Cancel',
  close: 'Close',
  saveDone(saved, held, left) {
    const parts = [`${counted(saved, 'change', 'changes')} will be sent`];
    if (held > 0) parts.push(`${number.format(held)} held back`);
    if (left > 0) parts.push(`${number.format(left)} not attempted`);
    return `${parts.join('; ')}.`;
  },
  failed: (count) => counted(count, 'change was not accepted', 'changes were not accepted'),
  retryFailed: (count) => `Retry ${number.format(count)} failed`,
  drafts: (count, age) => `${counted(count, 'change', 'changes')} that you did not save, from ${age}.`,
  draftsRefused: 'Not kept by this browser: save before you leave this page.',
  takeDrafts: 'Take back',
  draftsElsewhere: (count) =>
    `${counted(count, 'change is of an item', 'changes are of items')} that this list does not have, and kept for the list that has them.`,
  dropDrafts: 'Discard',
  bulkTitle: (count, available) => `Set ${counted(count, 'item', 'items')} ${word(available)}?`,
  bulkSame: (count, available) =>
    count === 1 ? `1 already is ${word(available)}.` : `${number.format(count)} already are ${word(available)}.`,
  bulkLocked: (count) => `${number.format(count)} you may not change.`,
  bulkNothing: 'Nothing would change.',
  bulkSet: (count, available) => `Set ${number.format(count)} ${word(available)}`,
  bulkDone: (count, available) => `${counted(count, 'item', 'items')} set ${word(available)}.`,
  closeAll: 'Close all',
  closeAllText: 'Everything that is available now. You can open exactly that again later.',
  reopen: 'Open again',
  reopenText: 'What was available before you closed all, and nothing else.',
  turnSkipped: (count) =>
    `${number.format(count)} left alone, because somebody else has changed them since or you may not change them.`,
  closed: (count, age) => `${counted(count, 'item', 'items')} closed together, ${age}.`,
  closedRefused: 'Not kept by this browser: open them again before you leave this page.',
  keepClosed: 'Keep closed',
  details: 'Details',
  id: 'Id',
  note: 'Note',
  value: 'Value',
  lastChange: 'Last change',
  by: (name) => `by \u2068${name}\u2069`,
  conflictsText: 'Two values stand against each other. Choose which one counts.',
  base: 'Before',
  mine: 'You',
  theirs: 'Now',
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  keepAllMine: 'Keep all mine',
  takeAllTheirs: 'Take all theirs',
  queueTitle: 'What is not on the portal yet',
  queueEmpty: 'Nothing is waiting.',
  notDiscarded: 'Not discarded: it may have left this device already, or the inventory service cannot be asked now.',
  conflictsTitle: 'Conflicting changes',
  retry: 'Try again',
  retryAll: 'Try all again',
  more: (count) => `and ${number.format(count)} more`,
  keyList: [
    ['↑ ↓', 'Row above, row below'],
    ['← →', 'Column before, column after'],
    ['Home, End', 'First, last column; with Ctrl the first, last row'],
    ['Page Up, Page Down', 'One screen up, down'],
    ['Space', 'Turn the switch, or what the key is on'],
    ['Shift ↑ ↓', 'Select rows'],
    ['Ctrl A', 'Select all that match'],
    ['Escape', 'Clear the selection'],
    ['Ctrl Z, Ctrl Y', 'Undo, redo'],
    ['Ctrl S', 'Save'],
    ['/', 'Search'],
    ['?', 'This list'],
  ],
  signOutUnsent: (count) => `${counted(count, 'change has', 'changes have')} not left this device.`,
  signOutSend: 'Try to send again',
  signOutDelete: 'Delete and sign out',
  signOutStay: 'Stay signed in',
  portalIsBack: 'The portal takes changes again.',
};
