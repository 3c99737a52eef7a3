import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TestInventory } from '../../src/proxy/node/testing/test-inventory.js';
import { openBrowser } from '../journeys/browser-user.js';
import { openHost, serveWith, visitHost, type Host } from './host-visit.js';
import { FOLDER } from './installed.js';

interface Library {
  readonly name: string;
  /** Path of the library's script below node_modules. */
  readonly script: string;
  readonly isModule?: boolean;
  readonly head?: string;
  readonly body?: string;
  /** A control that requests the page again, which the library morphs into the present one. */
  readonly redraw: string;
}

const LIBRARIES: readonly Library[] = [
  {
    name: 'Turbo',
    script: '@hotwired/turbo/dist/turbo.es2017-esm.js',
    isModule: true,
    head: '<meta name="turbo-refresh-method" content="morph"><meta name="turbo-refresh-scroll" content="preserve">',
    redraw: '<a id="redraw" href="/" data-turbo-action="replace">Draw again</a>',
  },
  {
    name: 'htmx',
    script: 'htmx.org/dist/htmx.min.js',
    body: 'hx-boost:inherited="true"',
    redraw: '<button hx-get="/" hx-select="main" hx-target="main" hx-swap="outerMorph">Draw again</button>',
  },
];

for (const library of LIBRARIES) {
  describe(`a page that ${library.name} morphs`, () => {
    let host: Host;
    let browser: Browser;

    before(async () => {
      browser = await openBrowser();
      host = await openHost(serveWith(answerWith(library)));
    });

    after(async () => {
      await browser.close();
      await host.close();
    });

    it('keeps its elements with their unsaved state', async () => {
      const { page, complaints } = await visitHost(browser, host);
      await switchOf(page, 'Kayak tour, one person').click();
      await page.getByRole('switch', { name: 'Open today' }).click();
      await page.getByRole('searchbox').fill('kayak');
      const editor = await page.locator('inventory-editor').elementHandle();

      await page.getByText('Draw again').click();
      await page.getByRole('heading', { name: /^Boats, drawn [2-9]/ }).waitFor();

      assert.equal(await page.locator('inventory-editor').evaluate((now, then) => now === then, editor), true);
      assert.equal(await page.getByRole('searchbox').inputValue(), 'kayak');
      assert.equal(await page.getByRole('switch', { name: 'Open today' }).isChecked(), true);
      assert.equal(await switchOf(page, 'Kayak tour, one person').isChecked(), false);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await untilPortalHas(host.inventory, 'kayak-tour-1');
      assert.deepEqual(complaints, []);
      await page.close();
    });

    it('sends the edit of a toggle if another page is opened at once', async () => {
      const { page, complaints } = await visitHost(browser, host);
      await choiceOf(page, 'pottery-course').click();

      await page.getByRole('link', { name: 'Other page', exact: true }).click();
      await page.getByRole('heading', { name: 'Other' }).waitFor();

      await untilPortalHas(host.inventory, 'pottery-course');
      assert.deepEqual(complaints, []);
      await page.close();
    });

    it('sends the unsent edit of a toggle after a visit to another page', async () => {
      const { page } = await visitHost(browser, host);
      await page.route('**/v1/inventory', (route) => route.abort());
      await choiceOf(page, 'weaving-course').click();

      await page.getByRole('link', { name: 'Other page', exact: true }).click();
      await page.getByRole('heading', { name: 'Other' }).waitFor();
      await page.unroute('**/v1/inventory');
      await page.goBack();

      await untilPortalHas(host.inventory, 'weaving-course');
      await page.close();
    });

    it('offers an unsaved edit again after a visit to another page', async () => {
      const { page, complaints } = await visitHost(browser, host);
      await switchOf(page, 'Kayak tour, two people').click();
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor();

      await page.getByRole('link', { name: 'Other page', exact: true }).click();
      await page.getByRole('heading', { name: 'Other' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Bring back' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();

      await untilPortalHas(host.inventory, 'kayak-tour-2');
      assert.deepEqual(complaints, []);
      await page.close();
    });
  });
}

function switchOf(page: Page, label: string): Locator {
  return page.getByRole('row', { name: label }).getByRole('switch');
}

/** Sets an item without a value to not available. */
function choiceOf(page: Page, item: string): Locator {
  return page.locator(`availability-toggle[item=${item}]`).getByRole('button', { name: 'Not available' });
}

/** It is no claim about speed; it only ends a wait for something that never happens. */
const TIMEOUT_MS = 120_000;

async function untilPortalHas(inventory: TestInventory, id: string): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while ((await inventory.portal.items()).get(id) !== false) {
    assert.ok(Date.now() < end, `the portal never got ${id}`);
    // The proxy and the portal run in this process and need its event loop.
    await setImmediate();
  }
}

function answerWith(library: Library): Parameters<typeof serveWith>[0] {
  let drawn = 0;
  const { script, isModule = false, head = '', body = '', redraw } = library;
  return ({ pathname }, { url }) => {
    if (pathname === '/library.js') {
      const text = readFileSync(join(FOLDER, 'node_modules', script), 'utf8');
      return new Response(text, { headers: { 'Content-Type': 'text/javascript' } });
    }
    drawn += 1;
    const content = pathname === '/other' ? '<h1>Other</h1>' : inventoryPage(url, drawn) + redraw;
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Admin</title>
      <link rel="icon" href="data:,">${head}
      <script src="/library.js"${isModule ? ' type="module"' : ''}></script>
      <script type="module" src="${url}/widget.js"></script></head>
      <body ${body}><main>${content} <a href="/other">Other page</a></main></body></html>`;
    return new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  };
}

function inventoryPage(proxy: string, drawn: number): string {
  const session = `session="${proxy}/inventory-session"`;
  const items = [
    { id: 'kayak-tour-1', label: 'Kayak tour, one person', available: true },
    { id: 'kayak-tour-2', label: 'Kayak tour, two people', available: true },
    { id: 'room-sea', label: 'Room with a view of the sea', available: true },
  ];
  return `<inventory-editor ${session} heading="Boats, drawn ${String(drawn)}">
      <script type="application/json">${JSON.stringify(items)}</script>
    </inventory-editor>
    <availability-toggle item="pottery-course" ${session}>Pottery course</availability-toggle>
    <availability-toggle item="weaving-course" ${session}>Weaving course</availability-toggle>
    <form><availability-toggle name="open">Open today</availability-toggle></form>`;
}
