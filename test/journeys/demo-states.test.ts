import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { LANGUAGES } from '../../src/locales/languages.js';
import { DESKTOP, useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** The choices of the demo, and what the editor shows for each. */
const STATES: readonly (readonly [choice: string, says: string | RegExp, rows: 'none' | 'some'])[] = [
  ['five items', '5 items', 'some'],
  ['100,000 items', '100,000 items', 'some'],
  ['somebody who may only look', 'You may look but not change.', 'some'],
  ['a newcomer without items', /^No items yet\./, 'none'],
  ['a sign-in that takes a minute', 'Loading your items…', 'none'],
  ['a sign-in that fails', /^Your sign-in cannot be checked right now\./, 'some'],
  ['nobody signed in', /^You are signed out\./, 'some'],
];

describe('the demo', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;

  before(async () => {
    user = await demo.visit('', DESKTOP);
    page = user.page;
    editor = page.locator('inventory-editor');
  });

  const choose = (label: string, choice: string): Promise<string[]> =>
    page.locator('.view').getByLabel(label).selectOption({ label: choice });

  for (const [choice, says, rows] of STATES) {
    it(`shows ${choice}`, async () => {
      await choose('Show', choice);

      await editor.getByText(says).first().waitFor();
      const row = editor.locator('.sheet .row').first();
      await row.waitFor({ state: rows === 'some' ? 'visible' : 'hidden' });
    });
  }

  it('shows skeleton rows while it loads, and a "Try again" button if the sign-in fails', async () => {
    await choose('Show', 'a sign-in that takes a minute');
    await editor.locator('.skeleton').waitFor();

    await choose('Show', 'a sign-in that fails');
    await editor.getByRole('button', { name: 'Try again' }).waitFor();

    assert.equal(await editor.locator('.skeleton').count(), 0);
  });

  it('keeps the chosen state in the URL', async () => {
    await choose('Show', 'a newcomer without items');

    await page.reload();
    await editor.getByText(/^No items yet\./).waitFor();

    assert.equal(new URL(page.url()).search, '?state=empty');
  });

  it('offers every language of the elements', async () => {
    const offered = await page
      .locator('[data-view="lang"] option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));

    assert.deepEqual(offered, ['en', ...LANGUAGES]);
  });

  it('shows a table at full width and cards at 375 px, left to right and right to left', async () => {
    await choose('Show', 'five items');
    await editor.getByRole('columnheader', { name: 'Availability' }).waitFor();
    const high = async (): Promise<number> => (await editor.locator('.sheet .row').first().boundingBox())?.height ?? 0;
    const table = await high();

    await choose('Width', '375 px');
    await page.waitForFunction(
      () => document.querySelector('inventory-editor')?.shadowRoot?.querySelector('.sheet .row')?.clientHeight === 111,
    );
    const card = await high();
    await choose('Language', 'العربية');
    await editor.getByText('المخزون').waitFor();
    const headings = page.locator('#admin > h2');
    assert.deepEqual(
      await headings.evaluateAll((all) => all.map((one) => one.closest('[lang]')?.getAttribute('lang'))),
      ['en', 'en'],
    );

    assert.deepEqual([table, card], [60, 112]);
    assert.equal(await editor.evaluate((element) => getComputedStyle(element).direction), 'rtl');
    await choose('Language', 'English');
    await choose('Width', 'full');
  });

  it('shows which fault is switched on in forced-colours mode', async () => {
    const look = (trouble: string): Promise<string> =>
      page.getByRole('button', { name: trouble }).evaluate((button) => getComputedStyle(button).backgroundColor);
    const slow = page.getByRole('button', { name: 'Portal slow (3 s)' });
    await page.emulateMedia({ forcedColors: 'active' });

    await slow.click();
    await page.locator('[data-fault="slow"][aria-pressed="true"]').waitFor();

    assert.notEqual(await look('Portal slow (3 s)'), await look('Portal down'));
    await slow.click();
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('keeps a fault that is switched on before the page has loaded the current faults', async () => {
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/demo/faults', async (route) => {
      if (route.request().method() === 'GET') await late;
      await route.continue();
    });
    const asked = page.waitForRequest('**/demo/faults');
    await page.reload();
    await asked;
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    const heard = page.waitForResponse(
      (response) => response.request().method() === 'GET' && /faults/.test(response.url()),
    );

    await page.getByRole('button', { name: 'Refuse the kayak tour' }).click();
    answer();
    await heard;

    assert.deepEqual(((await sent).postDataJSON() as { refuse_items: unknown }).refuse_items, ['kayak-tour-2']);
    await page.unroute('**/demo/faults');
    await page.getByRole('button', { name: 'Refuse the kayak tour', pressed: true }).click();
    await page.locator('[data-fault="refuse"][aria-pressed="false"]').waitFor();
  });

  it('delivers other items if the portal refuses the first one it receives', async () => {
    await choose('Show', 'five items');
    const row = (name: string): Locator => editor.locator('.sheet .row').filter({ hasText: name });
    const refuse = page.getByRole('button', { name: 'Refuse the kayak tour' });
    await refuse.click();
    await page.getByText('The portal refuses the kayak tour with 422').waitFor();

    await row('Kayak tour').getByRole('button', { name: 'Not available' }).click();
    await row('Kayak tour').getByText('Not accepted').waitFor();
    await row('Garden room').getByRole('switch').click();
    await row('Garden room').getByText('Live on the portal').waitFor();

    await refuse.click();
    await page.locator('[data-fault="refuse"][aria-pressed="false"]').waitFor();
  });

  it('shows that an edit waits on the device while the proxy is killed, and then sends it', async () => {
    await choose('Show', 'five items');
    const attic = editor.locator('.sheet .row').filter({ hasText: 'Attic room' });
    await attic.waitFor();
    await page.getByRole('button', { name: 'Kill the proxy' }).click();
    await page.locator('[data-fault="proxy"][aria-pressed="true"]').waitFor();

    await attic.getByRole('switch').click();
    await attic.getByText('Saved here. It goes out when the connection is back').waitFor();
    await editor.getByText(/^No connection\./).waitFor();

    await page.getByRole('button', { name: 'Kill the proxy' }).click();
    await attic.getByText('Live on the portal', { exact: true }).waitFor();
  });

  it('causes no violation of the strict content security policy', () => {
    assert.deepEqual(user.violations, []);
  });
});
