import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import { differences } from '../visual/pictures.js';
import { ADMIN, hostPage, openSites, type Sites } from '../security/sites.js';
import { openBrowser, visit, type Visitor } from './visitor.js';

const picture = (width: number, height: number): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}"/>`)}`;
const ITEMS = [
  { id: 'wide', image: picture(400, 90) },
  { id: 'high', image: picture(9, 40) },
  { id: 'gone', image: '/gone.png' },
];

/** Host pages give pictures of every shape, and addresses that are no longer good. */
describe('the picture of an item', { timeout: 60_000 }, () => {
  let sites: Sites;
  let browser: Browser;
  let visitor: Visitor;

  before(async () => {
    sites = await openSites();
    const list = `<script type="application/json">${JSON.stringify(ITEMS)}</script>`;
    const editor = `<inventory-editor session="/inventory-session">${list}</inventory-editor>`;
    sites.put(ADMIN, '/', hostPage(sites, editor));
    browser = await openBrowser();
    visitor = await visit(browser, `${sites.origin(ADMIN)}/`);
    // The tools come after the first rows, which are drawn once more then.
    await visitor.page.getByRole('searchbox').waitFor();
  });

  after(async () => {
    await visitor.close();
    await browser.close();
    await sites.close();
  });

  async function imageOf(id: string): Promise<Locator> {
    const row = visitor.page.locator('.sheet .row', { hasText: id });
    const image = row.locator('img');
    await image.scrollIntoViewIfNeeded();
    await visitor.page.waitForFunction('node => node.complete', await image.elementHandle());
    return image;
  }

  it('is cut to a square of one size, whatever its shape', async () => {
    const sizes: unknown[] = [];
    for (const id of ['wide', 'high']) {
      const box = await (await imageOf(id)).boundingBox();
      sizes.push([box?.width, box?.height]);
    }

    assert.deepEqual(sizes, [
      [36, 36],
      [36, 36],
    ]);
  });

  it('leaves its place empty where there is none any more: the sign of a broken image says nothing of the item', async () => {
    const image = await imageOf('gone');
    const shown = await image.screenshot();

    await image.evaluate((node) => {
      node.setAttribute('src', 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
    });
    await visitor.page.waitForFunction('node => node.naturalWidth === 1', await image.elementHandle());
    const empty = await image.screenshot();

    assert.deepEqual(await differences(browser, empty, shown), []);
  });
});
