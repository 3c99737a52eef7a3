import type { EditState } from '../../domain/edit-state.js';

type Verdict = 'new' | 'changed' | 'same' | 'refused';

type LineFault = 'id' | 'value' | 'repeated' | 'locked' | 'malformed';

/** What the editor says in features that most visits never open: lists, schedules and the history. Loaded with these. */
export interface FeatureDictionary {
  readonly endOfDay: string;
  readonly tomorrowMorning: string;
  readonly dateAndTime: string;
  readonly untilISay: string;
  readonly everyWeek: string;
  /** After it is set. */
  readonly scheduled: string;
  /** Why it could not be set, and what to do, by problem code. */
  readonly notScheduled: (problem: string) => string;
  readonly removeSchedule: string;
  /** Of a schedule whose time has not come. */
  readonly closesAt: (time: string) => string;
  readonly historyEmpty: string;
  /** Why the history could not be read, by problem code. */
  readonly historyFailed: (problem: string) => string;
  readonly showMore: string;
  /** What became of an edit. */
  readonly outcome: Readonly<Record<EditState, string>>;
  /** Another person whose name is not known. */
  readonly colleague: string;
  /** Instead of the person: a schedule of that person. */
  readonly bySchedule: (name: string) => string;
  readonly listsTitle: string;
  readonly importHint: string;
  /** Above the field for what is typed or pasted. */
  readonly paste: string;
  readonly file: string;
  readonly fileUnreadable: string;
  readonly checking: string;
  /** Above the choice of what becomes of an item whose line has no value. */
  readonly otherwise: string;
  readonly otherwiseNothing: string;
  readonly otherwiseAvailable: string;
  readonly otherwiseUnavailable: string;
  /** Each with a count behind it. */
  readonly verdict: Readonly<Record<Verdict, string>>;
  readonly fault: Readonly<Record<LineFault, string>>;
  readonly line: (line: string) => string;
  /** Where a line is refused: its number, and that of the cell. */
  readonly lineColumn: (line: string, column: string) => string;
  readonly saveVerdicts: string;
  readonly import: string;
  /** Before the counts of what was imported. */
  readonly imported: string;
  readonly export: string;
  /** Each with a count behind it. */
  readonly exportAll: string;
  readonly exportListed: string;
  /** Of the file, without its ending. */
  readonly fileName: string;
  /** What a spreadsheet in this language writes for yes and no; in any case of letters. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** What people call the two columns in this language. */
  readonly heads: { readonly id: readonly string[]; readonly available: readonly string[] };
}
