import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { listen } from '../../../../src/proxy/node/server/http-server.js';

const LOCAL = { host: '127.0.0.1', port: 0 };
/** The usual limits, except a short grace period for clients when the server closes. */
const LIMITS = { headersMs: 60_000, requestMs: 60_000, graceMs: 100, stillMs: 60_000, idleMs: 60_000, connections: 10 };
const WHOLE = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a server that closes', () => {
  const late: readonly (readonly [what: string, said: string])[] = [
    ['has connected and sends nothing, as a browser that preconnects', ''],
    ['is in the middle of its headers', 'GET /livez HTTP/1.1\r\nHo'],
    ['is in the middle of its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{'],
    ['was answered and is in the middle of its next request', `${WHOLE}GET /li`],
  ];
  for (const [what, said] of late) {
    it(`disconnects a client that ${what}`, async (t) => {
      const hello = (request: Request): Promise<Response> => request.text().then((body) => new Response(body));
      const server = await listen(hello, LOCAL, LIMITS);
      const client = await connected(t, server.port, said);

      await Promise.all([server.close(), once(client, 'close')]);

      assert.ok(client.destroyed);
    });
  }

  it('waits for the response to a complete request, however long that takes', async (t) => {
    const requests = new EventEmitter();
    const server = await listen(
      async () => {
        requests.emit('arrived');
        await once(requests, 'answer');
        return new Response('done');
      },
      LOCAL,
      LIMITS,
    );
    const arrived = once(requests, 'arrived');
    const client = await connected(t, server.port, WHOLE);
    const silent = await connected(t, server.port, '');
    await arrived;

    const closed = server.close();
    await once(silent, 'close');
    requests.emit('answer');

    assert.match(await text(client), /^HTTP\/1\.1 200 OK\r\n[^]*done/);
    await closed;
  });
});

/** A client that is connected to the server and has sent this text. */
async function connected(t: TestContext, port: number, said: string): Promise<Socket> {
  const client = connect(port, '127.0.0.1');
  t.after(() => client.destroy());
  // The server may reset the connection.
  client.on('error', () => undefined);
  await once(client, 'connect');
  if (said !== '') await new Promise((written) => client.write(said, written));
  client.resume();
  return client;
}
