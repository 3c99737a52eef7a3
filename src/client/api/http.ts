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
  /** Sends the request even if the page closes (Fetch standard: at most 64 KiB in all requests in flight). */
  readonly keepalive?: boolean;
  /** Replaces the time-out, and ends the response body too. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;
/** A 2G connection that carries other traffic too. */
const MIN_BYTES_PER_MS = 1;
/** A connection that fails after this time was cut by a time-out on the way. */
const SLOW_MS = 8_000;

/** The retries of ky are off, because the store decides when to retry. */
const http = ky.create({
  retry: 0,
  // The time-out of ky ends with the headers. The signal of a request covers the body too.
  timeout: false,
  // An error response is parsed as a problem (RFC 9457).
  throwHttpErrors: false,
  credentials: 'same-origin',
  // Following a redirect would reveal the person to another server, or read a sign-in page as the response.
  redirect: 'manual',
  // Looked up at each call, because the page may replace `fetch` after the import.
  fetch: (input, init) => fetch(input, init),
});

/**
 * Sends one request, with a time-out that grows with the body, JSON, and one class of errors.
 *
 * @param url absolute @param read handles the response within the time-out
 * @throws {ApiError}
 */
export async function request<T>(
  url: string,
  what: HttpRequest,
  read: (response: Response, url: string) => T | Promise<T>,
): Promise<T> {
  const { json, query, headers, ...options } = what;
  const body = json === undefined ? undefined : toJson(json);
  const signal = what.signal ?? AbortSignal.timeout(TIMEOUT_MS + new Blob([body ?? '']).size / MIN_BYTES_PER_MS);
  const startedAt = performance.now();
  try {
    const response = await http(url, {
      ...options,
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
    // Compared by name, because WebKit throws a DOMException.
    const code = (error as Error).name === 'SyntaxError' ? 'unreadable' : 'unreachable';
    const isTimeout = signal.aborted || performance.now() - startedAt > SLOW_MS;
    throw new ApiError(code, `${url}: ${String(isNetworkError(error) ? error.cause : error)}`, { isTimeout });
  }
}

/** Whether the URL sends a response that this page may read. Never rejects. */
export async function isAnswering(url: string, timeoutMs: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    await http(url, { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal });
    return true;
  } catch {
    return false;
  }
}
