import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from './browser-user.js';

const HOME = 'https://shop.test';

/** A server that imports the package, as frameworks do for every component of a page, and writes the tags. */
const SERVER = `
  await import('./dist/index.js');
  const rooms = [
    { id: 'garden', label: 'Garden <room>', available: true },
    { id: 'attic', label: 'Attic', available: false },
  ];
  const escape = (text) => text.replace(/[&<"]/g, (sign) => '&#' + sign.charCodeAt(0) + ';');
  console.log(\`<!doctype html><html lang="en"><title>Shop</title>
    <form><availability-toggle name="open" value="yes" checked>Open today</availability-toggle>
      <availability-toggle name="late" required>Open late</availability-toggle></form>
    \${rooms.map(({ id, label }) =>
      \`<availability-toggle item="\${id}" proxy="${HOME}/proxy">\${escape(label)}</availability-toggle>\`).join('')}
    <inventory-editor proxy="${HOME}/proxy" heading="Rooms">
      <script type="application/json">\${JSON.stringify(rooms).replaceAll('<', '\\\\u003c')}</script>
    </inventory-editor>\`);`;

describe('a page that a server has rendered', () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    const body = execFileSync(process.execPath, ['--input-type=module', '--eval', SERVER]).toString();
    browser = await openBrowser();
    page = await browser.newPage();
    await page.route('**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') await route.fulfill({ contentType: 'text/html', body });
      else if (!pathname.endsWith('.js')) await route.fulfill({ status: 404 });
      else {
        const path = new URL(`../../dist/widget${pathname}`, import.meta.url);
        await route.fulfill({ contentType: 'text/javascript', body: readFileSync(path, 'utf8') });
      }
    });
    await page.goto(`${HOME}/`);
  });

  after(() => browser.close());

  it('shows the names of its toggles before the script has loaded, and upgrades the same elements', async () => {
    const toggle = page.locator('availability-toggle').first();
    const isShownEarly = await page.getByText('Garden <room>').first().isVisible();
    const node = await toggle.elementHandle();
    await page.addScriptTag({ url: `${HOME}/widget.js`, type: 'module' });

    await page.getByRole('switch', { name: 'Open today', checked: true }).waitFor();

    assert.equal(isShownEarly, true);
    assert.equal(await toggle.evaluate((element, other) => element === other, node), true);
    assert.equal(await toggle.locator('input').count(), 1);
  });

  it('has toggles that take part in their form', async () => {
    const sent = (): Promise<string> =>
      page.evaluate(`new URLSearchParams(new FormData(document.forms[0])).toString()`);
    const first = [await sent(), await page.evaluate(`document.forms[0].checkValidity()`)];

    await page.getByRole('switch', { name: 'Open late' }).click();

    assert.deepEqual(first, ['open=yes', false]);
    assert.deepEqual(
      [await sent(), await page.evaluate(`document.forms[0].checkValidity()`)],
      ['open=yes&late=on', true],
    );
  });

  it('shows the values of its markup in toggles and editor if the proxy does not answer', async () => {
    await page.getByRole('row', { name: 'Garden <room>' }).waitFor();

    assert.equal(await page.getByRole('row', { name: 'Attic' }).getByRole('switch').isChecked(), false);
    assert.equal(await page.locator('availability-toggle[item=garden]').getByRole('switch').isChecked(), true);
  });
});
