import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that a system hands out by itself (Linux from 32768 on): a test beside this one may be given one of these. */
const [FIRST, LAST] = [20_000, 32_000];

const given = new Set<number>();

/** A port that no process listens on at this moment, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port)) continue;
    given.add(port);
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
