import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { itemId } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { many, row, rows, seams, untilStatus, workingEditor } from '../support/editor-page.js';

const COUNT = 120;

async function printedEditor(set: Partial<InventoryEditor> = {}): Promise<InventoryEditor> {
  const proxy = fakeProxy();
  proxy.knows({ id: itemId('item-1'), available: true, state: 'refused', reason: 'item_refused' });
  const editor = await workingEditor(proxy, [...many(COUNT), { id: 'unset', label: 'Not set' }], set);
  editor.style.setProperty('--inventory-list-height', '300px');
  await untilStatus(editor, 'item-1', 'Not accepted');
  return editor;
}

function isShown(editor: InventoryEditor, selector: string): boolean {
  return [...editor.renderRoot.querySelectorAll(selector)].some((part) =>
    part.checkVisibility({ visibilityProperty: true }),
  );
}

describe('a list that is printed', () => {
  afterEach(() => emulateMedia({ media: 'screen' }));

  it('renders every row while the page is printed, and a screenful again afterwards', async () => {
    const editor = await printedEditor();
    const before = rows(editor).length;

    window.dispatchEvent(new Event('beforeprint'));
    const printed = rows(editor).map(({ label }) => label);
    window.dispatchEvent(new Event('afterprint'));

    expect(printed.length).to.equal(COUNT + 1);
    expect(printed.slice(0, 2)).to.deep.equal(['Item 0', 'Item 1']);
    expect(before).to.be.lessThan(COUNT / 2);
    await until(() => rows(editor).length < COUNT / 2, 'a screenful is drawn');
  });

  for (const width of [680, 1100])
    it(`shows its rows with complete texts and no controls, on ${String(width)} px`, async () => {
      const editor = await printedEditor();
      editor.style.inlineSize = `${String(width)}px`;

      await emulateMedia({ media: 'print' });
      window.dispatchEvent(new Event('beforeprint'));

      const { bottom } = editor.renderRoot.querySelector('section')!.getBoundingClientRect();
      expect(seams(editor).filter((gap) => gap !== 0)).to.deep.equal([]);
      expect(row(editor, 'unset').node.getBoundingClientRect().bottom).to.be.at.most(bottom);
      expect(row(editor, 'item-1').part('.act').checkVisibility({ visibilityProperty: true })).to.equal(true);
      for (const control of ['.tools', '.bars', '.pick button', '[data-unset] .act button'])
        expect(isShown(editor, control), control).to.equal(false);
      expect(getComputedStyle(row(editor, 'item-1').control, '::before').display).to.equal('none');
      window.dispatchEvent(new Event('afterprint'));
    });
});
