import type { EditId } from '../../../../domain/edit.js';
import { toTimestamp, type ItemId, type Timestamp } from '../../../../domain/item.js';
import type { EditState } from '../../../../domain/edit-state.js';
import type { HistoryEntry } from '../../../../contract/history.js';
import type { OtherValue, Receipt } from '../../../../contract/widget.js';
import type { EditFacts, ItemFacts } from '../../acceptance-rules.js';
import {
  PORTAL_CONFIRMS,
  type LaneState,
  type Lease,
  type OpenEdit,
  type Refusals,
  type RevisedItem,
  type WaitingEdit,
} from '../../outbox.js';

/** A truth value in a column: SQLite has no booleans. */
export type Flag = 0 | 1;

export interface EditRow {
  readonly seq: number;
  /** Of this vendor's edits. */
  readonly number: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly edit_id: EditId;
  /** The key of its item, and what the vendor calls it. */
  readonly item: number;
  readonly item_id: ItemId;
  readonly label: string | null;
  readonly lane: string;
  readonly available: Flag;
  readonly previous_value: Flag | null;
  readonly clicked_at: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
  readonly accepted_at: number;
  readonly retry_of: EditId | null;
  /** The id of the schedule that made it. */
  readonly schedule: string | null;
  readonly state: EditState;
  readonly reason: string | null;
  readonly decided_by: string | null;
  readonly attempts: number;
  readonly open_attempt: number | null;
  readonly settled_at: number | null;
}

/** Of what may leave. */
export type DueRow = EditRow & { readonly uncertain_from: number | null; readonly late_until: number | null };

export type ListedRow = EditRow & {
  readonly revision: number;
  /** When the schedule that made it opens the item again. */
  readonly back_at: number | null;
  /** Since when the portal has another value than was delivered. */
  readonly drift_stamp: number | null;
};

/** What is left of a row of the list where no edit of the item counts. */
export interface WithdrawnRow {
  readonly item_id: ItemId;
  readonly revision: number;
  readonly state: null;
}

/** For a query of `edit AS e` and `item`. */
export const EDIT_COLUMNS = `e.seq, e.number, e.vendor, e.subject, e.name, e.edit_id, e.item, item.id AS item_id,
  item.label, e.lane, e.available, e.previous_value, e.clicked_at, e.base, e.stamp, e.accepted_at, e.retry_of, e.schedule,
  e.state,
  e.reason, e.decided_by, e.attempts, e.open_attempt, e.settled_at`;

/** For a query with `item`: until when a call may land that another vendor's item of its id has made in its lane. */
export const LATE_UNTIL = `(SELECT max(late.uncertain_until) FROM item AS late
  WHERE late.lane = item.lane AND late.id = item.id AND late.uncertain_until IS NOT NULL
    AND late.vendor <> item.vendor) AS late_until`;

/** What an edit in conflict is held against. */
export interface ConflictValues {
  /** The edit whose value the person saw. */
  readonly base: ConflictRow | undefined;
  /** The one whose value counts now: the item's newest that is neither parked nor done away with. */
  readonly theirs: ConflictRow | undefined;
}

export interface ConflictRow {
  readonly available: Flag;
  readonly stamp: number;
  readonly subject: string;
  readonly name: string | null;
}

export interface LaneRow {
  readonly name: string;
  readonly fence: number;
  readonly held: string | null;
  readonly failures: number;
  readonly not_before: number;
  readonly verified_credential: string | null;
  readonly recent_rejections: string | null;
}

/** No attempt has tried it: a newer edit may take its place, and its person may take it back. */
export function isUntried({
  state,
  attempts,
  open_attempt,
}: Pick<EditRow, 'state' | 'attempts' | 'open_attempt'>): boolean {
  return state === 'received' && attempts === 0 && open_attempt === null;
}

export function receiptOf(row: EditRow, asker: string): Receipt {
  const { edit_id, item_id: id, number: seq } = row;
  return { edit_id, id, seq, ...stateOf(row), ...otherPerson(row, asker) };
}

/** Says what a receipt or an item that is in conflict is held against. */
export function withConflictValues<T extends object>(told: T, values: ConflictValues | undefined, asker: string): T {
  if (values === undefined) return told;
  const { base, theirs } = values;
  return { ...told, ...(base && { base: valueOf(base, asker) }), ...(theirs && { theirs: valueOf(theirs, asker) }) };
}

function valueOf(row: ConflictRow, asker: string): OtherValue {
  return { available: Boolean(row.available), updated_at: toTimestamp(row.stamp), ...otherPerson(row, asker) };
}

/** An item with the newest edit of it that counts. */
export interface ItemRow {
  readonly key: number;
  readonly id: ItemId;
  readonly vendor: string;
  readonly lane: string;
  readonly owned_by_other: Flag;
  readonly last_stamp: number;
  readonly resend_at: number | null;
  readonly newest_pending: number | null;
  /** Of the edit that `newest_pending` names. */
  readonly available: Flag | null;
  readonly stamp: number | null;
  readonly subject: string | null;
  readonly clicked_at: Timestamp | null;
}

export function itemFacts(item: ItemRow | undefined): ItemFacts | undefined {
  if (item === undefined) return undefined;
  const { vendor, last_stamp: lastStamp, available, stamp, subject, clicked_at: clickedAt } = item;
  if (stamp === null || subject === null || clickedAt === null) return { vendor, lastStamp };
  return { vendor, lastStamp, newest: { available: Boolean(available), stamp, subject, clickedAt } };
}

export function factsOf(row: EditRow | undefined): EditFacts | undefined {
  return row && { item_id: row.item_id, available: Boolean(row.available), clicked_at: row.clicked_at, base: row.base };
}

export function listedOf(row: ListedRow | WithdrawnRow, asker: string): RevisedItem {
  if (row.state === null) return { id: row.item_id, revision: row.revision };
  const label = row.label === null ? {} : { label: row.label };
  if (row.drift_stamp !== null) {
    const updated_at = toTimestamp(row.drift_stamp);
    const available = !row.available;
    return { id: row.item_id, revision: row.revision, available, updated_at, ...label, on_portal: 'changed' };
  }
  return {
    id: row.item_id,
    available: Boolean(row.available),
    ...label,
    edit_id: row.edit_id,
    seq: row.number,
    revision: row.revision,
    ...(row.back_at !== null && { back_at: toTimestamp(row.back_at) }),
    ...stateOf(row),
    ...otherPerson(row, asker),
  };
}

export function entryOf(row: EditRow): HistoryEntry {
  return {
    seq: row.number,
    edit_id: row.edit_id,
    id: row.item_id,
    subject: row.subject,
    ...(row.name !== null && { name: row.name }),
    ...(row.previous_value !== null && { from: Boolean(row.previous_value) }),
    to: Boolean(row.available),
    accepted_at: toTimestamp(row.accepted_at),
    ...(row.settled_at !== null && { settled_at: toTimestamp(row.settled_at) }),
    updated_at: toTimestamp(row.stamp),
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.decided_by !== null && { decided_by: row.decided_by }),
    ...(row.retry_of !== null && { retry_of: row.retry_of }),
    ...(row.schedule !== null && { by: 'schedule' as const, schedule: row.schedule }),
  };
}

export function waitingOf(row: EditRow): WaitingEdit {
  const { seq, vendor, subject, available, label, attempts, accepted_at } = row;
  return {
    edit_id: row.edit_id,
    id: row.item_id,
    ...stateOf(row),
    seq,
    vendor,
    subject,
    available: Boolean(available),
    ...(label !== null && { label }),
    attempts,
    accepted_at,
  };
}

export function openEditOf(row: DueRow): OpenEdit {
  return {
    seq: row.seq,
    vendor: row.vendor,
    id: row.item_id,
    available: Boolean(row.available),
    updated_at: toTimestamp(row.stamp),
    attempts: row.attempts,
    again: row.state === 'delivered',
    isOverDoubt: (row.uncertain_from ?? Infinity) < row.number || row.late_until !== null,
  };
}

export function leaseOf(row: LaneRow, want: Lease['want']): Lease {
  const state: LaneState = {
    failures: row.failures,
    notBefore: row.not_before,
    ...(row.held !== null && { held: row.held }),
    ...(row.verified_credential !== null && { provenBy: row.verified_credential }),
    ...(row.recent_rejections !== null && { refusals: JSON.parse(row.recent_rejections) as Refusals }),
  };
  return { lane: row.name, fence: row.fence, state, want };
}

/** As a lane's row has them. */
export function rejectionsIn({ refusals }: Pick<LaneState, 'refusals'>): string | null {
  return refusals === undefined ? null : JSON.stringify(refusals);
}

/** Whose edit it is, for display; nothing where it is the asker's own. */
function otherPerson(made: Pick<EditRow, 'subject' | 'name'>, asker: string): { readonly by?: string } {
  return made.subject === asker ? {} : { by: made.name ?? made.subject };
}

function stateOf(
  row: EditRow,
): Pick<Receipt, 'state' | 'delayed' | 'reason' | 'clicked_at' | 'settled_at' | 'updated_at'> {
  const { state, reason, settled_at } = row;
  const delayed = state === 'received' && reason !== null && reason !== PORTAL_CONFIRMS;
  return {
    state,
    ...(delayed && { delayed }),
    ...(reason !== null && { reason }),
    ...(state === 'conflict' && { clicked_at: row.clicked_at }),
    ...(state === 'delivered' && settled_at !== null && { settled_at: toTimestamp(settled_at) }),
    updated_at: toTimestamp(row.stamp),
  };
}
