import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** Starts a server on a free local port, and closes it after the test. @returns its address */
export function serve(t: TestContext, listener: RequestListener): Promise<string> {
  return addressOf(t, createServer(listener).listen(0, '127.0.0.1'));
}

/** Closes a server after the test. @returns its address, once it listens */
export async function addressOf(t: TestContext, server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
