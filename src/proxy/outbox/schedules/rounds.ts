import type { Clock } from '../../runtime/clock.js';
import type { Log } from '../../runtime/log.js';

/** Longest wait, because another proxy may have created a schedule, or the clock may have been set. */
const MAX_WAIT_MS = 5 * 60_000;
/** Wait after a storage failure. */
const RETRY_MS = 15_000;

export interface RoundsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The message that is logged when a round fails. */
  readonly what: string;
  /** Does what is due. @returns when the next work is due, on the wall clock */
  readonly run: (isStopped: () => boolean) => Promise<number | undefined>;
}

export interface Rounds {
  /** Starts a round now, because what is due may have changed. */
  readonly wake: () => void;
  readonly stop: () => void;
}

/**
 * Runs rounds one after the other, each when the next work is due. It uses the wall clock, because schedules name times of
 * day.
 */
export function startRounds({ clock, log, what, run }: RoundsOptions): Rounds {
  let cancel: () => void = () => undefined;
  let [isStopped, isRunning, isWoken] = [false, false, false];

  async function round(): Promise<void> {
    if (isRunning) {
      isWoken = true;
      return;
    }
    isRunning = true;
    cancel();
    let wait = RETRY_MS;
    try {
      const next = await run(() => isStopped);
      wait = next === undefined ? MAX_WAIT_MS : Math.min(Math.max(next - clock.wall(), 0), MAX_WAIT_MS);
    } catch (error) {
      // The storage failed, so the work is still due and is retried after `RETRY_MS`.
      if (!isStopped) log('warn', what, { error: String(error) });
    }
    isRunning = false;
    if (isStopped) return;
    cancel = clock.after(isWoken ? 0 : wait, () => void round());
    isWoken = false;
  }

  void round();
  return {
    wake: () => void round(),
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
