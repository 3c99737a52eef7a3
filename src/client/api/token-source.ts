import { withTimeout } from '../storage/database.js';
import { ApiError } from './api-error.js';

/**
 * The embed token on the page: in memory only, never in storage, an attribute or a log.
 *
 * At most one request is in flight for any number of callers. A caller that requests a new token names the refused one,
 * so that a slow caller with an old token does not discard the new one.
 */
export interface TokenSource {
  /** `undefined` if the host's cookies identify the person. @throws the error of the request to the host */
  token(): Promise<string | undefined>;
  /** Returns another token, after a 401 for `refused`. */
  renew(refused: string | undefined): Promise<string | undefined>;
  /** Sets how long this token is valid from now on, in milliseconds, as the proxy reports it. */
  setLifetime(token: string | undefined, milliseconds: number): void;
  /** The next caller gets a new token. */
  readonly forget: () => void;
}

const HOST_TIMEOUT_MS = 15_000;
/** A token is renewed at three quarters of its lifetime or a minute before its end, whichever comes first. */
const RENEWAL_SHARE = 0.75;
const RENEWAL_MARGIN_MS = 60_000;
/** The wait between two attempts to renew a token that is still valid. */
const RETRY_INTERVAL_MS = 10_000;

/** Wraps the host's function, whose faults become an {@link ApiError}. */
export function tokenFromFunction(getSession: () => Promise<string>): () => Promise<string> {
  return async () => {
    let given: unknown;
    try {
      // A promise that never settles must not leave the page waiting for ever.
      const token: unknown = await withTimeout(getSession(), HOST_TIMEOUT_MS);
      if (typeof token === 'string' && token !== '') return token;
      given = token;
    } catch (error) {
      // The browser lists failed requests for the developer, but no faults of a function.
      console.warn('getSession', error);
      throw new ApiError('session_unreachable', String(error));
    }
    if (given === undefined || given === null || given === '')
      throw new ApiError('session_refused', 'getSession: nothing');
    throw new ApiError('session_unreadable', `getSession: ${Array.isArray(given) ? 'a list' : typeof given}`);
  };
}

/** @param request absent: the host's cookies identify the person @param now milliseconds of a monotonic clock */
export function createTokenSource(
  request: () => Promise<string | undefined> = () => Promise.resolve(undefined),
  now: () => number = () => performance.now(),
): TokenSource {
  let current: string | undefined;
  let renewAt = Infinity;
  let inFlight: Promise<string | undefined> | undefined;

  function requestToken(): Promise<string | undefined> {
    if (inFlight !== undefined) return inFlight;
    const pending = request()
      .then((token) => {
        if (inFlight !== pending) return token;
        renewAt = Infinity;
        return (current = token);
      })
      .finally(() => {
        if (inFlight === pending) inFlight = undefined;
      });
    return (inFlight = pending);
  }

  return {
    async token() {
      if (current === undefined) return requestToken();
      if (now() >= renewAt) {
        renewAt = now() + RETRY_INTERVAL_MS;
        // The old token is used until the new one is there. A failed renewal is repeated later, at the latest after a
        // 401.
        void requestToken().catch(() => undefined);
      }
      return current;
    },
    async renew(refused) {
      if (current === refused) current = undefined;
      return current ?? (await requestToken());
    },
    setLifetime(token, milliseconds) {
      if (token === current) renewAt = now() + Math.min(milliseconds * RENEWAL_SHARE, milliseconds - RENEWAL_MARGIN_MS);
    },
    forget() {
      current = undefined;
      inFlight = undefined;
      renewAt = Infinity;
    },
  };
}
