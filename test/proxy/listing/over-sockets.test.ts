import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { listing, type Listing } from '../../../src/contract/widget.js';
import { nodeListener } from '../../../src/proxy/node/server/node-listener.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { createSandboxPortal } from '../../../src/sandbox/sandbox-portal.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { serve } from '../../support/serve.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const CLIENT = { clientId: 'guest-house', clientSecret: 'portal-secret-that-is-not-one' };

interface Fixture {
  readonly clock: VirtualClock;
  change(id: string, available: boolean): Promise<void>;
  page(): Promise<Listing>;
  post(id: string, available: boolean): Promise<void>;
}

/** A proxy that calls the sandbox portal over a socket; only the time of the proxy is virtual. */
async function open(t: TestContext, paging: string, habits: object = {}): Promise<Fixture> {
  const sandbox = createSandboxPortal(CLIENT);
  const baseUrl = await serve(t, nodeListener({ fetch: (request) => sandbox.fetch(request) }));
  const control = async (method: string, what: string, body: object): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${baseUrl}/sandbox/${what}`, { method, headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
  };
  await control('PUT', 'habits', { list: paging, list_page: 2, ...habits });
  const clock = new VirtualClock(Date.now());
  const { proxy, ask } = openProxy(t, {
    clock,
    portal: { baseUrl, credentials: [{ clientId: CLIENT.clientId, clientSecret: new Secret(CLIENT.clientSecret) }] },
    profile: portalProfile.parse({ listing: { path: '/v1/inventory', paging, vendor: 'boat-tours' } }),
    fetch: (input, init) => clock.during(fetch(input, init)),
  });
  proxy.start();
  return {
    clock,
    change: (id, available) => control('POST', 'items', { id, available }),
    async page() {
      const response = ask('GET', '/v1/inventory', { token: await embedToken() });
      return listing.parse(await (await clock.passUntil(response, 20 * SECOND)).json());
    },
    async post(id, available) {
      const body = { inventory: [{ id, available, updated_at: '2026-11-21T08:30:00.000Z' }] };
      assert.equal((await ask('POST', '/v1/inventory', { token: await embedToken(), body })).status, 202);
    },
  };
}

describe("the portal's own list, over sockets", () => {
  for (const paging of ['cursor', 'page', 'link'] as const) {
    it(`fills the editor, and shows what was changed at the portal, by ${paging}`, async (t) => {
      const fixture = await open(t, paging);
      for (const id of ['boat', 'canoe', 'kayak', 'sauna', 'yurt']) await fixture.change(id, true);
      await fixture.post('kayak', true);
      await fixture.clock.pass(10 * SECOND);
      const before = await fixture.page();

      await fixture.change('kayak', false);
      await fixture.change('yurt', false);
      for (let minutes = 0; minutes < 3; minutes += 1) {
        await fixture.page();
        await fixture.clock.pass(MINUTE);
      }

      const { inventory } = await fixture.page();
      assert.deepEqual(
        before.inventory.map(({ id, available, state, on_portal }) => [id, available, state ?? on_portal]),
        [
          ['boat', true, 'listed'],
          ['canoe', true, 'listed'],
          ['kayak', true, 'delivered'],
          ['sauna', true, 'listed'],
          ['yurt', true, 'listed'],
        ],
      );
      assert.deepEqual(
        inventory.filter(({ available }) => available !== true).map(({ id, on_portal }) => [id, on_portal]),
        [
          ['kayak', 'changed'],
          ['yurt', 'listed'],
        ],
      );
    });
  }
});
