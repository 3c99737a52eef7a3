import { problem } from '../../contract/problem.js';
import { accepts } from '../schema.js';

/**
 * Why the proxy refuses a batch for what it says, so that the same one would be refused again: `edits` are the places of the
 * bad edits, from 0, where the proxy names them; `too-long` comes from a gateway in front of the proxy.
 */
export type BatchFault = { readonly kind: 'edits'; readonly places: readonly number[] } | { readonly kind: 'too-long' };

interface ApiErrorOptions {
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number;
  readonly isRefused?: boolean;
  readonly isTimeout?: boolean;
  readonly batchFault?: BatchFault | undefined;
}

/**
 * Why a call to the proxy or to the host's session URL did not succeed. `code` is a problem code of the proxy, or one of
 * ours. Of these, `session_refused` is for the person, who signs in again; `token_refused`, `session_missing`,
 * `session_unreadable` and `page_blocked` are for the integrator; `unreachable`, `unreadable` and
 * `session_unreachable` may pass by themselves, and so does `session_changed`. Texts for people are chosen by it.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** Lets an operator find the request in the proxy's log. */
  readonly requestId: string | undefined;
  /** Milliseconds before which the proxy does not want to be asked again. */
  readonly retryAfterMs: number;
  /** The proxy has not done what was asked for, for certain. */
  readonly isRefused: boolean;
  /** The line was too slow, for this page or for a gateway: less at once may get through. */
  readonly isTimeout: boolean;
  readonly batchFault: BatchFault | undefined;

  constructor(code: string, message?: string, options: ApiErrorOptions = {}) {
    super(message);
    this.code = code;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isRefused = options.isRefused ?? code.startsWith('session_');
    this.isTimeout = options.isTimeout ?? false;
    this.batchFault = options.batchFault;
  }
}

/** The request or the answer is about another person. */
export function sessionChanged(): ApiError {
  return new ApiError('session_changed');
}

/**
 * What a server means by an answer that is not a 2xx.
 *
 * @param data the body, where it is JSON @param url of the call, for the person who reads the message
 */
export function toApiError(response: Response, data: unknown, url: string): ApiError {
  const { status } = response;
  const known = accepts(problem, data) ? data : undefined;
  const { code } = known ?? { code: `http_${String(status)}` };
  const isAboutEdits = known?.retryable === false && ABOUT_EDITS.has(code);
  const places = known?.errors?.flatMap(({ pointer }) => placeIn(pointer)) ?? [];
  // A 413 of the proxy itself would be a problem that is known.
  const isTooLong = status === 413 && known === undefined;
  const came = [`${url}: ${status === 0 ? 'a redirect' : String(status)}`, known?.detail].filter(Boolean).join(', ');
  return new ApiError(code, came, {
    requestId: known?.request_id,
    retryAfterMs: secondsIn(response.headers.get('Retry-After')) * 1000,
    // A request that was refused as it is has done nothing; after an error of a server that is not known.
    isRefused: known !== undefined && status < 500,
    // Request Timeout and Gateway Timeout (RFC 9110, 15.5.9 and 15.6.5).
    isTimeout: status === 408 || status === 504,
    batchFault: isAboutEdits ? { kind: 'edits', places } : isTooLong ? { kind: 'too-long' } : undefined,
  });
}

/** Refusals that are about what a batch says, not about who asks or how. */
const ABOUT_EDITS = new Set([
  'item_unknown',
  'invalid_body',
  'duplicate_item',
  'edit_id_reused',
  'permission_missing',
  'too_many_edits',
  'body_too_large',
]);

/** The place of an edit in a batch, from what a problem points at (RFC 6901, RFC 9457). */
function placeIn(pointer: string): number[] {
  const place = /^\/inventory\/(\d{1,6})(?:\/|$)/.exec(pointer)?.[1];
  return place === undefined ? [] : [Number(place)];
}

/** The proxy says seconds (RFC 9110 section 10.2.3); the date that a gateway may write is not worth a parser. */
function secondsIn(header: string | null): number {
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) : 0;
}
