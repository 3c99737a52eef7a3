import type { Receipt } from '../../contract/widget.js';
import type { AcceptedEdit } from './accepted-edit.js';
import type { WrittenBatch } from '../written-batch.js';

export interface Acceptance {
  readonly vendor: string;
  readonly subject: string;
  readonly name?: string | undefined;
  /** By which these edits leave; within it, an id is one vendor's. */
  readonly lane: string;
  readonly idempotencyKey: string;
  /**
   * Digest of the payload: the same key with another payload is a mistake of the caller. Of a batch that came as `written` it is
   * the SHA-256 of its text, which a store may make itself, once it needs it.
   */
  readonly digest: string;
  /** Made of `written`, where there is that, once somebody asks for them. */
  readonly edits: readonly AcceptedEdit[];
  /** The same edits, as they came: a store may take them from there, and answer `accepted_new`. */
  readonly written?: WrittenBatch | undefined;
  /** When the page sent them, on the clock that `updated_at` of each edit is on. */
  readonly sentAt?: number | undefined;
  readonly now: number;
  /** The portal's clock minus ours. */
  readonly portalOffset: number;
  /** Between two stamps that the portal can tell apart: 1, or 1000. */
  readonly stampUnit: number;
}

/** What is known of a batch without a look at what it asks for. */
export type AcceptanceWish = Omit<Acceptance, 'edits' | 'written' | 'digest' | 'sentAt'>;

export type Accepted =
  | { readonly kind: 'accepted'; readonly receipts: readonly Receipt[] }
  /** Of a batch that came as `written`: each edit is new, and its receipt `received`, with this stamp and the next number. */
  | { readonly kind: 'accepted_new'; readonly number: number; readonly stamp: number }
  | { readonly kind: 'idempotency_key_reused' }
  | { readonly kind: 'edit_id_reused'; readonly indices: readonly number[] }
  /** Another vendor's in this lane: the caller learns only that there is no such item for them. */
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] };

/**
 * The same as `accept` for a batch in the bytes that it came in, whose digest is made on the store's thread.
 *
 * @returns `may_repeat`: it may name something twice. Nothing was stored; whoever asks looks, and comes by `accept`
 */
export type AcceptWritten = (
  batch: WrittenBatch,
  wish: AcceptanceWish,
) => Promise<Accepted | { readonly kind: 'may_repeat' }>;

/** How many edits. Nothing is made of the bytes of a batch for that. */
export function countOf(batch: Acceptance): number {
  return batch.written?.count ?? batch.edits.length;
}
