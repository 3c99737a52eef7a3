import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { untilDelivered } from './deliveries.js';
import { DESKTOP, useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** A list as a German spreadsheet program saves it: a byte order mark, semicolons, and CRLF. */
const LIST = [
  'id;available',
  'room-garden;no',
  'room-attic;no',
  'canoe;yes',
  '"=HYPERLINK(""x"")";yes',
  'kayak-tour-2;perhaps',
  '',
].join('\r\n');

/**
 * A vendor imports a list from a spreadsheet and exports the same list, with real files. The portal's journal proves
 * the edits.
 */
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

  it('sees the effect of each line before the import', async () => {
    const lists = await openLists();
    await choose(lists, LIST);

    await lists.getByText('New: 2 · Changed: 1 · The same: 1 · Refused: 1').waitFor();
    const refused = lists.locator('[data-verdict=refused]');
    assert.match(await refused.innerText(), /Line 6, column 2[\s\S]*This is neither yes nor no\./);
    assert.deepEqual(await untilDelivered(demo.servers, 0), []);
  });

  it('imports the list in one step, and the portal receives the new and changed values', async () => {
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

  it('exports the same list, with escaped formulas, whose import would change nothing', async () => {
    const lists = await openLists();
    const saved = await saveAll(lists);
    await choose(lists, saved.replace('\uFEFF', ''));

    await lists.getByText(/^New: 0 · Changed: 0 · The same: \d+ · Refused: 0$/).waitFor();
    assert.ok(saved.startsWith('\uFEFFid,available'));
    assert.ok(saved.includes(`"'=HYPERLINK(""x"")",yes`));
    assert.equal(await saveAll(lists), saved);
    await lists.getByRole('button', { name: 'Done' }).click();
  });

  it('undoes the import in one step for items that had a value before', async () => {
    await editor.getByRole('button', { name: 'Undo', exact: true }).click();

    assert.deepEqual((await untilDelivered(demo.servers, 4)).at(-1), ['room-garden', true]);
    assert.deepEqual(user.violations, []);
  });
});
