import { isEqual } from '../model/item-state.js';

/** What is known of the connection, of the person, and of the items as a whole. Frozen. */
export type StoreStatus = 'loading' | 'ready' | 'unreachable' | 'signed-out';

export interface StoreSnapshot {
  readonly status: StoreStatus;
  /** Problem code behind a status that is not `ready`. */
  readonly problem?: string | undefined;
  readonly requestId?: string | undefined;
  readonly canEdit: boolean;
  /** Whose edits are shown and counted. */
  readonly owner: string;
  /** Items whose newest edit is not on the portal. */
  readonly openCount: number;
  /** Of these, the ones that wait for a person's word. */
  readonly attentionCount: number;
  /** The proxy's listing has been read to its end. */
  readonly complete: boolean;
}

export function firstSnapshot(owner: string): StoreSnapshot {
  return Object.freeze({
    status: 'loading',
    canEdit: true,
    owner,
    openCount: 0,
    attentionCount: 0,
    complete: false,
  });
}

/** The same object where the counts are the same. */
export function withCounts(
  known: StoreSnapshot,
  counts: Pick<StoreSnapshot, 'owner' | 'openCount' | 'attentionCount' | 'complete'>,
): StoreSnapshot {
  const now = { ...known, ...counts };
  return isEqual(known, now) ? known : Object.freeze(now);
}
