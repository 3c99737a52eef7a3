import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { receipts } from '../../src/contract/widget.js';
import { minimalSettings, settingFile } from '../support/minimal-settings.js';
import { embedToken, HOST_ORIGIN, PROXY_URL } from '../support/page-request.js';
import { PostgresServer } from '../support/postgres-server.js';
import { Command } from '../support/run-command.js';

const MAX_WAIT_MS = 180_000;
/** The pause between two polls, which leaves the processor to the proxies. */
const POLL_MS = 50;

/** Two proxy processes with one database and one sandbox portal. */
describe('two proxies on one PostgreSQL', () => {
  let database: PostgresServer;

  before(async () => {
    database = await PostgresServer.start();
  });

  after(() => database.stop());

  async function startPortal(t: TestContext): Promise<string> {
    const environment = { PORT: '0', PORTAL_CLIENT_ID: 'guest-house', PORTAL_CLIENT_SECRET: 'portal-secret' };
    const [, url = ''] = await new Command(t, ['sandbox'], { environment }).says(/listens on (http:\S+)/);
    return url;
  }

  async function startProxy(t: TestContext, portal: string): Promise<{ command: Command; url: string }> {
    const settings = {
      ...minimalSettings(),
      PORT: '0',
      METRICS_PORT: 'off',
      PORTAL_BASE_URL: portal,
      // A lease lasts six call timeouts: the second proxy takes over after three seconds.
      PORTAL_PROFILE: settingFile('{"timeouts":{"call_ms":500}}'),
      DATABASE_URL: database.url,
      ALLOWED_ORIGINS: HOST_ORIGIN,
      SESSION_ISSUER: HOST_ORIGIN,
      SESSION_AUDIENCE: PROXY_URL,
    };
    const environment = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    const command = new Command(t, ['proxy'], { environment: environment as Record<string, string> });
    const [, url = ''] = await command.says(/"address":"(http:[^"]+)","msg":"proxy listens"/);
    return { command, url };
  }

  async function ask(url: string, method: string, path: string, body?: object): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: {
        Origin: HOST_ORIGIN,
        Authorization: `Bearer ${await embedToken()}`,
        'Content-Type': 'application/json',
        'X-Requested-With': 'inventory-widget',
        'Idempotency-Key': crypto.randomUUID(),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function post(url: string, id: string): Promise<string> {
    const inventory = [{ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }];
    const answer = await ask(url, 'POST', '/v1/inventory', { inventory });
    assert.equal(answer.status, 202);
    return receipts.parse(await answer.json()).receipts[0]?.edit_id ?? '';
  }

  async function deliveredBy(url: string, editIds: readonly string[]): Promise<void> {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const answer = await ask(url, 'GET', `/v1/receipts?ids=${editIds.join(',')}`);
      const states = receipts.parse(await answer.json()).receipts.map(({ state }) => state);
      if (states.length === editIds.length && states.every((state) => state === 'delivered')) return;
      if (Date.now() > deadline) throw new Error(`not delivered: ${states.join(' ')}`);
      await wait(POLL_MS);
    }
  }

  it('deliver each edit that either accepted once, also after one of them is killed', async (t) => {
    const portal = await startPortal(t);
    const [first, second] = [await startProxy(t, portal), await startProxy(t, portal)];
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) ids.push(await post(at % 2 === 0 ? first.url : second.url, `boat-${at}`));

    first.command.signal('SIGKILL');
    for (let at = 10; at < 15; at += 1) ids.push(await post(second.url, `boat-${at}`));
    await deliveredBy(second.url, ids);

    const { items } = (await (await fetch(`${portal}/sandbox/items`)).json()) as { items: { id: string }[] };
    assert.deepEqual(items.map(({ id }) => id).sort(), ids.map((_, at) => `boat-${at}`).sort());
  });
});
