import { type EditId, isClosingId } from '../../../../domain/edit.js';
import { toTimestamp, type ItemId, type Timestamp } from '../../../../domain/item.js';
import type { EditState } from '../../../../domain/edit-state.js';
import type { HistoryEntry } from '../../../../contract/history.js';
import type { ListedItem, OtherValue, Receipt } from '../../../../contract/widget.js';
import type { EditSnapshot, ItemSnapshot } from '../../acceptance-rules.js';
import {
  PORTAL_CONFIRMS,
  type LaneState,
  type Lease,
  type OpenEdit,
  type Rejections,
  type RevisedItem,
  type WaitingEdit,
} from '../../outbox.js';

/** A boolean in a column: SQLite has none. */
export type Flag = 0 | 1;

export interface EditRow {
  readonly seq: number;
  /** The number among this vendor's edits. */
  readonly number: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly edit_id: EditId;
  /** The key of its item. */
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
  /** Shared by the edits that were made together. */
  readonly change_set: EditId | null;
  /** The id of the schedule that made the edit. */
  readonly schedule: string | null;
  readonly state: EditState;
  readonly reason: string | null;
  readonly decided_by: string | null;
  readonly attempts: number;
  readonly open_attempt: number | null;
  readonly settled_at: number | null;
}

/** An edit that may be sent. */
export type DueRow = EditRow & {
  readonly uncertain_from: number | null;
  readonly others_uncertain_until: number | null;
};

export type ListedRow = EditRow & {
  readonly revision: number;
  /** When the schedule that made the item unavailable makes it available again. */
  readonly back_at: number | null;
  /** Since when the portal has another value than was delivered. */
  readonly drift_stamp: number | null;
};

/** An item of the list without a current edit. */
export interface WithdrawnRow {
  readonly item_id: ItemId;
  readonly revision: number;
  readonly state: null;
}

/** For a query of `edit AS e` and `item`. */
export const EDIT_COLUMNS = `e.seq, e.number, e.vendor, e.subject, e.name, e.edit_id, e.item, item.id AS item_id,
  item.label, e.lane, e.available, e.previous_value, e.clicked_at, e.base, e.stamp, e.accepted_at, e.retry_of, e.change_set,
  e.schedule, e.state, e.reason, e.decided_by, e.attempts, e.open_attempt, e.settled_at`;

/**
 * For a query with `item`: until when a call may arrive that was made for another vendor's item with the same id in the
 * lane.
 */
export const OTHERS_UNCERTAIN_UNTIL = `(SELECT max(late.uncertain_until) FROM item AS late
  WHERE late.lane = item.lane AND late.id = item.id AND late.uncertain_until IS NOT NULL
    AND late.vendor <> item.vendor) AS others_uncertain_until`;

/** The values that an edit is in conflict with. */
export interface ConflictValues {
  /** The edit whose value the person saw. */
  readonly base: ConflictRow | undefined;
  /** The edit with the current value: the item's newest that is received or delivered. */
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

/** No attempt has included the edit: a newer edit may replace it, and its author may discard it. */
export function isUntried({
  state,
  attempts,
  open_attempt,
}: Pick<EditRow, 'state' | 'attempts' | 'open_attempt'>): boolean {
  return state === 'received' && attempts === 0 && open_attempt === null;
}

export function receiptOf(row: EditRow, viewer: string): Receipt {
  const { edit_id, item_id: id, number: seq } = row;
  return { edit_id, id, seq, ...stateOf(row), ...otherPerson(row, viewer) };
}

/** Adds the conflicting values to a receipt or an item. */
export function withConflictValues<T extends object>(row: T, values: ConflictValues | undefined, viewer: string): T {
  if (values === undefined) return row;
  const { base, theirs } = values;
  return { ...row, ...(base && { base: valueOf(base, viewer) }), ...(theirs && { theirs: valueOf(theirs, viewer) }) };
}

function valueOf(row: ConflictRow, viewer: string): OtherValue {
  return { available: Boolean(row.available), updated_at: toTimestamp(row.stamp), ...otherPerson(row, viewer) };
}

/** An item with its newest edit that is neither superseded nor discarded nor in conflict. */
export interface ItemRow {
  readonly key: number;
  readonly id: ItemId;
  readonly vendor: string;
  readonly lane: string;
  readonly owned_by_other: Flag;
  readonly last_stamp: number;
  readonly resend_at: number | null;
  readonly newest_pending: number | null;
  /** The values of the edit that `newest_pending` names. */
  readonly available: Flag | null;
  readonly stamp: number | null;
  readonly subject: string | null;
  readonly clicked_at: Timestamp | null;
}

export function toItemSnapshot(item: ItemRow | undefined): ItemSnapshot | undefined {
  if (item === undefined) return undefined;
  const { vendor, last_stamp: lastTimestamp, available, stamp, subject, clicked_at: clickedAt } = item;
  if (stamp === null || subject === null || clickedAt === null) return { vendor, lastTimestamp };
  return { vendor, lastTimestamp, newest: { available: Boolean(available), stamp, subject, clickedAt } };
}

export function toEditSnapshot(row: EditRow | undefined): EditSnapshot | undefined {
  return row && { item_id: row.item_id, available: Boolean(row.available), clicked_at: row.clicked_at, base: row.base };
}

export function listedOf(row: ListedRow | WithdrawnRow, viewer: string): RevisedItem {
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
    ...closingOf(row),
    ...stateOf(row),
    ...otherPerson(row, viewer),
  };
}

function closingOf({ change_set, previous_value, available, state }: ListedRow): Pick<ListedItem, 'closing'> {
  const isClosed = previous_value === 1 && available === 0 && (state === 'received' || state === 'delivered');
  return isClosed && change_set !== null && isClosingId(change_set) ? { closing: change_set } : {};
}

export function entryOf(row: EditRow & { readonly is_current: Flag }): HistoryEntry {
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
    ...(row.is_current === 1 && { current: true as const }),
    ...(row.decided_by !== null && { decided_by: row.decided_by }),
    ...(row.retry_of !== null && { retry_of: row.retry_of }),
    ...(row.change_set !== null && { change_set: row.change_set }),
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
    isResend: row.state === 'delivered',
    followsUncertain: (row.uncertain_from ?? Infinity) < row.number || row.others_uncertain_until !== null,
  };
}

export function leaseOf(row: LaneRow, want: Lease['want']): Lease {
  const state: LaneState = {
    failures: row.failures,
    notBefore: row.not_before,
    ...(row.held !== null && { held: row.held }),
    ...(row.verified_credential !== null && { verifiedCredential: row.verified_credential }),
    ...(row.recent_rejections !== null && { rejections: JSON.parse(row.recent_rejections) as Rejections }),
  };
  return { lane: row.name, fence: row.fence, state, want };
}

/** The column value of a lane's rejections. */
export function rejectionsIn({ rejections }: Pick<LaneState, 'rejections'>): string | null {
  return rejections === undefined ? null : JSON.stringify(rejections);
}

/** The author of the edit, for display; absent if the viewer is the author. */
function otherPerson(made: Pick<EditRow, 'subject' | 'name'>, viewer: string): { readonly by?: string } {
  return made.subject === viewer ? {} : { by: made.name ?? made.subject };
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
