import type { Timestamp } from '../../domain/item.js';
import { isConflict } from '../../domain/conflict.js';
import { KEY_DAYS } from './retention.js';
import type { Acceptance, Accepted, AcceptedEdit } from './outbox.js';

export interface EditFacts {
  readonly item_id: string;
  readonly available: boolean;
  readonly clicked_at: string;
  readonly base: string | null;
}

export interface Newest {
  readonly available: boolean;
  readonly stamp: number;
  readonly subject: string;
  /** When it was chosen, on the clock of that browser. */
  readonly clickedAt: string;
}

export interface ItemFacts {
  readonly vendor: string;
  readonly lastStamp: number;
  /** The newest edit that counts: neither superseded nor discarded nor in conflict. */
  readonly newest?: Newest | undefined;
}

export interface Facts {
  readonly earlier: readonly (EditFacts | undefined)[];
  /** Of each id the item that has it in the lane of the batch; where none has, the vendor's own. */
  readonly items: readonly (ItemFacts | undefined)[];
  /** Whether `base` of the edit at this index is a stamp that this item ever had here. */
  readonly knowsBase: (index: number, base: number) => boolean;
}

export interface NewEdit {
  readonly edit: AcceptedEdit;
  readonly stamp: number;
  readonly state: 'received' | 'conflict';
  /** The value that it replaces, where one is known. */
  readonly was: boolean | undefined;
}

export type Judgement =
  | { readonly kind: 'refused'; readonly why: Exclude<Accepted, { kind: 'accepted' }> }
  | { readonly kind: 'stored'; readonly edits: readonly NewEdit[] };

/**
 * The rules of acceptance, apart from where rows are kept: the store gathers the facts, calls this function, and writes what it
 * decides, all in one transaction.
 */
export function judge(batch: Acceptance, facts: Facts): Judgement {
  const { earlier, items } = facts;
  const reused = indices(batch.edits, (edit, at) => earlier[at] !== undefined && !isSameEdit(earlier[at], edit));
  if (reused.length > 0) return { kind: 'refused', why: { kind: 'edit_id_reused', indices: reused } };
  const isForeign = (at: number): boolean => items[at] !== undefined && items[at].vendor !== batch.vendor;
  const foreign = indices(batch.edits, (_, at) => earlier[at] === undefined && isForeign(at));
  if (foreign.length > 0) return { kind: 'refused', why: { kind: 'item_unknown', indices: foreign } };
  const edits: NewEdit[] = [];
  batch.edits.forEach((edit, at) => {
    if (earlier[at] === undefined) edits.push(accepted(batch, edit, at, facts));
  });
  return { kind: 'stored', edits };
}

function accepted(batch: Acceptance, edit: AcceptedEdit, at: number, facts: Facts): NewEdit {
  const item = facts.items[at];
  const newest = item?.newest;
  // An edit without a base was made before any value was known.
  const base = edit.base === undefined ? -Infinity : Date.parse(edit.base);
  const conflict =
    newest !== undefined &&
    !isTheirEarlier(newest, batch, edit) &&
    (isOld(batch, edit) || (edit.base !== undefined && facts.knowsBase(at, base))) &&
    isConflict({
      base,
      mine: edit.available,
      theirs: newest,
      clickedAt: Date.parse(edit.updated_at),
      sentAt: batch.sentAt,
    });
  return {
    edit,
    stamp: nextStamp(batch.now + batch.portalOffset, item?.lastStamp, batch.stampUnit),
    state: conflict ? 'conflict' : 'received',
    was: newest?.available,
  };
}

/** A person who changes their mind while nothing can be sent is in conflict with no other: both edits have the same base. */
function isTheirEarlier({ subject, clickedAt }: Newest, batch: Acceptance, edit: AcceptedEdit): boolean {
  return subject === batch.subject && Date.parse(clickedAt) <= Date.parse(edit.updated_at);
}

/** Its base may have been pruned since, and so may the edit itself, if it is sent again: a person decides. */
function isOld({ sentAt = 0 }: Acceptance, edit: AcceptedEdit): boolean {
  return sentAt - Date.parse(edit.updated_at) > KEY_DAYS * 24 * 3_600_000;
}

/**
 * `updated_at` for the portal: its clock as far as it is known, and always later than the item's last one. A stamp that went
 * ahead once is never set back; the clock catches up.
 */
export function nextStamp(portalNow: number, last: number | undefined, unit: number): number {
  return Math.max(Math.floor(portalNow / unit) * unit, (last ?? 0) + unit);
}

function isSameEdit(known: EditFacts, edit: AcceptedEdit): boolean {
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
