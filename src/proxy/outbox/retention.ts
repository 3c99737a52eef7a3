import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { Outbox } from './outbox.js';

/** How long an idempotency key is stored. */
export const KEY_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;

export interface HousekeepingOptions {
  readonly outbox: Outbox;
  /**
   * How long settled edits are kept for the history; at least as long as keys. The newest edit of an item is kept for
   * ever.
   */
  readonly historyDays: number;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Deletes old settled edits and old keys at start and every hour.
 *
 * @returns a function that stops it
 */
export function startHousekeeping({ outbox, historyDays, clock, now, log }: HousekeepingOptions): () => void {
  let cancel: () => void = () => undefined;
  const clean = async (): Promise<void> => {
    try {
      // The earlier of two clocks is used: either may be ahead, and deleted rows do not come back.
      const today = Math.min(now(), clock.wall());
      // A key must not outlive its edits, because a repeated request would then get no receipts.
      const settled = today - Math.max(historyDays, KEY_DAYS) * DAY_MS;
      const edits = await outbox.prune({ settled, keys: today - KEY_DAYS * DAY_MS });
      const items = edits + (await outbox.schedules.prune(settled));
      if (items > 0) log('info', 'old rows are gone', { items });
    } catch (error) {
      // The next run deletes the rows, an hour later.
      log('warn', 'old rows could not be deleted', { error: String(error) });
    }
  };
  const plan = (milliseconds: number): void => {
    cancel = clock.after(milliseconds, () => {
      plan(EVERY_MS);
      void clean();
    });
  };
  plan(EVERY_MS);
  void clean();
  return () => {
    cancel();
  };
}
