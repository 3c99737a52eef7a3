import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

export interface CountingPortal {
  readonly url: string;
  /** The time of each update and the number of its items. */
  readonly calls: readonly { readonly at: number; readonly items: number }[];
  /** Resolves once that many items have been received. */
  has(items: number): Promise<void>;
  close(): void;
}

/** A portal that accepts everything and records the times. @param answersInMs the response time of an update */
export async function openPortal(answersInMs = 0): Promise<CountingPortal> {
  const calls: { at: number; items: number }[] = [];
  const server = createServer((request, response) => {
    const at = performance.now();
    void text(request).then(async (body) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/v1/oauth/token') response.end('{"access_token":"token","expires_in":3600}');
      else {
        calls.push({ at, items: (JSON.parse(body) as { inventory: unknown[] }).inventory.length });
        if (answersInMs > 0) await wait(answersInMs);
        response.end('{}');
        server.emit('taken');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    calls,
    async has(items) {
      while (calls.reduce((sum, call) => sum + call.items, 0) < items) await once(server, 'taken');
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
