import type { Browser, BrowserContextOptions } from 'playwright-core';
import { sharedByTests } from '../support/shared-by-tests.js';
import { type DemoOptions, startDemoServers, type DemoServers } from './demo-servers.js';
import { openBrowser, visit, type BrowserUser } from './browser-user.js';

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
export const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
/** A window as narrow as a phone, with a mouse. */
export const NARROW: BrowserContextOptions = { viewport: { width: 375, height: 740 } };

/** The servers and the browser of one `describe`. */
export interface Demo {
  readonly servers: DemoServers;
  readonly browser: Browser;
  /** @param search the query of the host page's address, as in `?saving=auto` */
  visit(search?: string, device?: BrowserContextOptions): Promise<BrowserUser>;
}

/** Starts the demo and a browser before the tests of the enclosing `describe`, and stops them after these. */
export function useDemo(options?: () => DemoOptions): Demo {
  const get = sharedByTests(
    async () => {
      const [servers, browser] = await Promise.all([startDemoServers(options?.()), openBrowser()]);
      return { servers, browser };
    },
    async ({ servers, browser }) => {
      await browser.close();
      await servers.close();
    },
  );

  return {
    get servers() {
      return get().servers;
    },
    get browser() {
      return get().browser;
    },
    visit: (search = '', device = {}) => visit(get().browser, `${get().servers.hostUrl}/${search}`, device),
  };
}
