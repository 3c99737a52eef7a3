import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { createPortalFetch } from '../../../src/proxy/node/portal-fetch.js';
import type { PortalAccount } from '../../../src/proxy/portal/credentials.js';
import { portalProfile } from '../../../src/proxy/portal/profile.js';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { openProxy, type OpenProxy } from '../../support/open-proxy.js';
import { embedToken } from '../../support/page-request.js';
import { servePortal } from '../../support/portal-server.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PROFILE = portalProfile.parse({ update: { path: '/v1/{vendor}/inventory' }, limits: { items: 1 } });

interface Fixture extends OpenProxy {
  readonly account: PortalAccount;
  /** Whose updates have come to the portal so far, in their order. */
  calls(): string[];
  post(...vendors: readonly string[]): Promise<void>;
}

/** What the portal says to the next update of a vendor; all others are taken. */
type Said = Map<string, (response: ServerResponse) => void>;

const answers =
  (status: number, headers: Readonly<Record<string, string>>) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end();

/** A portal at a socket with a path for each vendor, who share one credential but for the pottery. */
async function fixture(t: TestContext, said: Said): Promise<Fixture> {
  const clock = new VirtualClock(Date.now());
  const { url, seen } = await servePortal(t, (response, { url: path = '' }) => {
    const vendor = path.split('/')[2] ?? '';
    const answer = said.get(vendor);
    said.delete(vendor);
    if (path === '/v1/oauth/token') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"a","expires_in":3600}');
    } else if (answer !== undefined) answer(response);
    else response.writeHead(204).end();
  });
  const wire = createPortalFetch(3000);
  t.after(() => wire.close());
  const account = {
    baseUrl: url,
    credentials: [{ clientId: 'guest-house', clientSecret: new Secret('portal-secret-that-is-not-one') }],
    byVendor: new Map([['pottery', [{ clientId: 'pottery', clientSecret: new Secret('a secret of its own') }]]]),
  };
  const proxy = openProxy(t, {
    clock,
    portal: account,
    profile: PROFILE,
    fetch: (input, init) => clock.during(wire.fetch(input, init)),
  });
  return {
    ...proxy,
    account,
    calls: () => seen.flatMap(({ path }) => (path === '/v1/oauth/token' ? [] : [path.split('/')[2] ?? ''])),
    async post(...vendors) {
      for (const vendor of vendors) {
        const inventory = [{ id: 'kayak', available: true, updated_at: new Date(clock.wall()).toISOString() }];
        const token = await embedToken({ vendor });
        const { status } = await proxy.ask('POST', '/v1/inventory', { token, body: { inventory } });
        assert.equal(status, 202);
      }
    },
  };
}

describe('vendors with a shared credential and a path for each', () => {
  for (const [what, answer, first] of [
    ['has had too many calls', answers(429, { 'Retry-After': '90' }), ['boats', 'cabins', 'saunas']],
    ['is being repaired', answers(503, { 'Retry-After': '90' }), ['boats', 'cabins', 'saunas']],
    ['takes no more after this one', answers(204, { RateLimit: '"calls";r=0;t=90' }), ['cabins', 'saunas']],
  ] as const) {
    it(`all wait when the portal responds to one of them that it ${what}`, async (t) => {
      const { clock, proxy, post, calls, outbox } = await fixture(t, new Map([['boats', answer]]));
      proxy.start();
      await post('boats');
      await clock.pass(SECOND);

      await post('cabins', 'saunas');
      await clock.pass(80 * SECOND);
      assert.deepEqual(calls(), ['boats']);

      await clock.pass(20 * SECOND);
      assert.deepEqual(calls().slice(1).sort(), first);
      assert.equal((await outbox.count()).delivered, 3);
    });
  }

  it('all wait when the first of several prepared calls gets Retry-After', async (t) => {
    const vendors = ['boats', 'cabins', 'saunas', 'tours'];
    // All four are leased at once, and which of them calls first is not promised: the portal tells any of them to wait.
    const { clock, proxy, post, calls } = await fixture(
      t,
      new Map(vendors.map((vendor) => [vendor, answers(429, { 'Retry-After': '90' })])),
    );
    await post(...vendors);

    proxy.start();
    await clock.pass(80 * SECOND);

    assert.equal(calls().length, 1);
  });

  it('do not wait for a vendor that gets 403, however long its Retry-After is', async (t) => {
    const away = answers(403, { 'Retry-After': '3600' });
    const { clock, proxy, post, calls, outbox } = await fixture(t, new Map([['boats', away]]));
    proxy.start();
    await post('boats');
    await clock.pass(SECOND);

    await post('cabins', 'saunas');
    await clock.pass(MINUTE);

    assert.deepEqual(calls().sort(), ['boats', 'cabins', 'saunas']);
    assert.equal((await outbox.count()).delivered, 2);
  });

  it('do not delay a vendor with its own credential', async (t) => {
    const { clock, proxy, post, calls } = await fixture(t, new Map([['boats', answers(429, { 'Retry-After': '90' })]]));
    proxy.start();
    await post('boats');
    await clock.pass(SECOND);

    await post('pottery', 'cabins');
    await clock.pass(MINUTE);

    assert.deepEqual(calls(), ['boats', 'pottery']);
  });

  it('are retried at once when the credential has changed', async (t) => {
    const { clock, proxy, post, calls, account } = await fixture(
      t,
      new Map([['boats', answers(429, { 'Retry-After': '3600' })]]),
    );
    proxy.start();
    await post('boats');
    await clock.pass(SECOND);
    await post('cabins');
    await clock.pass(MINUTE);
    assert.deepEqual(calls(), ['boats']);

    const clientSecret = new Secret('another portal secret');
    proxy.reload({ ...account, credentials: [{ clientId: 'guest-house', clientSecret }] }, PROFILE);
    await clock.pass(5 * SECOND);

    assert.deepEqual(calls().slice(1).sort(), ['boats', 'cabins']);
  });
});
