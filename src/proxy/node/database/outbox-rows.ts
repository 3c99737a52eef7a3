import type { EditId } from '../../../domain/edit.js';
import { toTimestamp, type ItemId, type Timestamp } from '../../../domain/item.js';
import type { EditState } from '../../../domain/edit-state.js';
import type { HistoryEntry, OtherValue, Receipt } from '../../../contract/widget.js';
import type { EditFacts, ItemFacts } from '../../outbox/acceptance-rules.js';
import { otherPerson } from '../../outbox/other-person.js';
import type { LaneState, Lease, OpenEdit, RevisedItem, WaitingEdit } from '../../outbox/outbox.js';
import type { Refusals } from '../../outbox/outbox.js';
import { EDIT_BYTES, PLACES_OF_A_TEXT } from '../../http/waiting-bytes.js';

/** What both databases answer, and what callers hear of it. SQLite has no booleans. */
type Flag = boolean | 0 | 1;

export interface EditRow {
  readonly seq: number;
  /** Of this vendor's edits. */
  readonly number: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly edit_id: EditId;
  readonly item_id: ItemId;
  readonly label: string | null;
  readonly lane: string;
  readonly available: Flag;
  readonly was: Flag | null;
  readonly clicked_at: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
  readonly accepted_at: number;
  readonly retry_of: EditId | null;
  readonly state: EditState;
  readonly reason: string | null;
  readonly decided_by: string | null;
  readonly attempts: number;
  readonly open_attempt: number | null;
  readonly settled_at: number | null;
}

/** Of what may leave. */
export type DueRow = EditRow & { readonly unsure_seq: number | null; readonly late_until: number | null };

export type ListedRow = EditRow & { readonly revision: number };

/** What is left of a row of the list where no edit of the item counts. */
export interface WithdrawnRow {
  readonly item_id: ItemId;
  readonly revision: number;
  readonly state: null;
}

/** For a query of `edit AS e JOIN item`. */
export const EDIT_COLUMNS = `e.seq, e.number, e.vendor, e.subject, e.name, e.edit_id, item.id AS item_id, item.label, e.lane,
  e.available, e.was, e.clicked_at, e.base, e.stamp, e.accepted_at, e.retry_of, e.state, e.reason, e.decided_by,
  e.attempts, e.open_attempt, e.settled_at`;

/** For a query with `item`: until when a call may land that another vendor's item of its id has made in its lane. */
export const LATE_UNTIL = `(SELECT max(late.unsure_until) FROM item AS late WHERE late.lane = item.lane AND late.id = item.id
  AND late.unsure_until IS NOT NULL AND late.vendor <> item.vendor) AS late_until`;

/** What an edit in conflict is held against. */
export interface Sides {
  /** The edit whose value the person saw. */
  readonly base: SideRow | null | undefined;
  /** The one whose value counts meanwhile: the item's newest that is neither parked nor done away with. */
  readonly theirs: SideRow | null | undefined;
}

export interface SideRow {
  readonly available: Flag;
  readonly stamp: number;
  readonly subject: string;
  readonly name: string | null;
}

/** In SQL: what an edit takes (`waiting-bytes.ts`). */
export const BYTES_OF_AN_EDIT = `${String(EDIT_BYTES)} + ${String(PLACES_OF_A_TEXT)} * (${[
  ...['e.vendor', 'e.subject', 'e.name', 'e.edit_id', 'e.lane', 'e.clicked_at', 'e.base', 'e.retry_of', 'e.reason'],
  ...['item.id', 'item.label'],
]
  .map((text) => `coalesce(octet_length(${text}), 0)`)
  .join(' + ')})`;

export const SIDE_COLUMNS = 'available, stamp, subject, name';
/** For a join with `edit AS e`, in PostgreSQL. */
export const ITS_ITEM = 'item.vendor = e.vendor AND item.id = e.item_id';
/** For a query of `edit` of one item. */
export const NEWEST_STANDING = `state IN ('received', 'delivered') ORDER BY stamp DESC LIMIT 1`;

export interface LaneRow {
  readonly name: string;
  readonly fence: number;
  readonly held: string | null;
  readonly failures: number;
  readonly not_before: number;
  readonly proven_by: string | null;
  readonly refusals: string | null;
}

/** What a write answers, and which vendors have to hear of it once it is committed. */
export interface Written<T> {
  readonly answer: T;
  readonly changed: Iterable<string>;
}

export function unchanged<T>(answer: T): Written<T> {
  return { answer, changed: [] };
}

export function receiptOf(row: EditRow, asker: string): Receipt {
  const { edit_id, item_id: id, number: seq } = row;
  return { edit_id, id, seq, ...stateOf(row), ...otherPerson(row, asker) };
}

/** Says what a receipt or an item that is in conflict is held against. */
export function withSides<T extends object>(told: T, sides: Sides | undefined, asker: string): T {
  if (sides === undefined) return told;
  const { base, theirs } = sides;
  return { ...told, ...(base && { base: valueOf(base, asker) }), ...(theirs && { theirs: valueOf(theirs, asker) }) };
}

function valueOf(row: SideRow, asker: string): OtherValue {
  return { available: Boolean(row.available), updated_at: toTimestamp(row.stamp), ...otherPerson(row, asker) };
}

/** Of an item, with the newest edit of it that counts, as both databases find them together. */
interface ItemFactsRow {
  readonly vendor: string;
  readonly last_stamp: number;
  readonly available: Flag | null;
  readonly stamp: number | null;
  readonly subject: string | null;
  readonly clicked_at: Timestamp | null;
}

export function itemFacts(item: ItemFactsRow | undefined): ItemFacts | undefined {
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
  return {
    id: row.item_id,
    available: Boolean(row.available),
    ...(row.label !== null && { label: row.label }),
    edit_id: row.edit_id,
    seq: row.number,
    revision: row.revision,
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
    ...(row.was !== null && { from: Boolean(row.was) }),
    to: Boolean(row.available),
    accepted_at: toTimestamp(row.accepted_at),
    ...(row.settled_at !== null && { settled_at: toTimestamp(row.settled_at) }),
    updated_at: toTimestamp(row.stamp),
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.decided_by !== null && { decided_by: row.decided_by }),
    ...(row.retry_of !== null && { retry_of: row.retry_of }),
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
    isOverDoubt: (row.unsure_seq ?? Infinity) < row.seq || row.late_until !== null,
  };
}

export function leaseOf(row: LaneRow, want: Lease['want']): Lease {
  const state: LaneState = {
    failures: row.failures,
    notBefore: row.not_before,
    ...(row.held !== null && { held: row.held }),
    ...(row.proven_by !== null && { provenBy: row.proven_by }),
    ...(row.refusals !== null && { refusals: JSON.parse(row.refusals) as Refusals }),
  };
  return { lane: row.name, fence: row.fence, state, want };
}

/** As a lane's row has them. */
export function refusalsIn({ refusals }: Pick<LaneState, 'refusals'>): string | null {
  return refusals === undefined ? null : JSON.stringify(refusals);
}

/** Whole milliseconds that an integer column holds; never earlier than asked, and `Infinity` is far away. */
export function wholeTime(milliseconds: number): number {
  return Math.ceil(Math.max(0, Math.min(milliseconds, Number.MAX_SAFE_INTEGER)));
}

function stateOf(
  row: EditRow,
): Pick<Receipt, 'state' | 'delayed' | 'reason' | 'clicked_at' | 'settled_at' | 'updated_at'> {
  const { state, reason, settled_at } = row;
  const delayed = state === 'received' && reason !== null;
  return {
    state,
    ...(delayed && { delayed }),
    ...(reason !== null && { reason }),
    ...(state === 'conflict' && { clicked_at: row.clicked_at }),
    ...(state === 'delivered' && settled_at !== null && { settled_at: toTimestamp(settled_at) }),
    updated_at: toTimestamp(row.stamp),
  };
}
