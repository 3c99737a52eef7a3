import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, describe, it } from 'node:test';
import { inventoryUpdate } from '../../../../src/contract/portal.js';
import { systemClock } from '../../../../src/proxy/runtime/clock.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import { portalProfile } from '../../../../src/proxy/portal/profile.js';
import { openProxy } from '../../../support/open-proxy.js';
import { batch, edit } from '../../outbox/outbox-contract.js';

const BYTES_A_SECOND = 20_000;
const BULK = 400;

const calls: string[][] = [];
const server = await openSlowPortal();
after(() => {
  server.close();
  server.closeAllConnections();
});

/** A portal that reads a limited number of bytes per second, and applies an update once it has read all of it. */
async function openSlowPortal(): Promise<Server> {
  const opened = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) {
        const bytes = chunk as Buffer;
        text += bytes.toString();
        await sleep((bytes.length / BYTES_A_SECOND) * 1000);
      }
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/v1/oauth/token') response.end('{"access_token":"token"}');
      else if (!response.destroyed) {
        calls.push(inventoryUpdate.parse(JSON.parse(text)).inventory.map(({ id }) => id));
        response.end('{}');
      }
    })().catch(() => response.destroy());
  });
  opened.listen(0, '127.0.0.1');
  await once(opened, 'listening');
  return opened;
}

describe('a portal behind a slow connection', () => {
  it('gets a batch that takes too long in smaller batches, and an interactive edit before them', async (t) => {
    const { port } = server.address() as AddressInfo;
    const credentials = [{ clientId: 'guest-house', clientSecret: new Secret('portal-secret-that-is-not-one') }];
    const { proxy, outbox } = openProxy(t, {
      clock: systemClock,
      fetch,
      portal: { baseUrl: `http://127.0.0.1:${String(port)}`, credentials },
      profile: portalProfile.parse({
        limits: { items: BULK, calls_per_second: 20 },
        timeouts: { call_ms: 1_000 },
      }),
    });
    const ids = Array.from({ length: BULK }, (_, nth) => `cabin-${String(nth)}`);
    await outbox.accept(batch(ids.map((id) => edit(id, true))));
    proxy.start();
    while (((await outbox.waiting({ limit: 1 }))[0]?.attempts ?? 0) === 0) await sleep(20);

    await outbox.accept(batch([edit('kayak', true)], { now: Date.now() }));
    while (!calls.flat().includes('kayak')) await sleep(20);
    const before = calls.flat().length;
    while ((await outbox.count()).delivered < BULK + 1) await sleep(20);

    assert.ok(before < BULK / 10, `${String(before)} items went ahead of it`);
    assert.ok(calls.every((items) => items.length < BULK));
  });
});
