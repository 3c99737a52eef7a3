import ky, { isNetworkError } from 'ky';
import { ApiError, toApiError } from './api-error.js';
import { toJson } from '../to-json.js';

/** One request. */
export interface HttpRequest {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent though the page goes (Fetch standard, 64 KiB of all that are on their way). */
  readonly keepalive?: boolean;
  /** Instead of the time-out: ends the answer too. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;
/** A 2G line, with room for what else is on it. */
const MIN_BYTES_PER_MS = 1;
/** A connection that ends only after this time was cut by a time-out on the way. */
const SLOW_MS = 8_000;

/** The retries of ky are off: when to ask again is the store's decision. */
const http = ky.create({
  retry: 0,
  // ky's own time-out ends with the headers. The signal of a request ends the body too.
  timeout: false,
  // A refusal is read as a problem (RFC 9457).
  throwHttpErrors: false,
  credentials: 'same-origin',
  // Who follows one tells another server who is there, and reads a page for signing in as an answer.
  redirect: 'manual',
  // The page's `fetch` as it is at the time of the call, and not as it is at import.
  fetch: (input, init) => fetch(input, init),
});

/**
 * One call through ky, with what every call here needs: a time-out by the bytes that it sends, JSON, and one kind of error.
 *
 * @param url absolute @param read what to do with the answer; the time-out goes on until it is done
 * @throws {ApiError}
 */
export async function request<T>(
  url: string,
  what: HttpRequest,
  read: (response: Response, url: string) => T | Promise<T>,
): Promise<T> {
  const { json, query, headers, ...how } = what;
  const body = json === undefined ? undefined : toJson(json);
  const signal = what.signal ?? AbortSignal.timeout(TIMEOUT_MS + new Blob([body ?? '']).size / MIN_BYTES_PER_MS);
  const began = performance.now();
  try {
    const response = await http(url, {
      ...how,
      ...(body !== undefined && { body }),
      ...(query !== undefined && { searchParams: query }),
      signal,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
    if (response.ok) return await read(response, url);
    throw toApiError(response, await response.json().catch(() => undefined), url);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // By its name: in WebKit it is a DOMException.
    const code = (error as Error).name === 'SyntaxError' ? 'unreadable' : 'unreachable';
    const isTimeout = signal.aborted || performance.now() - began > SLOW_MS;
    throw new ApiError(code, `${url}: ${String(isNetworkError(error) ? error.cause : error)}`, { isTimeout });
  }
}

/** Whether any answer comes from there that this page may read. Never rejects. */
export async function isAnswering(url: string, timeoutMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    await http(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal });
    return true;
  } catch {
    return false;
  }
}
