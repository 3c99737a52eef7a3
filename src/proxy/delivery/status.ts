import { StorageFailed, type Outbox, type OutboxCount } from '../outbox/outbox.js';

/** The state of the proxy for operators, read on request. */
export interface ProxyStatus {
  /** Whether this process delivers edits to the portal. */
  readonly delivering: boolean;
  /** The portal's clock minus ours, in milliseconds; 0 if no response of the portal was ever recorded. */
  readonly portalOffset: number;
  /** Absent if the storage does not answer. */
  readonly storage?: StorageStatus;
}

export interface StorageStatus {
  readonly edits: OutboxCount;
  /** How long the oldest waiting edit has waited, in milliseconds; 0 if none waits. */
  readonly oldestWaitingMs: number;
  /** How many lanes are held, by reason. */
  readonly heldLanes: ReadonlyMap<string, number>;
}

export async function storageStatus(outbox: Outbox, now: number): Promise<StorageStatus | undefined> {
  try {
    const [edits, heldLanes] = await Promise.all([outbox.count(), outbox.heldLanes()]);
    const oldestWaitingMs = edits.oldestWaiting === undefined ? 0 : Math.max(now - edits.oldestWaiting, 0);
    return { edits, oldestWaitingMs, heldLanes };
  } catch (error) {
    if (error instanceof StorageFailed) return undefined;
    throw error;
  }
}
