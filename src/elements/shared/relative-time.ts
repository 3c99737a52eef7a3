import { toTimestamp, type Timestamp } from '../../domain/item.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** IANA name. If it is absent or unknown, times are in the device's zone. */
export type TimeZone = string | null | undefined;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Calls back every half minute, with one timer for all elements of the page.
 *
 * @returns a function that removes the listener
 */
export function onHalfMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, MINUTE / 2);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * @param now milliseconds since the epoch
 * @param language a language tag (BCP 47)
 * @returns the age, as in "2 min. ago", or after a week the date. A future timestamp, from a clock that is ahead, is "now"
 */
export function timeAgo(
  timestamp: Timestamp,
  now: number,
  language: string,
  timeZone: TimeZone,
  justNow: string,
): string {
  const age = now - Date.parse(timestamp);
  if (age < MINUTE) return justNow;
  if (age >= 7 * DAY) return formatTime(timestamp, language, timeZone, DATE);
  const format = getFormat(language, () => new Intl.RelativeTimeFormat(wellFormed(language), { style: 'short' }));
  const [size, unit] =
    age < HOUR ? ([MINUTE, 'minute'] as const) : age < DAY ? ([HOUR, 'hour'] as const) : ([DAY, 'day'] as const);
  return format.format(-Math.floor(age / size), unit);
}

/**
 * @param now milliseconds since the epoch
 * @returns the time, with the date unless that is today
 */
export function timeOfDay(timestamp: Timestamp, now: number, language: string, timeZone: TimeZone): string {
  const formatDay = (time: Timestamp): string => formatTime(time, language, timeZone, DATE);
  const isToday = formatDay(timestamp) === formatDay(toTimestamp(now));
  return formatTime(timestamp, language, timeZone, isToday ? TIME : DATE_AND_TIME);
}

/**
 * @param now milliseconds since the epoch
 * @returns a future time: alone if it is today, with the weekday within the next days, and with the date after that
 */
export function timeAhead(timestamp: Timestamp, now: number, language: string, timeZone: TimeZone): string {
  const isSoon = Date.parse(timestamp) - now < 6 * DAY;
  const dayOf = (time: Timestamp): string => formatTime(time, language, timeZone, DATE);
  if (isSoon && dayOf(timestamp) !== dayOf(toTimestamp(now)))
    return formatTime(timestamp, language, timeZone, WEEKDAY_AND_TIME);
  return timeOfDay(timestamp, now, language, timeZone);
}

export function timeAndDate(timestamp: Timestamp, language: string, timeZone: TimeZone): string {
  return formatTime(timestamp, language, timeZone, DATE_AND_TIME);
}

/** The date of a heading above the entries of that day. */
export function dayOf(timestamp: Timestamp, language: string, timeZone: TimeZone): string {
  return formatTime(timestamp, language, timeZone, LONG_DATE);
}

export function timeOf(timestamp: Timestamp, language: string, timeZone: TimeZone): string {
  return formatTime(timestamp, language, timeZone, TIME);
}

/** Includes seconds, so that it differs from one press of a button to the next. */
export function timeOfPress(at: number, language: string, timeZone: TimeZone): string {
  return formatTime(toTimestamp(at), language, timeZone, TIME_WITH_SECONDS);
}

const DATE = { dateStyle: 'medium' } as const;
const LONG_DATE = { dateStyle: 'full' } as const;
const TIME = { timeStyle: 'short' } as const;
const TIME_WITH_SECONDS = { timeStyle: 'medium' } as const;
const DATE_AND_TIME = { ...DATE, ...TIME };
const WEEKDAY_AND_TIME = { weekday: 'short', hour: 'numeric', minute: '2-digit' } as const;

function formatTime(
  timestamp: Timestamp,
  language: string,
  timeZone: TimeZone,
  style: Intl.DateTimeFormatOptions,
): string {
  const key = JSON.stringify([language, timeZone, style]);
  return getFormat(key, () => createDateFormat(language, timeZone, style)).format(Date.parse(timestamp));
}

const formats = new Map<string, unknown>();

/** Caches formats, because creating one takes a thousand times as long as using it. */
function getFormat<Format>(key: string, create: () => Format): Format {
  const format = (formats.get(key) as Format | undefined) ?? create();
  formats.set(key, format);
  return format;
}

function createDateFormat(
  language: string,
  timeZone: TimeZone,
  style: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(wellFormed(language), { ...style, timeZone: timeZone ?? undefined });
  } catch {
    console.warn('vendor-inventory-widget: no time zone', timeZone);
    return new Intl.DateTimeFormat(wellFormed(language), style);
  }
}

/** Falls back to English, because a page may have any text in `lang` and `Intl` throws on a malformed tag. */
function wellFormed(language: string): string | string[] {
  try {
    return Intl.getCanonicalLocales(language);
  } catch {
    return 'en';
  }
}
