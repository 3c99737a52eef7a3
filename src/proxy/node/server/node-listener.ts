import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { InventoryProxy } from '../../options.js';
import { readClientAddress, ClientAddress } from './client-address.js';

/** `(request, response)` of node:http, which is what Express calls and what Fastify has as `raw`. */
export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** What frameworks leave on a request of node:http. */
interface HandledRequest extends IncomingMessage {
  /** Express: the path as it came; `url` lacks what the router was mounted at. */
  readonly originalUrl?: string;
  /** Express: what a body parser made of the body. */
  readonly body?: unknown;
  /** Where node-server looks for a body before it reads the stream. */
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

/** A parsed body in bytes again: only what it says counts, and the proxy checks that itself. */
function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The proxy says which origins may read its answers; the server's own headers tell no client what runs here. */
function leaveToProxy(outgoing: ServerResponse): void {
  for (const name of outgoing.getHeaderNames()) {
    if (name === 'x-powered-by' || name.startsWith('access-control-')) outgoing.removeHeader(name);
  }
}

/** A mistake in the host's server: pages would read that there is no proxy, though it has taken their edits. */
function warnOfAnotherAnswer(): void {
  process.emitWarning(
    'Something else answered a request before the inventory proxy could: in Koa set context.respond = false, as mounting.md says.',
    { code: 'VENDOR_INVENTORY_ANSWERED' },
  );
}

/** A mistake in the host's server: every edit would look like no JSON. */
function refuse(outgoing: ServerResponse): void {
  process.emitWarning(
    'A body was read before the inventory proxy could: mount it before what reads bodies, in Fastify as mounting.md shows.',
    { code: 'VENDOR_INVENTORY_BODY_READ' },
  );
  outgoing.writeHead(500).end();
}
