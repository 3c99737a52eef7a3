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
  /** Describes a schedule that follows a calendar, by the host of the calendar's address. */
  readonly calendar: (host: string) => string;
  /** Shown in place of a time if a calendar has no more busy times. */
  readonly calendarFree: string;
  /** Precedes the reason. */
  readonly calendarFailed: (time: string) => string;
  readonly feedProblem: Readonly<Record<FeedProblem, string>>;
  /** Shown in place of the time at which the item is available again. */
  readonly setByHand: (time: string) => string;
  /** A schedule was saved. */
  readonly scheduled: string;
  /** Why a schedule could not be saved and what to do, by problem code. */
  readonly notScheduled: (problem: string) => string;
  /** A schedule could be saved for some of its items only. */
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
  /** The button that lists the items of a change set. */
  readonly itemsOfAct: string;
  /** The number of items that became unavailable, and available, by a change set. */
  readonly closedCount: (count: string) => string;
  readonly openedCount: (count: string) => string;
  /** Heads the items that an undo skips. Each is followed by its reason. */
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
  /** Each is followed by a count. */
  readonly verdict: Readonly<Record<Verdict, string>>;
  readonly fault: Readonly<Record<LineFault, string>>;
  readonly line: (line: string) => string;
  /** The position of the fault in a rejected line. */
  readonly lineColumn: (line: string, column: string) => string;
  readonly saveVerdicts: string;
  readonly import: string;
  /** Precedes the counts of imported items. */
  readonly imported: string;
  readonly export: string;
  /** Each is followed by a count. */
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
