import type { Schedule, ScheduleRequest } from '../../contract/schedules.js';
import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { ListOwnership } from './commands.js';

/**
 * Closings that the proxy carries out: items become unavailable at one time and available again at another.
 *
 * Its promises:
 *
 * - A step is taken once: its edits and the next step of the schedule are one transaction, so that neither a kill, a clock that
 *   is set back nor a second proxy repeats it.
 * - A step that was due while nothing ran is taken late. A closing whose end has passed by then is left out.
 * - Only what a schedule has closed does it open again, and only where nobody has changed the item since. There is no flag for
 *   that: the newest edit of the item is the schedule's own or it is not.
 * - A closing that begins later, or repeats, leaves out what is unavailable by then: it would open again what a person had
 *   closed. One that begins at once closes all of its items: the person has just said until when.
 */
export interface Schedules {
  /** Makes or replaces a schedule, and closes its items where it begins at once. The same one again changes nothing. */
  put(command: PutSchedule): Promise<PutResult>;
  get(vendor: string, id: string): Promise<Schedule | undefined>;
  /** One vendor's schedules by id: those that still do something, and those that are done and not pruned. */
  list(vendor: string, page: { readonly after?: string | undefined; readonly limit: number }): Promise<Schedule[]>;
  /** Items that it has closed stay so. @returns whether there was one */
  remove(vendor: string, id: string): Promise<boolean>;
  /** When the next step of any schedule is due. */
  nextAt(): Promise<number | undefined>;
  /** Schedules with a step that is due, the oldest first. */
  due(now: number, limit: number): Promise<readonly DueSchedule[]>;
  /** Takes the step of a schedule that is due, if it still is. @returns how many items changed; `undefined`: it was not due */
  run(due: DueSchedule, command: ScheduleCommand): Promise<number | undefined>;
  /** Forgets schedules that ended before. */
  prune(before: number): Promise<number>;
}

export interface DueSchedule {
  readonly vendor: string;
  readonly id: string;
}

/** What a step needs from outside of the store. */
export interface ScheduleCommand {
  /** The lane by which the edits of the vendor leave. */
  readonly lane: string;
  readonly now: number;
  readonly portalOffset: number;
  readonly stampUnit: number;
  readonly newId: () => EditId;
  /** Whether the operator's list says that an item of this id is another vendor's by now. */
  readonly isAnothers: (id: ItemId) => boolean;
  /** As that of an acceptance. */
  readonly lists?: ListOwnership | undefined;
}

export interface PutSchedule extends ScheduleCommand {
  readonly vendor: string;
  readonly subject: string;
  readonly id: string;
  readonly name?: string | undefined;
  readonly request: ScheduleRequest;
}

export type PutResult =
  | { readonly kind: 'stored'; readonly isNew: boolean; readonly schedule: Schedule }
  /** All of it lies in the past. */
  | { readonly kind: 'past' }
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] };
