import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { FORGERIES } from './forgeries.js';
import { useSites } from './use-sites.js';
import { EVIL, PROXY, SIBLING, type ReceivedRequest } from './sites.js';

/**
 * T2 and T3 of the threats: another site, and a sibling below the same domain, use the browser of a person who is
 * signed in. The proxy of this test authenticates people by a cookie, because a browser adds cookies to forged
 * requests.
 */
const COOKIE = 'person=ada';
const BATCH = '{"inventory":[{"id":"kayak","available":true,"updated_at":"2026-11-21T08:30:00.000Z"}]}';
const HEADERS = {
  'X-Requested-With': 'inventory-widget',
  'Content-Type': 'application/json',
  'Idempotency-Key': 'honest',
};

describe('another page in the browser of a person who is signed in', () => {
  const fixture = useSites({
    proxy: {
      authenticate: (request) => {
        const known = request.headers.get('Cookie')?.includes(COOKIE) === true;
        const permissions = new Set(['view', 'edit'] as const);
        const session = { vendor: 'boat-tours', subject: 'ada', permissions, expiresAt: Date.now() + 600_000 };
        return Promise.resolve(known ? session : undefined);
      },
    },
  });
  let person: BrowserContext;

  before(async () => {
    const blank = { body: '<!doctype html><title>page</title><body></body>' };
    for (const name of [EVIL, SIBLING]) fixture.sites.put(name, '/', blank);
    fixture.sites.put(PROXY, '/own', {
      ...blank,
      headers: { 'Set-Cookie': `${COOKIE}; Path=/; Secure; HttpOnly; SameSite=None` },
    });
    person = await fixture.browser.newContext();
    const page = await person.newPage();
    await page.goto(`${fixture.sites.proxyUrl}/own`);
    await page.close();
  });

  /** Resolves with the first request of that forgery. Without one, the test runs into the timeout of the suite. */
  async function arrived(marker: string): Promise<ReceivedRequest> {
    for (;;) {
      const found = fixture.sites.received.find(({ path }) => path.includes(marker));
      if (found !== undefined) return found;
      await nextTurn();
    }
  }

  const markerOf = (name: string, index: number): string => `forgery=${name}-${String(index)}-`;

  for (const [name, site] of [
    [EVIL, 'cross-site'],
    [SIBLING, 'same-site'],
  ] as const) {
    describe(`from ${name === EVIL ? 'another site' : 'a sibling below the same domain'}`, () => {
      before(async () => {
        const page = await person.newPage();
        await page.goto(fixture.sites.origin(name));
        for (const [index, { script }] of FORGERIES.entries()) {
          const target = `${fixture.sites.proxyUrl}/v1/inventory?${markerOf(name, index)}`;
          await page.evaluate(
            `{ const target = ${JSON.stringify(target)}, batch = ${JSON.stringify(BATCH)}; ${script} }`,
          );
        }
      });

      for (const [index, { what, isPreflighted, carriesCookie }] of FORGERIES.entries()) {
        it(`is refused ${what}`, async () => {
          const request = await arrived(markerOf(name, index));

          if (isPreflighted) assert.equal(request.method, 'OPTIONS');
          else assert.equal(request.status, 403, `${request.method} was not refused`);
          // A sandboxed frame has an opaque origin, so its requests are cross-site.
          assert.match(request.headers.get('Sec-Fetch-Site') ?? '', new RegExp(`^(${site}|cross-site)$`));
          if (carriesCookie) assert.equal(request.headers.get('Cookie'), COOKIE);
        });
      }

      it('stores no row, and gets no response but a preflight or a 403', async () => {
        const others = fixture.sites.received
          .filter(({ method, path, status }) => path.startsWith('/v1') && method !== 'OPTIONS' && status !== 403)
          .map(({ method, path, status }) => `${method} ${path} ${String(status)}`);

        assert.deepEqual(others, []);
        assert.equal((await fixture.sites.outbox.count()).accepted, 0);
      });
    });
  }

  it('does not stop a page of the proxy’s own origin from reading and writing', async () => {
    const page = await person.newPage();
    await page.goto(`${fixture.sites.proxyUrl}/own`);

    const [read, written] = await page.evaluate(
      async ([body, headers]) => [
        (await fetch('/v1/inventory')).status,
        (await fetch('/v1/inventory', { method: 'POST', body, headers })).status,
      ],
      [BATCH, HEADERS] as const,
    );

    assert.deepEqual([read, written], [200, 202]);
    assert.equal((await fixture.sites.outbox.count()).accepted, 1);
  });
});
