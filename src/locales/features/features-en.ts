import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresEn: FeatureDictionary = {
  endOfDay: 'The end of today',
  tomorrowMorning: 'Tomorrow morning, 9:00',
  dateAndTime: 'A date and time',
  untilISay: 'I say',
  everyWeek: 'Every week, all day on',
  scheduled: 'It is set.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Not set: you may not do this. Ask the person who manages your account.';
      case 'invalid_body':
        return 'Not set: choose a time that is still to come.';
      default:
        return 'Not set: the inventory service cannot be reached now. Nothing has changed; try again.';
    }
  },
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
