import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** What 1280 by 1024 px are at 400 % (WCAG 2.2, success criterion 1.4.10). */
const ENLARGED = { width: 320, height: 256 };

const NAME = 'A cruise of three hours along the coast to the lighthouse and back, with a stop for lunch';

describe('a vendor at 400 % zoom', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;

  before(async () => {
    user = await demo.visit('?saving=manual', { viewport: ENLARGED });
    page = user.page;
    editor = page.locator('inventory-editor');
    await editor.evaluate((element, label) => {
      const items = Array.from({ length: 30 }, (_, at) => ({ id: `cruise-${String(at)}`, label, available: true }));
      Object.assign(element, { items });
    }, NAME);
    await editor.locator('.sheet .row[data-id="cruise-3"]').waitFor();
  });

  /** The visible share of an element, from 0 to 1. */
  const seenOf = (part: Locator): Promise<number> =>
    part.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const observer = new IntersectionObserver(([entry]) => {
            observer.disconnect();
            resolve(entry?.intersectionRatio ?? 0);
          });
          observer.observe(element);
        }),
    );

  it('can change the list while the selection bar and the save bar are open', async () => {
    await editor.getByRole('checkbox').nth(1).click();
    await editor.getByRole('switch').nth(1).click();
    await editor.locator('[part=save]').waitFor();
    await editor.locator('[part=selection]').waitFor();

    await editor.getByRole('switch').nth(2).click();

    await editor.getByText('2 changes', { exact: true }).waitFor();
  });

  it('can scroll to all details of an item with a long name', async () => {
    await editor.locator('.sheet .truth button').nth(2).click();
    const details = editor.getByRole('dialog', { name: NAME });
    await details.waitFor();

    const id = details.locator('dd').getByText('cruise-2', { exact: true });
    await id.scrollIntoViewIfNeeded();

    assert.equal(await seenOf(id), 1);
  });
});
