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

/**
 * Calls through a forward proxy, each in a tunnel of its own (CONNECT, RFC 9110 section 9.3.6): TLS ends at the portal, and
 * the forward proxy sees the portal's host and port and no more. undici makes the tunnels and knows NO_PROXY. What it lacks is
 * here: a time-out for the whole way, and failures that say whose they are.
 */
export interface ForwardProxyAgent {
  readonly dispatcher: Dispatcher;
  readonly host: string;
  /** `host:port` of whoever was called through it. */
  readonly called: ReadonlySet<string>;
}

type Connector = buildConnector.connector;

/**
 * @param options of the agent for direct calls, which those that NO_PROXY names get
 * @param limit milliseconds that making a connection may take, asked at each
 * @throws {TypeError} for a URL that is none; it is not quoted
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

  /** Nobody else bounds how long the forward proxy thinks about a tunnel, or the handshake through it takes. */
  function inTime(connect: Connector): Connector {
    return (target, done) => {
      const milliseconds = limit();
      const signal = AbortSignal.timeout(milliseconds);
      let isOpen = true;
      const settle: buildConnector.Callback = (...[error, socket]) => {
        if (isOpen && error === null) done(null, socket);
        else if (isOpen)
          done(error instanceof NeverConnected ? error : new NeverConnected(error?.message, { cause: error }), null);
        // Made after all, when nobody waits for it any more.
        else socket?.destroy();
        isOpen = false;
      };
      signal.addEventListener('abort', () => {
        const what = `no connection to ${target.host ?? target.hostname} through the forward proxy ${host} within ${String(milliseconds)} ms`;
        settle(new ForwardProxyFailed(`${what}: check ${setting}, and whether it reaches that host`), null);
      });
      // undici hands the signal on to the CONNECT.
      connect({ ...target, signal } as buildConnector.Options, settle);
    };
  }

  const dispatcher = new EnvHttpProxyAgent({
    ...options,
    // User and password apart: undici sends neither where one is empty. All three said, or it looks at the environment itself.
    httpProxy: origin,
    httpsProxy: origin,
    noProxy,
    // Its own time for the handshake through a tunnel is shorter than ours may be; without one, what was given up stays open.
    requestTls: { timeout: MAX_CALL_TIMEOUT_MS },
    ...(authorization && { token: authorization.reveal() }),
    clientFactory: () => new TunnelPool({ host, setting, called }, origin, { connect: options.connect }),
    factory: (target, { connect, ...rest }: Pool.Options) =>
      new Pool(target, { ...rest, connect: connect === options.connect ? connect : inTime(connect as Connector) }),
  });
  return { dispatcher, host, called };
}

interface TunnelsBegin {
  readonly host: string;
  readonly setting: string;
  readonly called: Set<string>;
}

/** Where tunnels begin. undici has one error for all that a forward proxy may say to a CONNECT. */
class TunnelPool extends Pool {
  readonly #begins: TunnelsBegin;

  constructor(begins: TunnelsBegin, ...pool: ConstructorParameters<typeof Pool>) {
    super(...pool);
    this.#begins = begins;
  }

  override async connect(options: Omit<Dispatcher.ConnectOptions, 'origin'>): Promise<Dispatcher.ConnectData> {
    const { host, setting, called } = this.#begins;
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
    throw new ForwardProxyFailed(`the forward proxy ${host} ${refusal(status, options.path, setting)}`);
  }
}

function refusal(status: number, target: string, setting: string): string {
  if (status === 407) return `wants another user or password (407): check those in ${setting}`;
  return status < 500
    ? `does not let us through to ${target} (${String(status)}): have it allow that host, or name the host in NO_PROXY`
    : `does not reach ${target} (${String(status)}): check that address, and the network of the forward proxy`;
}

/** Why a call got no answer, in words that tell an operator where to look. */
export function describeUnreachable(error: unknown): string {
  const innermost = innermostCause(error);
  const code = errorCodeOf(innermost);
  const words = code === undefined ? undefined : (WORDS.get(code) ?? (/CERT|TLS|SIGNATURE/.test(code) && CERTIFICATE));
  const message = innermost instanceof Error ? innermost.message : String(innermost);
  if (code === undefined) return message;
  return `${code}: ${words === undefined || words === false ? message : words}`;
}

const CERTIFICATE =
  'its certificate is not one that Node trusts; if it comes from an authority of your own, start with NODE_EXTRA_CA_CERTS';

const WORDS: ReadonlyMap<string, string> = new Map([
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
