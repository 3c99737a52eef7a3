import { ProxyFailure } from './proxy-failure.js';

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
}

/** The host's own function, with its mistakes turned into an expected failure. */
export function tokenFromFunction(getSession: () => Promise<string>): () => Promise<string> {
  return async () => {
    try {
      const token: unknown = await getSession();
      if (typeof token === 'string' && token !== '') return token;
    } catch (cause) {
      throw new ProxyFailure('session_unreachable', { retryable: true, message: 'getSession failed', cause });
    }
    throw new ProxyFailure('session_refused', { retryable: true, message: 'getSession gave no token' });
  };
}

export function createTokenSource(request: (() => Promise<string>) | undefined): TokenSource {
  let kept: string | undefined;
  let inFlight: Promise<string> | undefined;

  function ask(from: () => Promise<string>): Promise<string> {
    inFlight ??= from()
      .then((token) => (kept = token))
      .finally(() => {
        inFlight = undefined;
      });
    return inFlight;
  }

  return {
    async token() {
      return request === undefined ? undefined : (kept ?? (await ask(request)));
    },
    async renew(refused) {
      if (request === undefined) return undefined;
      if (kept === refused) kept = undefined;
      return kept ?? (await ask(request));
    },
  };
}
