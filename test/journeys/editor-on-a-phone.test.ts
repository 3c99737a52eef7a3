import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { useDemo, PHONE } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/**
 * One visit at a phone's width, by touch, with a portal that is stopped in between. An edit that waits is shown as
 * waiting until the portal has received it.
 */
describe('a vendor with a phone', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;
  let bar: Locator;

  before(async () => {
    user = await demo.visit('?state=many&saving=manual', PHONE);
    page = user.page;
    editor = page.locator('inventory-editor');
    bar = editor.locator('[part=save]');
    await editor.getByText('100,000 items').waitFor();
  });

  const row = (id: string): Locator => editor.locator(`.sheet .row[data-id="${id}"]`);
  const tap = (name: string | RegExp): Promise<void> => editor.getByRole('button', { name }).tap();

  it('sees cards as wide as the page, without horizontal scrolling', async () => {
    const { width } = (await row('item-2').boundingBox()) ?? { width: 0 };

    assert.ok(width > 300 && width <= 375, `a card is ${String(width)} px wide`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 375);
  });

  it('scrolls the page from within the list if the list is at its start', async () => {
    await row('item-2').scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    const card = await row('item-2').boundingBox();
    await page.mouse.move((card?.x ?? 0) + 40, (card?.y ?? 0) + 20);

    await page.mouse.wheel(0, -200);

    await page.waitForFunction((from) => scrollY < from, before);
    assert.ok(before > 200, `the list begins ${String(before)} px down`);
  });

  it('finds items with a filter and a search, and sees the right counts', async () => {
    await editor.getByRole('button', { name: 'Available 57,142', exact: true }).tap();
    await row('item-1').waitFor({ state: 'hidden' });
    await editor.getByRole('searchbox').tap();
    await page.keyboard.type('item-9999');
    await row('item-99990').waitFor();

    await editor.locator('.sheet .row').nth(6).waitFor();
    assert.equal(await editor.locator('.sheet .row').count(), 7);
  });

  it('changes one item, which is shown as not saved yet', async () => {
    await row('item-9999').getByRole('switch').tap();
    await row('item-9999').getByText('Not saved yet').waitFor();

    await bar.getByText('1 change').waitFor();
    assert.deepEqual(await deliveries(demo.servers), []);
  });

  it('closes all matches, after a preview with the number of those that are closed already', async () => {
    await row('item-99990').getByRole('checkbox').tap();
    await tap('Select all 7');
    await editor.locator('[part=selection]').getByText('7 selected').waitFor();
    await tap(/^Close th(is|ese) /);
    const preview = editor.getByRole('dialog', { name: 'Close 6 items?' });
    await preview.getByText('1 is already unavailable.').waitFor();

    await preview.getByRole('button', { name: 'Close 6' }).tap();
    await bar.getByText('7 changes').waitFor();

    assert.deepEqual(await deliveries(demo.servers), []);
  });

  it('can restore unsaved changes after a reload, and sees their age', async () => {
    await page.reload();
    const offer = editor.locator('[part=drafts]');
    await offer.getByText('7 changes that you did not save, from just now.').waitFor();
    assert.equal(await bar.count(), 0);

    await offer.getByRole('button', { name: 'Bring back' }).tap();
    await bar.getByText('7 changes').waitFor();
    await tap(/^Not saved/);
    await row('item-9999').getByText('Not saved yet').waitFor();

    assert.deepEqual(await deliveries(demo.servers), []);
  });

  it('sees edits as sent, and not as live, while the portal is down', async () => {
    await demo.servers.portal.end('SIGTERM');

    await bar.getByRole('button', { name: 'Save' }).tap();
    await row('item-9999').getByText('Sent, but the portal cannot be reached. We keep trying.').waitFor();
    await editor.locator('.count').getByText('7 changes are not live on the portal yet').waitFor();

    assert.equal(await editor.locator('.sheet').getByText('Live on the portal').count(), 0);
    assert.equal(await bar.count(), 0);
  });

  it('sees edits as live when the portal is back and has received them', async () => {
    await demo.servers.portal.start();

    await row('item-9999').getByText('Live on the portal', { exact: true }).waitFor();
    await editor.locator('.count').getByText('No changes are waiting').waitFor();

    const sent = await untilDelivered(demo.servers, 7);
    assert.equal(sent.length, 7);
    assert.ok(sent.every(([id, available]) => /^item-9999\d?$/.test(id) && !available));
  });

  it('causes no violation of the strict content security policy', () => {
    assert.deepEqual(user.violations, []);
  });
});
