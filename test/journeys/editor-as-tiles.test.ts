import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { useDemo, PHONE } from './use-demo.js';

/** A storm on a phone: the vendor selects tiles by touch and closes them after a preview of the changes. */
describe('the editor with tiles on a phone', () => {
  const demo = useDemo();
  let page: Page;
  let editor: Locator;

  before(async () => {
    ({ page } = await demo.visit('?state=many&saving=auto', PHONE));
    editor = page.locator('inventory-editor');
    await editor.evaluate((element) => {
      element.setAttribute('view', 'grid');
    });
    await editor.getByText('100,000 items').waitFor();
    await tile(1).waitFor();
  });

  const tile = (number: number): Locator => editor.locator(`.tile[data-id="item-${String(number)}"]`);
  const tap = (name: string | RegExp): Promise<void> => editor.getByRole('button', { name }).tap();

  it('shows two tiles in a row, without horizontal scrolling', async () => {
    const [first, second] = await Promise.all([tile(1).boundingBox(), tile(2).boundingBox()]);

    assert.equal(first?.y, second?.y);
    assert.ok((first?.width ?? 0) > 140 && (second?.x ?? 0) + (second?.width ?? 0) <= 375);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  });

  it('delivers the change of a tapped switch to the portal', async () => {
    const isOn = (await tile(2).getByRole('switch').getAttribute('aria-checked')) === 'true';

    await tile(2).getByRole('switch').tap();
    await tile(2).getByText('Live on the portal').waitFor();

    assert.deepEqual(await deliveries(demo.servers), [['item-2', !isOn]]);
  });

  it('previews a bulk change item by item, and delivers exactly that', async () => {
    for (const number of [5, 6]) await tile(number).getByRole('checkbox').tap();
    await editor.locator('[part=selection]').getByText('2 selected').waitFor();

    await tap('Close these 2');
    const preview = editor.getByRole('dialog');
    await preview.getByText('Item 5').waitFor();
    const shown = await preview.innerText();
    await preview.getByRole('button', { name: /^Close/ }).tap();
    await editor.locator('[part=selection]').getByText('2 selected').waitFor({ state: 'hidden' });

    assert.match(shown, /Item 6/);
    assert.match(shown, /Not available/);
    const sent = (await untilDelivered(demo.servers, 3)).slice(1).sort();
    assert.deepEqual(sent, [
      ['item-5', false],
      ['item-6', false],
    ]);
  });

  it('uses at most a third of the screen for bars', async () => {
    await tile(7).getByRole('checkbox').tap();
    await editor.locator('[part=selection]').getByText('1 selected').waitFor();

    const bars = await editor.locator('.bars').boundingBox();

    assert.ok((bars?.height ?? 0) <= 740 / 3, `the bars are ${String(bars?.height)} px high`);
    await tap('Clear');
  });
});
