import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createPortalFetch } from '../../../../src/proxy/node/portal-fetch.js';
import { openSqliteOutbox } from '../../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { portalProfile } from '../../../../src/proxy/portal/profile.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import { openProxy } from '../../../support/open-proxy.js';
import { embedToken } from '../../../support/page-request.js';
import { servePortal } from '../../../support/portal-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const SECOND = 1000;

/** The portal refuses calls with several items, with a Retry-After. */
describe('a proxy that is killed while the halves of a refused batch wait for the portal', () => {
  it('keeps the wait that the portal asked for after its next start', async (t) => {
    const clock = new VirtualClock(Date.now());
    const sizes: number[] = [];
    const { url, seen } = await servePortal(t, (response, request) => {
      if (request.url === '/v1/oauth/token') {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"a","expires_in":3600}');
        return;
      }
      const { inventory } = JSON.parse(seen.at(-1)?.body ?? '') as { inventory: unknown[] };
      sizes.push(inventory.length);
      if (inventory.length > 1) response.writeHead(422, { 'Retry-After': '20' }).end();
      else response.writeHead(204).end();
    });
    const wire = createPortalFetch(3000);
    t.after(() => wire.close());
    const folder = scratchFolder();
    const settings = {
      portal: { baseUrl: url, credentials: [{ clientId: 'guest-house', clientSecret: new Secret('x') }] },
      profile: portalProfile.parse({}),
      fetch: ((input, init) => clock.during(wire.fetch(input, init))) satisfies typeof fetch,
      clock,
    };
    const killed = openProxy(t, { ...settings, outbox: openSqliteOutbox(join(folder, 'inventory.sqlite')) });
    const post = async (...ids: readonly string[]): Promise<void> => {
      const inventory = ids.map((id) => ({ id, available: true, updated_at: new Date(clock.wall()).toISOString() }));
      await killed.ask('POST', '/v1/inventory', { token: await embedToken(), body: { inventory } });
    };
    killed.proxy.start();
    await post('proof');
    await clock.pass(SECOND);
    await post('kayak', 'canoe');
    await clock.pass(SECOND);
    assert.deepEqual(sizes, [1, 2]);

    // A copy of the files on the disk at this moment.
    const left = scratchFolder();
    cpSync(folder, left, { recursive: true });
    await killed.proxy.stop();
    const next = openProxy(t, { ...settings, outbox: openSqliteOutbox(join(left, 'inventory.sqlite')) });
    next.proxy.start();

    await clock.pass(15 * SECOND);
    assert.deepEqual(sizes, [1, 2], 'there is no call before the end of the wait');
    await clock.pass(60 * SECOND);
    assert.equal((await next.outbox.count()).delivered, 3);
  });
});
