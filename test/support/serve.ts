import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A server of the test's own on a free local port; it goes with the test. @returns its address */
export function serve(t: TestContext, listener: RequestListener): Promise<string> {
  return addressOf(t, createServer(listener).listen(0, '127.0.0.1'));
}

/** @returns the address of a server that has been told to listen; it goes with the test */
export async function addressOf(t: TestContext, server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
