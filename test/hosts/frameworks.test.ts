import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../journeys/browser-user.js';
import { openHost, serveFolder, visitHost, type Host, type StartHost } from './host-visit.js';
import { FOLDER } from './installed.js';
import { startNext } from './next-server.js';

const HOSTS: readonly (readonly [framework: string, start: StartHost])[] = [
  ['React', serveFolder(join(FOLDER, 'react/dist'))],
  ['Vue', serveFolder(join(FOLDER, 'vue/dist'))],
  ['Svelte', serveFolder(join(FOLDER, 'svelte/dist'))],
  ['Next', startNext('start')],
];

for (const [framework, start] of HOSTS) {
  describe(`a host in ${framework}`, () => {
    let host: Host;
    let browser: Browser;

    before(async () => {
      browser = await openBrowser();
      host = await openHost(start);
    });

    after(async () => {
      await browser.close();
      await host.close();
    });

    it('delivers the edits of both elements to the portal, and receives their events', async () => {
      const { page, complaints } = await visitHost(browser, host);

      await switchOf(page, 'Kayak tour, one person').click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('group', { name: 'Pottery course' }).getByRole('button', { name: 'Not available' }).click();

      for (const event of ['change kayak-tour-1 false', 'saved', 'receipt pottery-course on-portal']) {
        await page.getByRole('listitem').getByText(event, { exact: true }).first().waitFor();
      }
      const items = await host.inventory.portal.items();
      assert.deepEqual([items.get('kayak-tour-1'), items.get('pottery-course')], [false, false]);
      assert.deepEqual(complaints, []);
      await page.close();
    });

    it('updates both elements when it changes their properties', async () => {
      const { page, complaints } = await visitHost(browser, host);
      await switchOf(page, 'Room with a view of the sea').waitFor();

      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('heading', { name: 'Boats and rooms' }).waitFor();
      await page.getByRole('button', { name: 'Add the sauna' }).click();
      await switchOf(page, 'Sauna').waitFor();
      await page.getByRole('button', { name: 'Lock' }).click();
      await page.locator('inventory-editor[readonly]').waitFor();
      await switchOf(page, 'Sauna').click({ force: true });

      assert.equal(await switchOf(page, 'Sauna').isChecked(), true);
      assert.deepEqual(complaints, []);
      await page.close();
    });

    it('restores an unsaved edit after it removed and rendered the elements again', async () => {
      const { page, complaints } = await visitHost(browser, host);
      await switchOf(page, 'Kayak tour, two people').click();
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor();

      await page.getByRole('button', { name: 'Show' }).click();
      await page.locator('inventory-editor').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('button', { name: 'Bring back' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();

      await page.getByRole('listitem').getByText('saved', { exact: true }).first().waitFor();
      assert.equal((await host.inventory.portal.items()).get('kayak-tour-2'), false);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  });
}

function switchOf(page: Page, label: string): Locator {
  return page.getByRole('row', { name: label }).getByRole('switch');
}
