import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

/** Listens, and then sleeps: its thread accepts nothing, so what comes in stays in the backlog. */
const SLEEPER = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(workerData, 0, 0);
});
`;

/** Connections that Linux makes for a listener with a backlog of one. It drops the SYN of every further one. */
const ROOM = 2;

/** A local address where no connection is ever made, and none is refused. */
export async function deafAddress(t: TestContext): Promise<string> {
  const worker = new Worker(SLEEPER, { eval: true, workerData: new Int32Array(new SharedArrayBuffer(4)) });
  const sockets: Socket[] = [];
  t.after(async () => {
    // First these: the end of the listener resets what it never accepted.
    for (const socket of sockets) socket.destroy();
    await worker.terminate();
  });
  const [port] = (await once(worker, 'message')) as [number];
  for (let taken = 0; taken < ROOM; taken += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return `http://127.0.0.1:${String(port)}`;
}
