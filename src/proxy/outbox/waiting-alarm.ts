import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { Outbox } from './outbox.js';

const MINUTE_MS = 60_000;
/** The age of the oldest edit at which an operator should look: most outages of a portal are shorter. */
const ALARM_AGE_MS = 15 * MINUTE_MS;
/** The interval between two log lines about the same problem. */
const REPEAT_MS = 60 * MINUTE_MS;

export interface AgeAlarmOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Logs an error when edits wait for long: delivery never gives up, so the operator has to be informed.
 *
 * @returns a function that stops the check
 */
export function startAgeAlarm({ outbox, clock, log }: AgeAlarmOptions): () => void {
  let cancel: () => void = () => undefined;
  let loggedAt: number | undefined;

  async function check(): Promise<void> {
    const { received, oldestWaiting } = await outbox.count();
    const age = oldestWaiting === undefined ? 0 : clock.wall() - oldestWaiting;
    if (age < ALARM_AGE_MS) {
      if (loggedAt !== undefined) log('info', 'edits no longer wait for long', { items: received });
      loggedAt = undefined;
    } else if (loggedAt === undefined || clock.monotonic() - loggedAt >= REPEAT_MS) {
      loggedAt = clock.monotonic();
      log('error', 'edits have waited for long', { items: received, milliseconds: age });
    }
  }

  function plan(): void {
    cancel = clock.after(MINUTE_MS, () => {
      plan();
      // Delivery uses the same storage and logs its failures as errors.
      check().catch((error: unknown) => {
        log('debug', 'the age of edits is unknown', { error: String(error) });
      });
    });
  }

  plan();
  return () => {
    cancel();
  };
}
