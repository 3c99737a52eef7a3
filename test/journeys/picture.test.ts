import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { differences } from '../visual/pictures.js';
import { useSites } from '../security/use-sites.js';
import { ADMIN, hostPage } from '../security/sites.js';
import type { BrowserUser } from './browser-user.js';

const picture = (width: number, height: number): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}"/>`)}`;
const ITEMS = [
  { id: 'wide', image: picture(400, 90) },
  { id: 'high', image: picture(9, 40) },
  { id: 'gone', image: '/gone.png' },
];

/** Host pages name images of any shape, and images that no longer exist. */
describe('the image of an item', () => {
  const fixture = useSites();
  let user: BrowserUser;

  before(async () => {
    const list = `<script type="application/json">${JSON.stringify(ITEMS)}</script>`;
    const editor = `<inventory-editor session="/inventory-session">${list}</inventory-editor>`;
    fixture.sites.put(ADMIN, '/', hostPage(fixture.sites, editor));
    user = await fixture.visit();
    // The rows are rendered again when the editing tools have loaded.
    await user.page.getByRole('searchbox').waitFor();
  });

  async function imageOf(id: string): Promise<Locator> {
    const row = user.page.locator('.sheet .row', { hasText: id });
    const image = row.locator('img');
    await image.scrollIntoViewIfNeeded();
    await user.page.waitForFunction('node => node.complete', await image.elementHandle());
    return image;
  }

  it('is cropped to a square of one size, whatever its shape', async () => {
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

  it('shows no broken-image icon if it does not exist', async () => {
    const image = await imageOf('gone');
    const shown = await image.screenshot();

    await image.evaluate((node) => {
      node.setAttribute('src', 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');
    });
    await user.page.waitForFunction('node => node.naturalWidth === 1', await image.elementHandle());
    const empty = await image.screenshot();

    assert.deepEqual(await differences(fixture.browser, empty, shown), []);
  });
});
