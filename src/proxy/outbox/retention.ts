import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { Outbox } from './outbox.js';

/** How long an idempotency key is remembered. */
export const KEY_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;

export interface HousekeepingOptions {
  readonly outbox: Outbox;
  /** How long settled edits are kept for the history; not less than keys are. The newest edit of an item is kept for ever. */
  readonly historyDays: number;
  readonly clock: Clock;
  readonly now: () => number;
  readonly log: Log;
}

/** Forgets what is old and settled, at the start and every hour. @returns what ends it */
export function startHousekeeping({ outbox, historyDays, clock, now, log }: HousekeepingOptions): () => void {
  let cancel: () => void = () => undefined;
  const clean = async (): Promise<void> => {
    try {
      // Of two clocks the one that forgets less: either may have been ahead, and what is gone does not come back.
      const today = Math.min(now(), clock.wall());
      // A key that outlived its edits would be answered with nothing.
      const settled = today - Math.max(historyDays, KEY_DAYS) * DAY_MS;
      const edits = await outbox.prune({ settled, keys: today - KEY_DAYS * DAY_MS });
      const items = edits + (await outbox.schedules.prune(settled));
      if (items > 0) log('info', 'old rows are gone', { items });
    } catch (error) {
      // Nothing is lost by keeping rows for an hour more.
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
