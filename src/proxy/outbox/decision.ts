import type { EditId } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import type { Receipt } from '../../contract/widget.js';

/** A person's or an operator's word on one edit. */
export interface Decision {
  /** `undefined`: an operator, who may decide for any vendor. */
  readonly vendor?: string | undefined;
  /** Who decided: the subject, and the name where the host gave one. */
  readonly by: string;
  readonly name?: string | undefined;
  readonly editId: EditId;
  readonly verdict:
    /** Accepts the wish again, as a new edit after all others of the item. */
    | ({ readonly kind: 'retry' } & NewWish)
    /**
     * `standing`: where the portal may have another value than the one that stands, because an earlier attempt of this edit, or
     * of one that it repeats or was to replace, ended without an answer, what stands is accepted again under this id, as a new
     * edit.
     */
    | { readonly kind: 'discard'; readonly standing?: NewWish };
  /** Whether an item of this vendor is named as another's by now: then nothing of it is sent, whatever was decided. */
  readonly isAnothers?: (vendor: string, id: ItemId) => boolean;
  readonly now: number;
}

/** What a new edit gets from whoever has it made. */
export interface NewWish {
  readonly newId: EditId;
  readonly portalOffset: number;
  readonly stampUnit: number;
}

export type Decided =
  | { readonly kind: 'decided'; readonly receipt: Receipt }
  | { readonly kind: 'edit_unknown' }
  /** Ids of edits are a vendor's own: an operator has to say whose is meant. */
  | { readonly kind: 'edit_ambiguous'; readonly vendors: readonly string[] }
  /** Another vendor's by now, where they share a lane: nothing is sent to it again. */
  | { readonly kind: 'item_unknown' }
  /** It has left already, or is settled. */
  | { readonly kind: 'edit_settled'; readonly receipt: Receipt };
