import type { Item, Timestamp } from './item.js';

declare const brand: unique symbol;

/** Made in the browser: 1 to 64 of `[A-Za-z0-9._-]`. The one name of an edit from the click to the portal. */
export type EditId = string & { readonly [brand]: 'EditId' };

/** One wish of one person for one item. */
export interface Edit extends Item {
  readonly edit_id: EditId;
  /** `updated_at` of the value that the person saw; absent where nobody had told them a value. */
  readonly base?: Timestamp | undefined;
  /** Display only: lets an operator read a list of edits without looking ids up. */
  readonly label?: string | undefined;
}

export const MAX_EDIT_ID_LENGTH = 64;

const EDIT_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function isEditId(value: unknown): value is EditId {
  return typeof value === 'string' && EDIT_ID.test(value);
}

export function idsOf(edits: readonly Pick<Edit, 'edit_id'>[]): EditId[] {
  return edits.map(({ edit_id }) => edit_id);
}
