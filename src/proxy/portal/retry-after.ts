import { isHttpDate, parseDate } from './http-date.js';
import { parsePortalTime } from './clock-offset.js';

/** Longer waits are shortened to this. */
export const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * In seconds. A larger reset value is a time since 1970, as GitLab sends it, because no portal asks for a wait of
 * thirty years.
 */
const MIN_EPOCH_SECONDS = 1_000_000_000;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/**
 * How long the portal asks us to wait before the next call: RFC 9110 section 10.2.3, or the RateLimit fields of
 * draft-ietf-httpapi-ratelimit-headers if nothing remains.
 *
 * @param answer `at`: when the response was complete, on our wall clock. `isBusy`: the status is one that rejects every
 * call for now, as 429 and 503 do. Without it, RateLimit fields count only if they say that nothing remains
 * @returns milliseconds, at most {@link MAX_RETRY_AFTER_MS}; `undefined` if the portal does not ask
 */
export function requestedDelay(answer: {
  readonly headers: Headers;
  readonly at: number;
  readonly isBusy: boolean;
}): number | undefined {
  const { headers, at, isBusy } = answer;
  // A date in Retry-After is on the portal's clock, and so is the Date header.
  const now = parsePortalTime(headers.get('Date')) ?? at;
  const after = headers.get('Retry-After');
  if (after !== null) {
    // A gateway may add its own value to the portal's: the longer wait counts.
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

/** Each of several limits (per second, per day) is a member of the list. Earlier drafts have only one limit. */
function parseRateLimits(headers: Headers): { readonly remaining: number; readonly reset: number }[] {
  // The quoted name of a limit may contain a comma, or look like a parameter.
  const field = (headers.get('RateLimit') ?? '').replace(QUOTED, '""');
  const members = field.split(',').filter((member) => /\br=/.test(member));
  return (members.length === 0 ? [field] : members).map((member) => ({
    remaining: toNumber(/\b(?:remaining|r)=(\d+)/.exec(member)?.[1] ?? headers.get('RateLimit-Remaining')),
    reset: toNumber(/\b(?:reset|t)=(\d+)/.exec(member)?.[1] ?? headers.get('RateLimit-Reset')),
  }));
}

function toNumber(text: string | null): number {
  return text === null ? NaN : Number(text);
}

function clamp(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER_MS);
}
