import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { hear, ids, pressKeys, row, rows, workingEditor } from '../support/editor-page.js';

const ITEMS = [
  { id: 'c', label: 'Tour 10', group: 'Tours', available: true, updated_at: '2026-11-03T08:00:00.000Z' },
  { id: 'a', label: 'Tour 9', group: 'Tours', available: false, updated_at: '2026-11-01T08:00:00.000Z' },
  { id: 'd', label: 'Attic', group: 'Rooms' },
  { id: 'b', label: 'Zither', available: true, updated_at: '2026-11-02T08:00:00.000Z' },
];

async function wideEditor(items: InventoryEditor['items'] = ITEMS): Promise<InventoryEditor> {
  const editor = await workingEditor(fakeProxy(), items);
  editor.style.setProperty('inline-size', '1100px');
  return editor;
}

function heads(editor: InventoryEditor): HTMLElement[] {
  return [...editor.renderRoot.querySelectorAll<HTMLElement>('.head [role=columnheader]')];
}

function head(editor: InventoryEditor, name: string): HTMLButtonElement {
  const found = heads(editor)
    .find((one) => one.textContent.trim() === name)
    ?.querySelector('button');
  if (!found) throw new Error(`no column is called ${name}`);
  return found;
}

/** What the heads say of the order, by the name of their column. */
function sortedBy(editor: InventoryEditor): string[] {
  return heads(editor).flatMap((one) => (one.ariaSort === null ? [] : `${one.textContent.trim()} ${one.ariaSort}`));
}

async function press(editor: InventoryEditor, name: string, wanted: string): Promise<void> {
  head(editor, name).click();
  await until(() => ids(editor).join('') === wanted, `the order is ${wanted}, and not ${ids(editor).join('')}`);
  await editor.updateComplete;
}

function sortChoice(editor: InventoryEditor): HTMLSelectElement {
  const found = editor.renderRoot.querySelector<HTMLSelectElement>('.sort select');
  if (found === null) throw new Error('there is no order to pick');
  return found;
}

describe('the header of a column', () => {
  for (const [name, first, second] of [
    ['Item', 'dacb', 'bcad'],
    ['Group', 'dcab', 'cadb'],
    ['Availability', 'cbad', 'acbd'],
    ['Last change', 'cbad', 'abcd'],
  ] as const) {
    it(`sorts by ${name}, then in reverse, then in the order of the page`, async () => {
      const editor = await wideEditor();

      await press(editor, name, first);
      const once = sortedBy(editor);
      await press(editor, name, second);
      const twice = sortedBy(editor);
      await press(editor, name, 'cadb');

      const directions = name === 'Last change' ? ['descending', 'ascending'] : ['ascending', 'descending'];
      expect([once, twice, sortedBy(editor)]).to.deep.equal([
        ...directions.map((direction) => [`${name} ${direction}`]),
        [],
      ]);
    });
  }

  it('and the order menu show the same order, whichever of them is used', async () => {
    const editor = await wideEditor();

    await press(editor, 'Item', 'dacb');
    const byHead = [sortChoice(editor).value, sortChoice(editor).selectedOptions[0]?.text.trim()];
    await press(editor, 'Item', 'bcad');
    const reversed = sortChoice(editor).selectedOptions[0]?.text.trim();
    sortChoice(editor).value = 'changed-at';
    sortChoice(editor).dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => ids(editor).join('') === 'cbad', 'the newest is first');
    await editor.updateComplete;

    expect([byHead, reversed]).to.deep.equal([['label', 'Name'], 'Name, reversed']);
    expect(sortedBy(editor)).to.deep.equal(['Last change descending']);
  });

  it('announces the new order', async () => {
    const editor = await wideEditor();
    const heard = hear(editor);

    head(editor, 'Item').click();
    await until(() => heard.includes('Sort by: Name'), 'the order is announced');
    head(editor, 'Item').click();

    await until(() => heard.includes('Sort by: Name, reversed'), 'the other way round, too');
  });

  it('keeps the focus while it sorts', async () => {
    const editor = await wideEditor();
    head(editor, 'Item').focus();

    await pressKeys('Enter');
    await until(() => ids(editor).join('') === 'dacb', 'it is sorted');
    await pressKeys('Space');
    await until(() => ids(editor).join('') === 'bcad', 'it is reversed');

    expect(editor.shadowRoot?.activeElement).to.equal(head(editor, 'Item'));
  });

  for (const [dir, next] of [
    ['ltr', 'ArrowRight'],
    ['rtl', 'ArrowLeft'],
  ] as const) {
    it(`is reached by arrow keys from the rows and from the next header, in a page that is ${dir}`, async () => {
      const editor = await wideEditor();
      editor.dir = dir;
      row(editor, 'c').control.focus();

      await pressKeys('ArrowUp');
      const above = editor.shadowRoot?.activeElement;
      await pressKeys(next);
      const beside = editor.shadowRoot?.activeElement;
      await pressKeys('ArrowDown');

      expect([above, beside]).to.deep.equal([head(editor, 'Availability'), head(editor, 'Status')]);
      expect(editor.shadowRoot?.activeElement).to.equal(row(editor, 'c').part('.truth button'));
    });
  }

  it('shares one tab stop with the check box, and has it if there is nothing to select', async () => {
    const editor = await wideEditor();
    const stops = (): (string | null)[] =>
      [...editor.renderRoot.querySelectorAll<HTMLElement>('.head button')]
        .filter((one) => one.tabIndex === 0 && one.checkVisibility({ visibilityProperty: true }))
        .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim());
    const before = stops();

    editor.readonly = true;
    await until(() => stops()[0] === 'Item', 'the first head is the stop');

    expect([before.length, stops().length]).to.deep.equal([1, 1]);
  });

  it('is visible above the cards of a phone only while it has the focus', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    editor.style.setProperty('inline-size', '375px');
    await until(() => rows(editor)[0]?.node.offsetWidth === 373, 'it is as narrow as a phone');
    const line = editor.renderRoot.querySelector<HTMLElement>('.head .row');
    const before = getComputedStyle(line as HTMLElement).clipPath;

    head(editor, 'Item').focus();

    expect([before, getComputedStyle(line as HTMLElement).clipPath]).to.deep.equal(['inset(50%)', 'none']);
    expect(line?.scrollWidth).to.be.at.most(373);
  });
});
