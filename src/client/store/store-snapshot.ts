import { isEqual } from '../model/item-state.js';

export type StoreStatus = 'loading' | 'ready' | 'unreachable' | 'signed-out';

/** The state of the connection, the person's permissions, and counts over all items. Frozen. */
export interface StoreSnapshot {
  readonly status: StoreStatus;
  /** Problem code behind a status that is not `ready`. */
  readonly problem?: string | undefined;
  readonly requestId?: string | undefined;
  readonly canEdit: boolean;
  /** The person may set schedules; `false` until the session is known. */
  readonly canSchedule: boolean;
  /** The person may read the history; `false` until the session is known. */
  readonly canReadHistory: boolean;
  /** The person whose edits are shown and counted. */
  readonly owner: string;
  /** Items whose newest edit is not on the portal. */
  readonly openCount: number;
  /** Those of the open items that wait for a person's decision. */
  readonly attentionCount: number;
  /** Whether the proxy's listing was read to its end. */
  readonly complete: boolean;
}

export function firstSnapshot(owner: string): StoreSnapshot {
  return Object.freeze({
    status: 'loading',
    canEdit: true,
    canSchedule: false,
    canReadHistory: false,
    owner,
    openCount: 0,
    attentionCount: 0,
    complete: false,
  });
}

/** @returns the same object if no count changed */
export function withCounts(
  known: StoreSnapshot,
  counts: Pick<StoreSnapshot, 'owner' | 'openCount' | 'attentionCount' | 'complete'>,
): StoreSnapshot {
  const now = { ...known, ...counts };
  return isEqual(known, now) ? known : Object.freeze(now);
}
