import type { Outbox } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';
import { type Log, noLog } from '../runtime/log.js';

export const DEFAULT_HIGH_WATER_MARK = {
  /** Edits that may wait before no more are taken in: about half a gigabyte of them. */
  maxWaiting: 1_000_000,
  /**
   * Bytes that they may take: twice what that many usually do, so that it is long names and labels that get there first.
   * Only what waits counts: no history gets there, however long it is.
   */
  maxWaitingBytes: 1024 ** 3,
} as const;
/** Between two checks: what comes in between is small beside the limit. */
const CHECK_INTERVAL_MS = 1_000;

export interface BackpressureOptions {
  readonly outbox: Outbox;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  /** Whether the disk has room; asked once a second while it answers. */
  readonly hasDiskSpace: () => Promise<boolean>;
  readonly clock: Clock;
  /** Told when no more is taken in, and when more is again. */
  readonly log?: Log;
}

/**
 * Says whether to take more in. Above the mark a batch is refused before it is stored, with a word on when to come again;
 * what was accepted is never evicted to make room.
 */
export function createBackpressure(options: BackpressureOptions): () => Promise<boolean> {
  const { outbox, maxWaiting, maxWaitingBytes, hasDiskSpace: hasRoom, clock, log = noLog } = options;
  let measuredAt = -Infinity;
  let canAccept = true;
  let measuring: Promise<void> | undefined;

  async function measure(): Promise<void> {
    const [{ received }, bytes, room] = await Promise.all([outbox.count(), outbox.waitingBytes(), hasRoom()]);
    const before = canAccept;
    canAccept = received < maxWaiting && bytes < maxWaitingBytes && room;
    measuredAt = clock.monotonic();
    if (canAccept === before) return;
    if (canAccept) log('info', 'edits are taken in again');
    else log('error', 'no more edits are taken in', { reason: room ? 'too_many_wait' : 'disk_full' });
  }

  return async () => {
    if (clock.monotonic() - measuredAt < CHECK_INTERVAL_MS) return canAccept;
    // Requests that come in between wait for the same answer.
    measuring ??= measure().finally(() => {
      measuring = undefined;
    });
    await measuring;
    return canAccept;
  };
}
