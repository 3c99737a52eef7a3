import type { ResponseSummary, DelayReason } from './outcome.js';
import { isIncomplete } from '../runtime/untrusted-json.js';
import type { PortalProfile, StatusClass } from './profile.js';

/** A whole response, not validated yet. */
export interface PortalResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** When the response was complete, on our wall clock. */
  readonly at: number;
}

const REQUESTED_CODING = /^(?:|br|deflate|identity|(?:x-)?gzip)$/i;

/**
 * If the end of the connection is the end of the body, a truncated response looks complete (RFC 9112 section 8), and a
 * rejection may have been in the missing part. A truncated compressed body may decompress to nothing.
 */
export function isTruncated({ headers, text }: PortalResponse): boolean {
  if (headers.has('Content-Length') || headers.has('Transfer-Encoding')) return false;
  return text === '' ? headers.has('Content-Encoding') : isIncomplete(text);
}

/**
 * Why a body cannot be decoded. Fetch has already decoded the content codings that it requested. JSON contains no zero
 * character, while every second byte of ASCII text in UTF-16 is zero (RFC 8259 section 8.1).
 */
export function unexpectedEncoding({ headers, text }: PortalResponse): string | undefined {
  const codings = (headers.get('Content-Encoding') ?? '').split(',').map((coding) => coding.trim());
  if (codings.some((coding) => !REQUESTED_CODING.test(coding))) return 'a Content-Encoding that was not asked for';
  return text.includes('\0') ? 'no UTF-8' : undefined;
}

/** The content type in the form `, text/html` if it is not JSON, else an empty string. */
export function unexpectedContentType({ type }: ResponseSummary): string {
  return type === undefined || isJson(type) ? '' : `, ${type}`;
}

/** What the log records. The caller removes secrets. */
export function summarize({ status, headers }: PortalResponse): ResponseSummary {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim();
  return { status, ...(type !== undefined && { type }) };
}

/**
 * Whether a success comes from the portal itself and not from a login page or a gateway. An empty body counts as the
 * portal's, and so does broken or too deeply nested JSON. Text that is labelled as JSON counts unless it contains a
 * tag.
 */
export function isFromPortal({ headers, text }: PortalResponse, body: unknown): boolean {
  const type = headers.get('Content-Type');
  if (type !== null && !isJson(type)) return false;
  if (body !== undefined || /^\s*(?:[[{]|$)/.test(text)) return true;
  return type !== null && !text.includes('<');
}

/** Includes `text/json`, which browsers accept too (WHATWG MIME Sniffing, "JSON MIME type"). */
function isJson(type: string): boolean {
  return /^(?:application\/(?:[\w.+-]+\+)?|text\/)json\b/i.test(type);
}

/** RFC 6901. `undefined` if the pointer selects nothing. Only own properties count. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let current = value;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

const REJECTED_STATUSES = new Set([400, 403, 404, 409, 413, 415, 422]);
const RETRY_STATUSES = new Set([408, 425, 429]);

export function classify(status: number, profile: PortalProfile): StatusClass {
  const set = profile.statuses[String(status)];
  if (set !== undefined) return set;
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 401) return 'credentials';
  if (REJECTED_STATUSES.has(status)) return 'refused';
  // A 3xx, or another status that does not fit an inventory update, comes from a wrong setting.
  return status >= 500 || RETRY_STATUSES.has(status) ? 'retry' : 'held';
}

/**
 * Whether a call with this status may have been applied, or still may be. A gateway that gives up (408, 504, or a 500)
 * does not cancel the call that it has forwarded, and the older value could arrive after a newer one. So the newest
 * value is resent. 503 (RFC 9110 section 15.6.4), 429 (RFC 6585 section 4) and the other 4xx mean that the call was not
 * processed. They come often and for a long time, and cost no resend.
 */
export function mayHaveBeenApplied(status: number): boolean {
  return status < 400 || status === 408 || (status >= 500 && status !== 503);
}

export function delayReason(status: number): DelayReason {
  return status === 429 ? 'portal_busy' : 'portal_error';
}

/** Parses a status in a body. It may be a string, as in SCIM (RFC 7644 section 3.7.3). */
export function parseStatus(value: unknown): number | undefined {
  return (typeof value === 'number' || typeof value === 'string') && /^[1-5]\d\d$/.test(String(value))
    ? Number(value)
    : undefined;
}
