import type { Browser } from 'playwright-core';
import { openBrowser, visit, type BrowserUser } from '../journeys/browser-user.js';
import type { ProxyOptions } from '../../src/proxy/options.js';
import { sharedByTests } from '../support/shared-by-tests.js';
import { ADMIN, openSites, type Sites } from './sites.js';

/** The servers and the browser of one `describe`. */
export interface SitesFixture {
  readonly sites: Sites;
  readonly browser: Browser;
  /** @param name the site whose home page is visited. Default: the host's admin page. */
  visit(name?: string): Promise<BrowserUser>;
}

export interface SitesFixtureOptions {
  readonly proxy?: Partial<ProxyOptions>;
  /** Command-line flags of Chromium. */
  readonly flags?: readonly string[];
}

/** Starts the sites and a browser before the tests of the enclosing `describe`, and stops them after these. */
export function useSites({ proxy = {}, flags = [] }: SitesFixtureOptions = {}): SitesFixture {
  const get = sharedByTests(
    async () => {
      const [sites, browser] = await Promise.all([openSites(proxy), openBrowser(...flags)]);
      return { sites, browser };
    },
    async ({ sites, browser }) => {
      await browser.close();
      await sites.close();
    },
  );

  return {
    get sites() {
      return get().sites;
    },
    get browser() {
      return get().browser;
    },
    visit: (name = ADMIN) => visit(get().browser, `${get().sites.origin(name)}/`),
  };
}
