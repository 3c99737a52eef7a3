import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo, type Socket } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { readClientAddress, ClientAddress } from './client-address.js';

export interface Listening {
  readonly port: number;
  /** As one asks it, with the port that it got. */
  readonly origin: string;
  /** Takes no new connections, waits for the answers to what has come whole, then resolves. */
  close(): Promise<void>;
}

const SWEEP_MS = 50;

/**
 * How long a client may take, and how many may be there at once. A client that drips bytes is cut off; a full batch comes through
 * in time over a line of 5 kB a second. An answer may last as long as it likes, as streams do, while its client reads it.
 */
export interface ClientLimits {
  /** Milliseconds for a request's headers. */
  readonly headersMs: number;
  /** Milliseconds for a whole request. */
  readonly requestMs: number;
  /**
   * Milliseconds for a request that has not come whole when the server closes: Node keeps no time from then on, and a browser
   * may never ask anything on a connection that it has opened. Nothing of such a request was accepted.
   */
  readonly graceMs: number;
  /** Milliseconds in which a connection may move nothing: longer than anything here is silent, streams included. */
  readonly stillMs: number;
  /**
   * Milliseconds in which a connection may wait for its next request: longer than gateways keep one (nginx and the balancers
   * of clouds 60 s). The gateway must be the first to close: what they send on one that we close just then gets a 502 from them.
   */
  readonly idleMs: number;
  readonly connections: number;
  /** Of one address, how many of them may wait for a request, by default 500; the one that has waited longest is closed for another. */
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
 * Requests of one connection that may wait for their answers. Browsers and gateways send the next one after the answer; Node
 * begins with all that a packet holds, and keeps their answers for a client that may read none of them.
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
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[];
  /**
   * No other code runs in this process: its `Request` and `Response` become ones that hold what they were given and
   * make streams and header lists only when asked. An answer costs two thirds then.
   */
  readonly ownsProcess?: boolean;
}

/**
 * Serves a fetch handler over HTTP.
 * @throws {PortTaken} when another process listens there, {CannotListen} for any other reason
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
      // Node hands over the rest of a packet, though its connection was cut off.
      if (asked.socket.destroyed) return new Response(null, { status: 400 });
      return handler(request, { address: readClientAddress(asked, addresses) });
    },
    overrideGlobalObjects: at.ownsProcess === true,
    serverOptions: {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      // Node looks at its clients only so often, and every half minute by default.
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
            // Node keeps a connection whose request has just ended for the next one, and waits for its client to tire.
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
 * Cuts off who asks for more in turn than anybody needs.
 * @returns ends each connection without a whole request that waits for its answer
 */
function watchClients(server: Server): () => void {
  const answersOf = new Map<Socket, readonly ServerResponse[]>();
  server.on('connection', (socket: Socket) => {
    answersOf.set(socket, []);
    socket.once('close', () => answersOf.delete(socket));
  });
  // First: who serves the request looks whether its connection is still there.
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

/** One address cannot keep all connections: those that wait for a request are bounded. Gateways of the operator are exempt. */
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

/** An address of IPv6 has colons of its own. */
export function originOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${String(port)}`;
}
