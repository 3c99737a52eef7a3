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

/** T9 of the threats, byte by byte: what a browser would never send, and what stands between may pass on. */
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
    what: 'a length and a coding',
    headers: [length(EDIT), 'Transfer-Encoding: chunked'],
    body: `0\r\n\r\n${INNER}`,
    status: / 400 /,
  },
  { what: 'two lengths', headers: ['Content-Length: 2', length(EDIT)], status: / 400 / },
  { what: 'a length with a sign', headers: ['Content-Length: +2'], body: '{}', status: / 400 / },
  { what: 'a length below nothing', headers: ['Content-Length: -1'], status: / 400 / },
  { what: 'a length that is a list', headers: ['Content-Length: 2, 2'], body: '{}', status: / 400 / },
  { what: 'a coding that is none', headers: ['Transfer-Encoding: xchunked'], body: '0\r\n\r\n', status: / 400 / },
  {
    what: 'a coding after the last',
    headers: ['Transfer-Encoding: chunked, identity'],
    body: '0\r\n\r\n',
    status: / 400 /,
  },
  { what: 'a space before a colon', headers: ['Transfer-Encoding : chunked', length(EDIT)], status: / 400 / },
  { what: 'a header over two lines', headers: ['X-Note: one\r\n two', length(EDIT)], status: / 400 / },
  { what: 'a line that ends without CR', headers: [`X-Note: one\nX-Other: two`, length(EDIT)], status: / 400 / },
  { what: 'a line that ends without LF', headers: [`X-Note: one\rX-Other: two`, length(EDIT)], status: / 400 / },
  { what: 'a zero byte', headers: ['X-Note: a\0b', length(EDIT)], status: / 400 / },
  { what: 'a header without end', headers: [`X-Note: ${'a'.repeat(20_000)}`, length(EDIT)], status: / 431 / },
  {
    what: 'chunks of a size that is none',
    headers: ['Transfer-Encoding: chunked'],
    body: `0x2\r\n{}\r\n0\r\n\r\n`,
    status: / 400 /,
  },
];

const REPEATED: readonly Raw[] = [
  {
    what: 'the word that forms cannot say',
    headers: ['X-Requested-With: inventory-widget', length(EDIT)],
    status: / 403 /,
  },
  { what: 'its key', headers: ['Idempotency-Key: key-2', length(EDIT)], status: / 400 / },
  { what: 'its origin, the second one good', headers: [`Origin: ${HOST_ORIGIN}`, length(EDIT)], status: / 403 / },
  { what: 'its host', headers: ['Host: evil.example.com', length(EDIT)], status: / 400 / },
];

describe('at a real socket, a request is refused whole that has', () => {
  for (const { what, headers, body: sent = EDIT, status: expected } of FRAMING) {
    it(what, async (t) => {
      const { fixture, raw } = await serveProxy(t);

      const answer = await raw([...(await headOfBatch()), ...headers], sent);

      assert.match(answer.split('\r\n')[0] ?? '', expected);
      assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, 'it was taken for two requests');
      assert.equal((await fixture.outbox.count()).accepted, 0);
    });
  }
});

describe('at a real socket, a request is refused that says twice', () => {
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

describe('what stands before the proxy is believed nothing that it says', () => {
  for (const line of SAID_BY_ANYBODY) {
    it(`of ${line}`, async (t) => {
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

describe('the portal, whatever a page and a gateway said', () => {
  it('sees exactly these headers, and no value of theirs', async (t) => {
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
  /** What comes back for these very bytes, until the other side has said all. */
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
