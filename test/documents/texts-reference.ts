import { enConfirm, enConflict, enItem, enList, enToggle } from '../../src/locales/en.js';
import { editorEn } from '../../src/locales/editor-en.js';
import { featuresEn } from '../../src/locales/features/features-en.js';
import { code, table } from './markdown.js';

type Texts = Readonly<Record<string, unknown>>;

/** What a text is about, for those that are functions of something else than a count. */
const ABOUT: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  guestsSee: [['Available']],
  changedBy: [['Anna', 'Sauna', 'Available']],
  since: [['2 minutes ago', 'Anna']],
  keepMine: [['Available']],
  takeTheirs: [['Not available', 'Anna']],
  confirmQuestion: [['Sauna']],
  selectItem: [['Sauna']],
  secretGiven: [['client-secret']],
  requestId: [['6f2a']],
  triedAgain: [['9:30 AM']],
  reversed: [['Name']],
  groupCount: [[3, 5]],
  back: [['tomorrow, 9:00 AM']],
  undone: [[2, 1]],
  redone: [[2, 1]],
  saving: [[2, 5]],
  saveDone: [[3, 2, 1]],
  drafts: [[2, 'an hour ago']],
  closed: [[2, 'an hour ago']],
  fromTo: [['Available', 'Not available']],
  closeGroupText: [['Rooms']],
  reopenGroupText: [['Rooms']],
  by: [['Anna']],
  ...Object.fromEntries(
    ['bulkTitle', 'bulkSame', 'bulkSet', 'bulkDone'].map(
      (name) =>
        [
          name,
          [
            [2, true],
            [2, false],
          ],
        ] as const,
    ),
  ),
  delayed: reasons('portal_unreachable', 'portal_busy', 'portal_error', 'portal_credentials', 'portal_confirms'),
  attention: reasons('item_refused', 'item_unknown', 'conflict', 'unclaimed', 'permission_missing'),
  connection: reasons(
    ...['origin_refused', 'session_unreachable', 'budget_spent', 'overloaded', 'token_refused', 'not_deleted'],
    'permission_missing',
  ),
  notScheduled: reasons('permission_missing', 'invalid_body', 'too_many_feeds'),
  historyFailed: reasons('unreachable', 'permission_missing'),
  calendar: [['calendar.example.com']],
  calendarFailed: [['9:30 AM']],
  setByHand: [['9:30 AM']],
  closesAt: [['9:30 AM']],
  partlyScheduled: [[2, 5]],
  lineColumn: [[2, 14]],
  changedSinceBy: [['Anna']],
  bySchedule: [['Anna']],
};

/** The texts of both elements and of the editor, in English. */
export function textsReference(): string {
  const { since } = enToggle();
  return tableOf({ ...enItem(), since, ...enConflict, ...enConfirm, ...enList(), ...editorEn() });
}

/** Those of lists, schedules and the history. */
export function featureTextsReference(): string {
  return tableOf(featuresEn as unknown as Texts);
}

function tableOf(texts: Texts): string {
  return table(
    ['name', 'text'],
    Object.entries(texts).flatMap(([name, text]) => rowsOf(name, text)),
  );
}

function rowsOf(name: string, text: unknown): string[][] {
  if (typeof text === 'string') return [[code(name), plain(text)]];
  if (Array.isArray(text) && text.length === 0) return [[code(name), '(a list, empty in English)']];
  if (Array.isArray(text)) return [[code(name), text.map((each) => plain(String(each).replace(',', ': '))).join('; ')]];
  if (typeof text === 'object' && text !== null)
    return Object.entries(text).flatMap(([key, value]) => rowsOf(`${name}.${key}`, value));
  const say = text as (...about: unknown[]) => unknown;
  const shown = (ABOUT[name] ?? [[2]]).map((about) => plain(String(say(...about))));
  return [[code(`${name}()`), [...new Set(shown)].join(' / ')]];
}

function reasons(...codes: readonly string[]): readonly (readonly unknown[])[] {
  return [...codes.map((each) => [each]), [undefined]];
}

/** Without the invisible characters that isolate the direction of a name. */
function plain(text: string): string {
  return text.replace(/[\u2068\u2069]/g, '');
}
