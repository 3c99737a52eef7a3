import type { SkippedItem } from '../../contract/history.js';
import type { EditBatch, Receipt } from '../../contract/widget.js';
import { isEditId, type EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { HistoryPage } from './outbox-pages.js';

/** As the page sent it, with an id added if it had none. */
export type AcceptedEdit = EditBatch['inventory'][number] & { readonly edit_id: EditId };

export interface AcceptBatchCommand {
  readonly vendor: string;
  readonly subject: string;
  readonly name?: string | undefined;
  /** The lane of these edits; within it, an id belongs to one vendor. */
  readonly lane: string;
  readonly idempotencyKey: string;
  /** Set if each vendor has its own list: ids that the lists do not assign to this vendor are rejected. */
  readonly lists?: ListOwnership | undefined;
  /** Digest of the payload: an idempotency key with another payload is a mistake of the client. */
  readonly digest: string;
  readonly edits: readonly AcceptedEdit[];
  /** When the page sent them, on the same clock as `updated_at` of each edit. */
  readonly sentAt?: number | undefined;
  readonly now: number;
  /** The portal's clock minus ours. */
  readonly portalOffset: number;
  /** The smallest difference between two timestamps that the portal can tell apart: 1 or 1000 ms. */
  readonly timestampUnit: number;
}

export type AcceptResult =
  | { readonly kind: 'accepted'; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'idempotency_key_reused' }
  | { readonly kind: 'edit_id_reused'; readonly indices: readonly number[] }
  /** The ids belong to another vendor in this lane. The client learns only that these items do not exist for it. */
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] }
  /** The list of this vendor was never read, so the owner of the items is unknown. */
  | { readonly kind: 'list_unread' };

/** Sets the items of a change set back to the values before it, as one accepted batch. */
export interface Revert extends Omit<AcceptBatchCommand, 'edits' | 'sentAt'> {
  /** The edits to revert: the change set, or a part of it. */
  readonly reverted: HistoryPage & { readonly changeSet: EditId };
  /** The change set of the new edits. */
  readonly changeSet: EditId;
  readonly newId: () => EditId;
  /** Whether the operator's list assigns this id to another vendor by now. */
  readonly hasOtherOwner: (id: ItemId) => boolean;
}

export type Reverted =
  | {
      readonly kind: 'reverted';
      readonly receipts: readonly Receipt[];
      readonly skipped: readonly SkippedItem[];
      /** The change set of the new edits; absent: there are none. */
      readonly changeSet?: EditId | undefined;
      /** The number before which the next part begins; absent: there is none. */
      readonly next?: number | undefined;
    }
  | Exclude<AcceptResult, { readonly kind: 'accepted' }>;

/** How the stored lists determine the owner of an id. */
export interface ListOwnership {
  /** Whether that vendor shares a lane with the vendor in question. */
  readonly sharesLane: (vendor: string) => boolean;
  /** Whether this process has read the list of the vendor in question; it may be empty. */
  readonly isRead: boolean;
}

/** The vendors whose lists have an id, in the order in which the lists named it. */
export type ListedOwners = ReadonlyMap<ItemId, readonly string[]>;

/** Assigns the ids of a vendor's list to it, with the data for values that are accepted again. */
export interface ListAssignment extends Pick<ListOwnership, 'sharesLane'>, Omit<NewEdit, 'newId'> {
  readonly vendor: string;
  readonly lane: string;
  readonly now: number;
  readonly newId: () => EditId;
}

/** A person's or an operator's decision on one edit. */
export interface Decision {
  /** `undefined`: an operator, who may decide for every vendor. */
  readonly vendor?: string | undefined;
  /** Who decided: the subject, and the name if the host gave one. */
  readonly by: string;
  readonly name?: string | undefined;
  readonly editId: EditId;
  readonly verdict:
    /** Accepts the value again, as a new edit after all others of the item. */
    | ({ readonly kind: 'retry' } & NewEdit)
    /**
     * `resend`: the portal may have another value than the delivered one, because an earlier attempt of this edit, or
     * of one that it repeats or was to replace, ended without a response. Then the delivered value is accepted again as
     * a new edit with this id.
     */
    | { readonly kind: 'discard'; readonly resend?: NewEdit };
  /**
   * Whether the operator's lists assign an item of this vendor to another vendor by now. Then none of its edits is
   * sent.
   */
  readonly hasOtherOwner?: (vendor: string, id: ItemId) => boolean;
  /** As in {@link AcceptBatchCommand}. */
  readonly lists?: ListOwnership | undefined;
  readonly now: number;
}

/** What a new edit needs from the caller. */
export interface NewEdit {
  readonly newId: EditId;
  readonly portalOffset: number;
  readonly timestampUnit: number;
}

export type Decided =
  | { readonly kind: 'decided'; readonly receipt: Receipt }
  | { readonly kind: 'edit_unknown' }
  /** Two vendors have used the same edit id: an operator has to name the vendor. */
  | { readonly kind: 'edit_ambiguous'; readonly vendors: readonly string[] }
  /** The item belongs to another vendor in the lane by now: no edit of it is accepted again. */
  | { readonly kind: 'item_unknown' }
  /** The edit was already sent or is settled. */
  | { readonly kind: 'edit_settled'; readonly receipt: Receipt };

/** Makes an id for an edit that came without one, or that the proxy itself makes. */
export function newEditId(): EditId {
  const id = crypto.randomUUID();
  if (!isEditId(id)) throw new TypeError('a UUID is an edit id');
  return id;
}
