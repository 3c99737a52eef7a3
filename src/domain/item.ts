/**
 * An inventory item as the portal writes it: `{id, available, updated_at}` (portal document, "Inventory item").
 * The field names are the portal's everywhere, so that one shape travels from the page to the portal.
 */
declare const brand: unique symbol;

/** 1 to 200 characters without control characters. Compared by code point, never trimmed or normalised. */
export type ItemId = string & { readonly [brand]: 'ItemId' };

/** ISO 8601 UTC timestamp ending in `Z`, as in `2026-11-21T08:30:00.000Z`. */
export type Timestamp = string & { readonly [brand]: 'Timestamp' };

export interface Item {
  readonly id: ItemId;
  readonly available: boolean;
  readonly updated_at: Timestamp;
}

/** Fields that a page may show with an item. They are never sent to the portal. */
export interface ItemDisplay {
  readonly label?: string | undefined;
  readonly group?: string | undefined;
  /** URL of a picture, http or https, relative to the page. */
  readonly image?: string | undefined;
  readonly note?: string | undefined;
}

export const MAX_ITEM_ID_LENGTH = 200;

// A lone surrogate has no UTF-8 form: it would be sent as U+FFFD and name another item.
const ITEM_ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

export function isItemId(value: unknown): value is ItemId {
  return typeof value === 'string' && ITEM_ID.test(value);
}

// A timestamp with nanoseconds has 30 characters. Without a bound, a sender could make the fraction as long as it likes.
const MAX_TIMESTAMP_LENGTH = 30;
const UTC_DATE_TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/;

/** RFC 3339 date and time in UTC, without leap seconds. */
export function isTimestamp(value: unknown): value is Timestamp {
  if (typeof value !== 'string' || value.length > MAX_TIMESTAMP_LENGTH || !UTC_DATE_TIME.test(value)) return false;
  // For a day that the month does not have, the engine returns either an invalid date or a day of the next month.
  return new Date(`${value.slice(0, 10)}T00:00Z`).getUTCDate() === Number(value.slice(8, 10));
}

/** The order of every listing: by code point, as UTF-8 bytes sort. JavaScript's `<` compares UTF-16 units instead. */
export function compareIds(a: ItemId, b: ItemId): number {
  for (let at = 0; at < a.length; at += 1) {
    const [pointInA = 0, pointInB = 0] = [a.codePointAt(at), b.codePointAt(at)];
    if (pointInA !== pointInB) return pointInA - pointInB;
  }
  return a.length - b.length;
}

/** @param milliseconds since the epoch, UTC */
export function toTimestamp(milliseconds: number): Timestamp {
  return new Date(milliseconds).toISOString() as Timestamp;
}
