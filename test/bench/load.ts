import { connect, type Socket } from 'node:net';
import { requestTemplate, type RequestTemplate } from './edit-bodies.js';

/** A process of its own that keeps some connections busy, one request at a time on each, and counts answers of 202. */
export interface LoadOrder {
  readonly port: number;
  readonly origin: string;
  /** One for each connection: another person, with a token of their own. */
  readonly tokens: readonly string[];
  readonly items: number;
  /** Answers that come before those that count. */
  readonly warmUp: number;
  /** Answers that count. */
  readonly measured: number;
}

export interface LoadReport {
  /** Answers a second. */
  readonly rate: number;
  /** Of a single answer, in milliseconds. */
  readonly p99: number;
  /** What was not answered with 202. */
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
  // Only now: to write so many texts takes longer than a warm-up, and Node takes in one connection in each turn of its loop,
  // so that the last of them would wait for the work of all before it.
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

/** One that has been answered once. */
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

/** @param answered says whether to go on */
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

/** As much of HTTP/1.1 as it takes to see where an answer ends. */
class AnswerReader {
  #head = '';
  #status = 0;
  /** Bytes of the body that are still to come; `undefined` while the head is read. */
  #left: number | undefined;
  #isChunked = false;
  #tail = '';

  /** @returns the status once the answer is complete */
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
