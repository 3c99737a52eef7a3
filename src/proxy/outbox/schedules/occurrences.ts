import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS, type ScheduleDefinition, type Weekday } from '../../../contract/schedules.js';

/** One closing: when items become unavailable and available again, in milliseconds since the epoch. */
export interface Occurrence {
  readonly begin: number;
  /** `undefined`: the items stay unavailable. */
  readonly end: number | undefined;
}

/** A week plus a day on either side, so that closings which touch across the ends of the week are merged. */
const DAYS_AHEAD = 9;

const INVALID = /^[+-]|^Etc\/Unknown$/;

/** @param name an IANA name; an offset is rejected, because it has no daylight saving time */
export function isTimeZone(name: string): boolean {
  if (INVALID.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The first closing that has not ended at that moment.
 *
 * A local time that does not exist in the zone (an hour of a spring night) is moved later; if a time exists twice, the
 * first is used (RFC 5545, section 3.3.5). So a closing "from midnight to midnight" lasts 23 or 25 hours on these two days.
 */
export function nextOccurrence(definition: ScheduleDefinition, after: number): Occurrence | undefined {
  const { repeat, time_zone: zone } = definition;
  const from = definition.from === undefined ? undefined : momentOf(definition.from, zone);
  const until = definition.until === undefined ? undefined : momentOf(definition.until, zone);
  if (repeat === undefined) {
    const begin = from ?? after;
    return until !== undefined && (until <= after || until <= begin) ? undefined : { begin, end: until };
  }
  const earliest = Math.max(after, from ?? 0);
  let found: { begin: number; end: number } | undefined;
  for (const closing of weeklyClosings(repeat, zone, earliest)) {
    if (closing.end <= after || closing.begin < (from ?? 0) || closing.begin >= (until ?? Infinity)) continue;
    if (found === undefined) found = closing;
    else if (closing.begin <= found.end) found = { begin: found.begin, end: Math.max(found.end, closing.end) };
  }
  return found;
}

/** @throws {RangeError} if the calendar has no such day */
export function momentOf(local: string, zone: string): number {
  return Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
}

/** The closings of a week, ordered by their begin, starting on the day before that moment. */
function* weeklyClosings(
  { days, from, until }: NonNullable<ScheduleDefinition['repeat']>,
  zone: string,
  after: number,
): Generator<{ begin: number; end: number }> {
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone).toPlainDate();
  const endsNextDay = until <= from;
  for (let day = -1; day < DAYS_AHEAD; day += 1) {
    const date = today.add({ days: day });
    if (!days.includes(weekdayOf(date))) continue;
    yield {
      begin: momentOf(`${date.toString()}T${from}`, zone),
      end: momentOf(`${(endsNextDay ? date.add({ days: 1 }) : date).toString()}T${until}`, zone),
    };
  }
}

function weekdayOf({ dayOfWeek }: Temporal.PlainDate): Weekday {
  const day = WEEKDAYS[dayOfWeek - 1];
  if (day === undefined) throw new TypeError('a week has seven days');
  return day;
}
