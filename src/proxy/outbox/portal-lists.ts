import type { KnownItem } from '../../contract/widget.js';
import type { ItemId } from '../../domain/item.js';
import type { ItemSelection } from './outbox-pages.js';

/**
 * The portal's own lists of items, as they were read last, and what follows from them for edits.
 *
 * Its promises:
 *
 * - One process at a time reads a list, and a list is not read again before its time: a reading is claimed, and only the reader
 *   with the newest claim stores anything.
 * - An edit on its way wins over every list. A reading that began before the portal had answered the edit tells nothing of it.
 * - An edit that the portal has only accepted is delivered once a later reading shows its value.
 * - An item is marked as changed at the portal once two readings in a row, both later than the delivery, show another value than
 *   was delivered: a list may lag behind for a while. One reading with the delivered value ends the mark. The delivered value is
 *   not sent again: that is for a person.
 * - An item that is missing from a list tells nothing.
 *
 * Times are milliseconds since the epoch on the clock of the caller, and a reading is named by the time of its claim.
 */
export interface PortalLists {
  /** Claims the next reading of a list, where it is due. @returns the reading, or milliseconds until to ask again */
  claim(wanted: ReadingWanted): Promise<Reading | number>;
  /** Stores a whole reading, and ends its claim. @returns `undefined` where another process has claimed the list since */
  store(reading: Reading, list: ListedItems, wall: number): Promise<ListEffect | undefined>;
  /** Ends the claim of a reading that failed. */
  release(reading: Reading): Promise<void>;
  /** Whether a list was ever read. */
  isRead(name: string): Promise<boolean>;
  /** Vendors with edits that the portal has accepted in so many milliseconds before now, and that wait for a list. */
  awaitingVendors(now: number, forMs: number): Promise<readonly string[]>;
  /** Vendors with items whose list, by the name that `nameOf` gives, was not claimed for so long. */
  unreadVendors(now: number, forMs: number, nameOf: (vendor: string) => string | undefined): Promise<readonly string[]>;
  /** The items of a list that this vendor may see and that no edit of theirs counts for, in the order of ids. */
  items(page: ListedPage): Promise<KnownItem[]>;
  /** Forgets all lists, and all marks: no list is read any more. */
  forget(): Promise<void>;
}

export interface ReadingWanted {
  readonly name: string;
  readonly now: number;
  /** From claim to claim. */
  readonly everyMs: number;
  /** The longest that a reading may take. */
  readonly forMs: number;
}

export interface Reading {
  readonly name: string;
  /** On the clock that leases and waits are kept on. */
  readonly begunAt: number;
}

export interface ListedItems {
  /** The lane by which edits of these items leave. */
  readonly lane: string;
  /** The vendor whose items these are; absent: those of several. */
  readonly vendor?: string | undefined;
  readonly values: readonly ListedValue[];
}

export interface ListedValue {
  readonly id: ItemId;
  /** Absent: the list does not say. */
  readonly available?: boolean | undefined;
  readonly updated_at?: string | undefined;
  readonly label?: string | undefined;
}

export interface ListEffect {
  /** Edits that were waiting for the portal and are delivered. */
  readonly confirmed: number;
  /** Items that turned out to have another value at the portal than was delivered. */
  readonly drifted: number;
  /** Items of the list whose value, time or label is another than at the last reading. */
  readonly changed: number;
}

export interface ListedPage {
  readonly name: string;
  readonly lane: string;
  readonly vendor: string;
  /** Whether the vendor may see all items of the list that no other vendor has; otherwise those that are theirs by use or by list. */
  readonly isWhole: boolean;
  readonly after?: ItemId | undefined;
  readonly within?: ItemSelection | undefined;
  readonly limit: number;
}
