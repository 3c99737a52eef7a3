import ICAL from 'ical.js';
import { isTimeZone, momentOf } from '../../outbox/schedules/occurrences.js';
import type { BusyTime } from '../../outbox/calendar-feeds.js';

/** How far ahead busy times are computed. */
const HORIZON_MS = 366 * 24 * 3_600_000;
/** Upper bound for the difference between a floating time read as UTC and the same time in its zone. */
const ZONE_SLACK_MS = 2 * 24 * 3_600_000;
/** Limit after merging. A calendar is parsed again every day, so later busy times follow in time. */
const MAX_BUSY_TIMES = 2_000;

/** The text is not a calendar (RFC 5545), or a part of it cannot be read. */
export class UnreadableCalendar extends Error {
  override readonly name = 'UnreadableCalendar';
}

/**
 * The busy times of a calendar for one year from `now`: its events that are neither cancelled nor transparent (section
 * 3.8.2.7).
 *
 * ical.js parses the text and expands recurrences. A time with an IANA zone name is converted with the zone data of this
 * machine, another time with the VTIMEZONE in the calendar; all-day events and times without a zone use `timeZone`. One
 * unreadable event makes the whole calendar unreadable, because an omitted booking would make an item available.
 *
 * The call may never return, because ical.js searches without limit for an occurrence of an impossible rule. So it is only
 * called in a thread that can be terminated.
 *
 * @throws {UnreadableCalendar}
 */
export function busyTimes(text: string, timeZone: string, now: number): BusyTime[] {
  try {
    const window = { from: now, to: now + HORIZON_MS };
    const found = calendarsIn(text).flatMap((calendar) => [...busyTimesOf(calendar, timeZone, window)]);
    return merge(found.filter(({ begin, end }) => end > window.from && begin < window.to)).slice(0, MAX_BUSY_TIMES);
  } catch (error) {
    throw new UnreadableCalendar('the calendar cannot be read as a whole', { cause: error });
  }
}

interface Window {
  readonly from: number;
  readonly to: number;
}

function calendarsIn(text: string): ICAL.Component[] {
  const parsed = ICAL.parse(text) as unknown[];
  // One calendar is a jCal component (RFC 7265), several are an array of them.
  const roots = typeof parsed[0] === 'string' ? [parsed] : (parsed as unknown[][]);
  const calendars = roots.map((root) => new ICAL.Component(root));
  if (calendars.length === 0 || calendars.some(({ name }) => name !== 'vcalendar'))
    throw new UnreadableCalendar('no VCALENDAR');
  return calendars;
}

function* busyTimesOf(calendar: ICAL.Component, timeZone: string, window: Window): Generator<BusyTime> {
  const components = calendar.getAllSubcomponents('vevent');
  const exceptions = new Map<string, ICAL.Component[]>();
  for (const component of components) {
    if (!component.hasProperty('recurrence-id')) continue;
    const ofEvent = exceptions.get(uidOf(component));
    if (ofEvent === undefined) exceptions.set(uidOf(component), [component]);
    else ofEvent.push(component);
  }
  for (const component of components) {
    const isException = component.hasProperty('recurrence-id');
    const event = new ICAL.Event(component, {
      exceptions: isException ? [] : (exceptions.get(uidOf(component)) ?? []),
    });
    if (!isException && event.isRecurring()) yield* expand(event, timeZone, window);
    else if (isBusy(event)) {
      const busy = occurrencesOf(event, timeZone)(event.startDate);
      if (busy !== undefined) yield busy;
    }
  }
}

function* expand(event: ICAL.Event, timeZone: string, { from, to }: Window): Generator<BusyTime> {
  const excluded = excludedTimes(event.component);
  const lengthMs = Math.abs(event.duration.toSeconds()) * 1000;
  const ownOccurrences = isBusy(event) ? occurrencesOf(event, timeZone) : undefined;
  const occurrences = event.iterator();
  for (let next = nextOf(occurrences); next !== undefined; next = nextOf(occurrences)) {
    const roughly = next.toUnixTime() * 1000;
    if (roughly > to + ZONE_SLACK_MS) return;
    // Some calendars exclude a time by its date alone.
    if (roughly + lengthMs < from - ZONE_SLACK_MS || excluded.has(next.toString()) || excluded.has(dateOf(next)))
      continue;
    const { item, startDate } = event.getOccurrenceDetails(next);
    // An overridden occurrence has its own start, and may be transparent.
    const busy =
      item === event ? ownOccurrences?.(next) : isBusy(item) ? occurrencesOf(item, timeZone)(startDate) : undefined;
    if (busy !== undefined) yield busy;
  }
}

/** `next()` returns nothing after the last occurrence, which the types of ical.js omit. */
function nextOf(occurrences: ICAL.RecurExpansion): ICAL.Time | undefined {
  return (occurrences.next() as ICAL.Time | null | undefined) ?? undefined;
}

/** Collected here because ical.js ignores an excluded time if another excluded time before it is no occurrence. */
function excludedTimes(component: ICAL.Component): ReadonlySet<string> {
  return new Set(component.getAllProperties('exdate').flatMap((property) => property.getValues().map(String)));
}

function dateOf(time: ICAL.Time): string {
  return time.toString().slice(0, 10);
}

function uidOf(component: ICAL.Component): string {
  return String(component.getFirstPropertyValue('uid'));
}

function isBusy({ component }: ICAL.Event): boolean {
  const valueOf = (name: string): string => String(component.getFirstPropertyValue(name)).toUpperCase();
  return valueOf('status') !== 'CANCELLED' && valueOf('transp') !== 'TRANSPARENT';
}

/**
 * Computes the busy time of an occurrence from its start. All occurrences of an event last as long as the first (section
 * 3.8.5.3): all-day events the same number of days, other events the same number of milliseconds.
 *
 * @returns a function that returns `undefined` if the occurrence takes no time
 */
function occurrencesOf(event: ICAL.Event, timeZone: string): (start: ICAL.Time) => BusyTime | undefined {
  const { component, startDate, endDate } = event;
  const startClock = clockOf(zoneOf(component, 'dtstart'), timeZone);
  if (startDate.isDate) {
    const days = endDate.subtractDate(startDate);
    return (start) => {
      const end = start.clone();
      end.addDuration(days);
      return positive({ begin: startClock(start), end: startClock(end) });
    };
  }
  const endClock = component.hasProperty('dtend') ? clockOf(zoneOf(component, 'dtend'), timeZone) : startClock;
  const length = endClock(endDate) - startClock(startDate);
  return (start) => {
    const begin = startClock(start);
    return positive({ begin, end: begin + length });
  };
}

function positive(time: BusyTime): BusyTime | undefined {
  return time.end > time.begin ? time : undefined;
}

function zoneOf(component: ICAL.Component, property: string): string | undefined {
  const name: unknown = component.getFirstProperty(property)?.getFirstParameter('tzid');
  return typeof name === 'string' ? name : undefined;
}

/**
 * Creates the conversion of times of one property.
 *
 * @param zone the TZID of the property
 * @param timeZone used for a time without a zone
 * @returns a function that converts a time to milliseconds since the epoch
 */
function clockOf(zone: string | undefined, timeZone: string): (time: ICAL.Time) => number {
  const known = zone === undefined || isTimeZone(zone) ? (zone ?? timeZone) : undefined;
  return (time) => {
    if (time.isDate) return momentOf(`${time.toString()}T00:00`, timeZone);
    if (time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000;
    if (known !== undefined) return momentOf(time.toString(), known);
    if (time.zone === ICAL.Timezone.localTimezone) throw new UnreadableCalendar('a zone that nothing defines');
    return time.toUnixTime() * 1000;
  };
}

/** Merges busy times that overlap or touch. */
function merge(times: readonly BusyTime[]): BusyTime[] {
  const merged: BusyTime[] = [];
  for (const time of [...times].sort((one, other) => one.begin - other.begin)) {
    const last = merged.at(-1);
    if (last === undefined || time.begin > last.end) merged.push(time);
    else merged[merged.length - 1] = { begin: last.begin, end: Math.max(last.end, time.end) };
  }
  return merged;
}
