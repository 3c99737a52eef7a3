import { toTimestamp, type Timestamp } from '../domain/item.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

const relative = new Map<string, Intl.RelativeTimeFormat>();

/**
 * @param now milliseconds since the epoch
 * @param language a language tag (BCP 47)
 * @returns as in "2 min. ago", after a week the date; a stamp of the future, from a clock ahead of this one, is now
 */
export function timeAgo(
  stamp: Timestamp,
  now: number,
  language: string,
  timeZone: string | undefined,
  justNow: string,
): string {
  const age = now - Date.parse(stamp);
  if (age < MINUTE) return justNow;
  if (age >= 7 * DAY) return written(stamp, language, timeZone, 'date');
  const known = relative.get(language) ?? new Intl.RelativeTimeFormat(wellFormed(language), { style: 'short' });
  relative.set(language, known);
  if (age < HOUR) return known.format(-Math.floor(age / MINUTE), 'minute');
  if (age < DAY) return known.format(-Math.floor(age / HOUR), 'hour');
  return known.format(-Math.floor(age / DAY), 'day');
}

/**
 * @param now milliseconds since the epoch
 * @returns the time, and the date with it where that is not today's
 */
export function timeOfDay(stamp: Timestamp, now: number, language: string, timeZone: string | undefined): string {
  const dayOf = (time: Timestamp): string => written(time, language, timeZone, 'date');
  return written(stamp, language, timeZone, dayOf(stamp) === dayOf(toTimestamp(now)) ? 'time' : 'both');
}

/** @param timeZone IANA name; where there is none or a wrong one, the device's own */
export function timeAndDate(stamp: Timestamp, language: string, timeZone: string | undefined): string {
  return written(stamp, language, timeZone, 'both');
}

const absolute = new Map<string, Intl.DateTimeFormat>();

function written(
  stamp: Timestamp,
  language: string,
  timeZone: string | undefined,
  what: 'date' | 'time' | 'both',
): string {
  const key = `${language} ${timeZone ?? ''} ${what}`;
  const known =
    absolute.get(key) ??
    dateFormat(language, timeZone, {
      dateStyle: what === 'time' ? undefined : 'medium',
      timeStyle: what === 'date' ? undefined : 'short',
    });
  absolute.set(key, known);
  return known.format(Date.parse(stamp));
}

function dateFormat(
  language: string,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(wellFormed(language), { ...options, timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.warn(`vendor-inventory-widget: there is no time zone ${String(timeZone)}.`);
    return new Intl.DateTimeFormat(wellFormed(language), options);
  }
}

/** A page may say any nonsense in `lang`. */
function wellFormed(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch (error) {
    if (error instanceof RangeError) return 'en';
    throw error;
  }
}
