export const USUAL_TIME_LENGTH = '0000-00-00T00:00:00.000Z'.length;

const ZERO = 0x30;
/** Between these two each byte of a usual time is. */
const LOWEST = encode('0000-00-00T00:00:00.000Z');
const HIGHEST = encode('9999-19-39T29:59:59.999Z');
const MONTH = '0000-'.length;
const DAY = '0000-00-'.length;
const HOUR = '0000-00-00T'.length;
/** Of each month, from the first on; one month in four years has another. */
const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether a time stands there as `toISOString` writes it, as nearly all do: to make a text of each takes longer than all else
 * that is done with it here. Another may be a time as well, and so may one on a leap day.
 */
export function isUsualTime(bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < USUAL_TIME_LENGTH; at += 1) {
    const byte = bytes[from + at] ?? 0;
    if (byte < (LOWEST[at] ?? 0) || byte > (HIGHEST[at] ?? 0)) return false;
  }
  const day = twoDigits(bytes, from + DAY);
  return day >= 1 && day <= (DAYS[twoDigits(bytes, from + MONTH)] ?? 0) && twoDigits(bytes, from + HOUR) <= 23;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return 10 * ((bytes[at] ?? 0) - ZERO) + (bytes[at + 1] ?? 0) - ZERO;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
