import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { row, workingEditor } from '../support/editor-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true },
  { id: BOAT, label: 'Boat tour', group: 'Tours', available: true },
  { id: CABIN, label: 'Cabin', group: 'Rooms', available: true },
];

async function grouped(set: Partial<InventoryEditor> = {}, width = 816): Promise<InventoryEditor> {
  const editor = await workingEditor(fakeProxy(), ITEMS, set);
  editor.style.setProperty('inline-size', `${String(width)}px`);
  await until(() => editor.renderRoot.querySelectorAll('.of-group option').length === 3, 'the groups are known');
  return editor;
}

const orders = (editor: InventoryEditor): HTMLSelectElement => editor.renderRoot.querySelector('.sort select')!;

describe('the toolbar', () => {
  it('offers the order by group unless the page hides groups', async () => {
    const names = async (editor: InventoryEditor): Promise<string[]> => {
      editor.requestUpdate();
      await editor.updateComplete;
      return [...orders(editor).options].map(({ value }) => value);
    };

    expect(await names(await grouped())).to.include('group');
    expect(await names(await grouped({ hide: 'groups' }))).not.to.include('group');
  });

  for (const width of [768, 816, 900, 1000, 1240]) {
    it(`keeps the buttons that change the list on one line (${String(width)} px)`, async () => {
      const editor = await grouped({}, width);

      const buttons = [...editor.renderRoot.querySelectorAll<HTMLElement>('.tools .quiet-button')];
      const tops = new Set(buttons.filter((one) => one.checkVisibility()).map(({ offsetTop }) => offsetTop));

      expect(buttons.length).to.be.at.least(4);
      expect(tops.size).to.equal(1);
    });
  }
});

describe('a list with group headings', () => {
  it('does not repeat the group below each label', async () => {
    const editor = await grouped();
    const below = (): string => getComputedStyle(row(editor, KAYAK).part('small'), '::after').content;
    const before = below();

    orders(editor).value = 'group';
    orders(editor).dispatchEvent(new Event('change'));
    await until(() => editor.renderRoot.querySelectorAll('.sheet > .heading').length === 2, 'there are headings');
    await editor.updateComplete;

    expect([before.includes('Tours'), below().includes('Tours')]).to.deep.equal([true, false]);
  });
});
