import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useDemo } from './use-demo.js';

/** Common CSS resets begin so. `display: revert` is inline for a custom element. */
const RESETS = [
  '* { all: unset }',
  '*:where(:not(html, iframe, canvas, img, svg, video, audio)) { all: unset; display: revert }',
];

describe('an editor on a phone, on a page with a CSS reset of all elements', () => {
  const demo = useDemo();

  for (const reset of RESETS) {
    it(`shows the name and the switch of an item with ${reset}`, async () => {
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
