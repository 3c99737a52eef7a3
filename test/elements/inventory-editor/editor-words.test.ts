import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { readyEditor, row, rows } from '../support/editor-page.js';

const count = (editor: InventoryEditor): string => editor.renderRoot.querySelector('.count')?.textContent.trim() ?? '';

describe('the texts of the editor', () => {
  it('use the name of the portal that the page sets, at any time', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await readyEditor(proxy);
    await until(() => count(editor) !== '', 'it is counted');
    const before = [row(editor, KAYAK).status, count(editor)];

    editor.setAttribute('portal-name', 'Craftmarket');
    await editor.updateComplete;

    const bare = (text: string): string => text.replace(/[\u2068\u2069]/g, '');
    expect(before).to.deep.equal(['Live on the portal', 'Everything is up to date on the portal']);
    expect([row(editor, KAYAK).status, count(editor)].map(bare)).to.deep.equal([
      'Live on Craftmarket',
      'Everything is up to date on Craftmarket',
    ]);
  });

  it('show the id of an item without a label, and of all items if the page wants that', async () => {
    const shownIds = () => rows(editor).map(({ node }) => node.querySelector('.name small')?.textContent);
    const editor = await readyEditor(fakeProxy(), [{ id: KAYAK, label: 'Kayak tour' }, { id: BOAT }]);
    const [before, label] = [shownIds(), row(editor, BOAT).label];

    editor.setAttribute('hide', '');
    await editor.updateComplete;

    expect([before, label]).to.deep.equal([['', ''], BOAT]);
    expect(shownIds()).to.deep.equal([KAYAK, '']);
  });
});
