import type { Schedule, ScheduleRequest } from '../../contract/schedules.js';
import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { FeedClaim, FeedReading } from './calendar-feeds.js';
import type { ListOwnership } from './commands.js';

/**
 * Schedules that the proxy executes: a closing makes items unavailable at one time and available again at another.
 *
 * Its promises:
 *
 * - A step runs once: its edits and the next step of the schedule are written in one transaction, so that neither a crash,
 *   a clock that is set back nor a second proxy repeats it.
 * - A step that was due while no proxy ran is run late. A closing whose end has passed by then is skipped.
 * - A schedule makes only those items available that it has made unavailable and that no one has changed since: the newest
 *   edit of the item has to be the schedule's own. No flag is stored for that.
 * - A closing that begins later, or repeats, skips items that are unavailable by then, because its end would otherwise make
 *   available what a person had made unavailable. A closing that begins at once applies to all of its items: the person has
 *   just chosen the end.
 */
export interface Schedules {
  /**
   * Creates or replaces a schedule, and makes its items unavailable if it begins at once. An identical schedule changes
   * nothing.
   */
  put(command: PutSchedule): Promise<PutResult>;
  get(vendor: string, id: string): Promise<Schedule | undefined>;
  /** One vendor's schedules ordered by id: active ones, and ended ones that are not pruned yet. */
  list(vendor: string, page: { readonly after?: string | undefined; readonly limit: number }): Promise<Schedule[]>;
  /**
   * Deletes a schedule. Items that it has made unavailable stay unavailable.
   *
   * @returns whether it existed
   */
  remove(vendor: string, id: string): Promise<boolean>;
  /** When the next step of any schedule is due. */
  nextAt(): Promise<number | undefined>;
  /** Schedules with a step that is due, the oldest first. */
  due(now: number, limit: number): Promise<readonly DueSchedule[]>;
  /**
   * Runs the step of a schedule if it is still due.
   *
   * @returns how many items changed; `undefined` if the step was not due any more
   */
  run(due: DueSchedule, command: ScheduleCommand): Promise<number | undefined>;
  /** Deletes schedules that ended before this time. */
  prune(before: number): Promise<number>;
}

export interface DueSchedule {
  readonly vendor: string;
  readonly id: string;
}

/** What a step needs from its caller. */
export interface ScheduleCommand {
  /** The lane of the vendor's edits. */
  readonly lane: string;
  readonly now: number;
  readonly portalOffset: number;
  readonly timestampUnit: number;
  readonly newId: () => EditId;
  /** Whether the operator's list assigns this id to another vendor by now. */
  readonly hasOtherOwner: (id: ItemId) => boolean;
  /** As in `AcceptBatchCommand`. */
  readonly lists?: ListOwnership | undefined;
}

export interface PutSchedule extends ScheduleCommand {
  readonly vendor: string;
  readonly subject: string;
  readonly id: string;
  readonly name?: string | undefined;
  readonly request: ScheduleRequest;
  /** The reading of the calendar, if the request names one. */
  readonly reading?: Extract<FeedReading, { readonly kind: 'read' }> | undefined;
}

export type PutResult =
  | { readonly kind: 'stored'; readonly isNew: boolean; readonly schedule: Schedule }
  /** The end of the whole schedule has passed. */
  | { readonly kind: 'past' }
  /** The vendor has `MAX_FEEDS` calendars already. */
  | { readonly kind: 'too_many_feeds' }
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] };

/** The calendars that schedules read. Each is created, replaced and removed with its schedule. */
export interface CalendarFeeds {
  /** When the next reading is due. */
  nextAt(): Promise<number | undefined>;
  /** Claims the feeds that are due, in the order of their due times. */
  claimDue(now: number, limit: number, newId: () => string): Promise<readonly FeedClaim[]>;
  /**
   * Stores the result of a reading and adapts the closing of the schedule to it, in one transaction. The result is dropped
   * if the feed was replaced, removed or claimed again since.
   *
   * @returns how many items changed; `undefined` if the result was dropped
   */
  record(claim: FeedClaim, reading: FeedReading, command: ScheduleCommand): Promise<number | undefined>;
}
