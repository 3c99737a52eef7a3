import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo, type Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { readClientAddress, ClientAddress } from './client-address.js';

export interface Listening {
  readonly port: number;
  /** The server's address with the port that it got. */
  readonly origin: string;
  /** Accepts no new connections, waits for the responses to requests that arrived completely, then resolves. */
  close(): Promise<void>;
}

const SWEEP_MS = 50;

/**
 * How long a client may take, and how many clients may be connected. A client that sends its request too slowly is
 * disconnected; a full batch arrives in time at 5 kB a second. A response may take any time, as streams do, while its
 * client reads it.
 */
export interface ClientLimits {
  /** Milliseconds for a request's headers. */
  readonly headersMs: number;
  /** Milliseconds for a whole request. */
  readonly requestMs: number;
  /**
   * Milliseconds for an incomplete request after the server has started to close. Node checks no timeouts from then on, and
   * a browser may never send a request on a connection that it has opened. Nothing of an incomplete request was accepted.
   */
  readonly graceMs: number;
  /** Milliseconds without traffic after which a connection is closed: longer than any pause here, streams included. */
  readonly stillMs: number;
  /**
   * Milliseconds that a connection may wait for its next request: longer than gateways keep one (60 s for nginx and cloud
   * load balancers). The gateway has to close first: a request that it sends just as the server closes gets a 502.
   */
  readonly idleMs: number;
  readonly connections: number;
  /**
   * Connections of one address that may wait for a request, default 500. Beyond it, the one that has waited longest is
   * closed.
   */
  readonly idlePerAddress?: number;
}

const LIMITS: ClientLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  graceMs: 2_000,
  stillMs: 60_000,
  idleMs: 75_000,
  connections: 5_000,
};

const DEFAULT_IDLE_PER_ADDRESS = 500;

/**
 * Largest number of pending responses on one connection. Browsers and gateways do not pipeline; Node starts all requests of
 * a packet at once and buffers their responses, which a client may never read.
 */
const MAX_PIPELINED = 2;

/** The server cannot listen at that address; the message is one line for an operator. */
export class CannotListen extends Error {
  override readonly name: string = 'CannotListen';
}

export class PortTaken extends CannotListen {
  override readonly name = 'PortTaken';
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /**
   * Whether no other code runs in this process. Then node-server replaces the global `Request` and `Response` with lighter
   * ones that create streams and header lists only on demand, which saves a third of the time of a response.
   */
  readonly ownsProcess?: boolean;
}

/**
 * Serves a fetch handler over HTTP.
 *
 * @throws {PortTaken} if another process listens on the port
 * @throws {CannotListen} for any other reason
 */
export function listen(
  handler: (request: Request, from: { readonly address?: string | undefined }) => Promise<Response>,
  at: ListenOptions,
  limits: ClientLimits = LIMITS,
): Promise<Listening> {
  const addresses = new ClientAddress(at.trustedProxies ?? []);
  const { headersMs, requestMs, graceMs, stillMs, idleMs, connections } = limits;
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => {
      const asked = incoming as IncomingMessage;
      // Node still delivers the other requests of a packet after the connection was destroyed.
      if (asked.socket.destroyed) return new Response(null, { status: 400 });
      return handler(request, { address: readClientAddress(asked, addresses) });
    },
    overrideGlobalObjects: at.ownsProcess === true,
    serverOptions: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      // Node checks its timeouts only at this interval, whose default is 30 seconds.
      connectionsCheckingInterval: headersMs / 10,
    },
  });
  server.maxConnections = connections;
  (server as Server).timeout = stillMs;
  const cutOffLate = watchClients(server as Server);
  boundIdleConnections(server as Server, addresses, limits.idlePerAddress ?? DEFAULT_IDLE_PER_ADDRESS);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new PortTaken(`port ${String(at.port)} is taken; set another one`)
          : new CannotListen(`cannot listen on ${at.host}:${String(at.port)}: ${error.message}`, { cause: error }),
      );
    });
    server.listen(at.port, at.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        origin: originOf(at.host, port),
        close: () =>
          new Promise((done) => {
            const cutOffAt = performance.now() + graceMs;
            // Node keeps a connection open for the next request although the server is closing, so idle ones are closed
            // repeatedly.
            const sweep = setInterval(() => {
              if ('closeIdleConnections' in server) server.closeIdleConnections();
              if (performance.now() >= cutOffAt) cutOffLate();
            }, SWEEP_MS);
            server.close(() => {
              clearInterval(sweep);
              done();
            });
          }),
      });
    });
  });
}

/**
 * Destroys connections with more pipelined requests than allowed.
 *
 * @returns a function that destroys each connection without a complete request that waits for its response
 */
function watchClients(server: Server): () => void {
  const answersOf = new Map<Socket, readonly ServerResponse[]>();
  server.on('connection', (socket: Socket) => {
    answersOf.set(socket, []);
    socket.once('close', () => answersOf.delete(socket));
  });
  // Registered first, because the handler of the request checks whether its connection is destroyed.
  server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const pending = answersOf.get(socket)?.filter((earlier) => !earlier.writableFinished) ?? [];
    answersOf.set(socket, [...pending, answer]);
    if (pending.length >= MAX_PIPELINED) socket.destroy();
  });
  return () => {
    for (const [socket, answers] of answersOf) {
      const isAwaited = answers.some((answer) => answer.req.complete && !answer.writableEnded);
      if (!isAwaited) socket.destroy();
    }
  };
}

/**
 * Limits the idle connections of one address, so that it cannot use up all connections. The operator's gateways are exempt.
 */
function boundIdleConnections(server: Server, addresses: ClientAddress, max: number): void {
  const idleOf = new Map<string, Set<Socket>>();

  function add(socket: Socket, address: string): void {
    if (socket.destroyed) return;
    const idle = idleOf.get(address) ?? new Set();
    idleOf.set(address, idle.add(socket));
    const [oldest] = idle;
    if (idle.size > max) oldest?.destroy();
  }

  function remove(socket: Socket, address: string): void {
    const idle = idleOf.get(address);
    idle?.delete(socket);
    if (idle?.size === 0) idleOf.delete(address);
  }

  const addressOf = new WeakMap<Socket, string>();
  server.on('connection', (socket: Socket) => {
    const address = readClientAddress({ socket, headers: {} }, addresses);
    if (address === undefined) return;
    addressOf.set(socket, address);
    add(socket, address);
    socket.once('close', () => {
      remove(socket, address);
    });
  });
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const address = addressOf.get(socket);
    if (address === undefined) return;
    remove(socket, address);
    answer.once('close', () => {
      add(socket, address);
    });
  });
}

/** An IPv6 address contains colons, so a URL has it in brackets. */
export function originOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${String(port)}`;
}
