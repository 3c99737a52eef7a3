import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { button, dialog, many, part, partText, press, row, rows, workingEditor } from '../support/editor-page.js';

/** Two that are available, one that is not, and one that nobody has set. */
const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', available: true },
  { id: BOAT, label: 'Boat tour' },
  { id: CABIN, label: 'Cabin', available: true },
  { id: 'attic', label: 'Attic', available: false },
];

/** Each heading of the dialog with the names below it. */
function groups(inside: HTMLElement): Record<string, string[]> {
  const named = [...inside.querySelectorAll('h4')].map((heading) => {
    const names = [...(heading.nextElementSibling?.querySelectorAll('bdi') ?? [])];
    return [heading.textContent.trim(), names.map(({ textContent }) => textContent)] as const;
  });
  return Object.fromEntries(named);
}

async function selectAll(editor: InventoryEditor): Promise<void> {
  editor.renderRoot.querySelector<HTMLElement>('.head button')?.click();
  await until(() => part(editor, 'selection'), 'all are selected');
}

describe('the preview of a bulk change', () => {
  it('groups the items by the value before and after', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await selectAll(editor);

    await press(editor, /^Close these/);

    expect(groups(await dialog(editor))).to.deep.equal({
      '“Available” becomes “Not available” (2)': ['Kayak tour', 'Cabin'],
      '“Not set yet” becomes “Not available” (1)': ['Boat tour'],
    });
  });

  it('uses the values of drafts', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'it is drafted');
    row(editor, KAYAK).pick();

    await press(editor, /^Open this/);

    expect(groups(await dialog(editor))).to.deep.equal({
      '“Not available” becomes “Available” (1)': ['Kayak tour'],
    });
  });

  it('is the same for "Close all" and for reopening', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await press(editor, 'Close all');
    const closing = groups(await dialog(editor));
    await press(editor, 'Close 2');
    await until(() => part(editor, 'save'), 'both are drafted');

    await press(editor, /^Reopen these/);

    expect(closing).to.deep.equal({ '“Available” becomes “Not available” (2)': ['Kayak tour', 'Cabin'] });
    expect(groups(await dialog(editor))).to.deep.equal({
      '“Not available” becomes “Available” (2)': ['Kayak tour', 'Cabin'],
    });
  });

  it('lists the first 100 of very many items and counts the others, in a scrollable and focusable box', async () => {
    await setViewport({ width: 375, height: 700 });
    afterThisTest(() => setViewport({ width: 800, height: 600 }));
    const editor = await workingEditor(
      fakeProxy(),
      many(10_000, () => true),
    );
    await selectAll(editor);

    await press(editor, /^Close these/);
    const inside = await dialog(editor);
    const body = inside.querySelector<HTMLElement>('.body');

    expect(inside.querySelectorAll('li')).to.have.length(100);
    expect(inside.textContent).to.contain('(10,000)').and.to.contain('and 9,900 more');
    expect([body?.tabIndex, (body?.scrollHeight ?? 0) > (body?.clientHeight ?? 0)]).to.deep.equal([0, true]);
    const { bottom } = button(editor, 'Close 10,000').getBoundingClientRect();
    expect(bottom).to.be.at.most(innerHeight);
    await expect(editor).to.be.accessible();
  });

  it('has a button in the colour of the switch that is off or on after it', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    editor.style.setProperty('--inventory-unavailable', 'rgb(70, 60, 50)');
    editor.style.setProperty('--inventory-available', 'rgb(10, 90, 20)');
    const colourOf = (label: string): string => getComputedStyle(button(editor, label)).backgroundColor;
    await selectAll(editor);
    await press(editor, /^Close these/);
    await dialog(editor);
    const closing = colourOf('Close 3');
    await press(editor, 'Cancel');

    await press(editor, /^Open these/);

    expect([closing, colourOf('Open 2')]).to.deep.equal(['rgb(70, 60, 50)', 'rgb(10, 90, 20)']);
  });
});

describe('the selection of rows', () => {
  it('ends when its bulk change is applied', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await selectAll(editor);

    await press(editor, /^Close these/);
    await press(editor, 'Close 3');

    await until(() => part(editor, 'selection') === null, 'nothing is selected');
    expect(rows(editor).some(({ isSelected }) => isSelected)).to.equal(false);
    expect(partText(editor, 'save')).to.match(/^3 changes/);
  });

  it('is kept if the person cancels the preview or the host cancels the change', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    editor.addEventListener('inventory-change', (event) => {
      event.preventDefault();
    });
    await selectAll(editor);
    const preview = await openPreview(editor);
    await press(editor, 'Cancel');
    const afterCancel = partText(editor, 'selection');

    await openPreview(editor);
    await press(editor, 'Close 3');
    await until(() => !preview.open, 'the preview is closed');

    expect(afterCancel).to.match(/^4 selected/);
    expect(partText(editor, 'selection')).to.match(/^4 selected/);
  });
});

async function openPreview(editor: InventoryEditor): Promise<HTMLDialogElement> {
  await press(editor, /^Close these/);
  return dialog(editor);
}
