import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ADMIN, openSites, type SitePage, type Sites } from '../security/sites.js';
import { openBrowser } from './visitor.js';

/** A page whose scripts are no modules, as a template of an older content management system writes them. */
describe('widget.classic.js', { timeout: 60_000 }, () => {
  let sites: Sites;
  let browser: Browser;

  before(async () => {
    sites = await openSites();
    browser = await openBrowser();
  });

  after(async () => {
    await browser.close();
    await sites.close();
  });

  async function open(script: string, headers: SitePage['headers'] = {}): Promise<{ page: Page; said: string[] }> {
    const toggle = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';
    sites.put(ADMIN, '/', { body: `<!doctype html><title>Admin</title>${script}${toggle}`, headers });
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(`${message.type()} ${message.text()}`));
    await page.goto(sites.origin(ADMIN));
    return { page, said };
  }

  it('loads the elements, which know their proxy, and says what it did', async (t) => {
    const { page, said } = await open(`<script src="${sites.proxyUrl}/widget.classic.js?v=1"></script>`);
    t.after(() => page.close());

    await page.getByText('Not set yet').waitFor();

    assert.ok(
      said.includes(
        `info vendor-inventory-widget: widget.classic.js has loaded ${sites.proxyUrl}/widget.js as a module.`,
      ),
      said.join('\n'),
    );
  });

  it('hands its nonce on', async (t) => {
    const policy = `script-src 'nonce-abc' ${sites.proxyUrl}/assets/ ${sites.proxyUrl}/widget-0.1.0.js`;
    const script = `<script nonce="abc" src="${sites.proxyUrl}/widget.classic.js"></script>`;

    const { page } = await open(script, { 'Content-Security-Policy': policy });
    t.after(() => page.close());

    await page.getByText('Not set yet').waitFor();
  });

  it('says why where the module cannot be loaded, and the children of the tags stay', async (t) => {
    const policy = `script-src ${sites.proxyUrl}/widget.classic.js`;
    const script = `<script src="${sites.proxyUrl}/widget.classic.js"></script>`;

    const { page, said } = await open(script, { 'Content-Security-Policy': policy });
    t.after(() => page.close());

    await page.getByText('Kayak tour').waitFor();
    assert.ok(
      said.some((line) =>
        line.startsWith(`error vendor-inventory-widget: widget.classic.js could not load ${sites.proxyUrl}`),
      ),
      said.join('\n'),
    );
  });

  it('says why where it is written into the page or loaded as a module', async (t) => {
    const { page, said } = await open(`<script type="module" src="${sites.proxyUrl}/widget.classic.js"></script>`);
    t.after(() => page.close());

    await page.getByText('Kayak tour').waitFor();

    assert.match(
      said.join('\n'),
      /error vendor-inventory-widget: widget\.classic\.js does nothing: it has to be loaded by/,
    );
  });
});
