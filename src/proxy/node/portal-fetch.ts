import {
  Agent,
  buildConnector,
  type Dispatcher,
  EnvHttpProxyAgent,
  fetch as undiciFetch,
  Pool,
  type RequestInit as UndiciRequestInit,
} from 'undici';
import { innermostCause, errorCodeOf, ForwardProxyFailed, NeverConnected } from '../portal/call-errors.js';
import { MAX_CALL_TIMEOUT_MS } from '../portal/profile.js';
import { isLoopback } from '../runtime/address-rules.js';
import { type ForwardProxy, parseForwardProxy } from './config/proxy-config.js';

/**
 * The fetch with which the proxy calls the portal on Node. Node's own fetch has a fixed timeout for connecting and does not
 * report in which phase a call failed. undici, the library behind it, offers both.
 */
export interface PortalFetch {
  readonly fetch: typeof fetch;
  /**
   * The timeout for making a connection, from the DNS lookup to the end of the TLS handshake, exact to a second. A new value
   * applies from the next connection on.
   */
  connectMs: number;
  /** The forward proxy of the network, if the calls go through one. */
  readonly forwardProxy: Pick<ForwardProxyAgent, 'host' | 'called'> | undefined;
  /** Closes idle connections and prevents new ones. */
  close(): Promise<void>;
}

/**
 * A call on a connection that the portal is about to close has an unknown outcome, and most portals do not tell how long they
 * keep one. So an idle connection is kept only until the next call of a burst. A portal that closes within a second is
 * rare, and no person waits for the additional handshakes.
 */
const IDLE_MS = 1_000;
/** If a portal sends `Keep-Alive: timeout=N` (RFC 2068 section 19.7.1.1), the connection closes this long before that. */
const CLOSE_EARLIER_BY_MS = 2_000;
const MAX_IDLE_MS = 10_000;

/**
 * @param forwardProxy used for all calls but those to this machine. Only the command reads it from the environment, because a
 *   host that mounts a proxy may have set the variables for other programs
 * @throws {TypeError} if the URL of the forward proxy is invalid
 */
export function createPortalFetch(connectMs: number, forwardProxy?: ForwardProxy): PortalFetch {
  let limit = connectMs;
  let connect = buildConnector({ timeout: limit });
  const options = {
    keepAliveTimeout: IDLE_MS,
    keepAliveTimeoutThreshold: CLOSE_EARLIER_BY_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    connect: ((target, done) => {
      connect(target, (...[error, socket]) => {
        if (error === null) done(null, socket);
        else done(new NeverConnected(error.message, { cause: error }), null);
      });
    }) satisfies buildConnector.connector,
  };
  const agent = new Agent(options);
  const forward = forwardProxy && forwardProxyAgent(forwardProxy, options, () => limit);

  /** Calls to this machine may be plain http, so they must not go through the forward proxy. */
  function getDispatcher(url: string | URL): Dispatcher {
    return forward === undefined || isLoopback(new URL(url).hostname) ? agent : forward.dispatcher;
  }

  return {
    // The types of undici and of the standard differ only in parts that the proxy does not use.
    fetch: ((input: string | URL, init?: UndiciRequestInit) =>
      undiciFetch(input, { ...init, dispatcher: getDispatcher(input) })) as unknown as typeof fetch,
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

/**
 * Calls through a forward proxy, each in a tunnel of its own (CONNECT, RFC 9110 section 9.3.6): TLS ends at the portal, so
 * the forward proxy sees only the portal's host and port. undici makes the tunnels and applies NO_PROXY. This code adds a
 * timeout over the forward proxy and the handshake, and errors that tell a fault of the forward proxy from one of the portal.
 */
export interface ForwardProxyAgent {
  readonly dispatcher: Dispatcher;
  readonly host: string;
  /** `host:port` of each server that was called through it. */
  readonly called: ReadonlySet<string>;
}

type Connector = buildConnector.connector;

/**
 * @param options options of the agent for direct calls, which hosts in NO_PROXY get
 * @param limit timeout for making a connection in milliseconds, read for each connection
 * @throws {TypeError} for an invalid URL; the message does not quote it, because it may hold a password
 */
export function forwardProxyAgent(
  { url, noProxy = '', setting = 'its URL' }: ForwardProxy,
  options: Agent.Options & { readonly connect: Connector },
  limit: () => number,
): ForwardProxyAgent {
  const parts = parseForwardProxy(url);
  if (parts === undefined) throw new TypeError('the forward proxy needs an http or https URL without path');
  const { origin, host, authorization } = parts;
  const called = new Set<string>();

  /** undici has no timeout for the response to a CONNECT, nor for the handshake through the tunnel. */
  function withTimeout(connect: Connector): Connector {
    return (target, done) => {
      const milliseconds = limit();
      const signal = AbortSignal.timeout(milliseconds);
      let isOpen = true;
      const settle: buildConnector.Callback = (...[error, socket]) => {
        if (isOpen && error === null) done(null, socket);
        else if (isOpen)
          done(error instanceof NeverConnected ? error : new NeverConnected(error?.message, { cause: error }), null);
        // The connection was made after the timeout, so it is not needed any more.
        else socket?.destroy();
        isOpen = false;
      };
      signal.addEventListener('abort', () => {
        const what = `no connection to ${target.host ?? target.hostname} through the forward proxy ${host} within ${String(milliseconds)} ms`;
        settle(new ForwardProxyFailed(`${what}: check ${setting}, and whether it reaches that host`), null);
      });
      // undici passes the signal to the CONNECT request.
      connect({ ...target, signal } as buildConnector.Options, settle);
    };
  }

  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    // User and password are passed as `token`, because undici drops both if one is empty. All three settings are given,
    // because undici reads a missing one from the environment.
    httpProxy: origin,
    httpsProxy: origin,
    noProxy,
    // The default is shorter than our timeout may be. Without any, a handshake that timed out would keep its socket open.
    requestTls: { timeout: MAX_CALL_TIMEOUT_MS },
    ...(authorization && { token: authorization.reveal() }),
    clientFactory: () => new TunnelPool({ host, setting, called }, origin, { connect: options.connect }),
    factory: (target, { connect, ...rest }: Pool.Options) =>
      new Pool(target, { ...rest, connect: connect === options.connect ? connect : withTimeout(connect as Connector) }),
  });
  return { dispatcher, host, called };
}

interface TunnelOptions {
  readonly host: string;
  readonly setting: string;
  readonly called: Set<string>;
}

/** The connections to the forward proxy. It names the status of a rejected CONNECT, for which undici has one error. */
class TunnelPool extends Pool {
  readonly #options: TunnelOptions;

  constructor(options: TunnelOptions, ...pool: ConstructorParameters<typeof Pool>) {
    super(...pool);
    this.#options = options;
  }

  override async connect(options: Omit<Dispatcher.ConnectOptions, 'origin'>): Promise<Dispatcher.ConnectData> {
    const { host, setting, called } = this.#options;
    called.add(options.path);
    let answer: Dispatcher.ConnectData;
    try {
      answer = await super.connect(options);
    } catch (error) {
      throw new ForwardProxyFailed(
        `the forward proxy ${host} cannot be used (${describeUnreachable(error)}): check ${setting}, and whether it runs`,
      );
    }
    const { statusCode: status, socket } = answer;
    if (status === 200) return answer;
    socket.on('error', () => undefined).destroy();
    throw new ForwardProxyFailed(`the forward proxy ${host} ${describeRejection(status, options.path, setting)}`);
  }
}

function describeRejection(status: number, target: string, setting: string): string {
  if (status === 407) return `wants another user or password (407): check those in ${setting}`;
  return status < 500
    ? `does not let us through to ${target} (${String(status)}): have it allow that host, or name the host in NO_PROXY`
    : `does not reach ${target} (${String(status)}): check that address, and the network of the forward proxy`;
}

/** Why a call got no response, in a text that tells an operator what to check. */
export function describeUnreachable(error: unknown): string {
  const innermost = innermostCause(error);
  const code = errorCodeOf(innermost);
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  if (code === undefined) return message;
  const fallback = /CERT|TLS|SIGNATURE/.test(code) ? UNTRUSTED_CERTIFICATE : message;
  return `${code}: ${EXPLANATIONS.get(code) ?? fallback}`;
}

const UNTRUSTED_CERTIFICATE =
  'its certificate is not one that Node trusts; if it comes from an authority of your own, start with NODE_EXTRA_CA_CERTS';

const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens at this address'],
  ['ENOTFOUND', 'there is no host of this name'],
  ['EAI_AGAIN', 'the name service does not answer'],
  ['EHOSTUNREACH', 'there is no way to this host'],
  ['ENETUNREACH', 'there is no way to this network'],
  ['ETIMEDOUT', 'no connection in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['ECONNRESET', 'the connection was cut'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['EPROTO', 'what answers does not speak TLS'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired, or the clock of this machine is ahead'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet, or the clock of this machine is behind'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'what answers does not speak TLS'],
]);
