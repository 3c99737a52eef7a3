import { once } from 'node:events';
import { createServer } from 'node:net';

/** The ports are below those that a system assigns by itself (Linux from 32768 on), which a concurrent test may get. */
const [FIRST, LAST] = [20_000, 32_000];

const given = new Set<number>();

/** @returns a port on which no process listens at this moment, and that was not returned in this process before */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      // The port is in use.
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
