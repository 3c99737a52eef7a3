import { compareIds, toTimestamp, type ItemId, type Timestamp } from '../domain/item.js';
import type { EditId } from '../domain/edit.js';
import type { EditState } from '../domain/edit-state.js';
import type { HistoryEntry, OtherValue, Receipt } from '../contract/widget.js';
import type { EditFacts } from './outbox/acceptance-rules.js';
import type { Unsure } from './outbox/uncertain-outcome.js';
import { otherPerson } from './outbox/other-person.js';
import type { Asker, LaneState, OpenEdit } from './outbox/outbox.js';
import type { HistoryPage, ListPage, RevisedItem, WaitingEdit } from './outbox/outbox-pages.js';
import { inSendingOrder } from './outbox/fair-order.js';

/** The rows of the in-memory outbox, and what can be read off them. */
export interface Row {
  /** Over all vendors. */
  readonly seq: number;
  /** Of this vendor's edits. */
  readonly number: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly editId: EditId;
  readonly item: ItemRow;
  lane: string;
  readonly available: boolean;
  readonly was: boolean | undefined;
  readonly clickedAt: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
  readonly acceptedAt: number;
  readonly bulk: boolean;
  readonly retryOf?: EditId | undefined;
  state: EditState;
  reason: string | undefined;
  attempts: number;
  open: boolean;
  /** When its last attempt was. */
  openedAt: number;
  /** Set while `received`, and only then. */
  dueAt: number | undefined;
  settledAt: number | undefined;
  decidedBy: string | undefined;
}

export interface ItemRow {
  readonly id: ItemId;
  readonly vendor: string;
  /** Within it, an id is one vendor's. */
  lane: string;
  /** The place of its first edit. */
  readonly since: number;
  label?: string | undefined;
  lastStamp: number;
  revision: number;
  /** Oldest first. */
  edits: Row[];
  unsure?: Unsure | undefined;
  /** When the newest delivered value is said once more, unless a newer one is on its way. */
  assertAt?: number | undefined;
}

export interface LaneRow {
  readonly name: string;
  fence: number;
  leaseUntil: number;
  state: LaneState;
  readonly rows: Map<number, Row>;
}

/** What may leave now: the oldest waiting edit of each item, and values that have to be said again. */
export function dueRows(lane: LaneRow, now: number): Row[] {
  return inSendingOrder(
    [...lane.rows.values()].filter((row) => {
      const dueAt = dueAtOf(row);
      return dueAt !== undefined && dueAt <= now && isNext(row);
    }),
  );
}

/** When the lane's next holder has something to do; `undefined` where nothing waits in it. */
export function nextDueIn(lane: LaneRow): number | undefined {
  let due = Infinity;
  for (const row of lane.rows.values()) {
    // What a lost holder left open is due as soon as somebody else may hold the lane.
    const dueAt = row.open ? 0 : (dueAtOf(row) ?? Infinity);
    if (dueAt < due && (row.open || isNext(row))) due = dueAt;
  }
  return due === Infinity ? undefined : Math.max(due, lane.state.notBefore, lane.leaseUntil);
}

/** `undefined` where the edit has come to its end, for now. */
export function dueAtOf({ state, dueAt, item }: Row): number | undefined {
  return state === 'received' ? dueAt : state === 'delivered' ? item.assertAt : undefined;
}

/** Whether nothing of its item goes before it, in this lane or another. */
export function isNext(row: Row): boolean {
  const { edits } = row.item;
  if (edits.some(({ open }) => open)) return false;
  const head = edits.find(({ state }) => state === 'received') ?? edits.findLast(({ state }) => state === 'delivered');
  return head === row;
}

/** The edit that an item's truth is told from: neither superseded nor discarded. */
export function newestCounted(item: ItemRow): Row | undefined {
  return item.edits.findLast((row) => row.state !== 'superseded' && row.state !== 'discarded');
}

/** The newest value that nobody has to decide about. */
export function newestPlain(item: ItemRow): Row | undefined {
  return item.edits.findLast((row) => !['superseded', 'discarded', 'conflict'].includes(row.state));
}

/** @param lateUntil until when another vendor's call for its id may land */
export function editOf(row: Row, lateUntil: number | undefined): OpenEdit {
  const { seq, vendor, item, available, stamp, attempts } = row;
  return {
    seq,
    vendor,
    id: item.id,
    available,
    updated_at: toTimestamp(stamp),
    attempts,
    again: row.state === 'delivered',
    isOverDoubt: (item.unsure?.seq ?? Infinity) < seq || lateUntil !== undefined,
  };
}

export function openRow(row: Row, now: number, lateUntil: number | undefined): OpenEdit {
  row.open = true;
  row.openedAt = now;
  row.attempts += 1;
  return editOf(row, lateUntil);
}

export function factsOf(row: Row | undefined): EditFacts | undefined {
  return row && { item_id: row.item.id, available: row.available, clicked_at: row.clickedAt, base: row.base };
}

export function receiptOf(row: Row, asker: string): Receipt {
  return { edit_id: row.editId, id: row.item.id, seq: row.number, ...stateOf(row), ...peopleOf(row, asker) };
}

function listed(item: ItemRow, asker: string): RevisedItem {
  const row = newestCounted(item);
  if (row === undefined) return { id: item.id, revision: item.revision };
  const { available, editId: edit_id, number: seq } = row;
  const { id, revision, label } = item;
  return { id, available, label, edit_id, seq, revision, ...stateOf(row), ...peopleOf(row, asker) };
}

function peopleOf(row: Row, asker: string): Pick<Receipt, 'by' | 'base' | 'theirs'> {
  const by = otherPerson(row, asker);
  if (row.state !== 'conflict') return by;
  const { edits } = row.item;
  const base = edits.find(({ stamp }) => stamp === Date.parse(row.base ?? ''));
  const theirs = edits.findLast(({ state }) => state === 'received' || state === 'delivered');
  return {
    ...by,
    ...(base && { base: valueOf(base, asker) }),
    ...(theirs && { theirs: valueOf(theirs, asker) }),
  };
}

function valueOf(row: Row, asker: string): OtherValue {
  return { available: row.available, updated_at: toTimestamp(row.stamp), ...otherPerson(row, asker) };
}

function waitingOf(row: Row): WaitingEdit {
  const { seq, vendor, subject, available, attempts, acceptedAt } = row;
  return {
    edit_id: row.editId,
    id: row.item.id,
    ...stateOf(row),
    seq,
    vendor,
    subject,
    available,
    label: row.item.label,
    attempts,
    accepted_at: acceptedAt,
  };
}

function entryOf(row: Row): HistoryEntry {
  return {
    seq: row.number,
    edit_id: row.editId,
    id: row.item.id,
    subject: row.subject,
    name: row.name,
    from: row.was,
    to: row.available,
    accepted_at: toTimestamp(row.acceptedAt),
    settled_at: row.settledAt === undefined ? undefined : toTimestamp(row.settledAt),
    updated_at: toTimestamp(row.stamp),
    state: row.state,
    reason: row.reason,
    decided_by: row.decidedBy,
    retry_of: row.retryOf,
  };
}

function stateOf(row: Row): Pick<Receipt, 'state' | 'delayed' | 'reason' | 'clicked_at' | 'settled_at' | 'updated_at'> {
  const { state, reason, settledAt } = row;
  const delayed = state === 'received' && reason !== undefined;
  return {
    state,
    ...(delayed && { delayed }),
    reason,
    ...(state === 'conflict' && { clicked_at: row.clickedAt }),
    ...(state === 'delivered' && settledAt !== undefined && { settled_at: toTimestamp(settledAt) }),
    updated_at: toTimestamp(row.stamp),
  };
}

export function listPage(items: Iterable<ItemRow>, { vendor, subject }: Asker, page: ListPage): RevisedItem[] {
  const { since } = page;
  const own = [...items].filter((item) => item.vendor === vendor);
  const wanted =
    since === undefined
      ? own
          .filter(({ id }) => page.after === undefined || compareIds(id, page.after) > 0)
          .filter((item) => newestCounted(item) !== undefined)
          .sort((a, b) => compareIds(a.id, b.id))
      : own.filter(({ revision }) => revision > since).sort((a, b) => a.revision - b.revision);
  return wanted.slice(0, page.limit).map((item) => listed(item, subject));
}

export function historyPage(rows: Iterable<Row>, vendor: string, page: HistoryPage): HistoryEntry[] {
  const { item, before = Infinity, limit } = page;
  return [...rows]
    .filter((row) => row.vendor === vendor && row.number < before && (item === undefined || row.item.id === item))
    .sort((a, b) => b.number - a.number)
    .slice(0, limit)
    .map(entryOf);
}

export function waitingPage(rows: Iterable<Row>, after: number, limit: number): WaitingEdit[] {
  return [...rows]
    .filter((row) => row.seq > after && ['received', 'refused', 'conflict'].includes(row.state))
    .sort((a, b) => a.seq - b.seq)
    .slice(0, limit)
    .map(waitingOf);
}

export function newestRevision(items: Iterable<ItemRow>, vendor: string): number {
  return [...items].reduce((newest, item) => (item.vendor === vendor ? Math.max(newest, item.revision) : newest), 0);
}
