import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

export interface Listening {
  readonly port: number;
  /** Takes no new connections, waits for the requests in flight, then resolves. */
  close(): Promise<void>;
}

export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/**
 * Serves a fetch handler over HTTP.
 * @throws {PortTaken} when somebody else listens there
 */
export function listen(
  handler: (request: Request) => Promise<Response>,
  at: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createAdaptorServer({ fetch: handler, overrideGlobalObjects: false });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(`port ${String(at.port)} is taken; set another one`) : error);
    });
    server.listen(at.port, at.host, () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        close: () =>
          new Promise((done) => {
            server.close(() => {
              done();
            });
            if ('closeIdleConnections' in server) server.closeIdleConnections();
          }),
      });
    });
  });
}
