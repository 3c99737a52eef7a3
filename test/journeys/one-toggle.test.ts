import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

interface Update {
  readonly kind: string;
  readonly status: number | null;
  readonly applied: boolean;
  readonly inventory: readonly { readonly id: string; readonly available: boolean }[] | null;
}

/**
 * The whole path without fakes: a browser, a host page, the proxy and the sandbox portal as processes. One
 * visit from the first click to a killed proxy, because what matters is that one person's edits survive all of it.
 */
describe('a toggle, from the page to the portal', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let toggle: Locator;

  before(async () => {
    user = await demo.visit();
    toggle = user.page.locator('main availability-toggle').first();
  });

  it('loads its script in at most 60 kB, compressed by the proxy', async () => {
    const page = await demo.browser.newPage();
    const coming = page.waitForResponse(/\/widget-[^/]+\.js$/);
    await page.goto(demo.servers.hostUrl);
    const script = await coming;

    const { responseBodySize } = await script.request().sizes();

    assert.equal(script.headers()['content-encoding'], 'br');
    assert.ok(responseBodySize > 10_000 && responseBodySize <= 60_000, `${String(responseBodySize)} bytes`);
    await page.close();
  });

  async function applied(): Promise<Update[]> {
    const response = await fetch(`${demo.servers.portalUrl}/sandbox/journal`);
    const { entries } = (await response.json()) as { entries: Update[] };
    return entries.filter((entry) => entry.kind === 'update' && entry.applied);
  }

  const says = (text: string): Promise<void> => toggle.getByText(text, { exact: true }).waitFor();
  const flip = (): Promise<void> => toggle.getByRole('switch').click();

  it('shows an unknown value as not set, with two buttons', async () => {
    await says('Not set yet');

    assert.equal(await toggle.getByRole('switch').count(), 0);
    assert.equal(await toggle.getByRole('button').count(), 2);
  });

  it('delivers the first choice to the portal with exactly the three documented fields', async () => {
    await toggle.getByRole('button', { name: 'Available', exact: true }).click();
    await says('Live on the portal');

    const [update] = await applied();
    const [item] = update?.inventory ?? [];
    assert.deepEqual(Object.keys(item ?? {}).sort(), ['available', 'id', 'updated_at']);
    assert.deepEqual([item?.id, item?.available], ['kayak-tour-2', true]);
  });

  it('has the same value and status in the editor', async () => {
    const row = user.page.locator('inventory-editor .sheet .row').filter({ hasText: 'Kayak tour' });

    await row.getByText('Live on the portal', { exact: true }).waitFor();

    assert.equal(await row.getByRole('switch').isChecked(), true);
  });

  it('shows an edit as sent, and not as live, while the portal is stopped', async () => {
    await demo.servers.portal.end('SIGTERM');

    await flip();
    await says('Sent, but the portal cannot be reached. We keep trying. Guests see now: “Available”.');

    assert.equal(await toggle.getByText('Live on the portal').count(), 0);
    await user.page.getByText('1 change is not live on the portal yet', { exact: true }).waitFor();
  });

  it('delivers the waiting edit when the portal is back, though the proxy was killed in between', async () => {
    await demo.servers.proxy.end('SIGKILL');
    await demo.servers.portal.start();

    await demo.servers.proxy.start();
    await says('Live on the portal');

    const values = (await applied()).flatMap((update) => update.inventory ?? []).map((item) => item.available);
    assert.deepEqual(values, [false]);
  });

  it('keeps an edit over a reload while the proxy is down, and sends it when the proxy is back', async () => {
    await demo.servers.proxy.end('SIGKILL');
    await flip();
    await says(
      'Saved here. It goes out when the connection is back; keep this page open. Guests see now: “Not available”.',
    );
    const proxyIsBack = demo.servers.proxy.start();
    await proxyIsBack;

    await user.page.reload();
    await says('Live on the portal');

    assert.equal(await toggle.getByRole('switch').isChecked(), true);
    assert.deepEqual((await applied()).at(-1)?.inventory?.[0]?.available, true);
  });

  it('shows that the portal refused an item, and delivers it by "Send again" once the portal accepts it', async () => {
    await user.page.getByRole('button', { name: 'Refuse the kayak tour' }).click();
    await flip();
    await toggle.getByText('Not accepted').waitFor();
    await user.page.getByRole('button', { name: 'Refuse the kayak tour' }).click();
    await user.page.locator('[data-fault="refuse"][aria-pressed="false"]').waitFor();

    await toggle.getByRole('button', { name: 'Send again' }).click();
    await says('Live on the portal');

    assert.equal((await applied()).at(-1)?.inventory?.[0]?.available, false);
  });

  it('keeps an edit of a signed-out person, and sends it after the next sign-in', async () => {
    const signOut = user.page.getByRole('button', { name: 'Sign out of this page' });
    await Promise.all([user.page.waitForEvent('load'), signOut.click()]);
    const room = user.page.locator('inventory-editor .sheet .row').filter({ hasText: 'Attic room' });
    await user.page.getByText('You are signed out.').first().waitFor();
    await room.getByRole('switch').click();
    await room.getByText('Saved here. It goes out when you sign in again.').waitFor();

    await Promise.all([user.page.waitForEvent('load'), signOut.click()]);
    await room.getByText('Live on the portal', { exact: true }).waitFor();

    assert.deepEqual((await applied()).at(-1)?.inventory?.[0]?.id, 'room-attic');
  });

  it('gives the page neither the client secret nor the portal token nor the session secret', async () => {
    const page = `${await user.received()}\n${await user.stored()}`;
    const records = demo.servers.records();

    // The search can find a text: the id of the item occurs in both.
    assert.ok(page.includes('kayak-tour-2'));
    assert.ok(records.includes('kayak-tour-2'));
    for (const secret of [demo.servers.clientSecret, demo.servers.sessionSecret, 'sandbox-token-']) {
      assert.equal(page.includes(secret), false, 'the page was given a secret');
      assert.equal(records.includes(secret), false, 'a log or the database holds a secret');
    }
  });

  it('works under the strict content security policy with Trusted Types, without one violation', () => {
    assert.deepEqual(user.violations, []);
  });

  it('lets proxy and portal exit with 0 on SIGTERM', async () => {
    assert.equal(await demo.servers.proxy.end('SIGTERM'), 0);
    assert.equal(await demo.servers.portal.end('SIGTERM'), 0);
  });
});
