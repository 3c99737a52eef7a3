import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ItemId } from '../../../src/domain/item.js';
import { createPortalConnection } from '../../../src/proxy/portal/portal-client.js';
import { PortalClock } from '../../../src/proxy/portal/clock-offset.js';
import type { UpdateOutcome } from '../../../src/proxy/portal/outcome.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { createTokenCache } from '../../../src/proxy/portal/token-cache.js';
import { openEdit } from '../../support/open-edit.js';
import {
  body,
  cutShort,
  cutShortInChunks,
  DEAD_ADDRESS,
  endless,
  hangUp,
  neverAnswer,
  servePortal,
  status,
  untilTheEnd,
  type Answer,
} from '../../support/portal-server.js';
import { meaningOf } from '../../support/meaning-of.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const NOW = Date.UTC(2026, 10, 21, 8, 30);
const KAYAK = openEdit('kayak');

const JSON_TYPE = 'application/json';
const CUT = '{"results":[{"id":"kayak","sta';
const IN_THE_MIDDLE = 'the answer ends in the middle';
const TOO_LONG = 'its answer has more than 1048576 bytes';
const UNREADABLE: UpdateOutcome = { kind: 'held', reason: 'portal_unreadable' };

const OUTCOMES: readonly (readonly [what: string, answer: Answer, outcome: UpdateOutcome])[] = [
  ['200 and JSON', status(200), { kind: 'delivered' }],
  ['201 and JSON', status(201), { kind: 'delivered' }],
  ['204 and nothing', (response) => response.writeHead(204).end(), { kind: 'delivered' }],
  ['200 and nothing', (response) => response.writeHead(200).end(), { kind: 'delivered' }],
  ...[200, 201, 202, 204].flatMap((code) =>
    ['text/html; charset=utf-8', 'text/plain', 'application/octet-stream'].map(
      (type) => [`${code} and nothing, which it calls ${type}`, emptyOf(code, type), { kind: 'delivered' }] as const,
    ),
  ),
  ['207 and nothing', emptyOf(207, JSON_TYPE), UNREADABLE],
  ['207 and nothing, which it calls a page', emptyOf(207, 'text/html'), UNREADABLE],
  ['JSON of a kind of its own', body('{}', 'application/vnd.portal+json; charset=utf-8'), { kind: 'delivered' }],
  ['JSON by its older name', body('{}', 'text/json; charset=utf-8'), { kind: 'delivered' }],
  ['compressed JSON', body(gzipSync('{}'), JSON_TYPE, { 'Content-Encoding': 'gzip' }), { kind: 'delivered' }],
  ['JSON that says nothing it should', body('[[[', JSON_TYPE), { kind: 'delivered' }],
  ['JSON in Latin-1', body(Buffer.from('{"ort":"Gästehaus"}', 'latin1'), JSON_TYPE), { kind: 'delivered' }],
  ['broken JSON', body(Buffer.from([0x20, 0x7b, 0xff, 0xfe, 0xc0, 0xaf, 0x7d]), JSON_TYPE), { kind: 'delivered' }],
  ['JSON of one word', body('"<stored>"', JSON_TYPE), { kind: 'delivered' }],
  ['a word labelled as JSON', body('OK', JSON_TYPE), { kind: 'delivered' }],
  ['JSON that does not say what it is', untyped('{"status":"ok"}'), { kind: 'delivered' }],
  ['a blank without a content type', untyped('\r\n'), { kind: 'delivered' }],
  ['a web page', body('<h1>Welcome</h1>', 'text/html'), UNREADABLE],
  ['a web page without a content type', untyped('<h1>Welcome</h1>'), UNREADABLE],
  ['a web page labelled as JSON', body('\n<!doctype html><title>Log in</title>', JSON_TYPE), UNREADABLE],
  ['a web page after a PHP warning', body('Warning: no session\n<br /><h1>Log in</h1>', JSON_TYPE), UNREADABLE],
  ['a web page in UTF-16', body(Buffer.from('\ufeff<h1>Log in</h1>', 'utf16le'), JSON_TYPE), UNREADABLE],
  ['a text without a content type', untyped('Please log in'), UNREADABLE],
  ['a text', body('OK', 'text/plain'), UNREADABLE],
  ['a truncated response', cutShort, unknown('UND_ERR_SOCKET')],
  ['a truncated chunked response', cutShortInChunks, unknown('UND_ERR_SOCKET')],
  ['a response that ends with the connection', untilTheEnd('{"status":"ok"}'), { kind: 'delivered' }],
  ['a word that ends with the connection', untilTheEnd('OK'), { kind: 'delivered' }],
  ['an empty body that ends with the connection', untilTheEnd(''), { kind: 'delivered' }],
  ['a truncated response that ends with the connection', untilTheEnd(CUT), unknown(IN_THE_MIDDLE)],
  [
    'a compressed answer as long as the connection, which breaks off',
    untilTheEnd(gzipSync(`${CUT}tus":422}]}`).subarray(0, 20), 'Content-Encoding: gzip\r\n'),
    unknown(IN_THE_MIDDLE),
  ],
  ['a closed connection without a response', hangUp, unknown('UND_ERR_SOCKET')],
  [
    'a body that is no longer what it says',
    body('{}', JSON_TYPE, { 'Content-Encoding': 'gzip' }),
    unknown('Z_DATA_ERROR'),
  ],
  ['more than a megabyte', body(' '.repeat(1024 * 1024 + 1), JSON_TYPE), unknown(TOO_LONG)],
  ['a few bytes that decompress to more', body(bomb(), JSON_TYPE, { 'Content-Encoding': 'gzip' }), unknown(TOO_LONG)],
  ...[400, 403, 404, 409, 413, 415, 422].map(
    (code) => [`${code}`, status(code), { kind: 'refused', code: `${code}` }] as const,
  ),
  ...[425, 503].map((code) => [`${code}`, status(code), retry('portal_error')] as const),
  ...[408, 500, 501, 502, 504, 524].map(
    (code) => [`${code}`, status(code), { kind: 'unknown', reason: 'portal_error' }] as const,
  ),
  ['429', status(429), retry('portal_busy')],
  ...[300, 304, 402, 405, 418, 451].map((code) => [`${code}`, status(code), UNREADABLE] as const),
];

function emptyOf(code: number, type: string): Answer {
  return (response) => response.writeHead(code, { 'Content-Type': type }).end();
}

const WAITS: readonly (readonly [header: string, milliseconds: number | undefined])[] = [
  ['0', 0],
  ['90', 90_000],
  ['3600', 3_600_000],
  ['86400', 3_600_000],
  ['120, 60', 120_000],
  ['60,120', 120_000],
  ['60, soon', undefined],
  ['9'.repeat(400), 3_600_000],
  [new Date(NOW + 120_000).toUTCString(), 120_000],
  [new Date(NOW - 120_000).toUTCString(), 0],
  [new Date(NOW + 86_400_000).toUTCString(), 3_600_000],
  // The two older date formats, which RFC 9110 section 5.6.7 requires every recipient to accept.
  ['Saturday, 21-Nov-26 08:32:00 GMT', 120_000],
  ['Sat Nov 21 08:32:00 2026', 120_000],
  ['Sat Nov  7 08:32:00 2026', 0],
  ['-1', undefined],
  ['3.5', undefined],
  ['soon', undefined],
  ['2026', 2_026_000],
  ['2026-11-21', undefined],
];

/** The fields of draft-ietf-httpapi-ratelimit-headers, in its latest version (a list) and in earlier ones. */
const LIMITS: readonly (readonly [fields: Readonly<Record<string, string>>, milliseconds: number | undefined])[] = [
  [{ RateLimit: '"default";r=0;t=30' }, 30_000],
  [{ RateLimit: '"default";r=1;t=30' }, undefined],
  [{ RateLimit: '"burst";r=5;t=1, "daily";r=0;t=1800' }, 1_800_000],
  [{ RateLimit: '"burst";r=0;t=1, "daily";r=0;t=1800' }, 1_800_000],
  [{ RateLimit: '"daily";r=0;t=1800, "burst";r=5;t=1' }, 1_800_000],
  [{ RateLimit: '"burst";r=0;t=1, "daily";r=5;t=1800' }, 1_000],
  [{ RateLimit: '"a, b;r=0";r=7;t=30;pk=:cj0w:' }, undefined],
  [{ RateLimit: '"yearly";r=0;t=31536000' }, 3_600_000],
  [{ RateLimit: 'limit=10, remaining=0, reset=30' }, 30_000],
  [{ RateLimit: 'limit=10, remaining=3, reset=30' }, undefined],
  [{ 'RateLimit-Limit': '10', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '30' }, 30_000],
  [{ 'RateLimit-Limit': '10', 'RateLimit-Remaining': '9', 'RateLimit-Reset': '30' }, undefined],
  [{ RateLimit: '"default";r=0;t=30', 'Retry-After': '5' }, 5_000],
  // The reset as a time since 1970, as GitLab and others send it.
  [{ 'RateLimit-Remaining': '0', 'RateLimit-Reset': epochIn(20), Date: date(0) }, 20_000],
  [{ 'RateLimit-Remaining': '0', 'RateLimit-Reset': epochIn(3_620), Date: date(3_600) }, 20_000],
  [{ 'RateLimit-Remaining': '0', 'RateLimit-Reset': epochIn(-20), Date: date(0) }, 0],
  [{ 'RateLimit-Remaining': '9', 'RateLimit-Reset': epochIn(20), Date: date(0) }, undefined],
  [{ RateLimit: `limit=10, remaining=0, reset=${epochIn(20)}`, Date: date(0) }, 20_000],
  [{ RateLimit: `"default";r=0;t=${epochIn(20)}`, Date: date(0) }, 20_000],
];

function epochIn(seconds: number): string {
  return String(NOW / 1000 + seconds);
}

/** On a clock that is ahead by so many seconds. */
function date(seconds: number): string {
  return new Date(NOW + seconds * 1000).toUTCString();
}

describe('an update that the portal answers with', () => {
  for (const [what, answer, outcome] of OUTCOMES) {
    it(`${what} is ${outcome.kind}`, async (t) => {
      const portal = await servePortal(t, answer);

      const told = await clientOf(portal.url).update([KAYAK]);

      assert.deepEqual(told, outcome);
      assert.equal(portal.seen.length, 1);
    });
  }

  for (const [header, milliseconds] of WAITS) {
    for (const code of [429, 503]) {
      const wait = milliseconds === undefined ? 'as long as the proxy thinks fit' : `${milliseconds} ms`;

      it(`${code} and Retry-After: ${header.slice(0, 40)} waits ${wait}`, async (t) => {
        const headers = { Date: new Date(NOW).toUTCString(), 'Retry-After': header };
        const portal = await servePortal(t, status(code, headers));

        const outcome = await clientOf(portal.url).update([KAYAK]);

        assert.deepEqual(outcome, retry(code === 429 ? 'portal_busy' : 'portal_error', milliseconds));
      });
    }
  }

  for (const [fields, milliseconds] of LIMITS) {
    const said = Object.entries(fields).map((field) => field.join(': '));

    for (const code of [200, 302, 422, 429, 500]) {
      it(`${code} and ${said.join(', ')} waits ${milliseconds ?? 'no'} ms`, async (t) => {
        const portal = await servePortal(t, status(code, fields));

        const outcome = await clientOf(portal.url).update([KAYAK]);

        assert.equal('afterMs' in outcome ? outcome.afterMs : undefined, milliseconds);
      });
    }
  }

  it('429 with a reset and without a remainder waits; 200 with the same does not', async (t) => {
    const reset = { 'RateLimit-Reset': '30' };
    const portal = await servePortal(t, status(429, reset), status(200, reset));
    const client = clientOf(portal.url);

    const outcomes = [await client.update([KAYAK]), await client.update([KAYAK])];

    assert.deepEqual(outcomes, [retry('portal_busy', 30_000), { kind: 'delivered' }]);
  });

  it('401 with nothing remaining waits before the next token is used, and is held if that is rejected too', async (t) => {
    const spent = { RateLimit: '"default";r=0;t=30' };
    const portal = await servePortal(t, status(401, spent), status(401, spent), status(200), status(401, spent));
    const client = clientOf(portal.url);

    const outcomes: UpdateOutcome[] = [];
    for (let calls = 1; calls <= 4; calls += 1) {
      outcomes.push(await client.update([KAYAK]));
      assert.equal(portal.seen.length, calls);
    }

    assert.deepEqual(outcomes, [
      { kind: 'retry', reason: 'portal_credentials', afterMs: 30_000 },
      { kind: 'held', reason: 'portal_credentials', afterMs: 30_000 },
      { kind: 'delivered' },
      { kind: 'retry', reason: 'portal_credentials', afterMs: 30_000 },
    ]);
  });

  for (const hours of [-25, 25]) {
    it(`503 with a date in Retry-After counts from the Date header, ${hours} h from ours`, async (t) => {
      const theirs = NOW + hours * 3_600_000;
      const dates = { Date: new Date(theirs).toUTCString(), 'Retry-After': new Date(theirs + 120_000).toUTCString() };
      const portal = await servePortal(t, status(503, dates));

      const outcome = await clientOf(portal.url).update([KAYAK]);

      assert.deepEqual(outcome, retry('portal_error', 120_000));
    });
  }

  for (const broken of ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday']) {
    it(`503 with a date in Retry-After counts from our clock if the response has Date: ${broken}`, async (t) => {
      const dates = { Date: broken, 'Retry-After': new Date(NOW + 120_000).toUTCString() };
      const portal = await servePortal(t, status(503, dates));

      const outcome = await clientOf(portal.url).update([KAYAK]);

      assert.deepEqual(outcome, retry('portal_error', 120_000));
    });
  }

  it('an endless body is read up to a megabyte', async (t) => {
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const portal = await servePortal(t, endless(stop));

    const outcome = await clientOf(portal.url).update([KAYAK]);

    assert.deepEqual(outcome, unknown(TOO_LONG));
    await stopped;
  });

  it('no response in time is unknown, because it may have been applied', async (t) => {
    const portal = await servePortal(t, neverAnswer);

    const outcome = await clientOf(portal.url, { timeouts: { call_ms: 1_000 } }).update([KAYAK]);

    assert.deepEqual(outcome, unknown('TimeoutError'));
  });

  it('a redirect is not followed, and the token is sent nowhere else', async (t) => {
    const elsewhere = await servePortal(t, status(200));
    const redirects = [301, 302, 303, 307, 308];
    const portal = await servePortal(t, ...redirects.map((code) => status(code, { Location: `${elsewhere.url}/x` })));
    const client = clientOf(portal.url);

    for (const code of redirects) assert.deepEqual(await client.update([KAYAK]), UNREADABLE, String(code));

    assert.deepEqual(elsewhere.seen, []);
    assert.equal(portal.seen.length, redirects.length);
  });
});

describe('an update that cannot be sent', () => {
  it('because the connection is refused is retried, since nothing was applied', async () => {
    const outcome = await clientOf(DEAD_ADDRESS).update([KAYAK]);

    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable', failure: 'ECONNREFUSED' });
  });
});

describe('an update whose token the portal rejects', () => {
  it('is sent again with a new one', async (t) => {
    const portal = await servePortal(t, status(401), status(200));

    const outcome = await clientOf(portal.url).update([KAYAK]);

    assert.deepEqual(outcome, { kind: 'delivered' });
    assert.deepEqual(tokensOf(portal.seen), ['Bearer token-1', 'Bearer token-2']);
    assert.equal(portal.seen[1]?.body, portal.seen[0]?.body);
  });

  it('is not sent again after the send deadline, since nothing was applied', async (t) => {
    const portal = await servePortal(t, status(401), status(200));
    const answers = [true, false];

    const outcome = await clientOf(portal.url).update([KAYAK], () => answers.shift() === true);

    assert.deepEqual(outcome, { kind: 'retry', reason: 'portal_unreachable', failure: 'too late to leave' });
    assert.deepEqual(tokensOf(portal.seen), ['Bearer token-1']);
  });

  it('is held if the new one is rejected too', async (t) => {
    const portal = await servePortal(t, status(401));

    const outcome = await clientOf(portal.url).update([KAYAK]);

    assert.deepEqual(outcome, { kind: 'held', reason: 'portal_credentials' });
    assert.equal(portal.seen.length, 2);
  });

  it('is not sent a third time by the next call, which requests its own token', async (t) => {
    const portal = await servePortal(t, status(401), status(401), status(200));
    const client = clientOf(portal.url);
    await client.update([KAYAK]);

    const outcome = await client.update([KAYAK]);

    assert.deepEqual(outcome, { kind: 'delivered' });
    assert.deepEqual(tokensOf(portal.seen), ['Bearer token-1', 'Bearer token-2', 'Bearer token-3']);
  });
});

describe('the request of an update', () => {
  it('has exactly these headers, and the three fields of each item', async (t) => {
    const portal = await servePortal(t, status(200));
    const item = { ...KAYAK, seq: 7, attempts: 1, label: 'Kayak tour' };

    await clientOf(portal.url).update([item, { ...item, id: 'boat "Ä" \u{1f6f6}' as ItemId, available: false }]);

    const [request] = portal.seen;
    const payload =
      '{"inventory":[{"id":"kayak","available":true,"updated_at":"2026-11-21T08:30:00.000Z"},' +
      '{"id":"boat \\"Ä\\" \u{1f6f6}","available":false,"updated_at":"2026-11-21T08:30:00.000Z"}]}';
    assert.deepEqual(request, {
      method: 'POST',
      path: '/v1/inventory',
      headers: {
        host: new URL(portal.url).host,
        connection: 'keep-alive',
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Authorization: 'Bearer token-1',
        'content-length': String(Buffer.byteLength(payload)),
        // Sent by every fetch of Node.
        'accept-language': '*',
        'sec-fetch-mode': 'cors',
        'user-agent': 'node',
        'accept-encoding': 'gzip, deflate',
      },
      body: payload,
    });
  });

  it('uses the method and path of the profile, below the path of the portal', async (t) => {
    const portal = await servePortal(t, status(200));
    const profile = {
      update: { method: 'PATCH', path: '/v2/stock' },
      authorization: { header: 'X-Api-Key', prefix: '' },
    };

    await clientOf(`${portal.url}/api`, profile).update([KAYAK]);

    const [request] = portal.seen;
    assert.equal(request?.method, 'PATCH');
    assert.equal(request.path, '/api/v2/stock');
    assert.equal(request.headers['X-Api-Key'], 'token-1');
    assert.equal('Authorization' in request.headers, false);
  });

  it('has each header once with the profile’s value, whatever the case of its name', async (t) => {
    const portal = await servePortal(t, status(200));
    const headers = {
      'content-type': 'application/merge-patch+json',
      accept: 'application/vnd.portal+json',
      'X-Channel': 'inventory',
    };

    await clientOf(portal.url, { update: { headers } }).update([KAYAK]);

    const sent = Object.entries(portal.seen[0]?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    const named = new Set(['content-type', 'accept', 'x-channel']);
    assert.deepEqual(sent.filter(([name = '']) => named.has(name)).sort(), [
      ['accept', 'application/vnd.portal+json'],
      ['content-type', 'application/merge-patch+json'],
      ['x-channel', 'inventory'],
    ]);
  });

  it('has the token in a header of any name that HTTP allows', async (t) => {
    const portal = await servePortal(t, status(200));

    await clientOf(portal.url, { authorization: { header: 'X_Api.Key', prefix: '' } }).update([KAYAK]);

    assert.equal(portal.seen[0]?.headers['X_Api.Key'], 'token-1');
  });
});

function clientOf(baseUrl: string, profile: object = {}): ReturnType<typeof createPortalConnection> {
  const clock = new VirtualClock(NOW);
  let issued = 0;
  const tokens = createTokenCache({
    requests: [() => Promise.resolve({ accessToken: `token-${(issued += 1)}`, expiresIn: 3600 })],
    fallbackLifetimeSeconds: 300,
    renewalMarginSeconds: 60,
    clock,
    random: () => 0.5,
  });
  const calls = { baseUrl, profile: portalProfile.parse(profile), fetch, clock, portalClock: new PortalClock() };
  const lane = createPortalConnection(calls, { credential: 'guest-house', vendor: '', tokens });
  return { ...lane, update: async (...call) => meaningOf(await lane.update(...call)) };
}

function unknown(failure: string): UpdateOutcome {
  return { kind: 'unknown', reason: 'portal_unreachable', failure };
}

function retry(reason: 'portal_error' | 'portal_busy', afterMs?: number): UpdateOutcome {
  return { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) };
}

function tokensOf(seen: readonly { readonly headers: Readonly<Record<string, string>> }[]): (string | undefined)[] {
  return seen.map(({ headers }) => headers['Authorization']);
}

function untyped(content: string): Answer {
  return (response) => response.writeHead(200).end(content);
}

function bomb(): Uint8Array {
  return gzipSync(Buffer.alloc(64 * 1024 * 1024));
}
