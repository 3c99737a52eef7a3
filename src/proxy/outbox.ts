import type { EditId } from '../domain/edit.js';
import type { ItemId } from '../domain/item.js';
import type { EditBatch, ListedItem, Receipt } from '../contract/widget.js';
import type { PortalItem } from '../contract/portal.js';

/**
 * The outbox: where an accepted edit lives until the portal has it.
 *
 * Its promises, in the order in which a night depends on them:
 *
 * - What `accept` resolved for is on the disk. The disk first, then the answer.
 * - An edit is in exactly one state, and accepted edits never disappear.
 * - Edits of one item leave in the order of their acceptance, one attempt at a time; an attempt is on the disk before
 *   its first byte leaves, so that a crash leaves a trace of what the portal may have seen.
 * - The stamp for the portal is taken here, in the transaction of acceptance, strictly increasing per item and kept on
 *   every resend.
 *
 * It deliberately knows nothing of HTTP, of the portal or of permissions. Every call may throw {@link StorageFailed}.
 */
export interface Outbox {
  accept(batch: Acceptance): Promise<Accepted>;
  /** Receipts of one vendor's edits, in the order asked; unknown ids are left out. */
  receipts(vendor: string, editIds: readonly EditId[]): Promise<Receipt[]>;
  /** A page of one vendor's items in the order of their ids, each with its newest edit. */
  list(vendor: string, page: { readonly after?: ItemId | undefined; readonly limit: number }): Promise<ListedItem[]>;
  /** Opens one durable attempt over edits that are due, at most one an item. */
  openAttempt(now: number, mostItems: number): Promise<readonly OpenEdit[]>;
  settle(edits: readonly OpenEdit[], settlement: Settlement, now: number): Promise<void>;
  /** When the next waiting edit is due, milliseconds since the epoch. */
  nextDue(): Promise<number | undefined>;
  /** At start: attempts that a crash left open have an unknown outcome and are due again. */
  recover(now: number): Promise<number>;
  close(): Promise<void>;
}

export type AcceptedEdit = EditBatch['inventory'][number] & { readonly edit_id: EditId };

export interface Acceptance {
  readonly vendor: string;
  readonly subject: string;
  readonly idempotencyKey: string;
  /** Digest of the payload: the same key with another payload is a mistake of the caller. */
  readonly digest: string;
  readonly edits: readonly AcceptedEdit[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Accepted =
  | { readonly kind: 'accepted'; readonly receipts: readonly Receipt[] }
  | { readonly kind: 'idempotency_key_reused' }
  | { readonly kind: 'edit_id_reused'; readonly indices: readonly number[] }
  /** Another vendor's: the caller learns only that there is no such item for them. */
  | { readonly kind: 'item_unknown'; readonly indices: readonly number[] };

export interface OpenEdit extends PortalItem {
  readonly seq: number;
  /** Attempts so far, this one included. */
  readonly attempts: number;
}

export type Settlement =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** `dueAt` in milliseconds since the epoch. No reason: nothing is wrong, its turn has only not come. */
  | { readonly kind: 'waiting'; readonly reason?: string; readonly dueAt: number };

/**
 * No edit waits longer for its next attempt. One that is due later than that was planned by a clock that has been set
 * back since, and is due now.
 */
export const LONGEST_WAIT_MS = 3_600_000;

/** The disk said no: nothing was promised, and the same request may come again. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}
