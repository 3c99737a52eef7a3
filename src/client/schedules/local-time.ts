/**
 * Local times of a time zone, as `YYYY-MM-DDTHH:MM`. The proxy converts them to points in time, because it handles days
 * of 23 and 25 hours.
 */

/** The IANA name of a time zone: that of the device if the page names none or an invalid one. */
export function zoneOf(timeZone: string | undefined): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return timeZone === undefined ? own : new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return own;
    throw error;
  }
}

/** @param now milliseconds since the epoch */
export function localTime(now: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '', hour = '', minute = '' } = parts;
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/** The midnight that ends the day. */
export function endOfDay(now: number, timeZone: string): string {
  return `${nextDay(localTime(now, timeZone))}T00:00`;
}

/** 9:00 on the next day, when most people begin to work. */
export function tomorrowMorning(now: number, timeZone: string): string {
  return `${nextDay(localTime(now, timeZone))}T09:00`;
}

/** Counts by the calendar, in which a day of 25 hours is one day. */
function nextDay(local: string): string {
  const day = new Date(`${local.slice(0, 10)}T00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
