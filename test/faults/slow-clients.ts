import { connect, type Socket } from 'node:net';
import { goodRequest } from './good-request.js';
import { bytesOf } from './malformed-requests.js';

export interface SlowClients {
  /** The number of connections. A client that is disconnected connects again. */
  readonly count: number;
  close(): void;
}

const DRIP_MS = 500;

/** Clients that send a byte from time to time, half of them in their headers, half in the body of a valid batch. */
export function dripping(port: number, clients: number, token: string): SlowClients {
  const whole = bytesOf({ ...goodRequest(['never'], token), length: '100000' });
  const sockets = new Set<Socket>();
  let count = 0;
  let isClosed = false;
  const open = (): void => {
    if (isClosed) return;
    count += 1;
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.write(count % 2 === 0 ? whole.subarray(0, 120) : whole);
    socket.on('error', () => socket.destroy());
    socket.resume().once('close', () => {
      sockets.delete(socket);
      // With a delay, because a stopped server would cause an endless loop.
      setTimeout(open, DRIP_MS);
    });
  };
  for (let at = 0; at < clients; at += 1) open();
  const drip = setInterval(() => sockets.forEach((socket) => socket.write(' ')), DRIP_MS);
  return {
    get count() {
      return count;
    },
    close() {
      isClosed = true;
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}
