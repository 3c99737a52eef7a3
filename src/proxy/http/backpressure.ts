import type { Outbox } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';
import { type Log, noLog } from '../runtime/log.js';

export const DEFAULT_HIGH_WATER_MARK = {
  /** How many edits may wait before the proxy rejects new ones. So many take about half a gigabyte. */
  maxWaiting: 1_000_000,
  /**
   * The bytes that waiting edits may take: twice as many as a million of them usually take, so that only unusually long names
   * and labels reach this limit first. Settled edits do not count.
   */
  maxWaitingBytes: 1024 ** 3,
} as const;
/** The edits that arrive between two checks are few compared with the limit. */
const CHECK_INTERVAL_MS = 1_000;

export interface BackpressureOptions {
  readonly outbox: Outbox;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  /** Called at most once a second. */
  readonly hasDiskSpace: () => Promise<boolean>;
  readonly clock: Clock;
  /** Receives a line when the proxy begins to reject edits, and when it accepts them again. */
  readonly log?: Log;
}

/**
 * Above the high-water mark the proxy rejects a batch with `Retry-After` before it stores any of it. It never evicts an
 * accepted edit to make room.
 *
 * @returns a function that resolves to whether the proxy accepts more edits
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
    // Concurrent requests share one measurement.
    measuring ??= measure().finally(() => {
      measuring = undefined;
    });
    await measuring;
    return canAccept;
  };
}
