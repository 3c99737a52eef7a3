import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { ADMIN, EVIL, hostPage, openSites, type Sites } from '../security/sites.js';
import { openBrowser, visit } from './visitor.js';

/** The usual guard of a web framework: whoever is not signed in is led to a page where they do so. */
describe('a host whose guard leads whoever is signed out to another page', { timeout: 60_000 }, () => {
  let sites: Sites;
  let browser: Browser;

  before(async () => {
    sites = await openSites();
    browser = await openBrowser();
    for (const name of [ADMIN, EVIL]) sites.put(name, '/sign-in', { body: '<!doctype html><title>Sign in</title>' });
  });

  after(async () => {
    await browser.close();
    await sites.close();
  });

  for (const [where, name] of [
    ['of its own', ADMIN],
    ['of another site', EVIL],
  ] as const) {
    it(`${where}: the person reads that they are signed out`, async (t) => {
      const session = `<availability-toggle item="kayak" session="/guarded">Kayak tour</availability-toggle>`;
      sites.put(ADMIN, '/', hostPage(sites, session));
      sites.put(ADMIN, '/guarded', { body: '', status: 302, headers: { Location: `${sites.origin(name)}/sign-in` } });

      const { page, close } = await visit(browser, sites.origin(ADMIN));
      t.after(close);

      await page.getByText('You are signed out.').first().waitFor();
    });
  }
});
