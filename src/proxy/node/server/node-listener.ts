import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { InventoryProxy } from '../../options.js';
import { readClientAddress, ClientAddress } from './client-address.js';

/** A request listener of node:http, as Express calls it; Fastify has both arguments as `raw`. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Properties that frameworks add to a request of node:http. */
interface HandledRequest extends IncomingMessage {
  /** Express: the original path; `url` lacks the path at which the router is mounted. */
  readonly originalUrl?: string;
  /** Express: the result of a body parser. */
  readonly body?: unknown;
  /** The body that node-server uses instead of reading the stream. */
  rawBody?: Buffer;
}

/**
 * Mounts the proxy in a server that speaks node:http. The proxy's `basePath` is the whole path below which it is mounted.
 *
 * The `Host` header decides nothing: addresses are compared with `publicUrl`. A body that a parser of the framework has
 * read already is taken from its `body`.
 *
 * @param options `trustedProxies`: addresses and networks whose `X-Forwarded-For` is believed
 *
 * @example
 * const listener = nodeListener(proxy);
 * createServer(listener).listen(8080); // node:http
 * app.use('/inventory', listener); // Express
 */
export function nodeListener(
  proxy: Pick<InventoryProxy, 'fetch'>,
  { trustedProxies = [] }: { readonly trustedProxies?: readonly string[] } = {},
): NodeListener {
  const addresses = new ClientAddress(trustedProxies);
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const answer = await proxy.fetch(request, { address: readClientAddress(incoming as IncomingMessage, addresses) });
      if (outgoing.headersSent) warnOfAnotherAnswer();
      return answer;
    },
    { overrideGlobalObjects: false, hostname: 'localhost' },
  );
  return (incoming, outgoing) => {
    const request: HandledRequest = incoming;
    if (request.originalUrl !== undefined) request.url = request.originalUrl;
    if (request.readableDidRead) {
      const body = bytesOf(request.body);
      if (body === undefined) {
        refuse(outgoing);
        return;
      }
      request.rawBody = body;
    }
    leaveToProxy(outgoing);
    void listener(request, outgoing);
  };
}

/** Serializes a parsed body again. The exact bytes do not matter, because the proxy validates the content itself. */
function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/**
 * Removes the framework's CORS headers, because only the proxy decides which origins may read its responses, and
 * `X-Powered-By`.
 */
function leaveToProxy(outgoing: ServerResponse): void {
  for (const name of outgoing.getHeaderNames()) {
    if (name === 'x-powered-by' || name.startsWith('access-control-')) outgoing.removeHeader(name);
  }
}

/** A mistake in the host's server: pages would get an error although the proxy has accepted their edits. */
function warnOfAnotherAnswer(): void {
  process.emitWarning(
    'Something else answered a request before the inventory proxy could: in Koa set context.respond = false, as mounting.md says.',
    { code: 'VENDOR_INVENTORY_ANSWERED' },
  );
}

/** A mistake in the host's server: every batch would be rejected as invalid JSON. */
function refuse(outgoing: ServerResponse): void {
  process.emitWarning(
    'A body was read before the inventory proxy could: mount it before what reads bodies, in Fastify as mounting.md shows.',
    { code: 'VENDOR_INVENTORY_BODY_READ' },
  );
  outgoing.writeHead(500).end();
}
