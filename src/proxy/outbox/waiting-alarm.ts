import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { Outbox } from './outbox.js';

const MINUTE_MS = 60_000;
/** After this time an operator should look: an outage of the portal that ends by itself is usually shorter. */
const ALARM_AGE_MS = 15 * MINUTE_MS;
/** Between two lines about the same trouble. */
const REPEAT_MS = 60 * MINUTE_MS;

export interface AgeAlarmOptions {
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Log;
}

/** Delivery never gives up, so an operator has to be told when it does not get through. @returns what ends it */
export function startAgeAlarm({ outbox, clock, log }: AgeAlarmOptions): () => void {
  let cancel: () => void = () => undefined;
  let saidAt: number | undefined;

  async function look(): Promise<void> {
    const { received, oldestWaiting } = await outbox.count();
    const age = oldestWaiting === undefined ? 0 : clock.wall() - oldestWaiting;
    if (age < ALARM_AGE_MS) {
      if (saidAt !== undefined) log('info', 'edits no longer wait for long', { items: received });
      saidAt = undefined;
    } else if (saidAt === undefined || clock.monotonic() - saidAt >= REPEAT_MS) {
      saidAt = clock.monotonic();
      log('error', 'edits have waited for long', { items: received, milliseconds: age });
    }
  }

  function plan(): void {
    cancel = clock.after(MINUTE_MS, () => {
      plan();
      // Delivery looks at the same storage all the time, and says so when it fails.
      look().catch((error: unknown) => {
        log('debug', 'the age of edits is unknown', { error: String(error) });
      });
    });
  }

  plan();
  return () => {
    cancel();
  };
}
