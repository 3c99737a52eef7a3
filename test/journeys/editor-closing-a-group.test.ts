import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { DESKTOP, useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** A quarter of the items belong to the market stall, and a third of these are unavailable. */
const COUNT = 60;

/**
 * A storm: the vendor closes a group and, after a reload, reopens exactly these items. The portal's journal proves
 * both.
 */
describe('a vendor who closes one group', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;

  before(async () => {
    user = await demo.visit('?state=many&saving=auto', DESKTOP);
    page = user.page;
    editor = page.locator('inventory-editor');
    await assignOwner();
  });

  /** Lists the items, as the host's page does after it has loaded. */
  async function assignOwner(): Promise<void> {
    await editor.evaluate((element, count) => {
      const items = Array.from({ length: count }, (_, at) => ({
        id: `item-${String(at + 1)}`,
        label: `Item ${String(at + 1)}`,
        group: at % 4 === 0 ? 'Market stall' : 'Workshop',
        available: at % 3 !== 0,
      }));
      Object.assign(element, { items });
    }, COUNT);
    await editor.getByText(`${String(COUNT)} items`, { exact: true }).waitFor();
  }

  const stall = (): Locator => editor.locator('.heading').filter({ hasText: 'Market stall' });

  it('sees how many items of the group are available', async () => {
    await editor.getByLabel('Sort by').selectOption({ label: 'Group' });

    await stall().getByText('10 of 15 available').waitFor();
  });

  it('closes its available items, and the portal receives exactly these', async () => {
    await stall().getByRole('button', { name: 'Close all' }).click();
    await editor.getByText('Everything in').waitFor();
    await editor.getByRole('button', { name: 'Close 10' }).click();
    await stall().getByText('0 of 15 available').waitFor();

    const closed = await untilDelivered(demo.servers, 10);

    assert.equal(closed.length, 10);
    assert.ok(closed.every(([id, available]) => !available && Number(id.slice(5)) % 4 === 1));
  });

  it('reopens exactly these items after a reload', async () => {
    await page.reload();
    await assignOwner();
    await stall()
      .getByRole('button', { name: /^Reopen these 10/ })
      .click();
    await editor.getByRole('button', { name: 'Open 10' }).click();
    await stall().getByText('10 of 15 available').waitFor();

    await untilDelivered(demo.servers, 20);
    const sent = await deliveries(demo.servers);

    const closed = sent.slice(0, 10).map(([id]) => id);
    const opened = sent.slice(10);
    assert.deepEqual(opened.map(([id]) => id).sort(), closed.sort());
    assert.ok(opened.every(([, available]) => available));
  });
});
