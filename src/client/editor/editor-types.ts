import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { HostSource, ItemView } from '../model/item-view.js';
import type { StoreListener } from '../model/subscriptions.js';
import type { StoreSnapshot } from '../store/store-snapshot.js';
import type { EditRequest } from '../store/create-edits.js';

/**
 * The interfaces between the parts of the editor's model and its elements.
 *
 * An *item index* identifies an item for the lifetime of the table: 0 is the first entry of the host's first array, and
 * items that come later, from the store or with another array, are appended. A *view index* is the index of a row in
 * the order that is rendered now, headings included: sorting and filtering change view indexes, never item indexes.
 */
export type ItemIndex = number;
export type ViewIndex = number;

/** The part of the store that the model uses. */
export interface EditorStore {
  readonly snapshot: StoreSnapshot;
  /** Ids that the proxy or this device knows, in the order in which they became known. */
  readonly knownIds: ReadonlySet<ItemId>;
  /** Items that were closed together on any device, and that have not changed since, with the change set that closed them. */
  readonly closed: ReadonlyMap<ItemId, EditId>;
  view(id: ItemId): ItemView;
  /** @param id absent: whether the person may edit every item */
  canEdit(id?: ItemId): boolean;
  subscribe(listener: StoreListener): () => void;
  addHostItems(source: HostSource): () => void;
  set(id: ItemId, available: boolean): Promise<void>;
  /** @param requests requests for different items, at most 1,000 */
  setSome(requests: readonly EditRequest[]): Promise<void>;
}

/** The data of one rendered row. `view` has the store's value, `draft` the unsaved change. */
export interface ItemRow {
  readonly itemIndex: ItemIndex;
  readonly view: ItemView;
  /** The unsaved value; `undefined` if there is none that differs from the store's value. */
  readonly draft: boolean | undefined;
  /** Another person has changed the item since the draft was made. Saving waits for `ItemDraft.resolve`. */
  readonly conflict:
    { readonly base: boolean | undefined; readonly mine: boolean; readonly theirs: boolean } | undefined;
  readonly canEdit: boolean;
}

/** Counts of the items that have been read, which are all items once the table is `complete`. */
export interface ItemCounts {
  readonly all: number;
  readonly available: number;
  readonly unavailable: number;
  readonly unknown: number;
  /** Drafts that differ from the store's value. */
  readonly changed: number;
  /** Edits that are not on the portal yet and need no decision. */
  readonly waiting: number;
  readonly attention: number;
  readonly conflict: number;
}

/** `all` keeps all rows. Each other filter keeps the rows that the count with its name counts. */
export type FilterName = keyof ItemCounts;

/** @returns whether the host allows these changes */
export type ConfirmChange = (ids: Iterable<ItemId>, first: ItemId, available: boolean) => boolean;

export type SortName = 'given' | 'label' | 'id' | 'group' | 'value' | 'state' | 'changed-at';

/** The search, the filters and the order that a person has chosen. */
export interface Query {
  readonly text: string;
  readonly filter: FilterName;
  /** Only items of this group; `''`: only items without one; `undefined`: items of every group. */
  readonly group: string | undefined;
  readonly sort: SortName;
  /** Descending order. Rows without a value to sort by come last in both directions. */
  readonly isReversed: boolean;
}

/** Rows in the order in which they are rendered, as in an array of item indexes. */
export interface RowOrder {
  readonly length: number;
  /** Whether this is all current and future rows, in the host's order. */
  readonly isEverything?: boolean;
  at(viewIndex: ViewIndex): ItemIndex | undefined;
}

export interface BulkPreview {
  /** Rows that would get another value. */
  readonly change: number;
  /** Rows that have the value already, saved or as a draft. */
  readonly same: number;
  /** Rows that this person may not edit. */
  readonly locked: number;
}

/**
 * @param changed the row that changed; `MANY`: the values of many rows; `undefined`: the order, the counts or all rows.
 *   Called at most once for each slice of work
 */
export type TableListener = (changed: ItemIndex | undefined) => void;

/**
 * The table as elements and other parts use it; `item-list.ts` has the class.
 *
 * ```ts
 * const table = new ItemList(store, element.items ?? [], console.warn);
 * table.order.at(0);           // item index of the first row, ready at once for any number of items
 * table.row(itemIndex)?.view;  // `undefined` for an invalid entry and for a repeated id
 * ```
 */
export interface TableOfItems {
  readonly counts: ItemCounts;
  /** Whether all items are read, so that the counts are final. */
  readonly complete: boolean;
  /** The host's items in the host's order, then the items that only the store knows. */
  readonly order: RowOrder;
  row(itemIndex: ItemIndex): ItemRow | undefined;
  idAt(itemIndex: ItemIndex): ItemId | undefined;
  findItemIndex(id: ItemId): ItemIndex | undefined;
  subscribe(listener: TableListener): () => void;
  /**
   * Replaces the host's array by one with the same items in the same order. Drafts, history and selection stay.
   * @returns `false` if the array has other items, which need another table
   */
  renew(entries: readonly unknown[]): boolean;
  /** Stops all work and removes the listener from the store. */
  close(): void;
}

/** `filter.ts`: `new ItemFilter(table, onChange)`. */
export interface FilterOfItems {
  /** The rows to render. It grows while `busy`. */
  readonly order: RowOrder;
  /** Whether a search or a sort is running, so that `order` is not final. */
  readonly busy: boolean;
  /**
   * Whether rows have changed so that `apply` would find another order. The order stays until then, so that no row
   * moves.
   */
  readonly stale: boolean;
  /**
   * Applies a query. The newest call wins and cancels the work of earlier ones. The result of the first slice is there
   * on return.
   */
  apply(wanted: Partial<Query>): void;
  /** Call when the search field gets the focus, so that the first key does not have to wait for the texts. */
  prepare(): void;
  /** Call when the search field loses the focus: the texts are freed unless a search uses them. */
  release(): void;
  close(): void;
}

/** `selection.ts`: `new ItemSelection(table)`. */
export interface SelectionOfItems {
  /** The number of selected rows, including those that the filter hides. */
  readonly count: number;
  has(itemIndex: ItemIndex): boolean;
  /** How many rows of this order are selected, for the check box in the header of the list. */
  state(order: RowOrder): 'none' | 'some' | 'all';
  /** Selects or deselects one row, and starts a range there. */
  toggle(order: RowOrder, viewIndex: ViewIndex): void;
  /** For Shift: gives all rows from the start of the range to this one the state of the first. */
  extendTo(order: RowOrder, viewIndex: ViewIndex): void;
  /** @param isIn `false` deselects these rows; rows that the order leaves out stay selected */
  selectAll(order: RowOrder, isIn?: boolean): void;
  clear(): void;
  /** The item indexes of the selected rows, in ascending order. */
  rows(): ItemIndex[];
}

/** A set of rows. */
export type Rows = Pick<SelectionOfItems, 'rows'>;

/** A row, and the value to set. */
export interface RowValue {
  readonly itemIndex: ItemIndex;
  readonly available: boolean;
}

export interface SaveProgress {
  readonly saved: number;
  readonly of: number;
}

export interface SaveResult {
  readonly saved: number;
  /** Not attempted, because the person cancelled. The drafts stay. */
  readonly left: number;
  /** Held back, because another person changed the item or this person may not edit it. The drafts stay. */
  readonly held: number;
}

export interface UndoResult {
  readonly changed: number;
  /** Rows that another person has changed since. They stay as they are. */
  readonly skipped: number;
}

/** `draft.ts`: `new ItemDraft(table, store, { mode })`. */
export interface DraftOfItems {
  mode: 'manual' | 'auto';
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The last step that writes to the store. Until it ends, the rows may show their earlier values. */
  readonly applying: Promise<unknown> | undefined;
  /** Makes a draft in `manual` mode; saves at once in `auto` mode. */
  set(itemIndex: ItemIndex, available: boolean): Promise<void>;
  /** What `setSelected` would do now. */
  preview(selection: Rows, available: boolean): BulkPreview;
  /** The item indexes of the rows that `setSelected` would change now. */
  changing(selection: Rows, available: boolean): readonly ItemIndex[];
  /** Sets all selected rows that the person may edit, as one undo step. */
  setSelected(selection: Rows, available: boolean): Promise<BulkPreview>;
  /** Sets each row to a value of its own, as one undo step. The person must be allowed to edit all of them. */
  setEach(rows: readonly RowValue[]): Promise<void>;
  undo(): Promise<UndoResult>;
  redo(): Promise<UndoResult>;
  save(onProgress?: (progress: SaveProgress) => void, signal?: AbortSignal): Promise<SaveResult>;
  discard(): void;
  /** Resolves a draft that conflicts with another person's change. */
  resolve(itemIndex: ItemIndex, keep: 'mine' | 'theirs'): void;
}

export interface OfferedClosure {
  readonly count: number;
  /** In milliseconds since the epoch, by the clock of this device, or of the proxy if another device made it. */
  readonly madeAt: number;
  /** `false` if the browser did not store it, so that it ends with the page. */
  readonly isStored: boolean;
}

export interface ClosurePreview {
  /** Rows that would get another value. */
  readonly change: number;
  /** Rows that this person may not edit, or that another person has changed since. */
  readonly skipped: number;
}

/** "Close all", and reopening exactly the items that it closed. `saved/saved-closure.ts` has the class. */
export interface ClosuresOfItems {
  /** The closure that can be reopened. */
  readonly offered: OfferedClosure | undefined;
  /** The items of that closure. */
  readonly closedIds: readonly ItemId[];
  /**
   * @param available `false` previews the closing of all items; `true` previews the reopening of the closed ones
   * @param within limits the preview to these rows, such as those of a group
   */
  preview(available: boolean, within?: readonly ItemIndex[]): ClosurePreview & Rows;
  /**
   * Closes or reopens the items as one undo step, drafted or saved like any other.
   * @param confirmChange whether the host allows these changes @returns how many rows changed
   */
  apply(
    available: boolean,
    confirmChange?: (ids: readonly ItemId[]) => boolean,
    within?: readonly ItemIndex[],
  ): Promise<number>;
  /** Forgets the closure, whose items stay closed. */
  forget(): void;
  /** Call when drafts were saved or discarded. Discarded drafts have closed and reopened nothing. */
  afterDrafts(saved: boolean): void;
  close(): void;
}

/** Drafts of earlier pages that can be restored. */
export interface OfferedDrafts {
  readonly count: number;
  /** When the newest of them was made, in milliseconds since the epoch, by this device's clock. */
  readonly madeAt: number;
}

/**
 * Stores drafts on this device until they are saved or discarded, and offers those of earlier pages. A sign-out deletes
 * them. `saved/draft-autosave.ts` has the class.
 */
export interface AutosavedDrafts {
  readonly offered: OfferedDrafts | undefined;
  /** Whether the browser does not store drafts. They end with the page then, and the person has to know. */
  readonly refused: boolean;
  /** Resolves when all changes so far are written, or storage has failed. */
  readonly settled: Promise<void>;
  /**
   * Restores the offered drafts as one undo step. Drafts of items that this page does not know are skipped, and stay on
   * offer.
   */
  restore(): Promise<UndoResult>;
  discardOffered(): Promise<void>;
  close(): void;
}
