import type { CatalogItem } from '../../contract/widget.js';
import type { ItemId } from '../../domain/item.js';
import type { ItemSelection } from './outbox-pages.js';

/**
 * The portal's own lists of items as last read, and their effects on edits.
 *
 * Its promises:
 *
 * - One process at a time reads a list, and no earlier than it is due. A reader claims a reading, and only the reader
 *   with the newest claim stores anything.
 * - An edit in progress takes precedence over every list. A reading that began before the portal responded to the
 *   edit has no effect on it.
 * - An edit that the portal has only accepted counts as delivered when a later reading shows its value.
 * - An item is marked as changed at the portal when two readings in a row, both later than the delivery, show another
 *   value than was delivered, because a list may lag behind. One reading with the delivered value removes the mark. The
 *   delivered value is not sent again: a person decides.
 * - An item that is missing from a list has no effect.
 *
 * Times are milliseconds since the epoch on the caller's clock. A reading is identified by the time of its claim.
 */
export interface PortalLists {
  /**
   * Claims the next reading of a list if it is due.
   *
   * @returns the reading, or milliseconds until the next try
   */
  claim(wanted: ReadingWanted): Promise<Reading | number>;
  /**
   * Stores a complete reading and ends its claim.
   *
   * @returns the effect on edits; `undefined` if another process has claimed the list since
   */
  store(reading: Reading, list: ListedItems, wall: number): Promise<ListEffect | undefined>;
  /** Ends the claim of a reading that failed. */
  release(reading: Reading): Promise<void>;
  /** Whether a list was ever read. */
  isRead(name: string): Promise<boolean>;
  /** Vendors with edits that the portal has accepted within the last `forMs` and that a list has to confirm. */
  awaitingVendors(now: number, forMs: number): Promise<readonly string[]>;
  /** Vendors with items whose list (`nameOf`) was not claimed for `forMs`. */
  unreadVendors(now: number, forMs: number, nameOf: (vendor: string) => string | undefined): Promise<readonly string[]>;
  /** The items of a list that this vendor may see and that have no current edit of the vendor, by id. */
  items(page: ListedPage): Promise<CatalogItem[]>;
  /** Deletes all lists and all marks, because no list is read any more. */
  forget(): Promise<void>;
}

export interface ReadingWanted {
  readonly name: string;
  readonly now: number;
  /** The interval from claim to claim. */
  readonly everyMs: number;
  /** The timeout of a reading. */
  readonly forMs: number;
}

export interface Reading {
  readonly name: string;
  /** On the clock of leases and waits. */
  readonly begunAt: number;
}

export interface ListedItems {
  /** The lane of these items' edits. */
  readonly lane: string;
  /** The vendor that owns the items; absent: several vendors do. */
  readonly vendor?: string | undefined;
  readonly values: readonly ListedValue[];
}

export interface ListedValue {
  readonly id: ItemId;
  /** Absent if the list has no value. */
  readonly available?: boolean | undefined;
  readonly updated_at?: string | undefined;
  readonly label?: string | undefined;
}

export interface ListEffect {
  /** Accepted edits that are now delivered. */
  readonly confirmed: number;
  /** Items that were found to have another value at the portal than was delivered. */
  readonly drifted: number;
  /** Items of the list whose value, time or label has changed since the last reading. */
  readonly changed: number;
}

export interface ListedPage {
  readonly name: string;
  readonly lane: string;
  readonly vendor: string;
  /**
   * Whether the vendor may see all items of the list except those of other vendors; otherwise only items that it owns
   * by use or by a list.
   */
  readonly isWhole: boolean;
  readonly after?: ItemId | undefined;
  readonly within?: ItemSelection | undefined;
  readonly limit: number;
}
