import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser, visit, type Visitor } from './visitor.js';
import { hostPage, INTRANET, openSites, type Sites } from '../security/sites.js';

/** Many admin pages live in an intranet without TLS. What a browser keeps from them must not keep an edit from the portal. */
describe('an admin page by plain http', { timeout: 120_000 }, () => {
  let sites: Sites;
  let browser: Browser;
  let visitor: Visitor;

  before(async () => {
    sites = await openSites();
    const body = '<availability-toggle item="kayak" session="/inventory-session">Kayak tour</availability-toggle>';
    sites.put(INTRANET, '/', hostPage(sites, body));
    browser = await openBrowser(`--host-resolver-rules=MAP ${INTRANET} 127.0.0.1`);
    visitor = await visit(browser, `${sites.origin(INTRANET)}/`);
  });

  after(async () => {
    await visitor.close();
    await browser.close();
    await sites.close();
  });

  it('is none that the browser trusts', async () => {
    assert.equal(await visitor.page.evaluate('isSecureContext'), false);
    assert.equal(await visitor.page.evaluate('"locks" in navigator || "randomUUID" in crypto'), false);
  });

  it('brings an edit to the portal', async () => {
    await visitor.page.getByRole('button', { name: 'Available', exact: true }).click();
    await visitor.page.getByText('Live on the portal', { exact: true }).waitFor();

    const [edit] = await sites.outbox.history('boat-tours', { limit: 1 });
    assert.deepEqual([edit?.id, edit?.to, edit?.state], ['kayak', true, 'delivered']);
  });

  it('says once on the console what is missing, and what to do', async () => {
    const lines = (await visitor.heard()).split('\n').filter((line) => line.startsWith('vendor-inventory-widget:'));

    assert.deepEqual(lines, ['vendor-inventory-widget: without https browsers may clear what waits here.']);
  });
});
