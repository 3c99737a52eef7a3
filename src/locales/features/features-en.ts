import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresEn: FeatureDictionary = {
  endOfDay: 'The end of today',
  tomorrowMorning: 'Tomorrow morning, 9:00',
  dateAndTime: 'A date and time',
  untilISay: 'I say',
  everyWeek: 'Every week, all day on',
  whileBusy: 'Whenever a calendar is busy',
  calendarAddress: 'Address of the calendar (iCal)',
  calendarHint:
    'Other booking sites and calendar apps name it “Export calendar” or “iCal link”. It is read every 15 minutes.',
  calendar: (host) => `Calendar of ${host}`,
  calendarFree: 'no busy time known',
  calendarFailed: (time) => `Cannot be read since ${time}. The times that were read before apply.`,
  feedProblem: {
    not_public: 'This address is not on the public internet.',
    unreachable: 'Nothing answers at this address. Check it, or try again later.',
    rejected: 'This address is refused. Copy it again from where you found it.',
    too_large: 'This calendar is too large.',
    unreadable: 'There is no calendar at this address, or one that cannot be read.',
  },
  setByHand: (time) => `set by hand: left alone until ${time}`,
  scheduled: 'It is set.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Not set: you may not do this. Ask the person who manages your account.';
      case 'invalid_body':
        return 'Not set: choose a time that is still to come.';
      case 'too_many_feeds':
        return 'Not set: you have too many calendars. Remove one first.';
      default:
        return 'Not confirmed: there is no connection right now. Try again; nothing is set twice.';
    }
  },
  partlyScheduled: (set, all) => `Set for ${set} of ${all} items. Try again for the others.`,
  removeSchedule: 'Remove',
  closesAt: (time) => `closes ${time}`,
  historyEmpty: 'No changes yet.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'No connection: the history cannot be read now.';
      case 'permission_missing':
        return 'You may not see the history. Ask the person who manages your account.';
      default:
        return 'The history cannot be read now.';
    }
  },
  showMore: 'Show more',
  outcome: {
    received: 'On its way',
    delivered: 'On the portal',
    refused: 'Not accepted',
    conflict: 'Two choices',
    superseded: 'Replaced by a later change',
    discarded: 'Discarded',
  },
  person: 'Person',
  day: 'Day',
  item: 'Item',
  itemsOfAct: 'Items',
  closedCount: (n) => `Closed: ${n}`,
  openedCount: (n) => `Opened: ${n}`,
  leftAsTheyAre: 'Left as they are',
  changedSince: 'changed since',
  changedSinceBy: (n) => `changed since by ${n}`,
  noEarlierValue: 'had no value before',
  notListed: 'not in this list',
  colleague: 'A colleague',
  bySchedule: (name) => `schedule of ${name}`,
  listsTitle: 'Import and export',
  importHint: 'One item on each line: its id, or its id and yes or no. You see what would change before anything does.',
  paste: 'Type ids, or paste rows from a spreadsheet',
  file: 'Or choose a CSV file',
  fileUnreadable: 'This file cannot be read.',
  checking: 'Checking…',
  otherwise: 'An item whose line has no yes or no',
  otherwiseNothing: 'is only added',
  otherwiseAvailable: 'becomes available',
  otherwiseUnavailable: 'becomes unavailable',
  verdict: { new: 'New', changed: 'Changed', same: 'The same', refused: 'Refused' },
  fault: {
    id: 'An id has 1 to 200 characters, none of them a control character.',
    value: 'This is neither yes nor no.',
    repeated: 'An earlier line has the same id.',
    locked: 'You may not change this item.',
    malformed: 'A quotation mark is missing.',
  },
  line: (line) => `Line ${line}`,
  lineColumn: (line, column) => `Line ${line}, column ${column}`,
  saveVerdicts: 'Save this check as a file',
  import: 'Import',
  imported: 'Imported.',
  export: 'Export',
  exportAll: 'All items',
  exportListed: 'Items listed now',
  fileName: 'inventory',
  yes: [],
  no: [],
  heads: { id: [], available: ['availability'] },
};
