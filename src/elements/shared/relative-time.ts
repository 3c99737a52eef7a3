import { toTimestamp, type Timestamp } from '../../domain/item.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** IANA name; where there is none or a wrong one, the device's own. */
export type TimeZone = string | null | undefined;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all elements of the page. @returns ends it */
export function everyHalfMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
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
 * @returns as in "2 min. ago", after a week the date; a stamp of the future, from a clock ahead of this one, is now
 */
export function timeAgo(stamp: Timestamp, now: number, language: string, timeZone: TimeZone, justNow: string): string {
  const age = now - Date.parse(stamp);
  if (age < MINUTE) return justNow;
  if (age >= 7 * DAY) return written(stamp, language, timeZone, DATE);
  const format = kept(language, () => new Intl.RelativeTimeFormat(wellFormed(language), { style: 'short' }));
  const [size, unit] =
    age < HOUR ? ([MINUTE, 'minute'] as const) : age < DAY ? ([HOUR, 'hour'] as const) : ([DAY, 'day'] as const);
  return format.format(-Math.floor(age / size), unit);
}

/**
 * @param now milliseconds since the epoch
 * @returns the time, and the date with it where that is not today's
 */
export function timeOfDay(stamp: Timestamp, now: number, language: string, timeZone: TimeZone): string {
  const dayOf = (time: Timestamp): string => written(time, language, timeZone, DATE);
  return written(stamp, language, timeZone, dayOf(stamp) === dayOf(toTimestamp(now)) ? TIME : DATE_AND_TIME);
}

export function timeAndDate(stamp: Timestamp, language: string, timeZone: TimeZone): string {
  return written(stamp, language, timeZone, DATE_AND_TIME);
}

/** Exact enough to tell one press from the next. */
export function timeOfPress(at: number, language: string, timeZone: TimeZone): string {
  return written(toTimestamp(at), language, timeZone, TO_THE_SECOND);
}

const DATE = { dateStyle: 'medium' } as const;
const TIME = { timeStyle: 'short' } as const;
const TO_THE_SECOND = { timeStyle: 'medium' } as const;
const DATE_AND_TIME = { ...DATE, ...TIME };

function written(stamp: Timestamp, language: string, timeZone: TimeZone, style: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([language, timeZone, style]);
  return kept(key, () => dateFormat(language, timeZone, style)).format(Date.parse(stamp));
}

const formats = new Map<string, unknown>();

/** A format costs a thousand times what it is used for. */
function kept<Format>(key: string, make: () => Format): Format {
  const format = (formats.get(key) as Format | undefined) ?? make();
  formats.set(key, format);
  return format;
}

function dateFormat(language: string, timeZone: TimeZone, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(wellFormed(language), { ...style, timeZone: timeZone ?? undefined });
  } catch {
    console.warn('vendor-inventory-widget: no time zone', timeZone);
    return new Intl.DateTimeFormat(wellFormed(language), style);
  }
}

/** A page may say any nonsense in `lang`. */
function wellFormed(language: string): string | string[] {
  try {
    return Intl.getCanonicalLocales(language);
  } catch {
    return 'en';
  }
}
