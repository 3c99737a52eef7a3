import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import type { ForwardProxy } from '../../../../src/proxy/node/config/proxy-config.js';
import { createPortalFetch, type PortalFetch } from '../../../../src/proxy/node/portal-fetch.js';
import type { UpdateOutcome } from '../../../../src/proxy/portal/outcome.js';
import { createPortalConnection } from '../../../../src/proxy/portal/portal-client.js';
import { PortalClock } from '../../../../src/proxy/portal/clock-offset.js';
import { portalProfile } from '../../../../src/proxy/portal/profile.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import { createTokenCache } from '../../../../src/proxy/portal/token-cache.js';
import { deafAddress } from '../../../support/deaf-listener.js';
import { openForwardProxy } from '../../../support/forward-proxy.js';
import { openEdit } from '../../../support/open-edit.js';
import { body, DEAD_ADDRESS, hangUp, servePortal, status, type Answer } from '../../../support/portal-server.js';

const KAYAK = openEdit('kayak');

const CODED = 'a Content-Encoding that was not asked for';

const MINUTE = 60_000;
/** Long enough for a connection on a busy machine. */
const CONNECT_MS = 500;

function neverLeft(failure: string): UpdateOutcome {
  return { kind: 'retry', reason: 'portal_unreachable', failure };
}

function unknown(failure: string): UpdateOutcome {
  return { kind: 'unknown', reason: 'portal_unreachable', failure };
}

const noHttp: Answer = (response) => void response.socket?.end('220 mail.portal.test ESMTP\r\n');

describe('an update over the connection of the proxy', () => {
  it('whose connection is not made in time was not sent, and may be retried', async (t) => {
    const portal = portalAt(t, await deafAddress(t), CONNECT_MS);

    assert.deepEqual(await portal.update([KAYAK]), neverLeft('UND_ERR_CONNECT_TIMEOUT'));
  });

  it('whose response does not come in time is unknown', async (t) => {
    const caller = new AbortController();
    // The call is aborted while in flight, long after the connection timeout.
    const server = await servePortal(t, () =>
      setTimeout(() => caller.abort(new DOMException('too late', 'TimeoutError')), 4 * CONNECT_MS),
    );
    const { fetch: call } = fetchOf(t, CONNECT_MS);
    const portal = portalBy((input, init) => call(input, { ...init, signal: caller.signal }), server.url);

    assert.deepEqual(await portal.update([KAYAK]), unknown('TimeoutError'));
    assert.equal(server.seen.length, 1);
  });

  it('whose connection ends before the response is unknown', async (t) => {
    const server = await servePortal(t, hangUp);

    assert.deepEqual(await portalAt(t, server.url).update([KAYAK]), unknown('UND_ERR_SOCKET'));
    assert.equal(server.seen.length, 1, 'the connection does not repeat a call');
  });

  it('whose connection is refused was not sent', async (t) => {
    assert.deepEqual(await portalAt(t, DEAD_ADDRESS).update([KAYAK]), neverLeft('ECONNREFUSED'));
  });

  it('to a name that does not resolve was not sent', async (t) => {
    assert.deepEqual(await portalAt(t, 'http://portal.invalid').update([KAYAK]), neverLeft('ENOTFOUND'));
  });

  it('whose TLS handshake fails was not sent', async (t) => {
    const server = await servePortal(t, status(200));
    const portal = portalAt(t, server.url.replace('http:', 'https:'));

    assert.deepEqual(await portal.update([KAYAK]), neverLeft('ERR_SSL_WRONG_VERSION_NUMBER'));
    assert.deepEqual(server.seen, []);
  });

  it('uses a changed connection timeout from the next connection on', async (t) => {
    const portalFetch = fetchOf(t, 600_000);
    const portal = portalBy(portalFetch.fetch, await deafAddress(t));

    portalFetch.connectMs = CONNECT_MS;

    assert.deepEqual(await portal.update([KAYAK]), neverLeft('UND_ERR_CONNECT_TIMEOUT'));
  });
});

describe('an update whose response cannot be read', () => {
  for (const [what, answer, failure] of [
    [
      'has more than 16 KiB of header fields',
      status(200, { 'X-Trace': 'x'.repeat(20_000) }),
      'UND_ERR_HEADERS_OVERFLOW',
    ],
    ['is no HTTP', noHttp, 'HTTPParserError'],
  ] as const) {
    it(`because it ${what} is unknown, with the cause`, async (t) => {
      const server = await servePortal(t, answer);

      assert.deepEqual(await portalAt(t, server.url).update([KAYAK]), unknown(failure));
    });
  }
});

describe('an update whose response has an unexpected encoding', () => {
  const REFUSED = '{"results":[{"id":"kayak","status":"sold"}]}';
  const swapped = Buffer.from(REFUSED, 'utf16le').swap16();
  const zipped = Buffer.from('KLUv/SAFKQAAImtheWFrIg', 'base64');
  for (const [what, failure, content, headers] of [
    ['UTF-16 without a byte order mark', 'no UTF-8', Buffer.from(REFUSED, 'utf16le'), {}],
    ['UTF-16 with a byte order mark', 'no UTF-8', Buffer.from(`\uFEFF${REFUSED}`, 'utf16le'), {}],
    ['big-endian UTF-16', 'no UTF-8', swapped, {}],
    ['an unsupported Content-Encoding', CODED, zipped, { 'Content-Encoding': 'compress' }],
    ['two Content-Encodings, one of them unsupported', CODED, zipped, { 'Content-Encoding': 'gzip, aws-chunked' }],
  ] as const) {
    it(`is held, with the cause: ${what}`, async (t) => {
      const server = await servePortal(t, body(content, 'application/json', headers));

      assert.deepEqual(await portalAt(t, server.url).update([KAYAK]), {
        kind: 'held',
        reason: 'portal_unreadable',
        failure,
        response: { status: 200, type: 'application/json' },
      });
    });
  }

  it('has the outcome of the response if that is readable nevertheless', async (t) => {
    const server = await servePortal(t, body(REFUSED, 'application/json', { 'Content-Encoding': 'utf-8' }));

    const outcome = await portalAt(t, server.url).update([KAYAK]);

    assert.deepEqual(outcome.kind === 'delivered' && outcome.refused, new Map([['kayak', 'sold']]));
  });

  it('is delivered if the profile maps its status to delivered', async (t) => {
    const server = await servePortal(t, body(zipped, 'application/json', { 'Content-Encoding': 'compress' }));
    const profile = portalProfile.parse({ statuses: { 200: 'delivered' } });

    assert.deepEqual(await portalBy(fetchOf(t).fetch, server.url, profile).update([KAYAK]), { kind: 'delivered' });
  });
});

describe('an update that the portal answers after interim responses (RFC 9110 section 15.2)', () => {
  it('has the outcome of the final response', async (t) => {
    const server = await servePortal(t, (response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(204).end();
    });

    assert.deepEqual(await portalAt(t, server.url).update([KAYAK]), { kind: 'delivered' });
  });
});

describe('a connection to the portal', () => {
  it('is reused for the next update', async (t) => {
    const ports = new Set<number | undefined>();
    const server = await servePortal(t, (response, request) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    const portal = portalAt(t, server.url);

    for (let call = 0; call < 4; call += 1) await portal.update([KAYAK]);

    // An update right after another one may find the first connection not yet returned to the pool.
    assert.ok(ports.size <= 2, `${ports.size} connections`);
  });

  it('is not reused if the portal announces that it will close it soon', async (t) => {
    const ports = new Set<number | undefined>();
    const server = await servePortal(t, (response, request) => {
      ports.add(request.socket.remotePort);
      response.writeHead(204, { Connection: 'keep-alive', 'Keep-Alive': 'timeout=1' }).end();
    });
    const portal = portalAt(t, server.url);

    await portal.update([KAYAK]);
    await portal.update([KAYAK]);

    assert.equal(ports.size, 2);
  });
});

describe('an update through a forward proxy', () => {
  const HOST = 'portal.egress.invalid';

  async function through(t: TestContext, settings: Partial<ForwardProxy> = {}, connectMs = MINUTE) {
    const server = await servePortal(t, status(200));
    const forwardProxy = await openForwardProxy(t, { [`${HOST}:80`]: server.url });
    const portalFetch = fetchOf(t, connectMs, { url: new Secret(forwardProxy.url), ...settings });
    return { server, forwardProxy, portalFetch, portal: portalBy(portalFetch.fetch, `http://${HOST}`) };
  }

  it('arrives over plain http, and the next one uses the same tunnel', async (t) => {
    const { server, forwardProxy, portal } = await through(t);

    for (let call = 0; call < 4; call += 1) assert.equal((await portal.update([KAYAK])).kind, 'delivered');

    assert.equal(server.seen.length, 4);
    assert.ok(forwardProxy.asked.length <= 2, `${forwardProxy.asked.length} tunnels`);
    assert.equal(forwardProxy.asked[0]?.target, `${HOST}:80`);
  });

  for (const [user, says] of [
    ['', undefined],
    ['canary@', 'canary:'],
    [':canary@', ':canary'],
    ['can%40ary:w%3Ard@', 'can@ary:w:rd'],
  ] as const) {
    it(
      says === undefined ? 'has no Proxy-Authorization without a user' : `has the Proxy-Authorization of ${says}`,
      async (t) => {
        const { forwardProxy } = await through(t);
        const url = new Secret(forwardProxy.url.replace('//', `//${user}`));

        await portalBy(fetchOf(t, 3000, { url }).fetch, `http://${HOST}`).update([KAYAK]);

        const basic = says && `Basic ${Buffer.from(says).toString('base64')}`;
        assert.deepEqual(forwardProxy.asked, [{ target: `${HOST}:80`, authorization: basic }]);
      },
    );
  }

  for (const [noProxy, goes] of [
    ['*', 'directly'],
    [HOST, 'directly'],
    ['other.invalid, EGRESS.invalid', 'directly'],
    ['.egress.invalid', 'directly'],
    [`${HOST}:80`, 'directly'],
    [`${HOST}:443`, 'through'],
    ['gress.invalid', 'through'],
    ['', 'through'],
  ] as const) {
    it(`goes ${goes} if NO_PROXY is ${JSON.stringify(noProxy)}`, async (t) => {
      const { forwardProxy, portal, portalFetch } = await through(t, { noProxy });

      const { kind } = await portal.update([KAYAK]);

      assert.deepEqual([forwardProxy.asked.length, kind], goes === 'through' ? [1, 'delivered'] : [0, 'retry']);
      assert.equal(portalFetch.forwardProxy?.called.size, forwardProxy.asked.length);
    });
  }

  it('goes directly if the portal is on this machine', async (t) => {
    const { server, forwardProxy, portalFetch } = await through(t);

    assert.equal((await portalBy(portalFetch.fetch, server.url).update([KAYAK])).kind, 'delivered');

    assert.deepEqual(forwardProxy.asked, []);
  });

  it('that gets no answer from the forward proxy was not sent, and fails in time', async (t) => {
    const { server, forwardProxy, portal } = await through(t, {}, 1_000);
    forwardProxy.refuses = 0;

    const outcome = await portal.update([KAYAK]);
    forwardProxy.refuses = undefined;

    const host = new URL(forwardProxy.url).host;
    assert.deepEqual(
      outcome,
      neverLeft(
        `no connection to ${HOST} through the forward proxy ${host} within 1000 ms: check its URL, and whether it reaches that host`,
      ),
    );
    assert.equal((await portal.update([KAYAK])).kind, 'delivered');
    assert.equal(server.seen.length, 1);
  });

  it('whose TLS handshake gets no answer was not sent, and fails in time', async (t) => {
    const silent = createServer().listen(0, '127.0.0.1');
    t.after(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { url } = await openForwardProxy(t, { [`${HOST}:443`]: `http://127.0.0.1:${String(port)}` });
    const portalFetch = fetchOf(t, 100, { url: new Secret(url) });

    const outcome = await portalBy(portalFetch.fetch, `https://${HOST}`).update([KAYAK]);

    assert.equal(outcome.kind, 'retry');
    assert.match('failure' in outcome ? String(outcome.failure) : '', /^no connection to .* within 100 ms/);
  });

  it('that the forward proxy refuses was not sent', async (t) => {
    const { server, forwardProxy, portal } = await through(t);
    forwardProxy.refuses = 403;

    const outcome = await portal.update([KAYAK]);

    assert.equal(outcome.kind, 'retry');
    assert.match('failure' in outcome ? String(outcome.failure) : '', /does not let us through .* \(403\)/);
    assert.deepEqual(server.seen, []);
  });

  it('does not use HTTP_PROXY or HTTPS_PROXY of the environment of a host', async (t) => {
    const { server, forwardProxy } = await through(t);
    process.env['HTTP_PROXY'] = process.env['HTTPS_PROXY'] = forwardProxy.url;
    t.after(() => delete process.env['HTTP_PROXY']);
    t.after(() => delete process.env['HTTPS_PROXY']);

    assert.deepEqual(await portalAt(t, `http://${HOST}`).update([KAYAK]), neverLeft('ENOTFOUND'));

    assert.deepEqual([server.seen, forwardProxy.asked], [[], []]);
  });

  it('is rejected at the start with an invalid URL, and the URL is not repeated', () => {
    assert.throws(() => createPortalFetch(3000, { url: new Secret('canary:canary@proxy') }), {
      name: 'TypeError',
      message: 'the forward proxy needs an http or https URL without path',
    });
  });
});

type Updates = ReturnType<typeof createPortalConnection>;

function portalAt(t: TestContext, url: string, connectMs = MINUTE): Updates {
  return portalBy(fetchOf(t, connectMs).fetch, url);
}

function fetchOf(t: TestContext, connectMs = MINUTE, forwardProxy?: ForwardProxy): PortalFetch {
  const portalFetch = createPortalFetch(connectMs, forwardProxy);
  t.after(() => portalFetch.close());
  return portalFetch;
}

function portalBy(
  fetchPortal: typeof fetch,
  baseUrl: string,
  profile = portalProfile.parse({ timeouts: { call_ms: MINUTE } }),
): Updates {
  const tokens = createTokenCache({
    requests: [() => Promise.resolve({ accessToken: 'token', expiresIn: 3600 })],
    fallbackLifetimeSeconds: 300,
    renewalMarginSeconds: 60,
    clock: systemClock,
    random: () => 0.5,
  });
  const wire = { baseUrl, fetch: fetchPortal, clock: systemClock, portalClock: new PortalClock() };
  const calls = { ...wire, profile };
  return createPortalConnection(calls, { credential: 'guest-house', vendor: '', tokens });
}
