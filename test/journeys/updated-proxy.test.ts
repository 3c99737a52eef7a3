import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { useDemo } from './use-demo.js';

/** The chunks that a page loads by itself, in this order. */
const CHUNKS = ['after-load', 'editing'];

/** An admin page stays open all day. When the proxy is updated, the files of the page's version are gone. */
describe('a page that was open before the proxy was updated', () => {
  const demo = useDemo();
  let page: Page;
  let toggle: Locator;
  let row: Locator;

  beforeEach(async () => {
    page = await demo.browser.newPage();
    const loaded = CHUNKS.map((part) =>
      page.waitForEvent('requestfinished', (request) => request.url().includes(`/assets/${part}-`)),
    );
    await page.goto(demo.servers.hostUrl);
    await Promise.all(loaded);
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }));
    toggle = page.locator('#admin > .card availability-toggle');
    row = page.locator('inventory-editor .sheet .row').filter({ hasText: 'Evening sailing' });
    await row.getByRole('switch').waitFor();
  });

  afterEach(() => page.close());

  function refuse(route: Route, status: number, code: string): Promise<void> {
    const problem = { type: 'about:blank', title: code, status, code, retryable: false, request_id: 'r' };
    return route.fulfill({ status, headers: { 'Access-Control-Allow-Origin': demo.servers.hostUrl }, json: problem });
  }

  it('shows that the session has ended, and sends the waiting edit after the next sign-in', async () => {
    await page.route('**/inventory-session*', (route) => route.fulfill({ status: 401 }));
    await page.route('**/v1/**', (route) => refuse(route, 401, 'session_required'));
    await row.getByRole('switch').press('Space');
    await row.getByText('Saved here. It goes out when you sign in again.').waitFor();

    await page.unroute('**/inventory-session*');
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Try again' }).first().click();

    await row.getByText('Live on the portal').waitFor();
  });

  it('shows that an edit was refused, and sends the next one', async () => {
    await page.route('**/v1/inventory', (route) =>
      route.request().postData()?.includes('kayak') === true ? refuse(route, 404, 'item_unknown') : route.continue(),
    );

    await toggle.getByRole('button', { name: 'Available', exact: true }).click();
    await toggle.getByText('Not accepted').waitFor();
    await row.getByRole('switch').press('Space');

    await row.getByText('Live on the portal').waitFor();
  });
});
