import assert from 'node:assert/strict';
import type { lookup } from 'node:dns';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parseCalendar } from '../../../../src/proxy/node/calendar/calendar-parser.js';
import { createCalendarSource, MAX_CALENDAR_BYTES } from '../../../../src/proxy/node/calendar/calendar-source.js';
import { isPublicAddress, type PublicFetchOptions } from '../../../../src/proxy/node/calendar/public-fetch.js';
import type { FeedReading, FeedValidators } from '../../../../src/proxy/outbox/calendar-feeds.js';
import { selfSigned } from '../../../support/self-signed.js';

const HOST = 'calendar.test';
const CERTIFICATE = selfSigned(HOST);
const NOW = Date.parse('2026-01-01T00:00:00Z');
const BUSY = { begin: Date.parse('2026-01-05T09:00Z'), end: Date.parse('2026-01-05T10:00Z') };

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTART:20260105T090000Z',
  'DTEND:20260105T100000Z',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

interface Server {
  readonly origin: string;
  readonly requests: readonly IncomingMessage[];
  read(path?: string, validators?: FeedValidators): Promise<FeedReading>;
}

/** A calendar server on loopback, and a source that may call loopback unless `options` say otherwise. */
async function open(t: TestContext, listener: RequestListener, options: PublicFetchOptions = {}): Promise<Server> {
  const requests: IncomingMessage[] = [];
  const server = createServer({ key: CERTIFICATE.key, cert: CERTIFICATE.cert }, (request, response) => {
    requests.push(request);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `https://${HOST}:${String((server.address() as AddressInfo).port)}`;
  const source = createCalendarSource({
    ca: CERTIFICATE.cert,
    resolve: resolveTo('127.0.0.1'),
    isAllowed: (address) => address === '127.0.0.1',
    ...options,
  });
  return {
    origin,
    requests,
    read: (path = '/', validators) =>
      source.read({ url: new URL(path, origin).href, timeZone: 'UTC' }, NOW, validators),
  };
}

/** A resolver that returns these addresses one after the other, and then always the last. */
function resolveTo(...addresses: readonly [string, ...string[]]): typeof lookup {
  const left = [...addresses];
  return ((_name: string, _options: object, callback: (error: null, found: object[]) => void) => {
    const address = left.length > 1 ? left.shift() : left[0];
    callback(null, [{ address, family: 4 }]);
  }) as unknown as typeof lookup;
}

const send =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

describe('a calendar of a vendor', () => {
  it('is fetched without cookies, credentials, referrer or origin, and parsed', async (t) => {
    const server = await open(t, send(CALENDAR, { ETag: '"v1"', 'Last-Modified': 'Mon, 01 Jan 2026 00:00:00 GMT' }));

    assert.deepEqual(await server.read(), {
      kind: 'read',
      busy: [BUSY],
      etag: '"v1"',
      lastModified: 'Mon, 01 Jan 2026 00:00:00 GMT',
    });
    const { cookie, authorization, referer, origin } = server.requests[0]?.headers ?? {};
    assert.deepEqual([cookie, authorization, referer, origin], [undefined, undefined, undefined, undefined]);
  });

  it('is unchanged if the server answers 304 to its validators', async (t) => {
    const server = await open(t, send('', {}, 304));

    assert.deepEqual(await server.read('/', { etag: '"v1"', lastModified: 'Mon, 01 Jan 2026 00:00:00 GMT' }), {
      kind: 'unchanged',
    });
    const { headers } = server.requests[0] ?? {};
    assert.equal(headers?.['if-none-match'], '"v1"');
    assert.equal(headers?.['if-modified-since'], 'Mon, 01 Jan 2026 00:00:00 GMT');
    assert.deepEqual(await server.read(), { kind: 'failed', problem: 'rejected' }, 'a 304 without validators');
  });

  it('is fetched through up to three redirects', async (t) => {
    const server = await open(t, (request, response) => {
      const left = Number(new URL(request.url ?? '/', server.origin).searchParams.get('left'));
      if (left === 0) response.end(CALENDAR);
      else response.writeHead(302, { Location: `/?left=${String(left - 1)}` }).end();
    });

    assert.equal((await server.read('/?left=3')).kind, 'read');
    assert.deepEqual(await server.read('/?left=4'), { kind: 'failed', problem: 'rejected' });
  });

  for (const [what, body, problem] of [
    ['a web page', '<!doctype html><title>Sign in</title>', 'unreadable'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00]), 'unreadable'],
    ['empty', '', 'unreadable'],
    ['more than a megabyte', `${CALENDAR}X-LONG:${'x'.repeat(MAX_CALENDAR_BYTES)}\r\n`, 'too_large'],
  ] as const) {
    it(`is not read if the response is ${what}`, async (t) => {
      const server = await open(t, send(body));

      assert.deepEqual(await server.read(), { kind: 'failed', problem });
    });
  }

  it('is not read beyond a megabyte, counted after decompression', async (t) => {
    const bomb = gzipSync(Buffer.alloc(64 * MAX_CALENDAR_BYTES, 'x'));
    const server = await open(t, send(bomb, { 'Content-Encoding': 'gzip' }));

    assert.deepEqual(await server.read(), { kind: 'failed', problem: 'too_large' });
  });

  it('is not read if the response is truncated or its status is not 200', async (t) => {
    const server = await open(t, (request, response) => {
      if (request.url === '/gone') response.writeHead(404).end(CALENDAR);
      else {
        response.writeHead(200, { 'Content-Length': String(CALENDAR.length) });
        response.write(CALENDAR.slice(0, -20), () => response.destroy());
      }
    });

    assert.deepEqual(await server.read('/gone'), { kind: 'failed', problem: 'rejected' });
    assert.deepEqual(await server.read('/cut'), { kind: 'failed', problem: 'unreachable' });
  });

  it('is not fetched from a server whose certificate is for another name', async (t) => {
    const server = await open(t, send(CALENDAR), { ca: selfSigned('other.test').cert });

    assert.deepEqual(await server.read(), { kind: 'failed', problem: 'unreachable' });
    assert.equal(server.requests.length, 0);
  });

  it('is given up after a time limit if its recurrence rule never ends', async () => {
    const rule = CALENDAR.replace('END:VEVENT', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\nEND:VEVENT');

    await assert.rejects(parseCalendar({ text: rule, timeZone: 'UTC', now: NOW }, 1_500), { name: 'CalendarTooLarge' });
  });
});

describe('the address of a calendar', () => {
  it('must not be a private address, by name or number', async (t) => {
    const server = await open(t, send(CALENDAR), { isAllowed: isPublicAddress });
    const port = new URL(server.origin).port;

    for (const url of [
      server.origin,
      `https://127.0.0.1:${port}/`,
      `https://2130706433:${port}/`,
      `https://0x7f.1:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      'https://169.254.169.254/latest/meta-data/',
      'https://10.0.0.1/',
      'https://[fd00::1]/',
    ]) {
      assert.deepEqual(await server.read(url), { kind: 'failed', problem: 'not_public' }, url);
    }
    assert.equal(server.requests.length, 0);
  });

  it('must not have a name that resolves to a private address the second time', async (t) => {
    const server = await open(
      t,
      (_request, response) => response.writeHead(302, { Location: '/again', Connection: 'close' }).end(),
      {
        resolve: resolveTo('127.0.0.1', '10.0.0.1'),
      },
    );

    assert.deepEqual(await server.read(), { kind: 'failed', problem: 'not_public' });
    assert.equal(server.requests.length, 1);
  });

  for (const location of [
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'http://calendar.test/',
    'file:///etc/passwd',
  ]) {
    it(`must not redirect to ${location}`, async (t) => {
      const server = await open(t, send('', { Location: location }, 302));

      assert.deepEqual(await server.read(), { kind: 'failed', problem: 'not_public' });
      assert.equal(server.requests.length, 1);
    });
  }

  for (const url of [
    'http://calendar.test/',
    'https://ada:secret@calendar.test/',
    'ftp://calendar.test/',
    'calendar',
  ]) {
    it(`must not be ${url}`, async () => {
      const source = createCalendarSource({ isAllowed: () => true });

      assert.deepEqual(await source.read({ url, timeZone: 'UTC' }, NOW), { kind: 'failed', problem: 'not_public' });
    });
  }
});
