import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { useDemo } from './use-demo.js';

/** A network may lose single requests. A lost chunk of the script must not cost an edit. */
describe('a page that could not load a chunk of the script', () => {
  const demo = useDemo();
  let page: Page;
  const asked: string[] = [];
  let lost: Promise<unknown>;

  before(async () => {
    page = await demo.browser.newPage();
    await page.route('**/assets/after-load-*', (route) => route.abort());
    page.on('request', (request) => {
      if (request.url().includes('/after-load-')) asked.push(request.url());
    });
    lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/after-load-'));
    await page.goto(demo.servers.hostUrl);
  });

  it('keeps an edit on the device, and sends it once the chunk that sends has loaded', async () => {
    const toggle = page.locator('#admin > .card availability-toggle');
    await toggle.getByRole('button', { name: 'Not available', exact: true }).click();
    await toggle.getByText('Saved here').waitFor();
    await lost;

    await page.unroute('**/assets/after-load-*');

    await toggle.getByText('Live on the portal').waitFor();
    // Some browsers do not load a module again from a URL that failed.
    assert.ok(asked.length > 1);
    assert.equal(new Set(asked).size, asked.length);
  });

  it('also sends the edit in a browser without modulepreload', async () => {
    const older = await demo.browser.newPage();
    await older.addInitScript(() => (DOMTokenList.prototype.supports = () => false));
    await older.route('**/assets/after-load-*', (route) => route.abort());
    const lost = older.waitForEvent('requestfailed', (request) => request.url().includes('/after-load-'));
    await older.goto(demo.servers.hostUrl);
    const toggle = older.locator('#admin > .card availability-toggle');
    await toggle.getByRole('switch').press('Space');
    await toggle.getByText('Saved here').waitFor();
    await lost;

    await older.unroute('**/assets/after-load-*');

    await toggle.getByText('Live on the portal').waitFor();
    await older.close();
  });

  /** Opens the page while this chunk of the editor cannot be loaded. Later requests for it succeed. */
  async function loadWithout(part: string, visited = page): Promise<Locator> {
    await visited.route(`**/assets/${part}-*`, (route) => route.abort());
    await visited.goto(demo.servers.hostUrl);
    const editor = visited.locator('inventory-editor');
    await editor.getByText('This list has not loaded completely').waitFor();
    await visited.unroute(`**/assets/${part}-*`);
    return editor;
  }

  it('shows that the editor has not loaded completely, and loads the missing chunk by "Try again"', async () => {
    const editor = await loadWithout('editing');

    await editor.getByRole('button', { name: 'Try again' }).click();

    await editor.getByText('This list has not loaded completely').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.localName === 'inventory-editor');
    await editor.locator('.sheet .row').filter({ hasText: 'Evening sailing' }).getByRole('switch').click();
    await editor
      .locator('.sheet .row')
      .filter({ hasText: 'Evening sailing' })
      .getByText('Live on the portal')
      .waitFor();
  });

  it('loads the missing chunk of the editor after a minute without a click', async () => {
    const other = await demo.browser.newPage();
    await other.clock.install();
    const editor = await loadWithout('editing', other);

    await other.clock.fastForward('01:00');

    await editor.getByText('This list has not loaded completely').waitFor({ state: 'detached' });
    await editor.getByRole('searchbox', { name: 'Search' }).waitFor();
    await other.close();
  });

  it('opens its first dialog while offline', async () => {
    const other = await demo.browser.newPage();
    const loaded = other.waitForEvent('requestfinished', (request) => request.url().includes('/editing-'));
    await other.goto(demo.servers.hostUrl);
    await loaded;
    await other.context().setOffline(true);
    const editor = other.locator('inventory-editor');

    await editor.locator('.sheet [tabindex="0"]').press('?');

    await editor.getByRole('dialog').waitFor();
    await other.close();
  });

  it('keeps the value if the confirmation dialog cannot be loaded, and asks at the next press', async () => {
    const toggle = page.locator('#admin > .card availability-toggle');
    const control = toggle.getByRole('switch');
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.reload();
    await toggle.getByText('Live on the portal').waitFor();
    if (!(await control.isChecked())) await control.press('Space');
    await page.route('**/assets/confirm-dialog-*', (route) => route.abort());
    const untilLost = (): Promise<Request> =>
      page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/confirm-dialog-'));
    const lost = untilLost();
    await toggle.evaluate((element) => {
      element.toggleAttribute('confirm', true);
      // The change of the language renders the toggle with its new attribute.
      element.setAttribute('lang', 'en');
    });
    await lost;
    const lostAgain = untilLost();
    await control.press('Space');
    const request = await lostAgain;
    // The page learns of a failed request later than Playwright does.
    await page.evaluate((url) => import(url).catch(() => undefined), request.url());
    await page.unroute('**/assets/confirm-dialog-*');

    await control.press('Space');

    await toggle.getByRole('button', { name: 'Make unavailable' }).waitFor();
    assert.equal(await control.isChecked(), true);
    assert.deepEqual(errors, []);
  });

  it('asks for confirmation while offline, and keeps the confirmed edit on the device', async () => {
    const toggle = page.locator('#admin > .card availability-toggle');
    await page.reload();
    await toggle.getByText('Live on the portal').waitFor();
    const loaded = page.waitForEvent('requestfinished', (request) => request.url().includes('/assets/confirm-dialog-'));
    await toggle.evaluate((element) => {
      element.toggleAttribute('confirm', true);
      element.setAttribute('lang', 'en');
    });
    await loaded;
    await page.context().setOffline(true);

    await toggle.getByRole('switch').press('Space');
    await toggle.getByRole('button', { name: 'Make unavailable' }).click();

    await toggle.getByText('Saved here').waitFor();
    await page.context().setOffline(false);
    await toggle.getByText('Live on the portal').waitFor();
    assert.equal(await toggle.getByRole('switch').isChecked(), false);
  });
});
