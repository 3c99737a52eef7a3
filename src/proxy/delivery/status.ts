import { StorageFailed, type Outbox, type OutboxCount } from '../outbox/outbox.js';

/** How the proxy is, for operators: read when somebody asks. */
export interface ProxyStatus {
  /** Whether this process takes edits to the portal. */
  readonly delivering: boolean;
  /** The portal's clock minus ours, in milliseconds; 0 until it has answered, now or before the start. */
  readonly portalOffset: number;
  /** Absent where the storage does not answer. */
  readonly storage?: StorageStatus;
}

export interface StorageStatus {
  readonly edits: OutboxCount;
  /** How long the oldest edit that still waits has waited, in milliseconds; 0 where none does. */
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
