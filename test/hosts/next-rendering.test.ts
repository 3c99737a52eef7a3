import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../journeys/browser-user.js';
import { openHost, visitHost, type Host } from './host-visit.js';
import { startNext } from './next-server.js';

/** In development mode, where React reports each difference between the rendering of server and browser. */
describe('tags that Next renders on the server', () => {
  let host: Host;
  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
    host = await openHost(startNext('dev'));
  });

  after(async () => {
    await browser.close();
    await host.close();
  });

  it('have their items and labels in the HTML', async () => {
    const answer = await fetch(`${host.origin}/rendered?proxy=${host.inventory.url}`);
    const html = await answer.text();

    assert.match(
      html,
      /<inventory-editor [^>]*heading="Boats"[^>]*>\s*<script type="application\/json">\[\{"id":"kayak-tour-1"/,
    );
    assert.match(html, /<availability-toggle [^>]*item="pottery-course"[^>]*>\s*Pottery course/);
  });

  it('are hydrated by React without a warning, update with its properties, and dispatch events to it', async () => {
    const { page, complaints } = await visitHost(browser, host, '/rendered');
    await page.getByRole('row', { name: 'Kayak tour, one person' }).getByRole('switch').click();

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    for (const event of ['change kayak-tour-1 false', 'saved']) {
      await page.getByRole('listitem').getByText(event, { exact: true }).first().waitFor();
    }
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Boats and rooms' }).waitFor();

    assert.equal((await host.inventory.portal.items()).get('kayak-tour-1'), false);
    // The development build of Lit logs this message.
    assert.deepEqual(
      complaints.filter((text) => !text.startsWith('Lit is in dev mode')),
      [],
    );
    await page.close();
  });
});
