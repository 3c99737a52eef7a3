import type { Outbox } from '../outbox/outbox.js';
import type { Clock } from '../runtime/clock.js';
import { type Log, silent } from '../runtime/log.js';

export const HIGH_WATER = {
  /** Edits that may wait before no more are taken in: about half a gigabyte of them. */
  mostWaiting: 1_000_000,
  /**
   * Bytes that they may take: twice what that many usually do, so that it is long names and labels that get there first.
   * Only what waits counts: no history gets there, however long it is.
   */
  mostWaitingBytes: 1024 ** 3,
} as const;
/** Between two looks: what comes in meanwhile is small beside the mark. */
const LOOK_MS = 1_000;

export interface HighWaterOptions {
  readonly outbox: Outbox;
  readonly mostWaiting: number;
  readonly mostWaitingBytes: number;
  /** Whether the disk has room; asked once a second while it answers. */
  readonly hasRoom: () => Promise<boolean>;
  readonly clock: Clock;
  /** Told when no more is taken in, and when more is again. */
  readonly log?: Log;
}

/**
 * Says whether to take more in. Above the mark a batch is refused before it is stored, with a word on when to come again;
 * what was accepted is never evicted to make room.
 */
export function createHighWater(options: HighWaterOptions): () => Promise<boolean> {
  const { outbox, mostWaiting, mostWaitingBytes, hasRoom, clock, log = silent } = options;
  let lookedAt = -Infinity;
  let mayAccept = true;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const [{ received }, bytes, room] = await Promise.all([outbox.count(), outbox.waitingBytes(), hasRoom()]);
    const before = mayAccept;
    mayAccept = received < mostWaiting && bytes < mostWaitingBytes && room;
    lookedAt = clock.monotonic();
    if (mayAccept === before) return;
    if (mayAccept) log('info', 'edits are taken in again');
    else log('error', 'no more edits are taken in', { reason: room ? 'too_many_wait' : 'disk_full' });
  }

  return async () => {
    if (clock.monotonic() - lookedAt < LOOK_MS) return mayAccept;
    // Whoever comes meanwhile waits for the same answer.
    looking ??= look().finally(() => {
      looking = undefined;
    });
    await looking;
    return mayAccept;
  };
}
