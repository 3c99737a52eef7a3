import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { foundTown, type Town } from './town.js';
import { openBrowser, visit, type Visitor } from './visitor.js';

/** A quarter of the items are of the market stall, and a third of these are not available. */
const COUNT = 60;

/** A storm: all of one group is closed, and after a reload exactly what was available is opened again, by the portal's own journal. */
describe('a vendor who closes one group', { timeout: 240_000 }, () => {
  let town: Town;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;
  let editor: Locator;

  before(async () => {
    town = await foundTown();
    browser = await openBrowser();
    visitor = await visit(browser, `${town.hostUrl}/?state=many&saving=auto`, {
      viewport: { width: 1280, height: 900 },
    });
    page = visitor.page;
    editor = page.locator('inventory-editor');
    await giveItems();
  });

  after(async () => {
    await visitor.close();
    await browser.close();
    await town.close();
  });

  /** The host's page lists its items once it is there. */
  async function giveItems(): Promise<void> {
    await editor.evaluate((element, count) => {
      const items = Array.from({ length: count }, (_, at) => ({
        id: `item-${String(at + 1)}`,
        label: `Item ${String(at + 1)}`,
        group: at % 4 === 0 ? 'Market stall' : 'Workshop',
        available: at % 3 !== 0,
      }));
      Object.assign(element, { items });
    }, COUNT);
    await editor.getByText(`${String(COUNT)} items`).waitFor();
  }

  const stall = (): Locator => editor.locator('.heading').filter({ hasText: 'Market stall' });

  it('sees how many of its items are available', async () => {
    await editor.getByLabel('Sort by').selectOption({ label: 'Group' });

    await stall().getByText('10 of 15 available').waitFor();
  });

  it('closes what is available in it, and the portal gets that and nothing else', async () => {
    await stall().getByRole('button', { name: 'Close all' }).click();
    await editor.getByText('Everything in').waitFor();
    await editor.getByRole('button', { name: 'Close 10' }).click();
    await stall().getByText('0 of 15 available').waitFor();

    const closed = await untilDelivered(town, 10);

    assert.equal(closed.length, 10);
    assert.ok(closed.every(([id, available]) => !available && Number(id.slice(5)) % 4 === 1));
  });

  it('opens exactly that again, also after a reload', async () => {
    await page.reload();
    await giveItems();
    await stall()
      .getByRole('button', { name: /^Reopen these 10/ })
      .click();
    await editor.getByRole('button', { name: 'Open 10' }).click();
    await stall().getByText('10 of 15 available').waitFor();

    await untilDelivered(town, 20);
    const sent = await deliveries(town);

    const closed = sent.slice(0, 10).map(([id]) => id);
    const opened = sent.slice(10);
    assert.deepEqual(opened.map(([id]) => id).sort(), closed.sort());
    assert.ok(opened.every(([, available]) => available));
  });
});
