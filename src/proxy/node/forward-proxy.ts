import { EnvHttpProxyAgent, Pool, type Agent, type buildConnector, type Dispatcher } from 'undici';
import { ForwardProxyFailed, NeverConnected } from '../portal/call-errors.js';
import { MOST_PATIENCE_MS } from '../portal/profile.js';
import { parseForwardProxy, type ForwardProxy } from './config/forward-proxy-settings.js';
import { whyUnreachable } from './why-unreachable.js';

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
    requestTls: { timeout: MOST_PATIENCE_MS },
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
        `the forward proxy ${host} cannot be used (${whyUnreachable(error)}): check ${setting}, and whether it runs`,
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
