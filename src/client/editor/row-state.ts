import type { ItemId, Timestamp } from '../../domain/item.js';
import { isChoice, type ItemView } from '../model/item-view.js';
import type { FilterName } from './editor-types.js';

/** The value that a person chose for a row and has not saved. */
export interface DraftChange {
  readonly available: boolean;
  /** The value that the person saw; `undefined` if there was none. */
  readonly base: boolean | undefined;
  /** `updated_at` of that value. */
  readonly seenAt: Timestamp | undefined;
  /** Another person has changed the row since, so the draft conflicts. */
  readonly isConflicting: boolean;
}

/** The state of one item in the list: a frozen object, replaced on each change. */
export interface RowState {
  readonly id: ItemId;
  /** The store's value, else the host's; `undefined` if neither has one. */
  readonly value: boolean | undefined;
  readonly updatedAt: Timestamp | undefined;
  /** It may equal `value` by now: see `isChanged`. */
  readonly draft: DraftChange | undefined;
  /** The store has data about the item beyond that of the host's page. */
  readonly isKnown: boolean;
  /** An edit is not on the portal yet, and needs no decision. */
  readonly isWaiting: boolean;
  readonly needsAttention: boolean;
  /** The edit needs attention because a person has to choose between two values. */
  readonly isChoice: boolean;
}

/** A row that only the host's page has data for. */
export function hostRow(id: ItemId, value: boolean | undefined, updatedAt: Timestamp | undefined): RowState {
  return {
    id,
    value,
    updatedAt,
    draft: undefined,
    isKnown: false,
    isWaiting: false,
    needsAttention: false,
    isChoice: false,
  };
}

/** Whether the row has a draft that differs from its value. Only such a draft is shown and sent. */
export function isChanged({ draft, value }: RowState): boolean {
  return draft !== undefined && draft.available !== value;
}

/** The value that the person sees. */
export function shownValue({ draft, value }: RowState): boolean | undefined {
  return draft?.available ?? value;
}

/** Whether a person has to choose between two values, of a draft or of an edit that was sent. */
export function isConflict(row: RowState): boolean {
  return row.isChoice || (row.draft?.isConflicting === true && isChanged(row) && row.value !== undefined);
}

/** The condition of each filter, and of the count with the same name. */
export const FILTERS: Readonly<Record<FilterName, (row: RowState) => boolean>> = {
  all: () => true,
  // By the shown value, so that the counts match the rows on the screen.
  available: (row) => shownValue(row) === true,
  unavailable: (row) => shownValue(row) === false,
  unknown: (row) => shownValue(row) === undefined,
  changed: isChanged,
  waiting: ({ isWaiting }) => isWaiting,
  attention: (row) => row.needsAttention || isConflict(row),
  conflict: isConflict,
};

export type Counts = Record<FilterName, number>;

export function noCounts(): Counts {
  return { all: 0, available: 0, unavailable: 0, unknown: 0, changed: 0, waiting: 0, attention: 0, conflict: 0 };
}

const NAMES = Object.keys(FILTERS) as readonly FilterName[];

/** Counts a row in (1) or out (-1). */
export function countRow(counts: Counts, row: RowState, by: 1 | -1): void {
  for (const name of NAMES) if (FILTERS[name](row)) counts[name] += by;
}

/** Returns the row with another value. A draft with a different base conflicts from then on. */
function withValue(row: RowState, value: boolean | undefined): RowState {
  const { draft } = row;
  const conflicts = draft !== undefined && !draft.isConflicting && value !== undefined && value !== draft.base;
  return { ...row, value, draft: conflicts ? { ...draft, isConflicting: true } : draft };
}

/**
 * Returns the row with another value of the host's page. That page may have copied a draft into its items. Such a copy
 * is ignored: as the row's value it would equal the draft, and the draft would not be sent.
 */
export function withHostValue(row: RowState, value: boolean | undefined): RowState {
  const repeatsDraft = isChanged(row) && value === row.draft?.available;
  return repeatsDraft ? { ...row, value: undefined } : withValue(row, value);
}

/** Returns the row in the state of the store's view. */
export function withView(row: RowState | undefined, view: ItemView): RowState {
  const { id, available, truth, writing, updated_at: updatedAt } = view;
  const before = row ?? hostRow(id, undefined, undefined);
  // Without an edit, the value is the host's. After a waiting edit was withdrawn, that value is no copy of a draft.
  const isHosts = truth === undefined && writing !== true && !before.isWaiting;
  const needsAttention = truth === 'needs-attention';
  return {
    ...(isHosts ? withHostValue(before, available) : withValue(before, available)),
    updatedAt,
    isKnown: true,
    isWaiting: !needsAttention && (writing === true || truth === 'on-device' || truth === 'received'),
    needsAttention,
    isChoice: isChoice(view),
  };
}

/** Returns the row with another draft. A draft that equals the row's value is removed. */
export function withDraft(row: RowState, wanted: boolean | undefined): RowState {
  if (wanted === undefined || wanted === row.value) return row.draft === undefined ? row : { ...row, draft: undefined };
  // A draft that is switched again keeps its base: the value that the person saw at the first change.
  const before = isChanged(row) ? row.draft : undefined;
  const { base, seenAt, isConflicting } = before ?? { base: row.value, seenAt: row.updatedAt, isConflicting: false };
  return { ...row, draft: { available: wanted, base, seenAt, isConflicting } };
}
