import { connect, type Socket } from 'node:net';
import { requestTemplate, type RequestTemplate } from './edit-bodies.js';

/** A load process that keeps some connections busy, with one request at a time on each, and counts 202 responses. */
export interface LoadOrder {
  readonly port: number;
  readonly origin: string;
  /** A token of a different person for each connection. */
  readonly tokens: readonly string[];
  readonly items: number;
  /** The number of responses before the measured ones. */
  readonly warmUp: number;
  /** The number of measured responses. */
  readonly measured: number;
}

export interface LoadReport {
  /** Responses per second. */
  readonly rate: number;
  /** The 99th percentile of the latency, in milliseconds. */
  readonly p99: number;
  /** The responses other than 202. */
  readonly failures: readonly string[];
}

let templates = 0;

process.on('message', (order: LoadOrder) => {
  void makeLoad(order).then((report) => process.send?.(report));
});

async function makeLoad(order: LoadOrder): Promise<LoadReport> {
  const waits: number[] = [];
  const failures: string[] = [];
  const { origin, items } = order;
  const host = `127.0.0.1:${String(order.port)}`;
  const pages = await Promise.all(
    order.tokens.map(async (token) => {
      const template = requestTemplate({ host, origin, token, items, number: (templates += 1) });
      return { template, socket: await openConnection(order.port, host) };
    }),
  );
  // The load starts only now, because preparing the texts takes longer than a warm-up, and Node accepts one connection
  // per turn, so that the last connection would wait for the work of all earlier ones.
  const { warmUp, measured } = order;
  let answers = 0;
  let from = performance.now();
  let until = from;
  await Promise.all(
    pages.map(({ socket, template }) =>
      keepBusy(socket, template, (sent, done, status) => {
        if (status !== 202) failures.push(`status ${String(status)}`);
        answers += 1;
        if (answers === warmUp) from = done;
        else if (answers > warmUp && waits.length < measured) {
          waits.push(done - sent);
          until = done;
        }
        return waits.length < measured && failures.length < 10;
      }),
    ),
  );
  const sorted = waits.sort((a, b) => a - b);
  return {
    rate: (waits.length * 1000) / (until - from),
    p99: sorted[Math.floor(0.99 * sorted.length)] ?? NaN,
    failures,
  };
}

/** Opens a connection and waits for a first response. */
function openConnection(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reader = new AnswerReader();
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    socket.on('data', (chunk) => {
      if (reader.read(chunk) === undefined) return;
      socket.removeAllListeners();
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

/** @param answered returns whether to continue */
function keepBusy(
  socket: Socket,
  template: RequestTemplate,
  answered: (sent: number, done: number, status: number) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const reader = new AnswerReader();
    let sent = 0;
    const ask = (): void => {
      sent = performance.now();
      socket.write(template.next());
    };
    socket.on('data', (chunk) => {
      const status = reader.read(chunk);
      if (status === undefined) return;
      if (answered(sent, performance.now(), status)) ask();
      else socket.end();
    });
    socket.on('error', () => answered(sent, performance.now(), 0));
    socket.on('close', () => {
      resolve();
    });
    ask();
  });
}

/** A parser of HTTP/1.1 that finds the end of a response. */
class AnswerReader {
  #head = '';
  #status = 0;
  /** The number of missing bytes of the body, or `undefined` while the head is read. */
  #left: number | undefined;
  #isChunked = false;
  #tail = '';

  /** @returns the status once the response is complete */
  read(chunk: Buffer): number | undefined {
    let body = chunk;
    if (this.#left === undefined) {
      const end = this.#readHead(chunk);
      if (end === undefined) return undefined;
      body = chunk.subarray(end);
    }
    this.#left = (this.#left ?? 0) - body.length;
    if (this.#isChunked) this.#tail = (this.#tail + body.toString('latin1', Math.max(0, body.length - 5))).slice(-5);
    const isDone = this.#isChunked ? this.#tail === '0\r\n\r\n' : this.#left <= 0;
    if (!isDone) return undefined;
    this.#left = undefined;
    this.#tail = '';
    return this.#status;
  }

  #readHead(chunk: Buffer): number | undefined {
    const before = this.#head.length;
    this.#head += chunk.toString('latin1', 0, 8192);
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const head = this.#head.slice(0, end);
    this.#head = '';
    this.#status = Number(head.slice(9, 12));
    this.#isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    return end + 4 - before;
  }
}
