import { isHttpDate, parseDate } from './http-date.js';
import { parsePortalTime } from './clock-offset.js';

/** A longer wait than this is not believed. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;

/** Seconds. No portal asks for a wait of thirty years: the reset is a time of day then, since 1970, as GitLab writes it. */
const MIN_EPOCH_SECONDS = 1_000_000_000;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/**
 * How long the portal asks us to wait before the next call: RFC 9110 section 10.2.3, or the RateLimit fields of
 * draft-ietf-httpapi-ratelimit-headers when nothing remains.
 *
 * @param answer `at`: when it was complete, on our wall clock. `isBusy`: it took no call now, as 429 and 503 say. Any other
 *   took the call or refused it for what is in it, and says no to the next one only where it says that nothing remains
 * @returns milliseconds, {@link MAX_RETRY_AFTER_MS} at most; `undefined` where it does not ask
 */
export function requestedDelay(answer: {
  readonly headers: Headers;
  readonly at: number;
  readonly isBusy: boolean;
}): number | undefined {
  const { headers, at, isBusy } = answer;
  // A date is on the portal's clock, and so is the date of its answer.
  const now = parsePortalTime(headers.get('Date')) ?? at;
  const after = headers.get('Retry-After');
  if (after !== null) {
    // A gateway may add its own to the portal's: whoever has to wait for both waits for the longer.
    if (/^\d+(?:\s*,\s*\d+)*$/.test(after)) return clamp(Math.max(...after.split(',').map(Number)) * 1000);
    const until = isHttpDate(after) ? parseDate(after) : NaN;
    if (!Number.isNaN(until)) return clamp(until - now);
  }
  const waits = parseRateLimits(headers).flatMap(({ remaining, reset }) => {
    const isSpent = Number.isNaN(remaining) ? isBusy : remaining === 0;
    if (!isSpent || !Number.isFinite(reset)) return [];
    return [reset < MIN_EPOCH_SECONDS ? reset * 1000 : reset * 1000 - now];
  });
  return waits.length === 0 ? undefined : clamp(Math.max(...waits));
}

/** Of several limits (so many a second, so many a day) each is a member of the list; earlier drafts tell of one. */
function parseRateLimits(headers: Headers): { readonly remaining: number; readonly reset: number }[] {
  // A name may have a comma in it, or look like a parameter.
  const field = (headers.get('RateLimit') ?? '').replace(QUOTED, '""');
  const members = field.split(',').filter((member) => /\br=/.test(member));
  return (members.length === 0 ? [field] : members).map((member) => ({
    remaining: numberOf(/\b(?:remaining|r)=(\d+)/.exec(member)?.[1] ?? headers.get('RateLimit-Remaining')),
    reset: numberOf(/\b(?:reset|t)=(\d+)/.exec(member)?.[1] ?? headers.get('RateLimit-Reset')),
  }));
}

function numberOf(text: string | null): number {
  return text === null ? NaN : Number(text);
}

function clamp(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER_MS);
}
