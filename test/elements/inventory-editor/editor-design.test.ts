import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { accessibleName } from '../support/accessible-name.js';
import { row, untilStatus, workingEditor } from '../support/editor-page.js';

const DOT = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true, image: DOT },
  { id: BOAT, label: 'Boat tour', group: 'Tours', available: false },
  { id: CABIN, label: 'Cabin' },
];

async function withAttributes(attributes: Readonly<Record<string, string>>): Promise<InventoryEditor> {
  const editor = await workingEditor(fakeProxy(), ITEMS);
  editor.style.inlineSize = '1100px';
  for (const [name, value] of Object.entries(attributes)) editor.setAttribute(name, value);
  await editor.updateComplete;
  return editor;
}

const find = (editor: InventoryEditor, selector: string): HTMLElement => {
  const found = editor.renderRoot.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`there is no ${selector}`);
  return found;
};

/** Where each colour, radius and size is seen. `::before` and `::after` count as parts of their element. */
const TOKENS: readonly (readonly [
  token: string,
  value: string,
  selector: string,
  property: string,
  pseudo?: string,
])[] = [
  ['accent', 'rgb(1, 2, 3)', '.chip[aria-pressed=true]', 'border-top-color'],
  ['on-accent', 'rgb(1, 2, 3)', '.sheet [aria-checked=true]', 'background-image', '::before'],
  ['text', 'rgb(1, 2, 3)', 'h2', 'color'],
  ['text-soft', 'rgb(1, 2, 3)', '.total', 'color'],
  ['surface', 'rgb(1, 2, 3)', 'section', 'background-color'],
  ['surface-soft', 'rgb(1, 2, 3)', '.head .row', 'background-color'],
  ['line', 'rgb(1, 2, 3)', 'section', 'border-top-color'],
  ['available', 'rgb(1, 2, 3)', '.sheet [role=switch][aria-checked=true]', 'background-color', '::before'],
  ['unavailable', 'rgb(1, 2, 3)', '.sheet [role=switch][aria-checked=false]', 'background-color', '::before'],
  ['available', 'rgb(1, 2, 3)', '[part=selection] .opens', 'border-top-color'],
  ['unavailable', 'rgb(1, 2, 3)', '[part=selection] .closes', 'border-top-color'],
  ['radius', '3px', 'section', 'border-top-left-radius'],
  ['radius-control', '3px', 'select', 'border-top-left-radius'],
  ['radius-pill', '3px', '.chip', 'border-top-left-radius'],
  ['radius-picture', '3px', '.name img', 'border-top-left-radius'],
  ['selected', 'rgb(1, 2, 3)', '.row[aria-selected=true]', 'background-color'],
  ['font', 'monospace', '.name span', 'font-family'],
  ['font-size', '24px', '.name span', 'font-size'],
  ['font-size', '24px', '.truth span', 'font-size'],
  ['font-size', '24px', '.sheet .row', 'min-block-size'],
  ['list-height', '300px', '.scroller', 'max-block-size'],
];

describe('the design tokens of the editor', () => {
  for (const [token, value, selector, property, pseudo] of TOKENS)
    it(`have an effect: ${token} on ${selector}`, async () => {
      const editor = await withAttributes({});
      row(editor, BOAT).pick();
      const read = (): string => getComputedStyle(find(editor, selector), pseudo).getPropertyValue(property);
      await until(() => editor.renderRoot.querySelector('[part=selection]'), 'one is selected');
      const before = read();

      editor.style.setProperty(`--inventory-${token}`, value);

      await until(() => read() !== before, 'it looks different');
      if (value.startsWith('rgb')) expect(read()).to.include(value);
    });
});

describe('the attributes and slots for the design', () => {
  it('set the title of the list and its heading level', async () => {
    const editor = await withAttributes({ heading: 'Our rooms', 'heading-level': '3' });
    const title = find(editor, 'h2');

    expect([title.textContent, title.ariaLevel]).to.deep.equal(['Our rooms', '3']);
    expect(accessibleName(find(editor, 'section'))).to.equal('Our rooms');
    await expect(editor).to.be.accessible();
  });

  it('hide parts of the editor, and keep its accessible name', async () => {
    const parts = {
      search: '.search',
      filters: '.chips',
      sort: '.sort',
      groups: '.group',
      updated: '.time',
      status: '.truth',
    };
    for (const [name, selector] of Object.entries(parts)) {
      const editor = await withAttributes({ hide: '' });
      const before = find(editor, selector).checkVisibility();

      editor.setAttribute('hide', `title ${name}`);
      await editor.updateComplete;

      expect([before, find(editor, selector).checkVisibility()], name).to.deep.equal([true, false]);
      expect(accessibleName(find(editor, 'section')), name).to.equal('Availability');
      await expect(editor).to.be.accessible();
      editor.remove();
    }
  });

  it('remove its frame, and make its rows higher', async () => {
    const editor = await withAttributes({});
    const before = row(editor, KAYAK).node.offsetHeight;

    editor.variant = 'plain';
    editor.density = 'touch';
    await editor.updateComplete;

    expect(getComputedStyle(find(editor, 'section')).borderTopWidth).to.equal('0px');
    await until(() => row(editor, KAYAK).node.offsetHeight > before, 'its rows are higher');
  });

  it('show the content of the slots beside the title and in an empty list', async () => {
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${fakeProxy().url}>
        <button slot="header-actions">Add a room</button>
        <p slot="empty">Your first room goes here.</p>
      </inventory-editor>`,
    );
    const [action, empty] = [editor.querySelector('button')!, editor.querySelector('p')!];

    await until(() => action.checkVisibility() && empty.checkVisibility(), 'both are shown');
  });

  it('expose the parts for a style sheet of the page', async () => {
    const editor = await withAttributes({ hide: '' });
    row(editor, KAYAK).control.click();
    await until(() => editor.renderRoot.querySelector('[part=save]'), 'it can be saved');
    const names = new Set([...editor.renderRoot.querySelectorAll('[part]')].flatMap((part) => [...part.part]));

    for (const name of 'row cell name id thumbnail switch checkbox search chip button primary-button count'.split(' '))
      expect(names.has(name), name).to.equal(true);
  });
});

describe('the accessible names of a row', () => {
  it('distinguish its check box and its switch, and include the visible value', async () => {
    const editor = await withAttributes({});
    const bare = (element: Element): string => accessibleName(element).replace(/[\u2068\u2069]/g, '');

    expect(bare(row(editor, BOAT).part('.pick button'))).to.equal('Select Boat tour');
    expect(bare(row(editor, BOAT).control)).to.equal('Boat tour Not available');
  });
});

describe('the texts of the editor', () => {
  it('show in the header that a change is not saved, and in its row what guests see now', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await workingEditor(proxy, ITEMS);
    await untilStatus(editor, KAYAK, 'Live on the portal');

    row(editor, KAYAK).control.click();

    await until(() => find(editor, '.count').textContent === '1 change is not saved yet', 'the text is shown');
    expect(row(editor, KAYAK).status).to.equal('Not saved yet. Guests see now: “Available”.');
  });

  it('count and find drafts by their new value in the filters', async () => {
    const editor = await withAttributes({});
    const chip = (name: string): HTMLElement => find(editor, `[data-filter=${name}]`);
    const counts = (): string[] =>
      ['available', 'unavailable', 'unknown'].map((name) => find(editor, `[data-filter=${name}] span`).textContent);
    const before = counts();

    row(editor, KAYAK).control.click();

    await until(() => counts().join() === '0,2,1', 'they are counted again');
    chip('unavailable').click();
    await until(() => editor.renderRoot.querySelectorAll('.sheet .row').length === 2, 'both are found');
    expect(before).to.deep.equal(['1', '1', '1']);
  });

  it('do not show an unreadable value as unset', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${[{ id: KAYAK, label: 'Kayak tour' }]}></inventory-editor>`,
    );
    const seen = row(editor, KAYAK).status;

    await untilStatus(editor, KAYAK, 'No connection');

    expect(seen).to.equal('Checking…');
  });
});
