import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { untilDelivered } from './deliveries.js';
import { DESKTOP, useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** As a spreadsheet in German saves it: a byte order mark, semicolons, and CRLF. */
const LIST = [
  'id;available',
  'room-garden;no',
  'room-attic;no',
  'canoe;yes',
  '"=HYPERLINK(""x"")";yes',
  'kayak-tour-2;perhaps',
  '',
].join('\r\n');

/** A vendor takes a list from a spreadsheet, and gets the same list back, by the portal's own journal and real files. */
describe('a vendor with a spreadsheet', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;

  before(async () => {
    user = await demo.visit('?saving=auto', DESKTOP);
    page = user.page;
    editor = page.locator('inventory-editor');
  });

  async function openLists(): Promise<Locator> {
    await editor.getByRole('button', { name: 'Import, export' }).click();
    return editor.getByRole('dialog', { name: 'Import and export' });
  }

  async function choose(lists: Locator, text: string): Promise<void> {
    const buffer = Buffer.from(`\uFEFF${text}`);
    await lists.getByLabel('Or choose a CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  }

  async function saveAll(lists: Locator): Promise<string> {
    const saving = page.waitForEvent('download');
    await lists.getByRole('button', { name: /^All items/ }).click();
    return readFile(await (await saving).path(), 'utf8');
  }

  it('learns what each line would do before anything is done', async () => {
    const lists = await openLists();
    await choose(lists, LIST);

    await lists.getByText('New: 2 · Changed: 1 · The same: 1 · Refused: 1').waitFor();
    const refused = lists.locator('[data-verdict=refused]');
    assert.match(await refused.innerText(), /Line 6, column 2[\s\S]*This is neither yes nor no\./);
    assert.deepEqual(await untilDelivered(demo.servers, 0), []);
  });

  it('imports it in one step, and the portal gets what is new or changed', async () => {
    await editor.getByRole('button', { name: 'Import (3)' }).click();

    const sent = await untilDelivered(demo.servers, 3);
    assert.deepEqual(
      new Map(sent),
      new Map([
        ['room-garden', false],
        ['canoe', true],
        ['=HYPERLINK("x")', true],
      ]),
    );
  });

  it('gets the same list back, which no spreadsheet runs, and which changes nothing', async () => {
    const lists = await openLists();
    const saved = await saveAll(lists);
    await choose(lists, saved.replace('\uFEFF', ''));

    await lists.getByText(/^New: 0 · Changed: 0 · The same: \d+ · Refused: 0$/).waitFor();
    assert.ok(saved.startsWith('\uFEFFid,available'));
    assert.ok(saved.includes(`"'=HYPERLINK(""x"")",yes`));
    assert.equal(await saveAll(lists), saved);
    await lists.getByRole('button', { name: 'Done' }).click();
  });

  it('takes it back in one step, where there was a value before', async () => {
    await editor.getByRole('button', { name: 'Undo', exact: true }).click();

    assert.deepEqual((await untilDelivered(demo.servers, 4)).at(-1), ['room-garden', true]);
    assert.deepEqual(user.violations, []);
  });
});
