import type { Clock } from '../../runtime/clock.js';
import type { Log } from '../../runtime/log.js';
import type { DueSchedule, ScheduleCommand, Schedules } from '../schedules.js';
import { startRounds, type Rounds } from './rounds.js';

/** Number of due schedules that are read at once. */
const BATCH = 50;

export interface ScheduleRunnerOptions {
  readonly schedules: Schedules;
  readonly clock: Clock;
  readonly log: Log;
  readonly commandFor: (vendor: string) => Promise<ScheduleCommand>;
  /** Called when new edits are queued in this lane. */
  readonly onEdits: (lane: string) => void;
}

/** Runs the steps of schedules when they are due. */
export function startScheduleRunner({ schedules, clock, log, commandFor, onEdits }: ScheduleRunnerOptions): Rounds {
  async function runStep(due: DueSchedule): Promise<void> {
    const command = await commandFor(due.vendor);
    const changed = await schedules.run(due, command);
    if (changed === undefined) return;
    log('info', 'a schedule was carried out', { items: changed });
    if (changed > 0) onEdits(command.lane);
  }

  return startRounds({
    clock,
    log,
    what: 'schedules could not be carried out',
    async run(isStopped) {
      for (const due of await schedules.due(clock.wall(), BATCH)) if (!isStopped()) await runStep(due);
      return schedules.nextAt();
    },
  });
}
