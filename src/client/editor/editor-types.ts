import type { ItemId } from '../../domain/item.js';
import type { HostSource, ItemView } from '../model/item-view.js';
import type { StoreListener } from '../model/subscriptions.js';
import type { StoreSnapshot } from '../store/store-snapshot.js';
import type { Wish } from '../store/create-edits.js';

/**
 * What the parts of the editor's model say to each other and to the surface.
 *
 * A *position* names an item for as long as the table lives: 0 is the first entry of the host's first array, and what comes
 * later, from the store or with another array, stands after the last. A *place* is where a row stands in the order that is
 * drawn just now: sorting and filtering move places, never positions.
 */
export type Position = number;
export type Place = number;

/** What the model needs of the store. */
export interface EditorStore {
  readonly snapshot: StoreSnapshot;
  /** Ids that the proxy or this device knows, in the order in which they became known. */
  readonly knownIds: ReadonlySet<ItemId>;
  view(id: ItemId): ItemView;
  /** @param id none: whether that holds for every item */
  mayEdit(id?: ItemId): boolean;
  subscribe(listener: StoreListener): () => void;
  addHostItems(source: HostSource): () => void;
  set(id: ItemId, available: boolean): Promise<void>;
  /** @param wishes of different items, at most 1,000 */
  setSome(wishes: readonly Wish[]): Promise<void>;
}

/** What the surface draws of one row. `available` is the store's value; a wish that is not saved yet stands beside it. */
export interface ItemRow {
  readonly position: Position;
  readonly view: ItemView;
  /** What the person wants and has not saved; `undefined`: nothing that differs from the store's value. */
  readonly draft: boolean | undefined;
  /** Somebody else spoke after the draft was made: saving waits for `ItemDraft.resolve`. */
  readonly met: { readonly base: boolean | undefined; readonly mine: boolean; readonly theirs: boolean } | undefined;
  readonly mayEdit: boolean;
}

/** True once the table is `complete`; until then of what has been read. */
export interface ItemCounts {
  readonly all: number;
  readonly available: number;
  readonly unavailable: number;
  readonly unknown: number;
  /** Wishes that are not saved and differ from the store's value. */
  readonly changed: number;
  /** Not on the portal yet, and nobody has to do anything about it. */
  readonly waiting: number;
  readonly attention: number;
  readonly conflict: number;
}

/** `all` is no filter. The others keep the rows that the count of the same name counts. */
export type FilterName = keyof ItemCounts;

/** @returns whether the host lets these items be changed */
export type MayChange = (ids: Iterable<ItemId>, first: ItemId, available: boolean) => boolean;

export type SortName = 'given' | 'label' | 'id' | 'group' | 'value' | 'state' | 'changed-at';

/** What a person looks for, and in which order. */
export interface Query {
  readonly text: string;
  readonly filter: FilterName;
  /** Only items of this group; `''`: only items without one; `undefined`: items of every group. */
  readonly group: string | undefined;
  readonly sort: SortName;
  /** From the last to the first. Rows that have nothing to sort by come last all the same. */
  readonly isReversed: boolean;
}

/** Rows in the order in which they are drawn. An array of positions is one. */
export interface RowOrder {
  readonly length: number;
  /** Every row there is and will be, as the host orders them. */
  readonly isEverything?: boolean;
  at(place: Place): Position | undefined;
}

export interface BulkPreview {
  /** Rows that would get another value. */
  readonly change: number;
  /** Rows that have it already, saved or as a wish. */
  readonly same: number;
  /** Rows that this person may not edit. */
  readonly locked: number;
}

/** `undefined`: counts, the order or all rows; `MANY`: only values; else this row. Told at most once for each slice of work. */
export type TableListener = (changed: Position | undefined) => void;

/**
 * The table as the surface and the other parts see it; `item-list.ts` has the class.
 *
 * ```ts
 * const table = new ItemList(store, element.items ?? []);
 * table.order.at(0);          // position of the first row, at once, whatever the number of items
 * table.row(position)?.view;  // `undefined`: a bad entry or the second of a repeated id, left out
 * ```
 */
export interface TableOfItems {
  readonly counts: ItemCounts;
  /** Whether everything is read and the counts are true. */
  readonly complete: boolean;
  /** The host's order, then what only the store knows. */
  readonly order: RowOrder;
  row(position: Position): ItemRow | undefined;
  idAt(position: Position): ItemId | undefined;
  positionOf(id: ItemId): Position | undefined;
  subscribe(listener: TableListener): () => void;
  /**
   * Takes the host's next array where it has the same items in the same order, and keeps drafts, history and selection.
   * @returns `false`: other items need another table
   */
  renew(entries: readonly unknown[]): boolean;
  /** Stops the work and lets go of the store. */
  close(): void;
}

/** `filter.ts`: `new ItemFilter(table, onChange)`. */
export interface FilterOfItems {
  /** What is drawn: grows while `busy`. */
  readonly order: RowOrder;
  /** The end is not known yet: `order.length` still grows, or another order is being sorted. */
  readonly busy: boolean;
  /** Rows changed since, so that the order would be another one; it stays until `apply`, so that no row jumps away. */
  readonly stale: boolean;
  /** The newest call wins; what an earlier one has not finished is dropped. What a slice of work finds is there on return. */
  apply(wanted: Partial<Query>): void;
  /** The field has the focus: the first key will not have to wait for what can be done now. */
  prepare(): void;
  /** The field has lost it: what nobody searches takes no memory. */
  rest(): void;
  close(): void;
}

/** `item-selection.ts`: `new ItemSelection(table)`. */
export interface SelectionOfItems {
  /** Rows that are selected, also those that the filter hides. */
  readonly count: number;
  has(position: Position): boolean;
  /** Of the rows of this order: drives the box in the head of the list. */
  state(order: RowOrder): 'none' | 'some' | 'all';
  /** Turns one row, and starts a range there. */
  toggle(order: RowOrder, place: Place): void;
  /** Shift: everything from where the range started to here, as the row where it started. */
  extendTo(order: RowOrder, place: Place): void;
  /** @param isIn `false`: lets go of all of them, and of no row that the order hides */
  selectAll(order: RowOrder, isIn?: boolean): void;
  clear(): void;
  /** Their positions, in their order. */
  rows(): Position[];
}

/** Some rows. */
export type Rows = Pick<SelectionOfItems, 'rows'>;

/** A row, and the value that a person wants it to have. */
export interface RowValue {
  readonly position: Position;
  readonly available: boolean;
}

export interface SaveProgress {
  readonly saved: number;
  readonly of: number;
}

export interface SaveResult {
  readonly saved: number;
  /** Not attempted, because the person cancelled: still drafted. */
  readonly left: number;
  /** Met somebody else's change, or may not be edited: still drafted. */
  readonly held: number;
}

export interface UndoResult {
  readonly changed: number;
  /** Rows that somebody has changed since: left as they are. */
  readonly skipped: number;
}

/** `draft.ts`: `new ItemDraft(table, store, { mode })`. */
export interface DraftOfItems {
  mode: 'manual' | 'auto';
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The last of what was handed over at once, put back or made again: until it ends, rows stand as they did before. */
  readonly turning: Promise<unknown> | undefined;
  /** Manual: a draft. Auto: saved at once. */
  set(position: Position, available: boolean): Promise<void>;
  /** What `setSelected` would do now. */
  preview(selection: Rows, available: boolean): BulkPreview;
  /** The positions of the rows that it would change; they stay these after it. */
  changing(selection: Rows, available: boolean): readonly Position[];
  /** One step for all selected rows that would change and may be edited. */
  setSelected(selection: Rows, available: boolean): Promise<BulkPreview>;
  /** One step for rows that each get a value of their own. The person may edit them all. */
  setEach(rows: readonly RowValue[]): Promise<void>;
  undo(): Promise<UndoResult>;
  redo(): Promise<UndoResult>;
  save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult>;
  discard(): void;
  /** For a row that `met` somebody else's change. */
  resolve(position: Position, keep: 'mine' | 'theirs'): void;
}

export interface OfferedClosing {
  readonly count: number;
  /** In milliseconds since the epoch, by this device's clock. */
  readonly madeAt: number;
  /** `false`: the browser refuses to keep it, and it ends with the page. */
  readonly isKept: boolean;
}

export interface TurnPreview {
  /** Rows that would get another value. */
  readonly change: number;
  /** Rows that this person may not edit, or that somebody else has changed since. */
  readonly skipped: number;
}

/** `closings.ts`: "close all", and opening exactly that again. */
export interface ClosingsOfItems {
  /** What was closed, and may be opened again. */
  readonly offered: OfferedClosing | undefined;
  /** The items that were closed and may be opened again. */
  readonly closed: readonly ItemId[];
  /**
   * @param available `false`: of closing everything; `true`: of opening again what was closed
   * @param within only these, as the items of a group
   */
  preview(available: boolean, within?: readonly Position[]): TurnPreview & Rows;
  /**
   * Makes one step of it, drafted or saved as any other.
   * @param mayTurn whether the host lets these be changed @returns how many rows changed
   */
  turn(
    available: boolean,
    mayTurn?: (ids: readonly ItemId[]) => boolean,
    within?: readonly Position[],
  ): Promise<number>;
  /** What is closed is to stay so. */
  drop(): void;
  /** Drafts are gone: where they were not saved, nothing was closed or opened. */
  afterDrafts(saved: boolean): void;
  close(): void;
}

/** Drafts of an earlier page. */
export interface OfferedDrafts {
  readonly count: number;
  /** When the newest of them was made, in milliseconds since the epoch, by this device's clock. */
  readonly madeAt: number;
}

/**
 * `draft-keeper.ts`: `new DraftKeeper(draft, store, onChange, editor)` keeps drafts on this device until they are saved or
 * discarded, and offers those of earlier pages back. When the person signs out, it wipes them.
 */
export interface KeeperOfDrafts {
  readonly offered: OfferedDrafts | undefined;
  /** The browser refuses to keep drafts: they end with the page, and the person has to be told. */
  readonly refused: boolean;
  /** Everything so far is written, or refused. */
  readonly settled: Promise<void>;
  /** As one step, which undo takes back. Skipped: items that this page does not know now; they stay on offer. */
  takeBack(): Promise<UndoResult>;
  dropOffered(): Promise<void>;
  close(): void;
}
