import type { FeedProblem } from '../../contract/schedules.js';
import type { EditState } from '../../domain/edit-state.js';

type Verdict = 'new' | 'changed' | 'same' | 'refused';

type LineFault = 'id' | 'value' | 'repeated' | 'locked' | 'malformed';

/** The texts of features that most visits never open: lists, schedules and the history. They are loaded with these. */
export interface FeatureDictionary {
  readonly endOfDay: string;
  readonly tomorrowMorning: string;
  readonly dateAndTime: string;
  readonly untilISay: string;
  readonly everyWeek: string;
  /** The choice of a calendar, and its field with a hint below. */
  readonly whileBusy: string;
  readonly calendarAddress: string;
  readonly calendarHint: string;
  /** The schedule that follows a calendar; the host of its address. */
  readonly calendar: (host: string) => string;
  /** Instead of a time, where a calendar has no more busy times. */
  readonly calendarFree: string;
  /** Before the reason. */
  readonly calendarFailed: (time: string) => string;
  readonly feedProblem: Readonly<Record<FeedProblem, string>>;
  /** Instead of the time at which the item is available again. */
  readonly setByHand: (time: string) => string;
  /** A schedule was saved. */
  readonly scheduled: string;
  /** Why a schedule could not be saved and what to do, by problem code. */
  readonly notScheduled: (problem: string) => string;
  /** A schedule could not be saved for all of its items, and is saved for so many. */
  readonly partlyScheduled: (set: string, all: string) => string;
  readonly removeSchedule: string;
  /** When a schedule that has not started makes the item unavailable. */
  readonly closesAt: (time: string) => string;
  readonly historyEmpty: string;
  /** Why the history could not be read, by problem code. */
  readonly historyFailed: (problem: string) => string;
  readonly showMore: string;
  /** The outcome of an edit. */
  readonly outcome: Readonly<Record<EditState, string>>;
  /** Above the filters of the history. */
  readonly person: string;
  readonly day: string;
  readonly item: string;
  /** On the button that lists the items of one act. */
  readonly itemsOfAct: string;
  /** What a person did in one act: how many items became unavailable, and available. */
  readonly closedCount: (count: string) => string;
  readonly openedCount: (count: string) => string;
  /** Above the items that an undo skips; each has one of the reasons behind it. */
  readonly leftAsTheyAre: string;
  readonly changedSince: string;
  readonly changedSinceBy: (name: string) => string;
  readonly noEarlierValue: string;
  readonly notListed: string;
  /** Another person whose name is unknown. */
  readonly colleague: string;
  /** In place of a person's name: a schedule of that person made the edit. */
  readonly bySchedule: (name: string) => string;
  readonly listsTitle: string;
  readonly importHint: string;
  /** Label of the field into which a person types or pastes. */
  readonly paste: string;
  readonly file: string;
  readonly fileUnreadable: string;
  readonly checking: string;
  /** Label of the choice for items whose line has no value. */
  readonly otherwise: string;
  readonly otherwiseNothing: string;
  readonly otherwiseAvailable: string;
  readonly otherwiseUnavailable: string;
  /** Each with a count behind it. */
  readonly verdict: Readonly<Record<Verdict, string>>;
  readonly fault: Readonly<Record<LineFault, string>>;
  readonly line: (line: string) => string;
  /** Where the fault of a refused line is. */
  readonly lineColumn: (line: string, column: string) => string;
  readonly saveVerdicts: string;
  readonly import: string;
  /** Precedes the counts of imported items. */
  readonly imported: string;
  readonly export: string;
  /** Each with a count behind it. */
  readonly exportAll: string;
  readonly exportListed: string;
  /** The name of the exported file, without its extension. */
  readonly fileName: string;
  /** Words for yes and no in the spreadsheets of this language, matched without case. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** Names of the two columns in this language. */
  readonly heads: { readonly id: readonly string[]; readonly available: readonly string[] };
}
