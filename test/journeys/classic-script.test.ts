import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { useSites } from '../security/use-sites.js';
import { ADMIN, type SitePage } from '../security/sites.js';

/** A page whose scripts are no modules, as a template of an older content management system writes them. */
describe('widget.classic.js', () => {
  const fixture = useSites();

  async function open(script: string, headers: SitePage['headers'] = {}): Promise<{ page: Page; said: string[] }> {
    const toggle = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';
    fixture.sites.put(ADMIN, '/', { body: `<!doctype html><title>Admin</title>${script}${toggle}`, headers });
    const page = await fixture.browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(`${message.type()} ${message.text()}`));
    await page.goto(fixture.sites.origin(ADMIN));
    return { page, said };
  }

  it('loads the elements, which know their proxy, and says what it did', async (t) => {
    const { page, said } = await open(`<script src="${fixture.sites.proxyUrl}/widget.classic.js?v=1"></script>`);
    t.after(() => page.close());

    await page.getByText('Not set yet').waitFor();

    assert.ok(
      said.includes(
        `info vendor-inventory-widget: widget.classic.js has loaded ${fixture.sites.proxyUrl}/widget.js as a module.`,
      ),
      said.join('\n'),
    );
  });

  it('hands its nonce on', async (t) => {
    const policy = `script-src 'nonce-abc' ${fixture.sites.proxyUrl}/assets/ ${fixture.sites.proxyUrl}/widget-0.1.0.js`;
    const script = `<script nonce="abc" src="${fixture.sites.proxyUrl}/widget.classic.js"></script>`;

    const { page } = await open(script, { 'Content-Security-Policy': policy });
    t.after(() => page.close());

    await page.getByText('Not set yet').waitFor();
  });

  it('says why where the module cannot be loaded, and the children of the tags stay', async (t) => {
    const policy = `script-src ${fixture.sites.proxyUrl}/widget.classic.js`;
    const script = `<script src="${fixture.sites.proxyUrl}/widget.classic.js"></script>`;

    const { page, said } = await open(script, { 'Content-Security-Policy': policy });
    t.after(() => page.close());

    await page.getByText('Kayak tour').waitFor();
    assert.ok(
      said.some((line) =>
        line.startsWith(`error vendor-inventory-widget: widget.classic.js could not load ${fixture.sites.proxyUrl}`),
      ),
      said.join('\n'),
    );
  });

  it('says why where it is written into the page or loaded as a module', async (t) => {
    const { page, said } = await open(
      `<script type="module" src="${fixture.sites.proxyUrl}/widget.classic.js"></script>`,
    );
    t.after(() => page.close());

    await page.getByText('Kayak tour').waitFor();

    assert.match(
      said.join('\n'),
      /error vendor-inventory-widget: widget\.classic\.js does nothing: it has to be loaded by/,
    );
  });
});
