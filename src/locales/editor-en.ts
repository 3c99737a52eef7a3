import type { EditorDictionary } from './dictionary.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

function counted(count: number, one: string, other: string): string {
  return `${number.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

/**
 * An undo skips items that cannot return to "not set" because their edit was sent, and changes that the host refuses.
 */
const leftAlone = (count: number): string =>
  count === 0 ? '' : `; ${number.format(count)} left alone: changed since, never set before, or refused by this page`;

const word = (available: boolean): string => (available ? 'available' : 'unavailable');

const these = (count: number): string => (count === 1 ? 'this one' : `these ${number.format(count)}`);

/** @param name of the portal, if the page gives one */
export function editorEn(name?: string): EditorDictionary {
  const [portal, atStart] = name === undefined ? ['the portal', 'The portal'] : [name, name];
  return {
    number: (count) => number.format(count),
    changed: 'Not saved yet',
    met: 'Somebody else changed this meanwhile. Which value counts?',
    search: 'Search by name or note',
    filters: 'Show',
    filter: {
      all: 'All',
      available: 'Available',
      unavailable: 'Not available',
      unknown: 'Not set',
      changed: 'Not saved',
      waiting: 'On its way',
      attention: 'You decide',
      conflict: 'Chosen differently',
    },
    sort: 'Sort by',
    sorted: {
      given: 'Your order',
      label: 'Name',
      id: 'Id',
      group: 'Group',
      value: 'Availability',
      state: 'Status',
      'changed-at': 'Last change',
    },
    reversed: (order) => `${order}, reversed`,
    allGroups: 'All groups',
    noGroup: 'No group',
    groupCount: (available, all) => `${number.format(available)} of ${number.format(all)} available`,
    found: (count) => (count === 0 ? 'No item matches' : counted(count, 'item matches', 'items match')),
    noMatch: 'No item matches.',
    showAll: 'Show all items',
    orderStale: 'Items have changed: sort again',
    keys: 'Keyboard',
    lists: 'Import, export',
    notLoaded: 'This could not be loaded. Check your connection and try again.',
    unavailableUntil: 'Unavailable until…',
    back: (time) => `back ${time}`,
    setByHand: 'Set by hand: the schedule leaves it alone.',
    queue: (count) => counted(count, 'change on its way', 'changes on their way'),
    conflicts: (count) => counted(count, 'choice to make', 'choices to make'),
    selected: (count) => `${number.format(count)} selected`,
    selectAll: 'Select all that match',
    selectMatching: (count) => `Select all ${number.format(count)}`,
    clearSelection: 'Clear',
    setAvailable: (count) => `Open ${these(count)}`,
    setUnavailable: (count) => `Close ${these(count)}`,
    changes: (count) => counted(count, 'change', 'changes'),
    save: 'Save',
    discard: 'Discard',
    discarded: (count) => `${counted(count, 'change', 'changes')} discarded.`,
    undo: 'Undo',
    redo: 'Redo',
    undone: (changed, skipped) => counted(changed, 'item changed back', 'items changed back') + leftAlone(skipped),
    redone: (changed, skipped) => counted(changed, 'item changed again', 'items changed again') + leftAlone(skipped),
    saving: (saved, of) => `Saving: ${number.format(saved)} of ${number.format(of)}`,
    cancel: 'Cancel',
    close: 'Done',
    saveDone(saved, held, left) {
      const parts = [`${counted(saved, 'change', 'changes')} will be sent`];
      if (held > 0) parts.push(`${number.format(held)} held back: changed by somebody else, or not yours to change`);
      if (left > 0) parts.push(`${number.format(left)} not saved`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) => counted(count, 'change was not accepted', 'changes were not accepted'),
    retryFailed: (count) => `Send ${number.format(count)} again`,
    drafts: (count, age) => `${counted(count, 'change', 'changes')} that you did not save, from ${age}.`,
    draftsRefused: 'This browser does not keep them: save before you leave this page.',
    takeDrafts: 'Bring back',
    draftsElsewhere: (count) =>
      count === 1
        ? '1 change is for an item that is not in this list. It is kept for the list that has it.'
        : `${number.format(count)} changes are for items that are not in this list. They are kept for the list that has them.`,
    dropDrafts: 'Discard',
    bulkTitle: (count, available) => `${available ? 'Open' : 'Close'} ${counted(count, 'item', 'items')}?`,
    bulkSame: (count, available) =>
      count === 1 ? `1 is already ${word(available)}.` : `${number.format(count)} are already ${word(available)}.`,
    fromTo: (from, to) => `“${from}” becomes “${to}”`,
    bulkLocked: (count) => `You may not change ${number.format(count)} of them.`,
    bulkNothing: 'Nothing would change.',
    bulkSet: (count, available) => `${available ? 'Open' : 'Close'} ${number.format(count)}`,
    bulkDone: (count, available) => `${counted(count, 'item', 'items')} ${available ? 'opened' : 'closed'}.`,
    closeAll: 'Close all',
    closeAllText: 'Everything that is available now. You can reopen exactly that later.',
    reopen: (count) => `Reopen ${these(count)}`,
    reopenText: 'What was available before everything was closed, and nothing else.',
    closeGroupText: (group) =>
      `Everything in \u2068${group}\u2069 that is available now. You can reopen exactly that later.`,
    reopenGroupText: (group) => `What was available in \u2068${group}\u2069 before it was closed, and nothing else.`,
    turnSkipped: (count) =>
      `${number.format(count)} left alone, because somebody else has changed them since or you may not change them.`,
    closed: (count, age) => `${counted(count, 'item', 'items')} closed together, ${age}.`,
    closedRefused: 'This browser does not keep them: reopen them before you leave this page.',
    keepClosed: 'Leave closed',
    details: 'Details',
    id: 'Id',
    note: 'Note',
    value: 'Availability',
    portalNow: `On ${portal} now`,
    lastChange: 'Last change',
    lastChanges: 'Last changes',
    by: (name) => `by \u2068${name}\u2069`,
    conflictsText: 'Two people chose differently. Which one counts?',
    keepAllMine: 'Use your choice for all',
    takeAllTheirs: 'Leave all as they are now',
    queueTitle: `Not live on ${portal} yet`,
    queueEmpty: `Everything is up to date on ${portal}.`,
    notDiscarded: 'Not discarded: it may have been sent already, or there is no connection right now.',
    conflictsTitle: 'Choose which one counts',
    retryAll: 'Send all again',
    more: (count) => `and ${number.format(count)} more`,
    keyList: [
      ['↑ ↓', 'Row above, row below'],
      ['← →', 'Column before, column after'],
      ['Home, End', 'First, last column; with Ctrl the first, last row'],
      ['Page Up, Page Down', 'One screen up, down'],
      ['Space', 'Turn the switch, or press the button'],
      ['Enter', 'Details'],
      ['Shift ↑ ↓', 'Select rows'],
      ['Ctrl A', 'Select all that match'],
      ['Escape', 'Clear the selection'],
      ['Ctrl Z, Ctrl Y', 'Undo, redo'],
      ['Ctrl S', 'Save'],
      ['/', 'Search'],
      ['?', 'This list'],
    ],
    signOutUnsent: (count) => `${counted(count, 'change is', 'changes are')} not sent yet.`,
    signOutSave: 'Save and sign out',
    signOutSend: 'Send and sign out',
    signOutDelete: 'Delete and sign out',
    signOutStay: 'Stay signed in',
    signOutSends: 'Everything is sent first. If that fails, nothing is lost and you stay signed in.',
    signOutDeletes: 'These changes are lost for good. Guests go on seeing what they see now.',
    signOutRefused: 'These cannot be sent as they are: decide about them first.',
    portalIsBack: `${atStart} takes changes again.`,
  };
}
