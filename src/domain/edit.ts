import type { Item, ItemId, Timestamp } from './item.js';

declare const brand: unique symbol;

/** Made in the browser: 1 to 64 of `[A-Za-z0-9._-]`. It identifies an edit from the click to the portal. */
export type EditId = string & { readonly [brand]: 'EditId' };

/** The value that one person gave one item. */
export interface Edit extends Item {
  readonly edit_id: EditId;
  /** `updated_at` of the value that the person saw; absent if the page knew no value. */
  readonly base?: Timestamp | undefined;
  /** The value that the person saw, where only the host's page named one. */
  readonly from?: boolean | undefined;
  /** Shared by the edits that a person made together. */
  readonly change_set?: EditId | undefined;
  /** Display only: lets an operator read a list of edits without looking ids up. */
  readonly label?: string | undefined;
}

export const MAX_EDIT_ID_LENGTH = 64;

const EDIT_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function isEditId(value: unknown): value is EditId {
  return typeof value === 'string' && EDIT_ID.test(value);
}

/** Begins the id of a change set that closes everything, or one group, at once. */
const CLOSING = 'closing-';

/** Marks a change set as a closing, so that the proxy tells every device of the vendor which items it can reopen. */
export function toClosingId(id: EditId): EditId {
  return `${CLOSING}${id}` as EditId;
}

export function isClosingId(id: string): boolean {
  return id.startsWith(CLOSING);
}

export function toEditIds(edits: readonly Pick<Edit, 'edit_id'>[]): EditId[] {
  return edits.map(({ edit_id }) => edit_id);
}

/**
 * Splits edits into batches that name no item twice, in the order in which they were made. The proxy accepts a batch
 * as a whole or not at all, and two edits of one item must keep their order.
 */
export function batchByItem<E extends { readonly id: ItemId }>(edits: readonly E[], maxItems: number): E[][] {
  const batches: E[][] = [];
  const idsInLast = new Set<ItemId>();
  for (const edit of edits) {
    if (idsInLast.size % maxItems === 0 || idsInLast.has(edit.id)) {
      batches.push([]);
      idsInLast.clear();
    }
    batches.at(-1)?.push(edit);
    idsInLast.add(edit.id);
  }
  return batches;
}
