import type { ItemId } from '../../domain/item.js';
import type { KnownItem, ListedItem, Receipt } from '../../contract/widget.js';

/** What is read of an outbox, page by page. */
export type ListPage = { readonly limit: number } & (
  | {
      readonly after?: ItemId | undefined;
      /** Only items of this selection. */
      readonly within?: ItemSelection | undefined;
      readonly since?: undefined;
    }
  /** Only what changed after this revision, in the order of the changes. */
  | { readonly since: number }
);

/** Items whose ids lie between two others, both included; with `ids`, only those of them that are listed. */
export interface ItemSelection {
  readonly from: string;
  readonly to: string;
  readonly ids?: readonly string[];
}

export type RevisedItem = (CountedItem | UneditedItem) & {
  /** Grows by one with every change of any item of this vendor. */
  readonly revision: number;
};

interface CountedItem extends ListedItem {
  /** The vendor's number of the edit. */
  readonly seq: number;
}

/**
 * No edit of it counts any more: they are all discarded, or gave way to one that is; or the portal has another value than was
 * delivered, which is the value of this row then.
 */
type UneditedItem = KnownItem & Partial<Record<Exclude<keyof CountedItem, keyof KnownItem>, undefined>>;

export interface HistoryPage {
  readonly item?: ItemId | undefined;
  /** Only edits before this number of the vendor's. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface WaitingPage {
  /** Only edits after this sequence number. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface WaitingEdit extends Omit<Receipt, 'by' | 'base' | 'theirs'> {
  /** Its place among the edits of all vendors: where the next page goes on. */
  readonly seq: number;
  readonly vendor: string;
  readonly subject: string;
  readonly available: boolean;
  readonly label?: string | undefined;
  readonly attempts: number;
  readonly accepted_at: number;
}
