import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { deliveries, untilDelivered } from './deliveries.js';
import { DESKTOP, useDemo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

/** More Tab stops than the demo's page has. */
const MOST_TABS = 60;

/** It is no claim about speed; it only ends a wait for something that never happens. */
const TIMEOUT_MS = 120_000;

/**
 * One visit to a hundred thousand items without a mouse, from the page's first Tab to edits at the portal. The host's
 * page listens for keys, too, as many do: it receives Tab and modifier keys, and nothing else.
 */
describe('a vendor who uses only the keyboard', () => {
  const demo = useDemo();
  let user: BrowserUser;
  let page: Page;
  let editor: Locator;
  let selection: Locator;

  before(async () => {
    user = await demo.visit('?state=many&saving=manual', DESKTOP);
    page = user.page;
    editor = page.locator('inventory-editor');
    selection = editor.locator('[part=selection]');
    await editor.getByText('100,000 items').waitFor();
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      document.addEventListener('keydown', ({ key }) => heard.push(key));
      // One announcement may replace another before the test reads the first one.
      const announced: string[] = [];
      Object.assign(globalThis, { announced });
      const region = document.querySelector('inventory-editor')?.shadowRoot?.querySelector('.live-region');
      if (!region) throw new Error('there is no status');
      new MutationObserver(() => announced.push(region.textContent)).observe(region, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    });
  });

  /** The focused element and its row. */
  function focus(): Promise<{ readonly row: number; readonly text: string; readonly element: string }> {
    return page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return {
        row: Number(active?.closest('[role=row]')?.getAttribute('aria-rowindex') ?? 0),
        text: active?.textContent.replace(/\s+/g, ' ').trim() ?? '',
        element: `${document.activeElement?.localName ?? ''} ${active?.localName ?? ''}`,
      };
    });
  }

  async function untilFocus(wanted: (now: Awaited<ReturnType<typeof focus>>) => boolean, what: string): Promise<void> {
    const end = Date.now() + TIMEOUT_MS;
    let now = await focus();
    while (!wanted(now)) {
      if (Date.now() > end) assert.fail(`the focus is not in ${what}, but in ${JSON.stringify(now)}`);
      now = await focus();
    }
  }

  async function untilAnnounced(text: string): Promise<void> {
    const end = Date.now() + TIMEOUT_MS;
    let heard = await announcements();
    while (!heard.some((one) => one.includes(text))) {
      if (Date.now() > end) assert.fail(`"${text}" is not announced, but ${JSON.stringify(heard)}`);
      heard = await announcements();
    }
  }

  function announcements(): Promise<string[]> {
    return page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced);
  }

  const untilRow = (row: number): Promise<void> => untilFocus((now) => now.row === row, `row ${String(row)}`);

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  async function tabTo(isThere: (now: Awaited<ReturnType<typeof focus>>) => boolean, what: string): Promise<void> {
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (isThere(await focus())) return;
      await press('Tab');
    }
    assert.fail(`no Tab leads to ${what}`);
  }

  const row = (id: string): Locator => editor.locator(`.sheet .row[data-id="${id}"]`);

  it('enters the editor with Tab, and moves between rows with arrows, Home, End, Page Up and Page Down', async () => {
    await tabTo(({ element }) => element === 'inventory-editor input', 'the search');
    await press('ArrowDown');
    await untilRow(2);

    await press('ArrowDown', 'ArrowDown');
    await untilRow(4);
    await press('PageDown');
    await untilFocus((now) => now.row > 8, 'a row one screen further');
    await press('PageUp');
    await untilRow(4);
    await press('Control+End');
    await untilRow(100_001);
    await press('Control+Home');
    await untilRow(2);
    await press('End');
    await untilFocus((now) => now.row === 2 && now.element.endsWith(' div'), 'the last column');
    await press('Home');
    await untilFocus((now) => now.row === 2 && now.element.endsWith(' button'), 'the first column');

    assert.equal(await editor.locator('[role=grid]').getAttribute('aria-rowcount'), '100001');
  });

  it('toggles a switch with Space, undoes, redoes and saves it, and the portal receives the edit', async () => {
    await press('ArrowDown');
    await tabToSwitch();
    await press('Space');
    await row('item-2').getByText('Not saved yet').waitFor();
    await press('Control+z');
    await row('item-2').getByText('From your website, not confirmed yet').waitFor();
    await press('Control+y');
    await row('item-2').getByText('Not saved yet').waitFor();

    await press('Control+s');
    await row('item-2').getByText('Live on the portal').waitFor();

    assert.deepEqual(await deliveries(demo.servers), [['item-2', false]]);
    await untilRow(3);
  });

  /** Presses the right arrow until a switch has the focus, whatever the number of columns. */
  async function tabToSwitch(): Promise<void> {
    for (let steps = 0; steps < 8; steps += 1) {
      const isThere = await page.evaluate(
        () => document.activeElement?.shadowRoot?.activeElement?.getAttribute('role') === 'switch',
      );
      if (isThere) return;
      await press('ArrowRight');
    }
    assert.fail('no arrow leads to the switch');
  }

  it('searches with "/", selects with Shift and arrows, and gets a preview before a bulk change', async () => {
    await press('/');
    await untilFocus(({ element }) => element === 'inventory-editor input', 'the search');
    await page.keyboard.type('item-9999');
    await row('item-99990').waitFor();
    await press('ArrowDown');
    await untilRow(2);

    await press('Shift+ArrowDown', 'Shift+ArrowDown');
    await selection.getByText('3 selected').waitFor();
    await press('Control+a');
    await selection.getByText('11 selected').waitFor();
    await tabTo(({ text }) => text.startsWith('Close these'), '"Close these 11"');
    await press('Enter');
    const preview = editor.getByRole('dialog', { name: 'Close 8 items?' });
    await preview.waitFor();

    await preview.getByText('3 are already unavailable.').waitFor();
    await tabTo(({ text }) => text === 'Close 8', 'the word');
    await press('Enter');
    await editor.locator('[part=save]').getByText('8 changes').waitFor();
    // The selection has ended, and what opened the preview with it.
    await untilFocus(({ row: at }) => at > 0, 'the list');
  });

  it('saves with Enter, keeps the focus in the list, and the portal receives all edits', async () => {
    await tabTo(({ text }) => text === 'Save', '"Save"');
    await press('Enter');
    await editor.locator('.count').getByText('No changes are waiting').waitFor();
    await row('item-9999').getByText('Live on the portal').waitFor();

    const sent = (await untilDelivered(demo.servers, 9)).slice(1);
    assert.equal(sent.length, 8);
    assert.ok(sent.every(([id, available]) => /^item-9999\d?$/.test(id) && !available));
    await untilFocus(({ row: at }) => at > 0, 'the list');
  });

  it('undoes the bulk change in one step, and the portal receives that', async () => {
    await press('Control+z');
    await untilAnnounced('7 items changed back');
    await row('item-9999').getByRole('switch', { checked: true }).waitFor();
    await row('item-9999').getByText('Live on the portal').waitFor();
    await editor.locator('.count').getByText('No changes are waiting').waitFor();

    const sent = (await untilDelivered(demo.servers, 16)).slice(9);
    assert.equal(sent.length, 7);
    assert.ok(sent.every(([, available]) => available));
  });

  it('can tell a full selection from a partial one in forced-colours mode', async () => {
    const signIn = (box: Locator): Promise<string> =>
      box.evaluate((node) => getComputedStyle(node, '::before').backgroundImage);
    const head = editor.locator('.head [role=checkbox]');
    await page.emulateMedia({ forcedColors: 'active' });
    await press('Control+a');
    await editor.locator('.head [aria-checked=true]').waitFor();

    const all = await signIn(head);
    await press('Escape', 'Shift+ArrowDown');
    await editor.locator('.head [aria-checked=mixed]').waitFor();
    const some = await signIn(head);
    await page.emulateMedia({ forcedColors: 'none' });

    assert.ok(![all, some].includes('none'), `${all} ${some}`);
    assert.notEqual(all, some);
  });

  it('clears the selection with Escape, opens the list of keys with "?", and returns to the same row', async () => {
    const before = (await focus()).row;
    await press('Escape');
    await selection.waitFor({ state: 'hidden' });
    await press('?');
    const keys = editor.getByRole('dialog', { name: 'Keyboard' });
    await keys.waitFor();
    await press('Escape');
    await keys.waitFor({ state: 'hidden' });

    await untilRow(before);
  });

  it('causes no key events on the host’s page except Tab and modifier keys', async () => {
    const heard = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);

    assert.deepEqual([...new Set(heard)].sort(), ['Control', 'Shift', 'Tab']);
  });

  it('leaves the editor with Tab', async () => {
    await tabTo(({ element }) => !element.startsWith('inventory-editor'), 'the rest of the page');
  });
});
