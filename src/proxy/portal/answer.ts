import type { ResponseSummary, DelayReason } from './outcome.js';
import { isIncomplete } from '../runtime/untrusted-json.js';
import type { PortalProfile, StatusClass } from './profile.js';

/** A whole answer of the portal: nothing here has been believed yet. */
export interface PortalResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** When it was complete, on our wall clock. */
  readonly at: number;
}

const REQUESTED_CODING = /^(?:|br|deflate|identity|(?:x-)?gzip)$/i;

/**
 * Where the end of the connection is the end of the body, nothing else tells a whole answer from one that broke off (RFC 9112
 * section 8), and a refusal may have stood in the rest. A compressed one that did may unpack to nothing.
 */
export function isTruncated({ headers, text }: PortalResponse): boolean {
  if (headers.has('Content-Length') || headers.has('Transfer-Encoding')) return false;
  return text === '' ? headers.has('Content-Encoding') : isIncomplete(text);
}

/**
 * Why nobody can read what came, be it a no. What fetch was asked to unpack is unpacked by now; JSON has no zero in it, which
 * is half of what UTF-16 makes of it (RFC 8259 section 8.1).
 */
export function unexpectedEncoding({ headers, text }: PortalResponse): string | undefined {
  const codings = (headers.get('Content-Encoding') ?? '').split(',').map((coding) => coding.trim());
  if (codings.some((coding) => !REQUESTED_CODING.test(coding))) return 'a Content-Encoding that was not asked for';
  return text.includes('\0') ? 'no UTF-8' : undefined;
}

/** Its type, where it is not the one that is due: `, text/html`. */
export function unexpectedContentType({ type }: ResponseSummary): string {
  return type === undefined || isJson(type) ? '' : `, ${type}`;
}

/** For the operator: whoever shows it takes our secrets out. */
export function summarize({ status, headers }: PortalResponse): ResponseSummary {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim();
  return { status, ...(type !== undefined && { type }) };
}

/**
 * Whether a success is the portal's own. JSON that is broken or nested too deep begins as JSON, and is a yes; so is whatever a
 * portal calls JSON by mistake, unless there is a tag in it, and so is nothing at all.
 */
export function isFromPortal({ headers, text }: PortalResponse, body: unknown): boolean {
  const type = headers.get('Content-Type');
  if (type !== null && !isJson(type)) return false;
  if (body !== undefined || /^\s*(?:[[{]|$)/.test(text)) return true;
  return type !== null && !text.includes('<');
}

/** Also by its older name, which browsers take for it, too (WHATWG MIME Sniffing, "JSON MIME type"). */
function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.+-]+\+)?|text\/)json\b/i.test(type);
}

/** RFC 6901. `undefined` where the pointer leads nowhere; own properties only. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let here = value;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

const REJECTED_STATUSES = new Set([400, 403, 404, 409, 413, 415, 422]);
const RETRY_STATUSES = new Set([408, 425, 429]);

export function classify(status: number, profile: PortalProfile): StatusClass {
  const set = profile.statuses[String(status)];
  if (set !== undefined) return set;
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 401) return 'credentials';
  if (REJECTED_STATUSES.has(status)) return 'refused';
  // 3xx, and whatever else no inventory update should answer, is a setting that is wrong.
  return status >= 500 || RETRY_STATUSES.has(status) ? 'retry' : 'held';
}

/**
 * Whether a call that is to be tried again may have been acted on all the same, or may be yet: what gives up first (408,
 * 504, or a 500 of whatever stands between) does not call back what it has passed on, and the older value could land after
 * a newer one. So the newest is said once more: nobody can know how that call ended.
 * Not so where the answer means that nobody has looked at it: 503 (RFC 9110 section 15.6.4), 429 (RFC 6585 section 4) and
 * the other 4xx. They are said often and for long, and cost no more calls than before.
 */
export function mayHaveBeenApplied(status: number): boolean {
  return status < 400 || status === 408 || (status >= 500 && status !== 503);
}

export function delayReason(status: number): DelayReason {
  return status === 429 ? 'portal_busy' : 'portal_error';
}

/** A status that stands in a body; it may be a text there, as in SCIM (RFC 7644 section 3.7.3). */
export function parseStatus(said: unknown): number | undefined {
  return (typeof said === 'number' || typeof said === 'string') && /^[1-5]\d\d$/.test(String(said))
    ? Number(said)
    : undefined;
}
