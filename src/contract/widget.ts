import * as z from 'zod/mini';
import { EDIT_STATES } from '../domain/edit-state.js';
import { changeSetId, editId, itemId, label, MAX_TOKEN_LENGTH, timestamp } from './fields.js';

/**
 * The wire format between the page and the proxy. Requests of the page are validated strictly, because an unknown field is
 * a mistake that its author should notice. Responses of the proxy are read leniently, because a page may be older than its
 * proxy.
 */
export const PERMISSIONS = ['view', 'edit', 'bulk', 'schedule', 'history', 'resolve'] as const;
export const permission = z.enum(PERMISSIONS);
export type Permission = z.infer<typeof permission>;

export const editBatch = z.strictObject({
  inventory: z
    .array(
      z.strictObject({
        id: itemId,
        available: z.boolean(),
        updated_at: timestamp,
        base: z.optional(timestamp),
        edit_id: z.optional(editId),
        label: z.optional(label),
        /** The value that the person saw, for the history of an item whose value the proxy does not know. */
        from: z.optional(z.boolean()),
        /** Shared by the edits that were made together. */
        change_set: z.optional(changeSetId),
      }),
    )
    .check(z.minLength(1)),
  sent_at: z.optional(timestamp),
});
export type EditBatch = z.infer<typeof editBatch>;

const state = z.enum(EDIT_STATES);

/** A value that an edit is in conflict with, its time, and its author if that is not the viewer. */
const otherValue = z.object({ available: z.boolean(), updated_at: timestamp, by: z.optional(z.string()) });
export type OtherValue = z.infer<typeof otherValue>;

/** The fields about an edit that a receipt and a listed item share. */
const fate = {
  /** With `received`: delivery is delayed, and the proxy keeps trying. */
  delayed: z.optional(z.boolean()),
  reason: z.optional(z.string()),
  /** With `delivered`: when the portal accepted it, on the proxy's clock. */
  settled_at: z.optional(timestamp),
  /** Who made the edit, for display; absent if that is the viewer. */
  by: z.optional(z.string()),
  /** With `conflict`: when the person made the edit, on the clock of their browser. */
  clicked_at: z.optional(timestamp),
  /** With `conflict`, while it is stored: the value that the person saw. */
  base: z.optional(otherValue),
  /** With `conflict`, while it is stored: the value in force until the person chooses one of the two. */
  theirs: z.optional(otherValue),
  /** With `received`, `refused` and `conflict`, if it is certain: the present value at the portal, which guests see. */
  portal_available: z.optional(z.boolean()),
};

const receipt = z.object({
  edit_id: editId,
  id: itemId,
  seq: z.number(),
  state,
  /** The timestamp that is sent to the portal, made at acceptance. */
  updated_at: timestamp,
  ...fate,
});
export type Receipt = z.infer<typeof receipt>;

export const receipts = z.object({ receipts: z.array(receipt) });

const listedItem = z.object({
  id: itemId,
  available: z.optional(z.boolean()),
  updated_at: z.optional(timestamp),
  label: z.optional(z.string()),
  group: z.optional(z.string()),
  /** Absent if the operator's list names the item and it was never edited. A missing `available` means an unknown value. */
  state: z.optional(state),
  edit_id: z.optional(editId),
  /** When the schedule that made the item unavailable makes it available again. */
  back_at: z.optional(timestamp),
  /**
   * The change set that closed everything or the item's group and made this item unavailable; absent if it has changed
   * since.
   */
  closing: z.optional(changeSetId),
  /**
   * The value and `updated_at` come from the portal's own list, and there is no `state`. `listed`: no edit of the item is
   * in force. `changed`: the portal has another value than was delivered, because it was changed elsewhere.
   */
  on_portal: z.optional(z.enum(['listed', 'changed'])),
  ...fate,
});

/** An item that was edited through this proxy. */
export type ListedItem = z.infer<typeof listedItem> & Pick<Receipt, 'updated_at' | 'state'> & { available: boolean };

/**
 * An item of the operator's list or the portal's own list: without an edit, or whose value was changed elsewhere
 * afterwards.
 */
export type CatalogItem = Pick<
  z.infer<typeof listedItem>,
  'id' | 'available' | 'updated_at' | 'label' | 'group' | 'on_portal'
> & {
  state?: undefined;
};

export const listing = z.object({
  inventory: z.array(listedItem),
  /** The value for `since` of the next request. */
  revision: z.optional(z.number()),
  next: z.optional(z.string()),
});
export type Listing = z.infer<typeof listing>;

export const session = z.object({
  vendor: z.string(),
  subject: z.string(),
  name: z.optional(z.string()),
  permissions: z.array(z.string()),
  /** The item ids that the session may access; one trailing `*` makes a prefix. Absent: all items of the vendor. */
  items: z.optional(z.array(z.string())),
  limits: z.object({ max_edits: z.number(), max_body_bytes: z.number() }),
  server_time: timestamp,
  expires_at: timestamp,
  version: z.string(),
});
export type Session = z.infer<typeof session>;

/** The response of the host's session URL to a POST. */
export const sessionToken = z.object({ token: z.string().check(z.minLength(1), z.maxLength(MAX_TOKEN_LENGTH)) });

/** Whether the item was edited through this proxy: an item with a state also has its value and timestamp. */
export function isEdited(item: Listing['inventory'][number]): item is ListedItem {
  return item.state !== undefined;
}

/**
 * Names the person whom a page without a token assumes to be signed in. Cookies may change without the page noticing, so
 * each request names its person, and the proxy answers `session_changed` if another person has signed in since.
 */
export const PERSON_HEADER = 'inventory-person';

/** The signed-in person: a subject within one vendor. */
export interface Person {
  readonly vendor: string;
  readonly subject: string;
}

/** @returns the value of that header; both parts are percent-encoded, so that only the separator is a comma */
export function personNamed({ vendor, subject }: Person): string {
  return [vendor, subject].map(encodeURIComponent).join();
}
