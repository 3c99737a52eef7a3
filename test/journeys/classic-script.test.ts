import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { useSites } from '../security/use-sites.js';
import { ADMIN, type SitePage } from '../security/sites.js';

/** A page with classic scripts, as templates of older content management systems write them. */
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

  it('loads widget.js of its own proxy as a module, and logs that', async (t) => {
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

  it('passes its nonce on to the module', async (t) => {
    const policy = `script-src 'nonce-abc' ${fixture.sites.proxyUrl}/assets/ ${fixture.sites.proxyUrl}/widget-0.1.0.js`;
    const script = `<script nonce="abc" src="${fixture.sites.proxyUrl}/widget.classic.js"></script>`;

    const { page } = await open(script, { 'Content-Security-Policy': policy });
    t.after(() => page.close());

    await page.getByText('Not set yet').waitFor();
  });

  it('logs an error if the module cannot be loaded, and the content of the tags stays visible', async (t) => {
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

  it('logs an error and does nothing if it is loaded as a module', async (t) => {
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
