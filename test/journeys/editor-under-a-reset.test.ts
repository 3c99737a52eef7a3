import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useDemo } from './use-demo.js';

/** As resets that are copied from page to page begin; `display: revert` is inline for an element that a browser does not know. */
const RESETS = [
  '* { all: unset }',
  '*:where(:not(html, iframe, canvas, img, svg, video, audio)) { all: unset; display: revert }',
];

describe('an editor on a phone, in a page that resets all elements', () => {
  const demo = useDemo();

  for (const reset of RESETS) {
    it(`has the name and the switch of an item in sight with ${reset}`, async () => {
      const page = await demo.browser.newPage({ viewport: { width: 375, height: 740 } });
      await page.goto(demo.servers.hostUrl);
      const row = page.locator('inventory-editor .sheet .row').filter({ hasText: 'Evening sailing' });
      await row.waitFor();

      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        document.adoptedStyleSheets.push(sheet);
      }, reset);

      const widths = async (): Promise<number[]> => {
        const boxes = await Promise.all(['.name', '[role=switch]'].map((part) => row.locator(part).boundingBox()));
        return boxes.map((box) => box?.width ?? 0);
      };
      assert.ok(Math.min(...(await widths())) > 40, String(await widths()));
      await page.close();
    });
  }
});
