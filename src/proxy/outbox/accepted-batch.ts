import type { Receipt } from '../../contract/widget.js';
import type { AcceptedEdit } from './accepted-edit.js';

export interface Acceptance {
  readonly vendor: string;
  readonly subject: string;
  readonly name?: string | undefined;
  /** By which these edits leave; within it, an id is one vendor's. */
  readonly lane: string;
  readonly idempotencyKey: string;
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
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] };
