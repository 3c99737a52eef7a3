import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import { listen } from '../../../../src/proxy/node/server/http-server.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import { openProxy, type OpenProxy } from '../../../support/open-proxy.js';
import { headOfBatch, HOST_ORIGIN } from '../../../support/page-request.js';
import { body, servePortal, status } from '../../../support/portal-server.js';

/** T9 of the threats, byte by byte: requests that no browser sends, but that a gateway may pass on. */
const EDIT = '{"inventory":[{"id":"kayak","available":true,"updated_at":"2026-11-21T08:30:00.000Z"}]}';
const INNER = `POST /v1/inventory HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;

interface Raw {
  readonly what: string;
  readonly headers: readonly string[];
  readonly body?: string;
  readonly status: RegExp;
}

const length = (of: string): string => `Content-Length: ${String(Buffer.byteLength(of))}`;

const FRAMING: readonly Raw[] = [
  {
    what: 'Content-Length and Transfer-Encoding',
    headers: [length(EDIT), 'Transfer-Encoding: chunked'],
    body: `0\r\n\r\n${INNER}`,
    status: / 400 /,
  },
  { what: 'two Content-Length headers', headers: ['Content-Length: 2', length(EDIT)], status: / 400 / },
  { what: 'a Content-Length with a sign', headers: ['Content-Length: +2'], body: '{}', status: / 400 / },
  { what: 'a negative Content-Length', headers: ['Content-Length: -1'], status: / 400 / },
  { what: 'a Content-Length that is a list', headers: ['Content-Length: 2, 2'], body: '{}', status: / 400 / },
  {
    what: 'an unknown Transfer-Encoding',
    headers: ['Transfer-Encoding: xchunked'],
    body: '0\r\n\r\n',
    status: / 400 /,
  },
  {
    what: 'a Transfer-Encoding after chunked',
    headers: ['Transfer-Encoding: chunked, identity'],
    body: '0\r\n\r\n',
    status: / 400 /,
  },
  { what: 'a space before a colon', headers: ['Transfer-Encoding : chunked', length(EDIT)], status: / 400 / },
  { what: 'a folded header', headers: ['X-Note: one\r\n two', length(EDIT)], status: / 400 / },
  { what: 'a line that ends without CR', headers: [`X-Note: one\nX-Other: two`, length(EDIT)], status: / 400 / },
  { what: 'a line that ends without LF', headers: [`X-Note: one\rX-Other: two`, length(EDIT)], status: / 400 / },
  { what: 'a zero byte', headers: ['X-Note: a\0b', length(EDIT)], status: / 400 / },
  { what: 'a header that is too long', headers: [`X-Note: ${'a'.repeat(20_000)}`, length(EDIT)], status: / 431 / },
  {
    what: 'an invalid chunk size',
    headers: ['Transfer-Encoding: chunked'],
    body: `0x2\r\n{}\r\n0\r\n\r\n`,
    status: / 400 /,
  },
];

const REPEATED: readonly Raw[] = [
  {
    what: 'its X-Requested-With header',
    headers: ['X-Requested-With: inventory-widget', length(EDIT)],
    status: / 403 /,
  },
  { what: 'its Idempotency-Key', headers: ['Idempotency-Key: key-2', length(EDIT)], status: / 400 / },
  {
    what: 'its Origin, the second one being allowed',
    headers: [`Origin: ${HOST_ORIGIN}`, length(EDIT)],
    status: / 403 /,
  },
  { what: 'its Host', headers: ['Host: evil.example.com', length(EDIT)], status: / 400 / },
];

describe('a request at a real socket is rejected as a whole with', () => {
  for (const { what, headers, body: sent = EDIT, status: expected } of FRAMING) {
    it(what, async (t) => {
      const { fixture, raw } = await serveProxy(t);

      const answer = await raw([...(await headOfBatch()), ...headers], sent);

      assert.match(answer.split('\r\n')[0] ?? '', expected);
      assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, 'it was read as two requests');
      assert.equal((await fixture.outbox.count()).accepted, 0);
    });
  }
});

describe('a request at a real socket is rejected if it repeats', () => {
  for (const { what, headers, status: expected } of REPEATED) {
    it(what, async (t) => {
      const { fixture, raw } = await serveProxy(t);

      const answer = await raw([...(await headOfBatch()), ...headers], EDIT);

      assert.match(answer.split('\r\n')[0] ?? '', expected);
      assert.equal((await fixture.outbox.count()).accepted, 0);
    });
  }
});

const SAID_BY_ANYBODY = [
  'Forwarded: for=127.0.0.1;host=inventory.example.com;proto=https',
  'X-Forwarded-For: 127.0.0.1',
  'X-Forwarded-Host: evil.example.com',
  'X-Forwarded-Proto: http',
  'X-Forwarded-Prefix: /livez?',
  'X-Original-URL: /livez',
  'X-Rewrite-URL: /livez',
  'X-HTTP-Method-Override: DELETE',
  'X-Method-Override: DELETE',
  'X-Real-IP: 127.0.0.1',
  'X-Forwarded-User: admin',
  'Via: 1.1 gateway',
];

describe('the proxy ignores a header that an untrusted gateway or client sets', () => {
  for (const line of SAID_BY_ANYBODY) {
    it(line, async (t) => {
      const { fixture, raw } = await serveProxy(t);
      const head = await headOfBatch();

      const taken = await raw([...head, line, length(EDIT)], EDIT);
      const refused = await raw(['GET /v1/session HTTP/1.1', 'Origin: https://evil.example.com', line]);
      const unknown = await raw(['GET /v1/session HTTP/1.1', line]);

      assert.deepEqual(
        [taken, refused, unknown].map((answer) => answer.split(' ')[1]),
        ['202', '403', '401'],
      );
      assert.doesNotMatch([taken, refused, unknown].join('\n'), /evil|gateway|127\.0\.0\.1/);
      assert.equal((await fixture.outbox.count()).accepted, 1);
    });
  }
});

describe('the portal', () => {
  it('gets exactly the headers of the proxy, and no value of a page or gateway', async (t) => {
    const grant = body('{"access_token":"portal-token","token_type":"Bearer"}', 'application/json');
    const portal = await servePortal(t, grant, status(200));
    const credential = { clientId: 'guest-house', clientSecret: new Secret('portal-secret') };
    const account = { baseUrl: portal.url, credentials: [credential] };
    const { fixture, raw } = await serveProxy(t, { portal: account, fetch, clock: systemClock });
    fixture.proxy.start();
    const told = [
      ...SAID_BY_ANYBODY,
      'Cookie: canary=1',
      'Referer: https://admin.example.com/canary',
      'User-Agent: Canary/1.0',
      'Accept-Language: canary',
      'Proxy-Authorization: Basic canary',
      'Traceparent: 00-canary',
      'Prefer: wait=10',
      `Content-Encoding: identity`,
    ];

    const answer = await raw([...(await headOfBatch()), ...told, length(EDIT)], EDIT);

    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.deepEqual(
      portal.seen.map(({ path, headers }) => [path, Object.keys(headers).sort().join(' ').toLowerCase()]),
      [
        [
          '/v1/oauth/token',
          'accept content-type accept-encoding accept-language connection content-length host sec-fetch-mode user-agent',
        ],
        [
          '/v1/inventory',
          'accept authorization content-type accept-encoding accept-language connection content-length host sec-fetch-mode user-agent',
        ],
      ],
    );
    assert.doesNotMatch(JSON.stringify(portal.seen), /canary|evil|gateway|for=|inventory\.example/i);
  });
});

interface Served {
  readonly fixture: OpenProxy;
  /** Sends exactly these bytes. @returns all that the server sends until it closes */
  raw(head: readonly string[], body?: string): Promise<string>;
}

async function serveProxy(t: TestContext, options: Parameters<typeof openProxy>[1] = {}): Promise<Served> {
  const fixture = openProxy(t, options);
  const server = await listen((incoming) => fixture.proxy.fetch(incoming), { host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  return {
    fixture,
    async raw(head, sent = '') {
      const socket = connect(server.port, '127.0.0.1');
      const lines = [head[0], 'Host: inventory.example.com', 'Connection: close', ...head.slice(1)];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${sent}`);
      return text(socket);
    },
  };
}
