import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createHost } from '../../demo/host/host.js';
import { listen, type Listening } from '../../src/proxy/node/server/http-server.js';
import { useSites } from './use-sites.js';
import { EVIL } from './sites.js';

/** T14 of the threats: an attacker lays an invisible frame over a button of their own page. */
describe('an iframe of another site', () => {
  const fixture = useSites();
  let page: Page;
  let demo: Listening;

  before(async () => {
    const stays = (): Promise<void> => Promise.resolve();
    const options = {
      origin: fixture.sites.origin(EVIL),
      proxy: fixture.sites.proxyUrl,
      portal: fixture.sites.portalUrl,
      sessionSecret: '',
      proxyProcess: { kill: stays, start: stays },
    };
    demo = await listen(createHost(options), { host: '127.0.0.1', port: 0 });
    fixture.sites.put(EVIL, '/', { body: '<!doctype html><title>frames</title><body></body>' });
    fixture.sites.put(EVIL, '/framed', { body: '<!doctype html><title>framed</title><p>May be framed</p>' });
    page = await fixture.browser.newPage();
    await page.goto(fixture.sites.origin(EVIL));
  });

  after(() => demo.close());

  /** The URL of the loaded frame. A browser that blocks it shows its own error page. */
  async function shownIn(address: string): Promise<string> {
    await page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const frame = Object.assign(document.createElement('iframe'), { src, onload: resolve });
          document.body.replaceChildren(frame);
        }),
      address,
    );
    // The page learns of the loaded frame sooner than the test does.
    for (;;) {
      const url = (await (await page.$('iframe'))?.contentFrame())?.url() ?? '';
      if (url !== '' && url !== 'about:blank') return url;
      await nextTurn();
    }
  }

  for (const path of ['/livez', '/widget.js', '/v1/session', '/v1/inventory', '/nowhere']) {
    it(`shows an error page of the browser instead of ${path} of the proxy`, async () => {
      assert.match(await shownIn(fixture.sites.proxyUrl + path), /^chrome-error:/);
    });
  }

  it('shows an error page of the browser instead of the demo', async () => {
    assert.match(await shownIn(`http://demo.localhost:${String(demo.port)}/`), /^chrome-error:/);
  });

  it('shows a page that allows framing', async () => {
    assert.equal(await shownIn(`${fixture.sites.origin(EVIL)}/framed`), `${fixture.sites.origin(EVIL)}/framed`);
  });
});
