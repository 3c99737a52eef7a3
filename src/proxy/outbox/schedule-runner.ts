import type { ItemId } from '../../domain/item.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import type { DueSchedule, ScheduleCommand, Schedules } from './schedules.js';

/** The longest wait: another proxy may have made a schedule, or the clock may have been set. */
const LOOK_EVERY_MS = 5 * 60_000;
/** After the storage has failed. */
const RETRY_MS = 15_000;
/** Schedules whose steps are taken before the next look. */
const AT_ONCE = 50;

export interface ScheduleRunnerOptions {
  readonly schedules: Schedules;
  readonly clock: Clock;
  readonly log: Log;
  readonly laneOf: (vendor: string) => string;
  readonly timestampSettings: () => Promise<Pick<ScheduleCommand, 'portalOffset' | 'stampUnit'>>;
  readonly newId: ScheduleCommand['newId'];
  readonly isAnothers: (vendor: string, id: ItemId) => boolean;
  readonly listsOf: (vendor: string) => ScheduleCommand['lists'];
  /** New edits wait in this lane. */
  readonly onEdits: (lane: string) => void;
}

export interface ScheduleRunner {
  /** A schedule is new or another: its step may be the next one. */
  wake(): void;
  stop(): void;
}

/** Takes the steps of schedules when they are due, by the wall clock: a time of day is what they are about. */
export function startScheduleRunner(options: ScheduleRunnerOptions): ScheduleRunner {
  const { schedules, clock, log } = options;
  let cancel: () => void = () => undefined;
  let [isStopped, isRunning, isAsked] = [false, false, false];

  async function take(due: DueSchedule): Promise<void> {
    const { vendor } = due;
    const lane = options.laneOf(vendor);
    const changed = await schedules.run(due, {
      lane,
      now: clock.wall(),
      ...(await options.timestampSettings()),
      newId: options.newId,
      isAnothers: (id) => options.isAnothers(vendor, id),
      lists: options.listsOf(vendor),
    });
    if (changed === undefined) return;
    log('info', 'a schedule was carried out', { items: changed });
    if (changed > 0) options.onEdits(lane);
  }

  async function look(): Promise<number> {
    const due = await schedules.due(clock.wall(), AT_ONCE);
    for (const one of due) if (!isStopped) await take(one);
    const next = await schedules.nextAt();
    return next === undefined ? LOOK_EVERY_MS : Math.min(Math.max(next - clock.wall(), 0), LOOK_EVERY_MS);
  }

  async function round(): Promise<void> {
    if (isRunning) {
      isAsked = true;
      return;
    }
    isRunning = true;
    cancel();
    let wait = RETRY_MS;
    try {
      wait = await look();
    } catch (error) {
      // The storage failed: the step is as due as before.
      log('warn', 'schedules could not be carried out', { error: String(error) });
    }
    isRunning = false;
    if (isStopped) return;
    cancel = clock.after(isAsked ? 0 : wait, () => void round());
    isAsked = false;
  }

  void round();
  return {
    wake: () => void round(),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
