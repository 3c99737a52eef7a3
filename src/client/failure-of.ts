import { accepts, problemCheck } from '../contract/fast-checks.js';
import { ProxyFailure } from './proxy-failure.js';

/** A server answered, and not with a 2xx. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly response: Response;
  /** The body, where it is JSON. */
  readonly data: unknown;

  constructor(response: Response, data: unknown) {
    super(String(response.status));
    this.response = response;
    this.data = data;
  }
}

/** What went wrong with a call, as far as it can be known here. @param path of the call, for whoever reads the message */
export function failureOf(error: unknown, path: string): ProxyFailure {
  if (!(error instanceof HttpRefusal)) {
    const unreadable = error instanceof SyntaxError;
    return new ProxyFailure(unreadable ? 'unreadable' : 'unreachable', {
      retryable: true,
      message: `${path}: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
  const { data, response } = error;
  const { status } = response;
  const known = accepts(problemCheck, data) ? data : undefined;
  return new ProxyFailure(known?.code ?? `http_${String(status)}`, {
    retryable: known?.retryable ?? (status >= 500 || status === 408 || status === 429),
    message: `${path}: ${String(status)}`,
    requestId: known?.request_id,
    retryAfterMs: secondsIn(response.headers.get('Retry-After')) * 1000,
    // A request that was refused as it is has done nothing; after an error of a server nobody knows.
    isRefused: known !== undefined && status < 500,
    edits: known?.errors?.flatMap(({ pointer }) => placeIn(pointer)) ?? [],
  });
}

/** Of an edit in a batch, from what a problem points at (RFC 6901, RFC 9457). */
function placeIn(pointer: string): number[] {
  const place = /^\/inventory\/(\d{1,6})(?:\/|$)/.exec(pointer)?.[1];
  return place === undefined ? [] : [Number(place)];
}

/** Our proxy says seconds (RFC 9110 section 10.2.3); what somebody between us writes is not worth a date parser. */
function secondsIn(header: string | null): number {
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) : 0;
}
