import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ItemId, Timestamp } from '../../../src/domain/item.js';
import { systemClock } from '../../../src/proxy/clock.js';
import { createPortalFetch, type PortalFetch } from '../../../src/proxy/node/portal-fetch.js';
import type { OpenEdit } from '../../../src/proxy/outbox.js';
import type { UpdateOutcome } from '../../../src/proxy/outcome.js';
import { createLanePortal } from '../../../src/proxy/portal-client.js';
import { PortalClock } from '../../../src/proxy/portal-clock.js';
import { portalProfile } from '../../../src/proxy/profile.js';
import { createTokenCache } from '../../../src/proxy/token-cache.js';
import { deafAddress } from '../../support/deaf-listener.js';
import { deadAddress, hangUp, neverAnswer, servePortal, status, type Answer } from '../../support/portal-server.js';

const KAYAK: OpenEdit = {
  id: 'kayak' as ItemId,
  available: true,
  updated_at: '2026-11-21T08:30:00.000Z' as Timestamp,
  seq: 1,
  vendor: 'boat-tours',
  attempts: 1,
  again: false,
};

function neverLeft(failure: string): UpdateOutcome {
  return { kind: 'retry', reason: 'portal_unreachable', failure };
}

function unknown(failure: string): UpdateOutcome {
  return { kind: 'unknown', reason: 'portal_unreachable', failure };
}

const noHttp: Answer = (response) => void response.socket?.end('220 mail.portal.test ESMTP\r\n');

describe('an update over the connection of the proxy', () => {
  it('that is not made in time never left, and may be tried again', async (t) => {
    const portal = portalAt(t, await deafAddress(t), 50);

    assert.deepEqual(await portal.update([KAYAK]), neverLeft('UND_ERR_CONNECT_TIMEOUT'));
  });

  it('that is made in time, and brings no answer, is unknown', async (t) => {
    const server = await servePortal(t, neverAnswer);
    const portal = portalAt(t, server.url, 50, { timeouts: { call_ms: 200 } });

    assert.deepEqual(await portal.update([KAYAK]), unknown('TimeoutError'));
    assert.equal(server.seen.length, 1);
  });

  it('that ends before the answer is unknown', async (t) => {
    const server = await servePortal(t, hangUp);

    assert.deepEqual(await portalAt(t, server.url).update([KAYAK]), unknown('UND_ERR_SOCKET'));
    assert.equal(server.seen.length, 1, 'nobody but delivery sends again');
  });

  it('that is refused never left', async (t) => {
    assert.deepEqual(await portalAt(t, await deadAddress()).update([KAYAK]), neverLeft('ECONNREFUSED'));
  });

  it('to a name that nobody has never left', async (t) => {
    assert.deepEqual(await portalAt(t, 'http://portal.invalid').update([KAYAK]), neverLeft('ENOTFOUND'));
  });

  it('whose TLS handshake fails never left', async (t) => {
    const server = await servePortal(t, status(200));
    const portal = portalAt(t, server.url.replace('http:', 'https:'));

    assert.deepEqual(await portal.update([KAYAK]), neverLeft('ERR_SSL_WRONG_VERSION_NUMBER'));
    assert.deepEqual(server.seen, []);
  });

  it('takes another time-out from the next connection on', async (t) => {
    const portalFetch = fetchOf(t, 600_000);
    const portal = portalBy(portalFetch.fetch, await deafAddress(t), {});

    portalFetch.connectMs = 50;

    assert.deepEqual(await portal.update([KAYAK]), neverLeft('UND_ERR_CONNECT_TIMEOUT'));
  });
});

describe('an update whose answer nobody can read', () => {
  for (const [what, answer, failure] of [
    [
      'has more than 16 KiB of header fields',
      status(200, { 'X-Trace': 'x'.repeat(20_000) }),
      'UND_ERR_HEADERS_OVERFLOW',
    ],
    ['is no HTTP', noHttp, 'HTTPParserError'],
  ] as const) {
    it(`because it ${what} tells the operator so`, async (t) => {
      const server = await servePortal(t, answer);

      assert.deepEqual(await portalAt(t, server.url).update([KAYAK]), unknown(failure));
    });
  }
});

describe('a connection to the portal', () => {
  it('carries one update after the other', async (t) => {
    const ports = new Set<number | undefined>();
    const server = await servePortal(t, (response, request) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    const portal = portalAt(t, server.url);

    for (let call = 0; call < 4; call += 1) await portal.update([KAYAK]);

    // Whoever asks again in the same moment finds the first one not yet given back.
    assert.ok(ports.size <= 2, `${ports.size} connections`);
  });

  it('is not used again where the portal says that it will close it soon', async (t) => {
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

type Updates = ReturnType<typeof createLanePortal>;

function portalAt(t: TestContext, url: string, connectMs = 3000, profile: object = {}): Updates {
  return portalBy(fetchOf(t, connectMs).fetch, url, profile);
}

function fetchOf(t: TestContext, connectMs: number): PortalFetch {
  const portalFetch = createPortalFetch(connectMs);
  t.after(() => portalFetch.close());
  return portalFetch;
}

function portalBy(fetchPortal: typeof fetch, baseUrl: string, profile: object): Updates {
  const tokens = createTokenCache({
    requests: [() => Promise.resolve({ accessToken: 'token', expiresIn: 3600 })],
    fallbackLifetimeSeconds: 300,
    renewalMarginSeconds: 60,
    clock: systemClock,
    random: () => 0.5,
  });
  const calls = { baseUrl, fetch: fetchPortal, clock: systemClock, portalClock: new PortalClock() };
  return createLanePortal(
    { ...calls, profile: portalProfile.parse(profile) },
    { credential: 'guest-house', vendor: '', tokens },
  );
}
