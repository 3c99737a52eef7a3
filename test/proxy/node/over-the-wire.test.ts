import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { CannotListen, listen, PortTaken, type Listening } from '../../../src/proxy/node/listen.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN } from '../../support/page-request.js';

const LOCAL = { host: '127.0.0.1', port: 0 };

describe('a proxy at a real socket', () => {
  it('accepts an edit', async (t) => {
    const { port } = await serveProxy(t);
    const body = '{"inventory":[{"id":"kayak","available":true,"updated_at":"2026-11-21T08:30:00.000Z"}]}';

    const answer = await raw(port, [...(await postHead()), `Content-Length: ${body.length}`], body);

    assert.match(answer, /^HTTP\/1\.1 202 Accepted\r\n/);
    assert.match(answer, /"state":"received"/);
    assert.doesNotMatch(answer, /^(server|x-powered-by):/im);
  });

  const smuggled: readonly (readonly [what: string, header: (token: string) => string, status: RegExp])[] = [
    ['two tokens', (token) => `Authorization: Bearer ${token}`, / 401 /],
    ['two origins', () => `Origin: ${HOST_ORIGIN}`, / 403 /],
    ['two content types', () => 'Content-Type: application/json', / 415 /],
  ];

  for (const [what, header, status] of smuggled) {
    it(`refuses a request with ${what}`, async (t) => {
      const { port, stand } = await serveProxy(t);
      const head = await postHead();
      const token = head.join('\n').match(/Bearer (\S+)/)?.[1] ?? '';

      const answer = await raw(port, [...head, header(token), 'Content-Length: 2'], '{}');

      assert.match(answer.split('\r\n')[0] ?? '', status);
      assert.equal(await stand.outbox.nextDue(), undefined);
    });
  }

  it('stops reading a body without end that does not say how long it is', async (t) => {
    const { port, stand } = await serveProxy(t);
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`;

    const answer = await raw(port, [...(await postHead()), 'Transfer-Encoding: chunked'], piece.repeat(5));

    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.equal(await stand.outbox.nextDue(), undefined);
  });

  it('answers HEAD without a body', async (t) => {
    const { port } = await serveProxy(t);

    const answer = await raw(port, ['HEAD /livez HTTP/1.1']);

    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(answer, /\r\n\r\n$/);
  });
});

describe('a server that is told to close', () => {
  it('finishes the request in flight, and then lets its connection go', async () => {
    const requests = new EventEmitter();
    const server = await listen(async () => {
      requests.emit('arrived');
      await once(requests, 'answer');
      return new Response('done');
    }, LOCAL);
    const agent = new Agent({ keepAlive: true });
    const asked = request({ port: server.port, agent }).end();
    await once(requests, 'arrived');

    const started = performance.now();
    const closed = server.close();
    requests.emit('answer');
    const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
    const said = await text(answer);
    await closed;

    assert.equal(said, 'done');
    assert.ok(performance.now() - started < 4000, 'an idle connection held it up');
    agent.destroy();
  });

  it('takes no new connection', async () => {
    const server = await listen(() => Promise.resolve(new Response('hello')), LOCAL);

    await server.close();

    await assert.rejects(fetch(`http://127.0.0.1:${server.port}`), TypeError);
  });
});

describe('a server that cannot listen', () => {
  it('says that somebody else does', async (t) => {
    const { port } = await serveProxy(t);

    await assert.rejects(
      listen(() => Promise.resolve(new Response()), { host: '127.0.0.1', port }),
      (error) => error instanceof PortTaken && error.message === `port ${port} is taken; set another one`,
    );
  });

  it('says why else it cannot', async () => {
    await assert.rejects(
      listen(() => Promise.resolve(new Response()), { host: '192.0.2.1', port: 0 }),
      (error) => error instanceof CannotListen && error.message.startsWith('cannot listen on 192.0.2.1:0: '),
    );
  });
});

async function serveProxy(t: TestContext): Promise<Listening & { readonly stand: OpenProxy }> {
  const stand = openProxy(t);
  const server = await listen((incoming) => stand.proxy.fetch(incoming), LOCAL);
  t.after(() => server.close());
  return { ...server, stand };
}

async function postHead(): Promise<string[]> {
  return [
    'POST /v1/inventory HTTP/1.1',
    `Origin: ${HOST_ORIGIN}`,
    `Authorization: Bearer ${await embedToken()}`,
    'X-Requested-With: inventory-widget',
    'Content-Type: application/json',
    'Idempotency-Key: key-1',
  ];
}

/** What comes back for these very bytes, until the other side has said all. */
async function raw(port: number, head: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[...head, 'Host: inventory.example.com', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}
