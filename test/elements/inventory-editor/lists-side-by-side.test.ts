import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { ids, many, row, rows, workingEditor } from '../support/editor-page.js';
import { readyToggle } from '../support/on-page.js';

const BOATS = many(3).map((item) => ({ ...item, id: `boat-${item.id}` }));

describe('an item that only the host’s list has', () => {
  it('is not listed by another editor of the page', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, many(2));
    const other = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${BOATS}></inventory-editor>`,
    );
    await until(() => ids(other).length === 3, 'the other one lists its own');

    other.items = BOATS.map((item) => ({ ...item, available: false }));
    await until(() => rows(other).every(({ value }) => value === 'off'), 'it has other values');
    other.remove();
    editor.items = [...many(2), { id: 'attic', label: 'Attic', available: true }];
    await until(() => ids(editor).includes('attic'), 'the editor has gone on');

    expect(ids(editor)).to.deep.equal(['item-0', 'item-1', 'attic']);
  });

  it('disappears when the host removes it, even if a toggle shows it too', async () => {
    const proxy = fakeProxy();
    await readyToggle(proxy);
    const items = [...many(2), { id: KAYAK, label: 'Kayak tour', available: true }];
    const editor = await workingEditor(proxy, items);

    editor.items = many(1);

    await until(() => ids(editor).length < 3, 'the list is another one');
    expect(ids(editor)).to.deep.equal(['item-0']);
  });

  it('shows its new value of the host, even if a toggle shows it too', async () => {
    const proxy = fakeProxy();
    await readyToggle(proxy);
    const editor = await workingEditor(proxy, [{ id: KAYAK, available: true }]);

    editor.items = [{ id: KAYAK, available: false }];

    await until(() => row(editor, KAYAK).value === 'off', 'it is not available any more');
    expect(editor.renderRoot.querySelector('[data-filter=unavailable] span')?.textContent).to.equal('1');
  });
});
