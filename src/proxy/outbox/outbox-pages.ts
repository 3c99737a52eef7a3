import type { ItemId } from '../../domain/item.js';
import type { EditState } from '../../domain/edit-state.js';
import type { CatalogItem, ListedItem, Receipt } from '../../contract/widget.js';

/** The query for one page of a vendor's items. */
export type ListPage = { readonly limit: number } & (
  | {
      readonly after?: ItemId | undefined;
      /** Only items of this selection. */
      readonly within?: ItemSelection | undefined;
      readonly since?: undefined;
    }
  /** Only changes after this revision, in their order. */
  | { readonly since: number }
);

/** Items whose ids lie between two others, both inclusive; with `ids`, only those of the listed ids. */
export interface ItemSelection {
  readonly from: string;
  readonly to: string;
  readonly ids?: readonly string[];
}

export type RevisedItem = (CountedItem | UneditedItem) & {
  /** Increases by one with each change of any item of this vendor. */
  readonly revision: number;
};

interface CountedItem extends ListedItem {
  /** The number of the edit among the vendor's. */
  readonly seq: number;
}

/**
 * An item without a current edit: all its edits are discarded, or superseded by a discarded one. Or the portal has another
 * value than was delivered; then this row has the portal's value.
 */
type UneditedItem = CatalogItem & Partial<Record<Exclude<keyof CountedItem, keyof CatalogItem>, undefined>>;

/** Filters for a vendor's edits. An edit has to match every filter that is set. */
export interface HistoryFilter {
  readonly item?: ItemId | undefined;
  /** Who made the edit. */
  readonly subject?: string | undefined;
  readonly state?: EditState | undefined;
  /** Accepted at `from` or later and before `until`, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly changeSet?: string | undefined;
  /** Only edits of items in one of these selections. */
  readonly within?: readonly ItemSelection[] | undefined;
}

export interface HistoryPage extends HistoryFilter {
  /** Only edits with a lower `seq`. */
  readonly before?: number | undefined;
  /** Only edits with this `seq` or a higher one. */
  readonly after?: number | undefined;
  /** Of the edits of one person in one change set, only the newest that matches. */
  readonly collapses?: boolean | undefined;
  readonly limit: number;
}

export interface WaitingPage {
  /** Only edits with a higher `seq`. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface WaitingEdit extends Omit<Receipt, 'by' | 'base' | 'theirs'> {
  /** The number among the edits of all vendors, which is the cursor of the next page. */
  readonly seq: number;
  readonly vendor: string;
  readonly subject: string;
  readonly available: boolean;
  readonly label?: string | undefined;
  readonly attempts: number;
  readonly accepted_at: number;
}
