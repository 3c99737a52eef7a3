import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import { untilDelivered } from './deliveries.js';
import { foundTown, type Town } from './town.js';
import { openBrowser, visit, type Visitor } from './visitor.js';

/** One visit to the details of an item on a phone: its last changes come from the real proxy, for who may read them. */
describe('the details of an item', { timeout: 120_000 }, () => {
  let town: Town;
  let browser: Browser;

  before(async () => {
    town = await foundTown();
    browser = await openBrowser();
  });

  after(async () => {
    await browser.close();
    await town.close();
  });

  const open = (search: string): Promise<Visitor> =>
    visit(browser, `${town.hostUrl}/${search}`, {
      viewport: { width: 375, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
  const editorOf = ({ page }: Visitor): Locator => page.locator('inventory-editor');
  const rowOf = (visitor: Visitor): Locator => editorOf(visitor).locator('.sheet .row', { hasText: 'Evening sailing' });
  const asked = ({ page }: Visitor): Promise<string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => name.includes('/v1/history')),
    );

  it('change it by their switch, and list that once the proxy has it', async () => {
    const visitor = await open('?saving=auto');
    await rowOf(visitor).locator('.name').tap();
    const details = editorOf(visitor).getByRole('dialog', { name: 'Evening sailing' });
    await details.getByText('No changes yet.').waitFor();

    await details.getByRole('switch').tap();

    await untilDelivered(town, 1);
    const entry = details.locator('.history li').filter({ hasText: 'On the portal' });
    await entry.waitFor();
    assert.match(await entry.innerText(), /becomes “(Not a|A)vailable”[\s\S]*You/);
    assert.deepEqual(visitor.violations, []);
    await visitor.close();
  });

  it('ask for no history and show none where the person may not read it', async () => {
    const visitor = await open('?state=visitor');
    await rowOf(visitor).locator('.name').tap();
    const details = editorOf(visitor).getByRole('dialog', { name: 'Evening sailing' });
    await details.getByText('Status').waitFor();

    assert.equal(await details.getByText('Last changes').count(), 0);
    assert.deepEqual(await asked(visitor), []);
    await visitor.close();
  });
});
