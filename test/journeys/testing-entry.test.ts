import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { listen } from '../../src/proxy/node/server/http-server.js';
import {
  createTestInventory,
  FIXTURES,
  playwrightRoute,
  serveTestInventory,
  type TestInventory,
} from '../../src/proxy/node/testing/test-inventory.js';
import { freePort } from './free-port.js';
import { openBrowser } from './browser-user.js';

const WIDGET = { widgetDirectory: 'dist/widget' };

/** The set-ups of src/proxy/node/testing/README.md, in a real browser. */
describe('the backend for tests, in a browser', () => {
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
  });

  after(async () => {
    await browser.close();
  });

  it('answers intercepted requests of a page without listening on a port', async (t) => {
    const origin = 'https://admin.example.com';
    const inventory = await createTestInventory({ origins: [origin], ...WIDGET });
    const page = await browser.newPage();
    t.after(() => Promise.all([page.close(), inventory.close()]));
    await page.route(`${inventory.url}/**`, playwrightRoute(inventory));
    await page.route('**/inventory-session', async (route) => {
      await route.fulfill({ json: { token: await inventory.token() } });
    });
    await page.route(`${origin}/`, async (route) => {
      await route.fulfill({ contentType: 'text/html', body: adminPage(inventory, '/inventory-session') });
    });

    await page.goto(`${origin}/`);

    await switchOff(page, inventory);
  });

  it('serves a page on another port, and has its own session route', async (t) => {
    const port = await freePort();
    const inventory = await serveTestInventory({ origins: [`http://localhost:${String(port)}`], ...WIDGET });
    const body = adminPage(inventory, `${inventory.url}/inventory-session`);
    const headers = { 'Content-Type': 'text/html; charset=utf-8' };
    const host = await listen(() => Promise.resolve(new Response(body, { headers })), { host: '127.0.0.1', port });
    const page = await browser.newPage();
    t.after(() => Promise.all([page.close(), host.close(), inventory.close()]));

    await page.goto(`http://localhost:${String(port)}/`);

    await switchOff(page, inventory);
  });
});

function adminPage({ url }: TestInventory, session: string): string {
  return `<!doctype html><html lang="en"><title>Admin</title>
    <script type="module" src="${url}/widget.js"></script>
    <inventory-editor session="${session}" save-mode="auto">
      <script type="application/json">${JSON.stringify(FIXTURES.items)}</script>
    </inventory-editor></html>`;
}

async function switchOff(page: Page, inventory: TestInventory): Promise<void> {
  const row = page.locator('.sheet .row').filter({ hasText: 'Kayak tour, one person' });
  await row.getByRole('switch').click();
  await row.getByText('Live on the portal').waitFor();

  await inventory.settled();
  assert.equal((await inventory.portal.items()).get('kayak-tour-1'), false);
}
