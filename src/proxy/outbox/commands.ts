import type { EditBatch, Receipt } from '../../contract/widget.js';
import { isEditId, type EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';

/** As the page wrote it. An edit that came without an id has got one. */
export type AcceptedEdit = EditBatch['inventory'][number] & { readonly edit_id: EditId };

export interface Acceptance {
  readonly vendor: string;
  readonly subject: string;
  readonly name?: string | undefined;
  /** The lane by which these edits leave; within it, an id is one vendor's. */
  readonly lane: string;
  readonly idempotencyKey: string;
  /** Where each vendor has a list of its own: ids that the lists do not give to this vendor are refused. */
  readonly lists?: ListOwnership | undefined;
  /** Digest of the payload: the same key with another payload is a mistake of the caller. */
  readonly digest: string;
  readonly edits: readonly AcceptedEdit[];
  /** When the page sent them, on the clock that `updated_at` of each edit is on. */
  readonly sentAt?: number | undefined;
  readonly now: number;
  /** The portal's clock minus ours. */
  readonly portalOffset: number;
  /** Between two stamps that the portal can tell apart: 1, or 1000. */
  readonly stampUnit: number;
}

export type Accepted =
  | { readonly kind: 'accepted'; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'idempotency_key_reused' }
  | { readonly kind: 'edit_id_reused'; readonly indices: readonly number[] }
  /** Another vendor's in this lane: the caller learns only that there is no such item for them. */
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] }
  /** The list of this vendor was never read, so nothing says whose the items are. */
  | { readonly kind: 'list_unread' };

/** How the stored lists decide whose an id is. */
export interface ListOwnership {
  /** Whether the ids of that vendor meet, at the portal, those of the vendor in question. */
  readonly sharesLane: (vendor: string) => boolean;
  /** Whether this process has read the list of the vendor in question, which may be empty. */
  readonly isRead: boolean;
}

/** The vendors whose lists name an id, the first one first. */
export type ListedOwners = ReadonlyMap<ItemId, readonly string[]>;

/** Gives a vendor what its list names, with what a value needs that is accepted once more. */
export interface ListAssignment extends Pick<ListOwnership, 'sharesLane'>, Omit<NewWish, 'newId'> {
  readonly vendor: string;
  readonly lane: string;
  readonly now: number;
  readonly newId: () => EditId;
}

/** A person's or an operator's decision on one edit. */
export interface Decision {
  /** `undefined`: an operator, who may decide for any vendor. */
  readonly vendor?: string | undefined;
  /** Who decided: the subject, and the name where the host gave one. */
  readonly by: string;
  readonly name?: string | undefined;
  readonly editId: EditId;
  readonly verdict:
    /** Accepts the value again, as a new edit after all others of the item. */
    | ({ readonly kind: 'retry' } & NewWish)
    /**
     * `standing`: where the portal may have another value than the delivered one, because an earlier attempt of this edit, or of
     * one that it repeats or was to replace, ended without an answer, the delivered value is accepted again under this id, as a
     * new edit.
     */
    | { readonly kind: 'discard'; readonly standing?: NewWish };
  /** Whether an item of this vendor is listed as another vendor's by now: then nothing of it is sent, whatever was decided. */
  readonly isAnothers?: (vendor: string, id: ItemId) => boolean;
  /** As that of {@link Acceptance}. */
  readonly lists?: ListOwnership | undefined;
  readonly now: number;
}

/** What the caller supplies for a new edit. */
export interface NewWish {
  readonly newId: EditId;
  readonly portalOffset: number;
  readonly stampUnit: number;
}

export type Decided =
  | { readonly kind: 'decided'; readonly receipt: Receipt }
  | { readonly kind: 'edit_unknown' }
  /** Two vendors may have used the same edit id: an operator has to name the vendor. */
  | { readonly kind: 'edit_ambiguous'; readonly vendors: readonly string[] }
  /** The item is another vendor's by now, where they share a lane: no edit of it is accepted again. */
  | { readonly kind: 'item_unknown' }
  /** It has left already, or is settled. */
  | { readonly kind: 'edit_settled'; readonly receipt: Receipt };

/** For an edit that came without an id, or that the proxy makes. */
export function newEditId(): EditId {
  const id = crypto.randomUUID();
  if (!isEditId(id)) throw new TypeError('a UUID is an edit id');
  return id;
}
