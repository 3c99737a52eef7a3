import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { serve as serveHono } from '@hono/node-server';
import express, { type ErrorRequestHandler } from 'express';
import { Hono } from 'hono';
// The built package, by the name that a host imports, so that its neighbouring files are tested, too.
import { readWidgetFiles } from 'vendor-inventory-widget/proxy/node';
import { receipts, session } from '../../../src/contract/widget.js';
import { ROUTES } from '../../../src/proxy/app.js';
import { noMetrics } from '../../../src/proxy/runtime/metrics.js';
import { nodeDefaults } from '../../../src/proxy/node/node-defaults.js';
import { nodeListener } from '../../../src/proxy/node/server/node-listener.js';
import type { PortalProfile } from '../../../src/proxy/portal/profile.js';
import { expectProblem } from '../../support/expect-problem.js';
import { type Mount, MOUNTS, OWN_ANSWER } from '../../support/mounts.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken, HOST_ORIGIN, pageRequest, type PageRequest, PROXY_URL } from '../../support/page-request.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { addressOf, serve } from '../../support/serve.js';

const EDIT = { id: 'Zürich/ä', available: true, updated_at: '2026-11-21T08:30:00.000Z' };

interface Mounted extends OpenProxy {
  readonly address: string;
  /** Emits `closed` when an event stream is closed. */
  readonly streams: EventEmitter;
  /** Sends a request over a socket, as a page does. */
  send(
    method: string,
    path: string,
    request?: { token?: string; body?: string; headers?: PageRequest['headers']; signal?: AbortSignal },
  ): Promise<Response>;
}

for (const [name, mount] of Object.entries(MOUNTS)) {
  describe(`a proxy mounted in ${name}`, () => {
    it('answers GET /v1/session', async (t) => {
      const { send } = await mounted(t, mount);

      const answer = await send('GET', '/inventory/v1/session', { token: await embedToken() });

      assert.equal(answer.status, 200);
      assert.equal(session.parse(await answer.json()).vendor, 'boat-tours');
      assert.equal(answer.headers.get('X-Powered-By'), null);
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), HOST_ORIGIN);
    });

    it('accepts an edit, and reads query parameters', async (t) => {
      const { send } = await mounted(t, mount);
      const token = await embedToken();

      const accepted = await send('POST', '/inventory/v1/inventory', { token, body: bodyOf([EDIT]) });
      const [receipt] = receipts.parse(await accepted.json()).receipts;
      const again = await send('GET', `/inventory/v1/receipts?ids=${receipt?.edit_id ?? ''}`, { token });

      assert.equal(accepted.status, 202);
      assert.equal(receipt?.id, EDIT.id);
      assert.deepEqual(receipts.parse(await again.json()).receipts, [receipt]);
    });

    it('serves the script of its package', async (t) => {
      const { send } = await mounted(t, mount, { files: await readWidgetFiles() });

      const pointer = await send('GET', '/inventory/widget.js');
      const name = /"\.\/(widget-[^"]+\.js)"/.exec(await pointer.text())?.[1] ?? '';
      const script = await send('GET', `/inventory/${name}`);

      assert.equal(pointer.headers.get('Content-Type'), 'text/javascript; charset=utf-8');
      assert.equal(script.status, 200);
      assert.match(await script.text(), /inventory-editor/);
    });

    it('answers session_required to a request without a session', async (t) => {
      const { send } = await mounted(t, mount);

      await expectProblem(await send('GET', '/inventory/v1/session'), 'session_required');
      await expectProblem(await send('GET', '/inventory/v1/no-route'), 'session_required');
    });

    it('receives every method of the API', async (t) => {
      const { send } = await mounted(t, mount);

      for (const method of new Set(ROUTES.map((route) => route.method)))
        await expectProblem(await send(method, '/inventory/v1/no-route'), 'session_required');
    });

    it('answers a preflight', async (t) => {
      const { address } = await mounted(t, mount);

      const answer = await fetch(`${address}/inventory/v1/inventory`, {
        method: 'OPTIONS',
        headers: { Origin: HOST_ORIGIN, 'Access-Control-Request-Method': 'POST' },
      });

      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), HOST_ORIGIN);
      assert.match(answer.headers.get('Access-Control-Allow-Headers') ?? '', /Authorization/);
    });

    it('answers origin_refused to a page whose origin is not allowed', async (t) => {
      const { address } = await mounted(t, mount);

      const answer = await fetch(`${address}/inventory/v1/session`, {
        headers: { Origin: 'https://evil.example.com' },
      });

      await expectProblem(answer.clone(), 'origin_refused');
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null);
    });

    it('answers only requests below its path', async (t) => {
      const { send } = await mounted(t, mount);
      const token = await embedToken();

      assert.equal(await (await send('GET', '/own')).text(), OWN_ANSWER);
      assert.equal((await send('GET', '/inventory/livez')).status, 200);
      for (const beside of ['/v1/session', '/inventoryx/v1/session', '/livez', '/own/inventory/v1/session']) {
        assert.equal((await send('GET', beside, { token })).status, 404, beside);
      }
    });

    it('rejects a body above its size limit', async (t) => {
      const { send, outbox } = await mounted(t, mount, { limits: { maxBodyBytes: 2048 } });

      const answer = await send('POST', '/inventory/v1/inventory', {
        token: await embedToken(),
        body: bodyOf([EDIT, { ...EDIT, id: 'x'.repeat(150), label: 'y'.repeat(2048) }]),
      });

      await expectProblem(answer, 'body_too_large');
      assert.equal((await outbox.count()).accepted, 0);
    });

    it('streams events without buffering, and ends the stream when the page disconnects', async (t) => {
      const { send, streams, log } = await mounted(t, mount);
      const token = await embedToken();
      const leaving = new AbortController();
      const closed = once(streams, 'closed');

      const events = await send('GET', '/inventory/v1/events', { token, signal: leaving.signal });
      const hints = wordsOf(events);
      await hints.until(': open');
      await send('POST', '/inventory/v1/inventory', { token, body: bodyOf([EDIT]) });
      const said = await hints.until('data: ');
      leaving.abort();
      await closed;
      // This response comes after all pending work of the stream.
      await send('GET', '/inventory/livez');

      assert.equal(events.headers.get('Content-Type'), 'text/event-stream');
      assert.equal(events.headers.get('Cache-Control'), 'no-store, no-transform');
      assert.match(said, /"id":"Zürich\/ä"/);
      assert.deepEqual(
        log.filter(({ event }) => event === 'event stream failed'),
        [],
      );
    });

    it('ends open streams when it stops', async (t) => {
      const { send, proxy } = await mounted(t, mount);

      const events = await send('GET', '/inventory/v1/events', { token: await embedToken() });
      await proxy.stop();

      assert.equal(await events.text(), ': open\n\n');
    });

    it('does not derive its origin from the Host header', async (t) => {
      const { address } = await mounted(t, mount);
      const token = await embedToken();

      const answer = await raw(address, [
        'GET /inventory/v1/session HTTP/1.1',
        'Host: evil.example.com',
        'X-Forwarded-Host: evil.example.com',
        'Origin: http://evil.example.com',
        `Authorization: Bearer ${token}`,
      ]);

      assert.match(answer, /^HTTP\/1\.1 403 /);
    });

    it('answers 404 to a path with .. segments', async (t) => {
      const { address } = await mounted(t, mount);

      const answer = await raw(address, ['GET /inventory/../v1/session HTTP/1.1', 'Host: localhost']);

      assert.match(answer, /^HTTP\/1\.1 404 /);
    });
  });
}

describe('a proxy mounted after a body parser', () => {
  it('answers 500 and emits a warning', async (t) => {
    const listener = nodeListener(openProxy(t).proxy);
    const warned = once(process, 'warning');
    const address = await serve(t, (request, response) => {
      request.resume().once('end', () => listener(request, response));
    });

    const answer = await fetch(`${address}/v1/inventory`, { method: 'POST', body: bodyOf([EDIT]) });
    const [warning] = (await warned) as [Error & { code: string }];

    assert.equal(answer.status, 500);
    assert.equal(warning.code, 'VENDOR_INVENTORY_BODY_READ');
  });

  it('answers 500 and logs the cause if it gets a Request', async (t) => {
    const { send, log } = await mounted(t, (proxy) => {
      const app = new Hono();
      app.use(async ({ req }, next) => {
        await req.text();
        await next();
      });
      app.all('/inventory/*', (context) => proxy.fetch(context.req.raw));
      return addressOf(t, serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
    });

    const answer = await send('POST', '/inventory/v1/inventory', { token: await embedToken(), body: bodyOf([EDIT]) });

    await expectProblem(answer, 'internal');
    assert.match(log.map(({ error }) => String(error)).join(), /A body was read before the inventory proxy could/);
  });
});

describe('a mounted proxy behind a trusted gateway', () => {
  it('counts invalid sessions by the address that the gateway forwards', async (t) => {
    const gateways = { trustedProxies: ['127.0.0.1'] };
    const { send } = await mounted(t, (proxy) => serve(t, nodeListener(proxy, gateways)), {
      writeLimits: { refusedRequests: 1 },
    });
    const from = (address: string) => send('GET', '/inventory/v1/session', { headers: { 'X-Forwarded-For': address } });

    const answers = [await from('203.0.113.7'), await from('203.0.113.7'), await from('203.0.113.8')];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 429, 401],
    );
  });
});

describe('proxy.fetch mounted in a framework with other request objects', () => {
  it('throws an error that names nodeListener', async (t) => {
    const { proxy } = openProxy(t, { basePath: '/inventory' });
    const app = express();
    app.use('/inventory', proxy.fetch as never);
    app.use(
      ((error, _request, response, _next) => void response.status(500).send(String(error))) as ErrorRequestHandler,
    );
    const address = await addressOf(t, app.listen(0, '127.0.0.1'));

    const answer = await fetch(`${address}/inventory/widget.js`);

    assert.match(await answer.text(), /^TypeError: proxy\.fetch takes a Request .*: mount nodeListener\(proxy\)/);
  });
});

describe('a host that also responds to a request of the proxy, as Koa does by default', () => {
  it('gets a warning that says what to change', async (t) => {
    const { proxy } = openProxy(t);
    const inventory = nodeListener(proxy);
    const address = await serve(t, (request, response) => {
      inventory(request, response);
      response.writeHead(404).end('Not Found');
    });
    const warned = once(process, 'warning');

    const { status } = await fetch(`${address}/livez`);

    assert.equal(status, 404);
    const [warning] = (await warned) as [Error & { code?: string }];
    assert.equal(warning.code, 'VENDOR_INVENTORY_ANSWERED');
    assert.match(warning.message, /in Koa set context\.respond = false/);
  });
});

describe('the defaults of a mounted proxy', () => {
  it('create no file if the profile is invalid, and name the invalid field', async () => {
    const path = join(scratchFolder(), 'inventory.sqlite');
    const profile = { timeouts: { connect_ms: 0 } } as PortalProfile;

    await assert.rejects(nodeDefaults(path, { profile }), {
      name: 'TypeError',
      message: 'profile at /timeouts/connect_ms: expected more than 0',
    });
    assert.equal(existsSync(path), false);
  });

  for (const url of ['file:inventory.sqlite', 'postgres://inventory:canary@db.example.com/inventory']) {
    it(`reject a ${url.split(':')[0] ?? ''}: URL in place of a path, and do not repeat it`, async () => {
      await assert.rejects(nodeDefaults(url), (error: Error) => {
        assert.match(error.message, /^nodeDefaults takes the path of a SQLite file, and no URL/);
        assert.doesNotMatch(error.message, /canary/);
        return true;
      });
    });
  }
});

function bodyOf(inventory: readonly object[]): string {
  return JSON.stringify({ inventory });
}

async function mounted(t: TestContext, mount: Mount, options: Parameters<typeof openProxy>[1] = {}): Promise<Mounted> {
  const streams = new EventEmitter();
  const fixture = openProxy(t, {
    basePath: '/inventory',
    publicUrl: `${PROXY_URL}/inventory`,
    metrics: { ...noMetrics, streamClosed: () => void streams.emit('closed') },
    ...options,
  });
  const address = await mount(fixture.proxy, t);
  return {
    ...fixture,
    address,
    streams,
    send(method, path, { token, body, headers: more = {}, signal } = {}) {
      const { headers } = pageRequest(method, path, { token, headers: more });
      return fetch(address + path, { method, headers, body: body ?? null, signal: signal ?? null });
    },
  };
}

/** Reads the text of a stream up to a given text. */
function wordsOf(answer: Response): { until(word: string): Promise<string> } {
  assert.ok(answer.body);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let said = '';
  return {
    async until(word) {
      while (!said.includes(word)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended without ${word}: ${said}`);
        said += value;
      }
      return said;
    },
  };
}

async function raw(address: string, head: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  return text(socket);
}
