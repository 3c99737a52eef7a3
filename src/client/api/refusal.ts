import { problem } from '../../contract/problem.js';
import { ProxyFailure } from './proxy-failure.js';
import { refusedBatch, tooLongBatch } from '../queue/rejected-batch.js';
import { accepts } from '../schema.js';

/**
 * What a server means that answers, and not with a 2xx.
 *
 * @param data the body, where it is JSON @param url of the call, for whoever reads the message
 */
export function refusalOf(response: Response, data: unknown, url: string): ProxyFailure {
  const { status } = response;
  const known = accepts(problem, data) ? data : undefined;
  const { code } = known ?? { code: `http_${String(status)}` };
  const places = known?.errors?.flatMap(({ pointer }) => placeIn(pointer)) ?? [];
  const message = `${url}: ${String(status)}`;
  const failure = new ProxyFailure(code, message, {
    requestId: known?.request_id,
    retryAfterMs: secondsIn(response.headers.get('Retry-After')) * 1000,
    // A request that was refused as it is has done nothing; after an error of a server nobody knows.
    isRefused: known !== undefined && status < 500,
    sortOut: known?.retryable === false && ABOUT_EDITS.has(code) ? refusedBatch(code, places) : undefined,
  });
  // The proxy's own would be known.
  return status === 413 && known === undefined
    ? new ProxyFailure(code, message, { sortOut: tooLongBatch(failure) })
    : failure;
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

/** Of an edit in a batch, from what a problem points at (RFC 6901, RFC 9457). */
function placeIn(pointer: string): number[] {
  const place = /^\/inventory\/(\d{1,6})(?:\/|$)/.exec(pointer)?.[1];
  return place === undefined ? [] : [Number(place)];
}

/** Our proxy says seconds (RFC 9110 section 10.2.3); what somebody between us writes is not worth a date parser. */
function secondsIn(header: string | null): number {
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) : 0;
}
