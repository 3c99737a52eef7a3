import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInventoryProxy } from '../../src/proxy/handler.js';
import { MemoryOutbox } from '../../src/proxy/outbox-memory.js';
import { portalProfile } from '../../src/proxy/profile.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL } from '../support/page-request.js';
import { VirtualClock } from '../support/virtual-clock.js';
import { WeatherPortal } from '../support/weather-portal.js';

const SECOND = 1000;

describe('a profile that is read again', () => {
  it('with more time for a call lets no second call leave while the first may still be under way', async () => {
    const clock = new VirtualClock();
    const portal = new WeatherPortal(clock);
    let calls = 0;
    const proxy = createInventoryProxy({
      portal: portal.account,
      outbox: new MemoryOutbox(),
      authenticate: () =>
        Promise.resolve({
          vendor: 'boat-tours',
          subject: 'ada',
          permissions: new Set(['view', 'edit'] as const),
          expiresAt: Date.UTC(9999, 0),
        }),
      allowedOrigins: [HOST_ORIGIN],
      publicUrl: PROXY_URL,
      fetch: (input, init) => {
        if (String(input).endsWith('/v1/oauth/token')) return portal.fetch(input, init);
        calls += 1;
        return new Promise(() => undefined);
      },
      clock,
    });
    proxy.start();

    proxy.reload(portal.account, portalProfile.parse({ timeouts: { call_ms: 60 * SECOND } }));
    const inventory = [{ id: 'kayak', available: true, updated_at: new Date(clock.wall()).toISOString() }];
    await proxy.fetch(pageRequest('POST', '/v1/inventory', { body: { inventory } }));
    await clock.pass(6 * 60 * SECOND - 1);

    assert.equal(calls, 1);
  });
});
