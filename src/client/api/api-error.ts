import { problem } from '../../contract/problem.js';
import { accepts } from '../schema.js';

/**
 * A fault in the content of a batch, which the proxy would reject again. `edits`: the zero-based indices of the bad
 * edits, if the proxy names them. `too-long`: a gateway in front of the proxy rejected the size.
 */
export type BatchFault =
  { readonly kind: 'edits'; readonly indices: readonly number[] } | { readonly kind: 'too-long' };

interface ApiErrorOptions {
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number;
  readonly isRefused?: boolean;
  readonly isTimeout?: boolean;
  readonly batchFault?: BatchFault | undefined;
  readonly reason?: string | undefined;
}

/**
 * A failed call to the proxy or to the host's session URL. `code` is a problem code of the proxy or a code of the page;
 * elements choose their texts by it. Of the page's codes, `session_refused` is for the person, who has to sign in
 * again; `token_refused`, `session_missing`, `session_unreadable` and `page_blocked` are for the integrator;
 * `unreachable`, `unreadable`, `session_unreachable` and `session_changed` may be temporary.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** Lets an operator find the request in the proxy's log. */
  readonly requestId: string | undefined;
  /** The wait before the next request that the proxy asks for, in milliseconds. */
  readonly retryAfterMs: number;
  /** Whether it is certain that the proxy has not carried out the request. */
  readonly isRefused: boolean;
  /** Whether the connection was too slow, for this page or for a gateway: a smaller request may succeed. */
  readonly isTimeout: boolean;
  readonly batchFault: BatchFault | undefined;
  /** What the proxy expects of the first field that it rejects, or why it rejects that field. */
  readonly reason: string | undefined;

  constructor(code: string, message?: string, options: ApiErrorOptions = {}) {
    super(message);
    this.code = code;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isRefused = options.isRefused ?? code.startsWith('session_');
    this.isTimeout = options.isTimeout ?? false;
    this.batchFault = options.batchFault;
    this.reason = options.reason;
  }
}

/** The request or the response belongs to another person. */
export function sessionChanged(): ApiError {
  return new ApiError('session_changed');
}

/**
 * Converts a response that is not a 2xx to an error.
 *
 * @param data the body if it is JSON @param url of the call, for the message
 */
export function toApiError(response: Response, data: unknown, url: string): ApiError {
  const { status } = response;
  const known = accepts(problem, data) ? data : undefined;
  const { code } = known ?? { code: `http_${String(status)}` };
  const isAboutEdits = known?.retryable === false && EDIT_FAULTS.has(code);
  const indices = known?.errors?.flatMap(({ pointer }) => toIndex(pointer)) ?? [];
  // A 413 of the proxy itself would have a problem as its body.
  const isTooLong = status === 413 && known === undefined;
  const description = [`${url}: ${status === 0 ? 'a redirect' : String(status)}`, known?.detail]
    .filter(Boolean)
    .join(', ');
  return new ApiError(code, description, {
    requestId: known?.request_id,
    reason: known?.errors?.[0]?.message,
    retryAfterMs: parseSeconds(response.headers.get('Retry-After')) * 1000,
    // A request that the proxy rejected has changed nothing. After a 5xx that is unknown.
    isRefused: known !== undefined && status < 500,
    // Request Timeout and Gateway Timeout (RFC 9110, 15.5.9 and 15.6.5).
    isTimeout: status === 408 || status === 504,
    batchFault: isAboutEdits ? { kind: 'edits', indices } : isTooLong ? { kind: 'too-long' } : undefined,
  });
}

/** Problem codes about the content of a batch, not about the session or the request. */
const EDIT_FAULTS = new Set([
  'item_unknown',
  'invalid_body',
  'duplicate_item',
  'edit_id_reused',
  'permission_missing',
  'too_many_edits',
  'body_too_large',
]);

/** The index of an edit in a batch, from the pointer of a problem (RFC 6901, RFC 9457). */
function toIndex(pointer: string): number[] {
  const place = /^\/inventory\/(\d{1,6})(?:\/|$)/.exec(pointer)?.[1];
  return place === undefined ? [] : [Number(place)];
}

/** The proxy sends seconds (RFC 9110, section 10.2.3). A date, which only a gateway may send, counts as absent. */
function parseSeconds(header: string | null): number {
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) : 0;
}
