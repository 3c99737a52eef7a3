import * as z from 'zod/mini';
import { EDIT_STATES } from '../domain/edit-state.js';
import { changeSetId, editId, itemId, label, MAX_TOKEN_LENGTH, timestamp } from './fields.js';

/**
 * The wire between the page and the proxy. What the page sends is strict, because an unknown field is a mistake that
 * its author wants to hear about. What the proxy answers is read leniently, because a page may be older than its proxy.
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
        /** The edits that were made together have the same one. */
        change_set: z.optional(changeSetId),
      }),
    )
    .check(z.minLength(1)),
  sent_at: z.optional(timestamp),
});
export type EditBatch = z.infer<typeof editBatch>;

const state = z.enum(EDIT_STATES);

/** A value that an edit in conflict is held against, since when, and by whom, where that was not the person who asks. */
const otherValue = z.object({ available: z.boolean(), updated_at: timestamp, by: z.optional(z.string()) });
export type OtherValue = z.infer<typeof otherValue>;

/** What a receipt and an item tell alike of an edit. */
const fate = {
  /** `received` and held up: the proxy keeps trying. */
  delayed: z.optional(z.boolean()),
  reason: z.optional(z.string()),
  /** With `delivered`: when the portal took it, by the proxy's clock. */
  settled_at: z.optional(timestamp),
  /** Who made the edit, for display; absent where it was the person who asks. */
  by: z.optional(z.string()),
  /** With `conflict`: when the person made the edit, by the clock of their browser. */
  clicked_at: z.optional(timestamp),
  /** With `conflict`, as long as it is remembered: the value that the person saw. */
  base: z.optional(otherValue),
  /** With `conflict`, as long as it is remembered: the value that counts until then. The person picks one of the two. */
  theirs: z.optional(otherValue),
  /** With `received`, `refused` and `conflict`, as far as it is certain: the value on the portal, which guests see now. */
  portal_available: z.optional(z.boolean()),
};

const receipt = z.object({
  edit_id: editId,
  id: itemId,
  seq: z.number(),
  state,
  /** The stamp that the portal gets, made at acceptance. */
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
  /** Absent where the operator's list names the item and it was never edited; a value that is left out is unknown. */
  state: z.optional(state),
  edit_id: z.optional(editId),
  /** A schedule has made it unavailable, and makes it available again then. */
  back_at: z.optional(timestamp),
  /** It was available until this change set closed everything or its group, and it has not changed since. */
  closing: z.optional(changeSetId),
  /**
   * The value and `updated_at` are those of the portal's own list, and there is no `state`. `listed`: no edit of the item counts.
   * `changed`: the portal has another value than was delivered, which was changed elsewhere.
   */
  on_portal: z.optional(z.enum(['listed', 'changed'])),
  ...fate,
});

/** An item that was edited here. */
export type ListedItem = z.infer<typeof listedItem> & Pick<Receipt, 'updated_at' | 'state'> & { available: boolean };

/** An item as the operator's list or the portal's own list has it: without an edit, or after the value was changed elsewhere. */
export type CatalogItem = Pick<
  z.infer<typeof listedItem>,
  'id' | 'available' | 'updated_at' | 'label' | 'group' | 'on_portal'
> & {
  state?: undefined;
};

export const listing = z.object({
  inventory: z.array(listedItem),
  /** Where `since` goes on. */
  revision: z.optional(z.number()),
  next: z.optional(z.string()),
});
export type Listing = z.infer<typeof listing>;

export const session = z.object({
  vendor: z.string(),
  subject: z.string(),
  name: z.optional(z.string()),
  permissions: z.array(z.string()),
  /** Ids that the session is confined to; one trailing `*` makes a prefix. Absent: all of the vendor's. */
  items: z.optional(z.array(z.string())),
  limits: z.object({ max_edits: z.number(), max_body_bytes: z.number() }),
  server_time: timestamp,
  expires_at: timestamp,
  version: z.string(),
});
export type Session = z.infer<typeof session>;

/** What the host's session URL answers to a POST. */
export const sessionToken = z.object({ token: z.string().check(z.minLength(1), z.maxLength(MAX_TOKEN_LENGTH)) });

/** It was edited here: an answer that says the state says the value and its stamp too. */
export function isEdited(item: Listing['inventory'][number]): item is ListedItem {
  return item.state !== undefined;
}

/**
 * Whom a page without a token takes to be signed in: cookies the browser changes unseen, so the call itself says for whom it
 * is made, and the proxy answers `session_changed` where another person has signed in since.
 */
export const PERSON_HEADER = 'inventory-person';

/** Who is signed in: a person is known by name to one vendor. */
export interface Person {
  readonly vendor: string;
  readonly subject: string;
}

/** @returns the value of that header: both percent-encoded, so that no comma of theirs is the one between them */
export function personNamed({ vendor, subject }: Person): string {
  return [vendor, subject].map(encodeURIComponent).join();
}
