import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that a system hands out by itself (Linux from 32768 on): a test beside this one may be given one of these. */
const [FIRST, LAST] = [20_000, 32_000];

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      // Taken.
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
