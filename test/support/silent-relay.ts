import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A relay to a database that can drop its connections silently, as a firewall does: it neither closes them nor forwards
 * anything.
 */
export class SilentRelay {
  readonly url: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(server: Server, url: string, open: Set<Socket>) {
    this.#server = server;
    this.url = url;
    this.#open = open;
  }

  static async to(url: string): Promise<SilentRelay> {
    const target = new URL(url);
    const open = new Set<Socket>();
    const server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relayed = new URL(url);
    relayed.port = String((server.address() as AddressInfo).port);
    return new SilentRelay(server, relayed.href, open);
  }

  /** Silences the open connections. New connections are relayed. */
  fallSilent(): void {
    for (const socket of this.#open) {
      socket.unpipe();
      socket.pause();
    }
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
  }
}
