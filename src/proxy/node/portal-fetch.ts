import {
  Agent,
  buildConnector,
  fetch as undiciFetch,
  type Dispatcher,
  type RequestInit as UndiciRequestInit,
} from 'undici';
import { NeverConnected } from '../portal/call-errors.js';
import { isLoopback } from '../runtime/loopback.js';
import { forwardProxyAgent, type ForwardProxyAgent } from './forward-proxy.js';
import type { ForwardProxy } from './config/forward-proxy-settings.js';

/**
 * The fetch with which the proxy calls the portal on Node. Node's own has a fixed time-out for connecting and does not say
 * in which phase a call failed; undici, which is what Node's is made of, lets us set the one and see the other.
 */
export interface PortalFetch {
  readonly fetch: typeof fetch;
  /**
   * Longest that making a connection may take, from the name to the end of the TLS handshake; kept to within a second.
   * Counts from the next connection on.
   */
  connectMs: number;
  /** By which calls leave the network, where they do not go directly. */
  readonly forwardProxy: Pick<ForwardProxyAgent, 'host' | 'called'> | undefined;
  /** Closes idle connections and lets no more be made. */
  close(): Promise<void>;
}

/**
 * A call on a connection that the portal is just closing has an unknown outcome, and the portal says less often than not how
 * long it keeps one. So an idle connection is kept for the moment until the next call of a burst, no longer: a portal that
 * closes within a second is rare, and each handshake that this costs is one that nobody waits for.
 */
const IDLE_MS = 1_000;
/** Where a portal says `Keep-Alive: timeout=N` (RFC 2068 section 19.7.1.1), we leave this long before it does. */
const LEAVE_BEFORE_MS = 2_000;
const LONGEST_IDLE_MS = 10_000;

/**
 * @param forwardProxy by which calls leave, other than to this machine. The environment is the command's to read: a host that
 * mounts a proxy may have it for others
 * @throws {TypeError} for a forward proxy whose URL is none
 */
export function createPortalFetch(connectMs: number, forwardProxy?: ForwardProxy): PortalFetch {
  let limit = connectMs;
  let connect = buildConnector({ timeout: limit });
  const options = {
    keepAliveTimeout: IDLE_MS,
    keepAliveTimeoutThreshold: LEAVE_BEFORE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    connect: ((target, done) => {
      connect(target, (...[error, socket]) => {
        if (error === null) done(null, socket);
        else done(new NeverConnected(error.message, { cause: error }), null);
      });
    }) satisfies buildConnector.connector,
  };
  const agent = new Agent(options);
  const forward = forwardProxy && forwardProxyAgent(forwardProxy, options, () => limit);

  /** What may be called in plain text, because it never leaves this machine, is not brought out of it either. */
  function wayTo(url: string | URL): Dispatcher {
    return forward === undefined || isLoopback(new URL(url).hostname) ? agent : forward.dispatcher;
  }

  return {
    // The types of undici and of the standard differ in what we do not use.
    fetch: ((input: string | URL, init?: UndiciRequestInit) =>
      undiciFetch(input, { ...init, dispatcher: wayTo(input) })) as unknown as typeof fetch,
    get connectMs() {
      return limit;
    },
    set connectMs(milliseconds) {
      limit = milliseconds;
      connect = buildConnector({ timeout: limit });
    },
    forwardProxy: forward,
    async close() {
      await Promise.all([agent.close(), forward?.dispatcher.close()]);
    },
  };
}
