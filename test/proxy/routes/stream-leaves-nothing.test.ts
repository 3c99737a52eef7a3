import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { RevokedNames, SignOuts } from '../../../src/proxy/access/ended-sessions.js';
import { openChangeStream } from '../../../src/proxy/routes/change-stream.js';
import { VendorFeeds } from '../../../src/proxy/routes/vendor-feeds.js';
import { noLog } from '../../../src/proxy/runtime/log.js';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import type { RouteContext } from '../../../src/proxy/http/route-context.js';
import type { ProxySession } from '../../../src/proxy/access/session.js';
import { KeyedSemaphore, STREAM_LIMITS } from '../../../src/proxy/http/concurrency-limit.js';
import { openProxy } from '../../support/open-proxy.js';
import { pageRequest } from '../../support/page-request.js';

const MINUTE_MS = 60_000;

describe('an event stream that has ended', () => {
  const ends: Readonly<Record<string, (open: OpenStream) => Promise<void>>> = {
    'because its page left': ({ leave }) => Promise.resolve(leave()),
    'because its reader had enough': ({ body }) => body.cancel(),
    'with the session': async ({ body, pass }) => {
      await pass(2 * MINUTE_MS);
      for await (const piece of body) assert.ok(piece);
    },
    'with the proxy': ({ stop }) => Promise.resolve(stop()),
    'because the outbox cannot be read, and its page stays': async ({ body, failStorage }) => {
      await failStorage();
      assert.equal(await new Response(body).text(), ': open\n\n');
    },
  };

  for (const [why, end] of Object.entries(ends)) {
    it(`${why} leaves no listener in the proxy`, async (t) => {
      const open = await openStream(t);
      assert.equal(open.listeners(), 1);

      await end(open);

      assert.equal(open.listeners(), 0);
      assert.deepEqual(open.counted, ['opened', 'closed']);
    });
  }
});

interface OpenStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly counted: readonly string[];
  /** How many still wait for the proxy to stop. */
  listeners(): number;
  leave(): void;
  stop(): void;
  failStorage(): Promise<void>;
  pass(milliseconds: number): Promise<void>;
}

async function openStream(t: TestContext): Promise<OpenStream> {
  const { outbox, clock } = openProxy(t);
  const ending = new AbortController();
  const leaving = new AbortController();
  const counted: string[] = [];
  const metrics = {
    ...noMetrics,
    streamOpened: () => void counted.push('opened'),
    streamClosed: () => void counted.push('closed'),
  };
  const session: ProxySession = {
    vendor: 'boat-tours',
    subject: 'ada',
    permissions: new Set(['view']),
    expiresAt: clock.wall() + MINUTE_MS,
  };
  const request = new Request(pageRequest('GET', '/v1/events'), { signal: leaving.signal });
  const context: Partial<RouteContext> = {
    outbox,
    signOuts: new SignOuts(new RevokedNames({ clock }), clock),
    clock,
    feeds: new VendorFeeds(outbox, clock),
    log: noLog,
    metrics,
    streamSemaphore: new KeyedSemaphore(STREAM_LIMITS),
    stopSignal: ending.signal,
  };
  const { body } = await openChangeStream(request, session, context as RouteContext);
  assert.ok(body);
  return {
    body,
    counted,
    listeners: () => getEventListeners(ending.signal, 'abort').length,
    leave: () => {
      leaving.abort();
    },
    stop: () => {
      ending.abort();
    },
    failStorage: () => outbox.close(),
    pass: (milliseconds) => clock.pass(milliseconds),
  };
}
