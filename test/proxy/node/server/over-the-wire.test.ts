import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { MAX_TOKEN_LENGTH } from '../../../../src/contract/fields.js';
import {
  CannotListen,
  type ClientLimits,
  listen,
  type Listening,
  PortTaken,
} from '../../../../src/proxy/node/server/http-server.js';
import type { WriteLimits } from '../../../../src/proxy/http/rate-limit.js';
import { openProxy, type OpenProxy } from '../../../support/open-proxy.js';
import { embedToken, headOfBatch, HOST_ORIGIN } from '../../../support/page-request.js';

type Handler = (request: Request) => Promise<Response>;

const HOUR = 3_600_000;
const LOCAL = { host: '127.0.0.1', port: 0 };

describe('a proxy at a real socket', () => {
  it('accepts an edit', async (t) => {
    const { port } = await serveProxy(t);
    const body = '{"inventory":[{"id":"kayak","available":true,"updated_at":"2026-11-21T08:30:00.000Z"}]}';

    const answer = await raw(port, [...(await headOfBatch()), `Content-Length: ${body.length}`], body);

    assert.match(answer, /^HTTP\/1\.1 202 Accepted\r\n/);
    assert.match(answer, /"state":"received"/);
    assert.doesNotMatch(answer, /^(server|x-powered-by):/im);
  });

  it('accepts the longest token that a page sends, beside long cookies and other headers', async (t) => {
    const { port } = await serveProxy(t);
    const short = (await embedToken({ items: ['a'] })).length;
    // Base64url encodes three bytes of claims as four characters of a token.
    const items = inPieces('a'.repeat(1 + Math.floor(((MAX_TOKEN_LENGTH - short) * 3) / 4)));
    const token = await embedToken({ items });
    assert.ok(MAX_TOKEN_LENGTH - token.length < 4 && token.length <= MAX_TOKEN_LENGTH, `${token.length} characters`);

    const answer = await raw(port, [
      'GET /v1/session HTTP/1.1',
      `Origin: ${HOST_ORIGIN}`,
      `Authorization: Bearer ${token}`,
      `User-Agent: ${'browser '.repeat(40)}`,
      `Cookie: ${'c'.repeat(3000)}`,
    ]);

    assert.equal(statusOf(answer), '200');
  });

  it('logs why an event stream ended if the outbox fails, and prints nothing', async (t) => {
    const printed = t.mock.method(console, 'error', () => undefined);
    const { port, fixture } = await serveProxy(t);
    const headers = { Origin: HOST_ORIGIN, Authorization: `Bearer ${await embedToken()}` };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/events`, { headers });
    const stream = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await stream?.read())?.value, ': open\n\n');

    await fixture.outbox.close();
    await fixture.clock.pass(3_000);

    assert.deepEqual(await stream?.read(), { done: true, value: undefined });
    assert.equal(printed.mock.callCount(), 0);
    const line = fixture.log.find(({ event }) => event === 'event stream failed');
    assert.match(line?.error ?? '', /^StorageFailed: /);
  });

  const repeated: readonly (readonly [what: string, header: (token: string) => string, status: RegExp])[] = [
    ['two tokens', (token) => `Authorization: Bearer ${token}`, / 401 /],
    ['two origins', () => `Origin: ${HOST_ORIGIN}`, / 403 /],
    ['two content types', () => 'Content-Type: application/json', / 415 /],
  ];

  for (const [what, header, status] of repeated) {
    it(`refuses a request with ${what}`, async (t) => {
      const { port, fixture } = await serveProxy(t);
      const head = await headOfBatch();
      const token = head.join('\n').match(/Bearer (\S+)/)?.[1] ?? '';

      const answer = await raw(port, [...head, header(token), 'Content-Length: 2'], '{}');

      assert.match(answer.split('\r\n')[0] ?? '', status);
      assert.equal(await fixture.outbox.nextDueAt(), undefined);
    });
  }

  it('stops reading a chunked body that exceeds the limit, and answers 413', async (t) => {
    const { port, fixture } = await serveProxy(t);
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;

    const answer = await raw(port, [...(await headOfBatch()), 'Transfer-Encoding: chunked'], piece.repeat(5));

    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.equal(await fixture.outbox.nextDueAt(), undefined);
  });

  it('counts invalid sessions by the peer address if the peer is no trusted proxy', async (t) => {
    const { port } = await serveProxy(t, { refusedRequests: 1 }, ['10.0.0.0/8']);

    const answers = [await raw(port, knock('203.0.113.1')), await raw(port, knock('203.0.113.2'))];

    assert.deepEqual(answers.map(statusOf), ['401', '429']);
  });

  it('closes the longest idle connection of an address with too many idle ones', async (t) => {
    const { port } = await serveProxy(t, {}, ['10.0.0.0/8'], {
      headersMs: 10_000,
      requestMs: 10_000,
      graceMs: 0,
      stillMs: 10_000,
      idleMs: 10_000,
      connections: 100,
      idlePerAddress: 2,
    });
    const oldest = connect(port, '127.0.0.1');
    await once(oldest, 'connect');
    const other = connect(port, '127.0.0.1');
    await once(other, 'connect');
    const closed = once(oldest, 'close');

    const answer = await raw(port, knock('203.0.113.1'));
    await closed;

    assert.equal(statusOf(answer), '401');
    assert.equal(other.destroyed, false);
    other.destroy();
  });

  it('blocks no client behind a gateway that is not in TRUSTED_PROXIES', async (t) => {
    const { port } = await serveProxy(t, { refusedRequests: 1 });

    const answers = [await raw(port, knock('203.0.113.1')), await raw(port, knock('203.0.113.1'))];

    assert.deepEqual(answers.map(statusOf), ['401', '401']);
  });

  it('blocks no client behind a gateway on this machine that does not forward its address, as nginx by default', async (t) => {
    const { port } = await serveProxy(t, { refusedRequests: 1 });
    const knocks = ['GET /v1/session HTTP/1.1'];

    const answers = [await raw(port, knocks), await raw(port, knocks)];

    assert.deepEqual(answers.map(statusOf), ['401', '401']);
  });

  it('counts invalid sessions by the address that a trusted gateway forwards', async (t) => {
    const { port } = await serveProxy(t, { refusedRequests: 1 }, ['127.0.0.1']);

    const answers = [
      await raw(port, knock('203.0.113.1')),
      await raw(port, knock('203.0.113.2')),
      await raw(port, knock('203.0.113.9, 203.0.113.1')),
    ];

    assert.deepEqual(answers.map(statusOf), ['401', '401', '429']);
  });

  it('keeps an idle connection open for more than 60 seconds', async (t) => {
    const { port } = await serveProxy(t);
    const agent = new Agent({ keepAlive: true });
    t.after(() => {
      agent.destroy();
    });

    const asked = request({ port, path: '/livez', agent }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();

    const [, seconds] = /^timeout=(\d+)$/.exec(String(answer.headers['keep-alive'])) ?? [];
    assert.ok(Number(seconds) > 60, `closed after ${String(seconds)} s`);
  });

  it('answers HEAD without a body', async (t) => {
    const { port } = await serveProxy(t);

    const answer = await raw(port, ['HEAD /livez HTTP/1.1']);

    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /\r\n\r\n$/);
  });
});

describe('a slow client', () => {
  const LIMITS = { headersMs: 200, requestMs: 400, graceMs: 0, stillMs: 300, idleMs: 5_000, connections: 2 };
  const hello = (request: Request): Promise<Response> => request.text().then((said) => new Response(said));

  it('is disconnected with 408 if it sends nothing', async (t) => {
    const { port } = await listenFor(t, hello, LIMITS);

    const answer = await text(connect(port, '127.0.0.1'));

    assert.match(answer, /^HTTP\/1\.1 408 /);
  });

  it('is disconnected with 408 in the middle of its headers', async (t) => {
    const { port } = await listenFor(t, hello, LIMITS);

    const answer = await drip(port, 'GET /livez HTTP/1.1\r\n');

    assert.match(answer, /^HTTP\/1\.1 408 /);
  });

  it('is disconnected with 408 in the middle of its body', async (t) => {
    const { port } = await listenFor(t, hello, LIMITS);

    const answer = await drip(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');

    assert.match(answer, /^HTTP\/1\.1 408 /);
  });

  it('is disconnected if it does not read its response', async (t) => {
    const left = new EventEmitter();
    // The response is endless, because both operating systems buffer a part of it.
    const endless = new ReadableStream({
      pull: (controller) => void controller.enqueue(new Uint8Array(1024 * 1024)),
      cancel: () => void left.emit('left'),
    });
    const { port } = await listenFor(t, () => Promise.resolve(new Response(endless)), LIMITS);
    const isLeft = once(left, 'left');
    const socket = connect(port, '127.0.0.1').pause();
    t.after(() => socket.destroy());

    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');

    await isLeft;
  });

  it('is disconnected if it keeps sending requests before it gets a response, and costs no work', async (t) => {
    const asked: string[] = [];
    const never = (request: Request): Promise<Response> => {
      asked.push(request.url);
      return new Promise(() => undefined);
    };
    const { port } = await listenFor(t, never, { ...LIMITS, headersMs: 60_000, requestMs: 60_000, stillMs: 60_000 });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);

    socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(100));
    await once(socket, 'close');

    assert.ok(asked.length <= 2, `${String(asked.length)} requests were worked on`);
  });

  it('is disconnected above the limit of connections', async (t) => {
    const { port } = await listenFor(t, hello, { ...LIMITS, headersMs: 60_000, requestMs: 60_000, stillMs: 60_000 });
    const early = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(early.map((socket) => once(socket, 'connect')));

    const late = connect(port, '127.0.0.1');
    late.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');

    const answer = await text(late).catch(() => 'cut off');
    for (const socket of early) socket.destroy();
    assert.ok(['', 'cut off'].includes(answer), answer);
  });
});

describe('a server that closes', () => {
  it('finishes the request in flight and then closes its connection', async () => {
    const requests = new EventEmitter();
    // With these limits an idle connection could delay the close for an hour.
    const [headersMs, requestMs, graceMs, stillMs, idleMs] = [HOUR, HOUR, HOUR, HOUR, HOUR];
    const server = await listen(
      async () => {
        requests.emit('arrived');
        await once(requests, 'answer');
        return new Response('done');
      },
      LOCAL,
      { headersMs, requestMs, graceMs, stillMs, idleMs, connections: 2 },
    );
    const agent = new Agent({ keepAlive: true });
    const asked = request({ port: server.port, agent }).end();
    await once(requests, 'arrived');

    const closed = server.close();
    requests.emit('answer');
    const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
    const said = await text(answer);
    await closed;

    assert.equal(said, 'done');
    agent.destroy();
  });

  it('accepts no new connection', async () => {
    const server = await listen(() => Promise.resolve(new Response('hello')), LOCAL);

    await server.close();

    await assert.rejects(fetch(`http://127.0.0.1:${server.port}`), TypeError);
  });
});

describe('a server that cannot listen', () => {
  it('names the port if it is taken', async (t) => {
    const { port } = await serveProxy(t);

    await assert.rejects(
      listen(() => Promise.resolve(new Response()), { host: '127.0.0.1', port }),
      (error) => error instanceof PortTaken && error.message === `port ${port} is taken; set another one`,
    );
  });

  it('names the address if it cannot be used', async () => {
    await assert.rejects(
      listen(() => Promise.resolve(new Response()), { host: '192.0.2.1', port: 0 }),
      (error) => error instanceof CannotListen && error.message.startsWith('cannot listen on 192.0.2.1:0: '),
    );
  });
});

async function serveProxy(
  t: TestContext,
  writeLimits: Partial<WriteLimits> = {},
  trustedProxies: readonly string[] = [],
  limits?: ClientLimits,
): Promise<Listening & { readonly fixture: OpenProxy }> {
  const fixture = openProxy(t, { writeLimits });
  const server = await listen(
    (incoming, from) => fixture.proxy.fetch(incoming, from),
    { ...LOCAL, trustedProxies },
    limits,
  );
  t.after(() => server.close());
  return { ...server, fixture };
}

/** A request without a session, with a forwarded client address. */
function knock(address: string): string[] {
  return ['GET /v1/session HTTP/1.1', `X-Forwarded-For: ${address}`];
}

/** Splits a text into ids of 100 characters, and omits three characters for the JSON between two ids. */
function inPieces(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (; rest.length > 150; rest = rest.slice(103)) pieces.push(rest.slice(0, 100));
  return [...pieces, rest];
}

function statusOf(answer: string): string {
  return answer.split(' ')[1] ?? '';
}

async function listenFor(t: TestContext, ...[handler, limits]: [Handler, ClientLimits]): Promise<Listening> {
  const server = await listen(handler, LOCAL, limits);
  t.after(() => server.close());
  return server;
}

/** Sends one byte after the other without end. @returns what the server sends until it disconnects */
async function drip(port: number, beginning: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (piece: string) => (answer += piece));
  // A server that closes with unread bytes resets the connection, after its response.
  socket.on('error', () => undefined);
  // A letter of a header's name, or of a body. It is sent after pending reads, because a failed write would discard
  // them.
  const dripping = setInterval(() => setImmediate(() => socket.write('a')), 20);
  socket.write(beginning);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
  return answer;
}

/** Sends exactly these bytes. @returns all that the server sends until it closes */
async function raw(port: number, head: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[...head, 'Host: inventory.example.com', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}
