import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { PROBLEMS } from '../../../../src/contract/problem.js';
import type { ProxyOptions } from '../../../../src/proxy/options.js';
import { createPrometheus } from '../../../../src/proxy/node/telemetry/prometheus.js';
import { serveMetrics } from '../../../../src/proxy/node/server/metrics-server.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import { openProxy, type OpenProxy } from '../../../support/open-proxy.js';
import { embedToken } from '../../../support/page-request.js';
import { samplesOf } from '../../../support/samples-of.js';

const MINUTE = 60_000;

describe('the metrics', () => {
  it('count requests by route, and contain no part of a path', async (t) => {
    const { ask, scrape } = openMeasured(t);
    const token = await embedToken({ permissions: ['view', 'edit', 'resolve'] });
    await ask('GET', '/v1/session', { token });
    await ask('POST', '/v1/edits/canary-edit/discard', { token, body: {} });
    await ask('GET', '/v1/canary-route', { token });
    await ask('GET', '/canary-file');
    await ask('BREW', '/v1/session', { token });
    await ask('PUT', '/v1/schedules/canary-schedule', { token, body: {} });
    await ask('DELETE', '/v1/session', { token, body: {} });

    const samples = await scrape();

    const count = (labels: string) => samples.get(`inventory_http_request_duration_seconds_count{${labels}}`);
    assert.equal(count('method="GET",route="/v1/session",status="200"'), 1);
    assert.equal(count('method="POST",route="/v1/edits/{edit_id}/discard",status="404"'), 1);
    assert.equal(count('method="GET",route="other",status="404"'), 2);
    assert.equal(count('method="other",route="/v1/session",status="405"'), 1);
    assert.equal(count('method="PUT",route="/v1/schedules/{id}",status="403"'), 1);
    assert.equal(count('method="DELETE",route="/v1/session",status="204"'), 1);
  });

  it('count refusals by code', async (t) => {
    const { ask, scrape } = openMeasured(t);
    await ask('GET', '/v1/session');
    await ask('GET', '/v1/session');

    const samples = await scrape();

    assert.equal(samples.get('inventory_problems_total{code="session_required"}'), 2);
  });

  it('start every problem code at 0, so that an alert sees the first increase', async (t) => {
    const { scrape } = openMeasured(t);

    const samples = await scrape();

    for (const code of Object.keys(PROBLEMS)) {
      assert.equal(samples.get(`inventory_problems_total{code="${code}"}`), 0, code);
    }
  });

  it('count edits by state, and give the age of the oldest waiting edit', async (t) => {
    const { post, portal, proxy, clock, scrape } = openMeasured(t);
    await post('kayak', true);
    proxy.start();
    await clock.pass(1000);
    await portal.misbehave({ down: true });
    await post('canoe', true);
    await clock.pass(3 * MINUTE);

    const samples = await scrape();

    assert.equal(samples.get('inventory_edits{state="delivered"}'), 1);
    assert.equal(samples.get('inventory_edits{state="received"}'), 1);
    const age = samples.get('inventory_oldest_waiting_edit_age_seconds') ?? NaN;
    assert.ok(age >= 180 && age < 182, String(age));
    assert.equal(samples.get('inventory_delivering'), 1);
    assert.equal(samples.get('inventory_storage_up'), 1);
  });

  it('count calls to the portal by outcome and reason, and token requests', async (t) => {
    const { post, portal, proxy, clock, scrape } = openMeasured(t);
    await post('kayak', true);
    proxy.start();
    await clock.pass(1000);
    await portal.misbehave({ down: true });
    await post('kayak', false);
    await clock.pass(500);

    const samples = await scrape();

    const count = (labels: string) => samples.get(`inventory_portal_call_duration_seconds_count{${labels}}`);
    assert.equal(count('outcome="delivered",reason=""'), 1);
    assert.ok((count('outcome="retry",reason="portal_error"') ?? 0) >= 1);
    assert.equal(samples.get('inventory_portal_token_requests_total{outcome="granted"}'), 1);
    assert.equal(samples.get('inventory_portal_token_requests_total{outcome="refused"}'), 0);
  });

  it('count rejected credentials, and the queues held for that reason', async (t) => {
    const credentials = [{ clientId: 'guest-house', clientSecret: new Secret('not the secret') }];
    const { post, proxy, clock, scrape } = openMeasured(t, { portal: { baseUrl: 'https://portal.test', credentials } });
    await post('kayak', true);
    proxy.start();
    await clock.pass(1000);

    const samples = await scrape();

    assert.equal(samples.get('inventory_portal_token_requests_total{outcome="refused"}'), 1);
    assert.equal(samples.get('inventory_lanes_held{reason="portal_credentials"}'), 1);
  });

  it('give the clock offset of the portal', async (t) => {
    const later = new Date(Date.now() + 60 * MINUTE).toUTCString();
    const answer = (): Promise<Response> =>
      Promise.resolve(Response.json({ access_token: 'token' }, { headers: { Date: later } }));
    const { post, proxy, clock, scrape } = openMeasured(t, { fetch: answer });
    await post('kayak', true);
    proxy.start();
    await clock.pass(1000);

    const offset = (await scrape()).get('inventory_portal_clock_offset_seconds') ?? NaN;

    assert.ok(Math.abs(offset - 3600) < 2, String(offset));
  });

  it('count event streams while they are open', async (t) => {
    const { ask, scrape } = openMeasured(t);
    const events = await ask('GET', '/v1/events', { token: await embedToken() });

    const open = (await scrape()).get('inventory_event_streams');
    await events.body?.cancel();

    assert.equal(open, 1);
    assert.equal((await scrape()).get('inventory_event_streams'), 0);
  });

  it('report that the storage is down, and omit stale values', async (t) => {
    const { post, outbox, scrape } = openMeasured(t);
    await post('kayak', true);
    await scrape();
    await outbox.close();

    const samples = await scrape();

    assert.equal(samples.get('inventory_storage_up'), 0);
    const old = [...samples.keys()].filter((name) => /^inventory_(edits|oldest|lanes)/.test(name));
    assert.deepEqual(old, []);
  });

  it('contain no vendor, person, item or token', async (t) => {
    const { ask, proxy, clock, portal, text } = openMeasured(t);
    const token = await embedToken({ vendor: 'canary-vendor', subject: 'canary-subject', name: 'canary-name' });
    const edit = { id: 'canary-item', available: true, updated_at: '2026-11-21T08:30:00.000Z', edit_id: 'canary-edit' };
    await portal.misbehave({ refuse_items: ['canary-item'] });
    await ask('POST', '/v1/inventory', { token, body: { inventory: [edit] } });
    proxy.start();
    await clock.pass(1000);
    await ask('GET', '/v1/receipts?ids=canary-edit', { token });
    await ask('GET', '/v1/inventory?cursor=canary-cursor', { token: `${token}canary` });
    const events = await ask('GET', '/v1/events', { token });

    const said = await text();

    await events.body?.cancel();
    assert.match(said, /inventory_lanes_held\{reason="portal_refuses"\} 1/);
    assert.doesNotMatch(said, /canary/);
    for (const part of token.split('.')) assert.ok(!said.includes(part));
  });
});

describe('the port of the metrics', () => {
  it('serves them in the Prometheus text format, and nothing else', async (t) => {
    const { address } = await serveAll(t);

    const answer = await fetch(address);
    const text = await answer.text();

    assert.equal(answer.headers.get('Content-Type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(text, /^process_cpu_seconds_total \d/m);
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds \d/m);
    assert.match(text, /^inventory_build_info\{version="[^"]+"\} 1$/m);
    assert.equal((await fetch(new URL('/v1/session', address))).status, 404);
    assert.equal((await fetch(address, { method: 'POST' })).status, 405);
  });

  it('is logged if it is taken, and the proxy continues', async (t) => {
    const { address, proxy } = await serveAll(t);
    const lines: string[] = [];

    const at = { host: '127.0.0.1', port: Number(new URL(address).port) };
    const close = await serveMetrics(proxy, createPrometheus(), at, (level, event, fields) => {
      lines.push(`${level}: ${event}: ${fields?.error ?? ''}`);
    });

    await close();
    assert.deepEqual(lines, [`error: metrics cannot be served: PortTaken: port ${at.port} is taken; set another one`]);
  });
});

interface Measured extends OpenProxy {
  post(id: string, available: boolean): Promise<void>;
  scrape(): Promise<Map<string, number>>;
  text(): Promise<string>;
}

function openMeasured(t: TestContext, options: Partial<ProxyOptions> = {}): Measured {
  const prometheus = createPrometheus();
  const fixture = openProxy(t, { metrics: prometheus.metrics, ...options });
  const text = async () => prometheus.scrape(await fixture.proxy.status());
  return {
    ...fixture,
    text,
    scrape: async () => samplesOf(await text()),
    async post(id, available) {
      const body = { inventory: [{ id, available, updated_at: '2026-11-21T08:30:00.000Z' }] };
      const answer = await fixture.ask('POST', '/v1/inventory', { token: await embedToken(), body });
      assert.equal(answer.status, 202);
    },
  };
}

async function serveAll(t: TestContext): Promise<OpenProxy & { readonly address: string }> {
  const prometheus = createPrometheus();
  const fixture = openProxy(t, { metrics: prometheus.metrics });
  let address = '';
  const close = await serveMetrics(fixture.proxy, prometheus, { host: '127.0.0.1', port: 0 }, (_, __, fields) => {
    address = fields?.address ?? '';
  });
  t.after(close);
  return { ...fixture, address };
}
