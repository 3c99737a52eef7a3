import type { Clock } from '../../runtime/clock.js';
import type { Log } from '../../runtime/log.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { CalendarSource, FeedClaim } from '../calendar-feeds.js';
import type { CalendarFeeds, ScheduleCommand } from '../schedules.js';
import { startRounds, type Rounds } from './rounds.js';

/** Number of calendars that are read concurrently, so that a slow server hardly delays the calendars of other vendors. */
const CONCURRENT_READS = 4;

export interface FeedRunnerOptions {
  readonly feeds: CalendarFeeds;
  readonly source: CalendarSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly commandFor: (vendor: string) => Promise<ScheduleCommand>;
  /** Called when new edits are queued in this lane. */
  readonly onEdits: (lane: string) => void;
  /** Called when the next step of a schedule may be due earlier than before. */
  readonly onSchedules: () => void;
}

/** Reads the calendars of vendors when they are due, and adapts their schedules. */
export function startFeedRunner(options: FeedRunnerOptions): Rounds {
  const { feeds, source, clock, log, metrics } = options;

  async function read(claim: FeedClaim): Promise<void> {
    const { vendor, etag, lastModified } = claim;
    const reading = await source.read(claim, clock.wall(), { etag, lastModified });
    metrics.calendarRead(reading.kind);
    if (reading.kind === 'failed') log('info', 'a calendar could not be read', { vendor, reason: reading.problem });
    const command = await options.commandFor(vendor);
    const changed = await feeds.record(claim, reading, command);
    if (changed === undefined) return;
    if (changed > 0) {
      log('info', 'a calendar was carried out', { items: changed });
      options.onEdits(command.lane);
    }
    options.onSchedules();
  }

  return startRounds({
    clock,
    log,
    what: 'calendars could not be stored',
    async run(isStopped) {
      for (;;) {
        const claims = await feeds.claimDue(clock.wall(), CONCURRENT_READS, () => crypto.randomUUID());
        if (claims.length === 0 || isStopped()) break;
        await Promise.all(claims.map(read));
      }
      return feeds.nextAt();
    },
  });
}
