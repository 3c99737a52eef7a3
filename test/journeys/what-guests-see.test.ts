import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { untilDelivered } from './deliveries.js';
import { useDemo, NARROW } from './use-demo.js';

/** A portal refuses a change: the page still shows the value that guests see, from the proxy's outbox. */
describe('a vendor whose change is refused', () => {
  const demo = useDemo();
  let page: Page;
  let editor: Locator;

  before(async () => {
    ({ page } = await demo.visit('?saving=auto', NARROW));
    editor = page.locator('inventory-editor');
  });

  const kayak = (): Locator => editor.locator('.sheet .row').filter({ hasText: 'Kayak tour' });
  const refused = (): Promise<void> =>
    kayak()
      .getByText(/^Not accepted: .* Guests see now: “Available”\.$/)
      .waitFor();

  it('sees in the row that it was not accepted, and which value guests see', async () => {
    await kayak().locator('.act button').first().click();
    await kayak().getByText('Live on the portal').waitFor();
    await page.getByRole('button', { name: 'Refuse the kayak tour' }).click();
    await page.getByText('The portal refuses the kayak tour with 422').waitFor();

    await kayak().getByRole('switch').click();
    await refused();

    assert.deepEqual((await untilDelivered(demo.servers, 1)).length, 1);
    assert.equal(await kayak().getByRole('switch').getAttribute('aria-checked'), 'false');
  });

  it('sees the same after a reload, in the toggle, and in the details', async () => {
    await page.reload();
    await refused();
    await page.locator('body availability-toggle').first().getByText('Guests see now: “Available”.').waitFor();

    await kayak().locator('.name').click();

    const details = editor.getByRole('dialog', { name: /Kayak tour/ });
    await details.getByText('On the portal now').waitFor();
    assert.match(await details.innerText(), /On the portal now\s+Available/);
    await page.keyboard.press('Escape');
  });

  it('finds the item by the requested value, and by the filter of items that need a decision', async () => {
    await editor.locator('[data-filter=attention]').click();
    await editor.locator('.sheet .row').nth(1).waitFor({ state: 'hidden' });
    await kayak().waitFor();

    await editor.locator('[data-filter=unavailable]').click();
    await kayak().waitFor();
    await editor.locator('[data-filter=all]').click();
  });

  it('sees the whole text of the row, within the width of the page', async () => {
    const cut = await kayak().evaluate((row) => {
      const box = row.getBoundingClientRect();
      const text = row.querySelector('.truth span')?.getBoundingClientRect();
      return text === undefined || text.bottom > box.bottom + 1 || text.right > innerWidth;
    });

    assert.equal(cut, false);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  });
});
