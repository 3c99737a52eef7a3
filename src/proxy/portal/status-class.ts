import type { DelayReason } from './outcome.js';
import type { PortalProfile, StatusClass } from './profile.js';

const REFUSED = new Set([400, 403, 404, 409, 413, 415, 422]);
const TRY_AGAIN = new Set([408, 425, 429]);

export function classify(status: number, profile: PortalProfile): StatusClass {
  const set = profile.statuses[String(status)];
  if (set !== undefined) return set;
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 401) return 'credentials';
  if (REFUSED.has(status)) return 'refused';
  // 3xx, and whatever else no inventory update should answer, is a setting that is wrong.
  return status >= 500 || TRY_AGAIN.has(status) ? 'retry' : 'held';
}

/**
 * Whether a call that is to be tried again may have been acted on all the same, or may be yet: what gives up first (408,
 * 504, or a 500 of whatever stands between) does not call back what it has passed on, and the older value could land after
 * a newer one. So the newest is said once more: nobody can know how that call ended.
 * Not so where the answer means that nobody has looked at it: 503 (RFC 9110 section 15.6.4), 429 (RFC 6585 section 4) and
 * the other 4xx. They are said often and for long, and cost no more calls than before.
 */
export function mayStillAct(status: number): boolean {
  return status < 400 || status === 408 || (status >= 500 && status !== 503);
}

export function reasonOf(status: number): DelayReason {
  return status === 429 ? 'portal_busy' : 'portal_error';
}

/** A status that stands in a body; it may be a text there, as in SCIM (RFC 7644 section 3.7.3). */
export function codeOf(said: unknown): number | undefined {
  return (typeof said === 'number' || typeof said === 'string') && /^[1-5]\d\d$/.test(String(said))
    ? Number(said)
    : undefined;
}
