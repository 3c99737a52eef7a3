import { withTimeout } from '../storage/database.js';
import { ApiError } from './api-error.js';

/**
 * The embed token on the page: in memory only, never in storage, an attribute or a log.
 *
 * However many callers ask, one request is in flight. A token that the proxy refused is named when a new one is asked
 * for, so that a slow caller with an old token does not throw away the new one.
 */
export interface TokenSource {
  /** `undefined`: the host's own cookies identify the person. @throws whatever the host's answer threw */
  token(): Promise<string | undefined>;
  /** After a 401 for `refused`. */
  renew(refused: string | undefined): Promise<string | undefined>;
  /** The proxy said how long this token is good from now on, in milliseconds. */
  lasts(token: string | undefined, milliseconds: number): void;
  /** The next caller gets a new token. */
  readonly forget: () => void;
}

const PATIENCE_MS = 15_000;
/** Renewed at three quarters of its life, or a minute before its end: whichever comes first. */
const EARLY_PART = 0.75;
const EARLY_MS = 60_000;
/** Between two tries to renew a token that is still good. */
const AGAIN_MS = 10_000;

/** The host's own function, with its mistakes turned into an expected failure. */
export function tokenFromFunction(getSession: () => Promise<string>): () => Promise<string> {
  return async () => {
    let given: unknown;
    try {
      // A promise that never settles must not leave the page waiting for ever.
      const token: unknown = await withTimeout(getSession(), PATIENCE_MS);
      if (typeof token === 'string' && token !== '') return token;
      given = token;
    } catch (error) {
      // Nothing else shows it: a request that fails is in the browser's own list, a mistake in a function is not.
      console.warn('getSession', error);
      throw new ApiError('session_unreachable', String(error));
    }
    if (given === undefined || given === null || given === '')
      throw new ApiError('session_refused', 'getSession: nothing');
    throw new ApiError('session_unreadable', `getSession: ${Array.isArray(given) ? 'a list' : typeof given}`);
  };
}

/** @param request without, the host's own cookies identify the person @param now milliseconds, steady */
export function createTokenSource(
  request: () => Promise<string | undefined> = () => Promise.resolve(undefined),
  now: () => number = () => performance.now(),
): TokenSource {
  let kept: string | undefined;
  let renewAt = Infinity;
  let inFlight: Promise<string | undefined> | undefined;

  function ask(): Promise<string | undefined> {
    if (inFlight !== undefined) return inFlight;
    const asked = request()
      .then((token) => {
        if (inFlight !== asked) return token;
        renewAt = Infinity;
        return (kept = token);
      })
      .finally(() => {
        if (inFlight === asked) inFlight = undefined;
      });
    return (inFlight = asked);
  }

  return {
    async token() {
      if (kept === undefined) return ask();
      if (now() >= renewAt) {
        renewAt = now() + AGAIN_MS;
        // The old one serves until then. If the host has no new one now, it is asked again, and at the latest after a 401.
        void ask().catch(() => undefined);
      }
      return kept;
    },
    async renew(refused) {
      if (kept === refused) kept = undefined;
      return kept ?? (await ask());
    },
    lasts(token, milliseconds) {
      if (token === kept) renewAt = now() + Math.min(milliseconds * EARLY_PART, milliseconds - EARLY_MS);
    },
    forget() {
      kept = undefined;
      inFlight = undefined;
      renewAt = Infinity;
    },
  };
}
