import type { ItemId, Timestamp } from '../../domain/item.js';
import { isChoice, type ItemView } from '../model/item-view.js';
import type { FilterName } from './editor-types.js';

/** What a person wants of a row and has not saved. */
export interface DraftChange {
  readonly available: boolean;
  /** The value that the person saw; `undefined`: there was none. */
  readonly base: boolean | undefined;
  /** `updated_at` of that value. */
  readonly seenAt: Timestamp | undefined;
  /** Another person changed the row after that. */
  readonly met: boolean;
}

/** All that the list keeps of an item: a frozen object, replaced when something of it changes. */
export interface RowState {
  readonly id: ItemId;
  /** The store's value, or the host's where the store has none; `undefined`: there is none. */
  readonly value: boolean | undefined;
  readonly updatedAt: Timestamp | undefined;
  /** It may want what the row has by now: see `isChanged`. */
  readonly draft: DraftChange | undefined;
  /** The store knows more of the item than the host's page does. */
  readonly isKnown: boolean;
  /** An edit is not on the portal yet, and needs no decision. */
  readonly isWaiting: boolean;
  readonly needsAttention: boolean;
  /** The edit that needs attention is a choice between two values. */
  readonly isChoice: boolean;
}

/** A row of which only the host's page knows something. */
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

/** Whether a draft differs from the value: only then it is shown as one, and sent. */
export function isChanged({ draft, value }: RowState): boolean {
  return draft !== undefined && draft.available !== value;
}

/** What the person sees. */
export function shownValue({ draft, value }: RowState): boolean | undefined {
  return draft?.available ?? value;
}

/** Two values stand against each other, before or after the edit left the page: a person has to choose. */
export function isConflict(row: RowState): boolean {
  return row.isChoice || (row.draft?.met === true && isChanged(row) && row.value !== undefined);
}

/** The rows that each filter keeps, and that each count counts. */
export const FILTERS: Readonly<Record<FilterName, (row: RowState) => boolean>> = {
  all: () => true,
  // As the rows show them, so that a person finds what they have counted.
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

/** The same row with another value. A draft that was made on a different one has met it. */
function withValue(row: RowState, value: boolean | undefined): RowState {
  const { draft } = row;
  const meets = draft !== undefined && !draft.met && value !== undefined && value !== draft.base;
  return { ...row, value, draft: meets ? { ...draft, met: true } : draft };
}

/**
 * The same row with another value of the host's page. A page that repeats a draft tells nothing but the person's own wish:
 * taken for the value, it would make the draft no change, and nothing would be sent.
 */
export function withHostValue(row: RowState, value: boolean | undefined): RowState {
  const repeatsDraft = isChanged(row) && value === row.draft?.available;
  return repeatsDraft ? { ...row, value: undefined } : withValue(row, value);
}

/** The same row as the store sees it now. */
export function withView(row: RowState | undefined, view: ItemView): RowState {
  const { id, available, truth, writing, updated_at: updatedAt } = view;
  const before = row ?? hostRow(id, undefined, undefined);
  // Where no edit speaks, the value is the host's. Where an edit that waited was taken back, the host repeats nothing.
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

/** The same row with another draft; one that wants the value that is there is none. */
export function withDraft(row: RowState, wanted: boolean | undefined): RowState {
  if (wanted === undefined || wanted === row.value) return row.draft === undefined ? row : { ...row, draft: undefined };
  // A draft that is only reversed is still based on what the person saw when it was made.
  const before = isChanged(row) ? row.draft : undefined;
  const { base, seenAt, met } = before ?? { base: row.value, seenAt: row.updatedAt, met: false };
  return { ...row, draft: { available: wanted, base, seenAt, met } };
}
