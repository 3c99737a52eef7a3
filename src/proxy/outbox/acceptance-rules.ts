import type { Timestamp } from '../../domain/item.js';
import { isConflict } from '../../domain/conflict.js';
import { KEY_DAYS } from './retention.js';
import type { AcceptBatchCommand, AcceptResult, AcceptedEdit } from './outbox.js';

export interface EditSnapshot {
  readonly item_id: string;
  readonly available: boolean;
  readonly clicked_at: string;
  readonly base: string | null;
}

export interface Newest {
  readonly available: boolean;
  readonly stamp: number;
  readonly subject: string;
  /** When the person chose the value, on the clock of that browser. */
  readonly clickedAt: string;
}

export interface ItemSnapshot {
  readonly vendor: string;
  readonly lastTimestamp: number;
  /** The newest edit that is neither superseded nor discarded nor in conflict. */
  readonly newest?: Newest | undefined;
}

export interface AcceptanceContext {
  readonly earlier: readonly (EditSnapshot | undefined)[];
  /** For each id the item that owns it in the lane of the batch; if none does, the vendor's own item. */
  readonly items: readonly (ItemSnapshot | undefined)[];
  /** Whether `base` of the edit at this index is a timestamp that this item ever had here. */
  readonly knowsBase: (index: number, base: number) => boolean;
}

export interface NewEdit {
  readonly edit: AcceptedEdit;
  readonly stamp: number;
  readonly state: 'received' | 'conflict';
  /** The value that it replaces, if known. */
  readonly was: boolean | undefined;
}

export type AcceptanceDecision =
  | { readonly kind: 'refused'; readonly why: Exclude<AcceptResult, { kind: 'accepted' }> }
  | { readonly kind: 'stored'; readonly edits: readonly NewEdit[] };

/**
 * The rules of acceptance, separate from storage: the store reads the facts, calls this function and writes its
 * decision, all in one transaction.
 */
export function decideAcceptance(batch: AcceptBatchCommand, context: AcceptanceContext): AcceptanceDecision {
  const { earlier, items } = context;
  const reused = indices(batch.edits, (edit, at) => earlier[at] !== undefined && !isSameEdit(earlier[at], edit));
  if (reused.length > 0) return { kind: 'refused', why: { kind: 'edit_id_reused', indices: reused } };
  const isForeign = (at: number): boolean => items[at] !== undefined && items[at].vendor !== batch.vendor;
  const foreign = indices(batch.edits, (_, at) => earlier[at] === undefined && isForeign(at));
  if (foreign.length > 0) return { kind: 'refused', why: { kind: 'item_unknown', indices: foreign } };
  const edits: NewEdit[] = [];
  batch.edits.forEach((edit, at) => {
    if (earlier[at] === undefined) edits.push(accepted(batch, edit, at, context));
  });
  return { kind: 'stored', edits };
}

function accepted(batch: AcceptBatchCommand, edit: AcceptedEdit, at: number, context: AcceptanceContext): NewEdit {
  const item = context.items[at];
  const newest = item?.newest;
  // An edit without a base was made when no value was known.
  const base = edit.base === undefined ? -Infinity : Date.parse(edit.base);
  const conflict =
    newest !== undefined &&
    !isTheirEarlier(newest, batch, edit) &&
    (isOld(batch, edit) || (edit.base !== undefined && context.knowsBase(at, base))) &&
    isConflict({
      base,
      mine: edit.available,
      theirs: newest,
      clickedAt: Date.parse(edit.updated_at),
      sentAt: batch.sentAt,
    });
  return {
    edit,
    stamp: nextTimestamp(batch.now + batch.portalOffset, item?.lastTimestamp, batch.timestampUnit),
    state: conflict ? 'conflict' : 'received',
    was: newest === undefined ? edit.from : newest.available,
  };
}

/**
 * A person who changes their mind while the page is offline is not in conflict with themselves: both edits have the
 * same base.
 */
function isTheirEarlier({ subject, clickedAt }: Newest, batch: AcceptBatchCommand, edit: AcceptedEdit): boolean {
  return subject === batch.subject && Date.parse(clickedAt) <= Date.parse(edit.updated_at);
}

/**
 * The base of an old edit may have been pruned since, and so may the edit itself if this is a repeat: a person decides.
 */
function isOld({ sentAt = 0 }: AcceptBatchCommand, edit: AcceptedEdit): boolean {
  return sentAt - Date.parse(edit.updated_at) > KEY_DAYS * 24 * 3_600_000;
}

/**
 * `updated_at` for the portal: the portal's time as far as it is known, and always later than the item's last
 * timestamp. A timestamp in the future is never set back; the clock catches up.
 */
export function nextTimestamp(portalNow: number, last: number | undefined, unit: number): number {
  return Math.max(Math.floor(portalNow / unit) * unit, (last ?? 0) + unit);
}

function isSameEdit(known: EditSnapshot, edit: AcceptedEdit): boolean {
  return (
    known.item_id === edit.id &&
    known.available === edit.available &&
    (known.clicked_at as Timestamp) === edit.updated_at &&
    known.base === (edit.base ?? null)
  );
}

function indices(edits: readonly AcceptedEdit[], matches: (edit: AcceptedEdit, index: number) => boolean): number[] {
  const found: number[] = [];
  edits.forEach((edit, index) => {
    if (matches(edit, index)) found.push(index);
  });
  return found;
}
