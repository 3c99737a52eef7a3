import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { addressOf } from './serve.js';

export interface ForwardProxyServer {
  /** The URL without user and password. */
  readonly url: string;
  /** Each CONNECT request, and each other request. */
  readonly asked: readonly { readonly target: string; readonly authorization: string | undefined }[];
  /** The status that it responds with instead of a tunnel; 0: no response. */
  refuses: number | undefined;
}

/** A forward proxy at a real socket. It can reach only the given `host:port` names, at local addresses. */
export async function openForwardProxy(
  t: TestContext,
  places: Readonly<Record<string, string>>,
): Promise<ForwardProxyServer> {
  const asked: ForwardProxyServer['asked'][number][] = [];
  const sockets = new Set<Socket>();
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    response.writeHead(501).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  server.on('connect', ({ url = '', headers }, socket: Socket, head) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    const place = places[url];
    const status = forwardProxy.refuses ?? (place === undefined ? 502 : 200);
    if (status === 0) return;
    if (status !== 200 || place === undefined) {
      socket.end(`HTTP/1.1 ${String(status)} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(place);
    const far = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
      far.pipe(socket).pipe(far);
    });
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => far.destroy());
  });
  const url = await addressOf(t, server.listen(0, '127.0.0.1'));
  // The server does not close tunnels, because they are no longer its connections.
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const forwardProxy: ForwardProxyServer = { url, asked, refuses: undefined };
  return forwardProxy;
}
