import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

/** Listens and then blocks its thread, so it accepts no connection and all of them stay in the backlog. */
const SLEEPER = `
const { parentPort, workerData } = require('node:worker_threads');
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port);
  Atomics.wait(workerData, 0, 0);
});
`;

/** The connections that Linux completes for a listener with a backlog of one. It drops the SYN of any further one. */
const ROOM = 2;

/** @returns a local address at which connections are neither completed nor refused */
export async function deafAddress(t: TestContext): Promise<string> {
  const worker = new Worker(SLEEPER, { eval: true, workerData: new Int32Array(new SharedArrayBuffer(4)) });
  const sockets: Socket[] = [];
  t.after(async () => {
    // The sockets are destroyed first, because the end of the listener resets connections that it never accepted.
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
