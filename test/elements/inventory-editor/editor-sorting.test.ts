import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import type { SortName } from '../../../src/client/editor/editor-types.js';
import { itemId } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { ids, row, search, workingEditor } from '../support/editor-page.js';

const ITEMS = [
  { id: 'c', label: 'Tour 10', available: true, updated_at: '2026-11-03T08:00:00.000Z' },
  { id: 'a', label: 'tour 9', available: false, updated_at: '2026-11-01T08:00:00.000Z' },
  { id: 'd', label: 'Älpler hut', available: true },
  { id: 'b', label: 'Zither', available: true, updated_at: '2026-11-02T08:00:00.000Z' },
];

/** The person picks an order from the list. */
async function sort(editor: InventoryEditor, order: SortName, wanted: string): Promise<void> {
  const select = editor.renderRoot.querySelector<HTMLSelectElement>('.sort select');
  if (select === null) throw new Error('there is no order to pick');
  select.value = order;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await until(() => ids(editor).join('') === wanted, `the order is ${wanted}`);
}

describe('the order of the list', () => {
  it('is that of the page at first, and again when that is chosen', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    const before = ids(editor).join('');

    await sort(editor, 'id', 'abcd');
    await sort(editor, 'given', 'cadb');

    expect(before).to.equal('cadb');
  });

  it('by name ignores case and accents, and sorts numbers by value', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);

    await sort(editor, 'label', 'dacb');
  });

  it('by time begins with the newest, and ends with items without a time', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);

    await sort(editor, 'changed-at', 'cbad');
  });

  it('by state begins with items that need attention, followed by drafts', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: itemId('b'), available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, ITEMS);
    row(editor, 'd').control.click();
    await until(() => row(editor, 'd').status === 'Not saved yet', 'it is drafted');

    await sort(editor, 'state', 'bdac');
  });

  it('does not change the selection', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, 'b').pick();
    await until(() => row(editor, 'b').isSelected, 'it is selected');

    await sort(editor, 'label', 'dacb');

    expect(ids(editor).map((id) => row(editor, id).isSelected)).to.deep.equal([false, false, false, true]);
  });

  it('is kept during a search', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await sort(editor, 'label', 'dacb');

    await search(editor, 'tour');

    await until(() => ids(editor).join('') === 'ac', 'what is found is in the same order');
  });
});
