import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryChangeEvent, InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { goOffline } from '../../client/support/offline.js';
import { fakeProxy, VISITOR } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  hear,
  ids,
  many,
  part,
  partText,
  press,
  pressKeys,
  row,
  rows,
  said,
  search,
  textOf,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true },
  { id: BOAT, label: 'Böat tour', available: false },
  { id: CABIN, label: 'Cabin', available: true },
];

function focused(editor: InventoryEditor): string {
  const active = editor.shadowRoot?.activeElement;
  const at = active?.closest('.row')?.getAttribute('aria-rowindex') ?? 'none';
  return `${at} ${active?.getAttribute('data-act') ?? active?.className ?? ''}`;
}

describe('a press before the editor has loaded its code', () => {
  it('changes the row that was pressed, even if another item has its place by then', async () => {
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${fakeProxy().url} .items=${many(300)}></inventory-editor>`,
    );
    const [scroller, tools] = [part(editor, 'list'), part(editor, 'tools')];

    row(editor, 'item-1').control.click();
    scroller?.scrollTo({ top: 9_000, behavior: 'instant' });
    scroller?.dispatchEvent(new Event('scroll'));
    await until(() => partText(editor, 'save').startsWith('1 change'), 'it is drafted');
    scroller?.scrollTo({ top: 0, behavior: 'instant' });

    await untilStatus(editor, 'item-1', 'Not saved yet');
    expect(tools).to.equal(null);
  });
});

describe('the first value of an item', () => {
  it('is withdrawn by undo if it was not sent, so that the item has no value again', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, [{ id: KAYAK, label: 'Kayak tour' }], { saveMode: 'auto' });
    goOffline();
    proxy.down = true;
    row(editor, KAYAK).choices[0]?.click();
    await untilStatus(editor, KAYAK, 'Saved here');
    await until(() => !button(editor, 'Undo').disabled, 'there is something to undo');

    await press(editor, 'Undo');
    await untilStatus(editor, KAYAK, 'Not set yet');

    await until(
      () => said(editor) === '1 item changed back',
      'it is announced, and not only that nothing is left to send',
    );
    expect(row(editor, KAYAK).value).to.equal('unknown');
    expect(proxy.sent).to.deep.equal([]);
    expect(part(editor, 'left-alone')).to.equal(null);
  });

  it('is kept by undo if it was sent, with a message', async () => {
    const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, label: 'Kayak tour' }], { saveMode: 'auto' });
    row(editor, KAYAK).choices[0]?.click();
    await untilStatus(editor, KAYAK, 'Sent, ');
    await until(() => !button(editor, 'Undo').disabled, 'there is something to undo');
    const heard = hear(editor);
    const words = '0 items changed back; 1 left alone: changed since, never set before, or refused by this page';

    await press(editor, 'Undo');
    await until(() => heard.includes(words), 'it is announced');
    const told = partText(editor, 'left-alone');
    await press(editor, 'Done');

    expect(told).to.equal(`${words} Done`);
    expect(row(editor, KAYAK).value).to.equal('on');
    expect(part(editor, 'left-alone')).to.equal(null);
  });
});

describe('a change of one row', () => {
  it('is sent by save, with one announcement', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS);

    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');
    await until(() => part(editor, 'save'), 'saving is offered');
    const before = [partText(editor, 'save'), String(proxy.accepted.length)];
    await press(editor, 'Save');
    await untilStatus(editor, KAYAK, 'Sent, ');
    await until(() => part(editor, 'save') === null, 'nothing is left to save');

    expect(before).to.deep.equal(['1 change Discard Save', '0']);
    expect(proxy.accepted.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
    expect(said(editor)).to.equal('1 change will be sent.');
  });

  it('is saved by a button beside its count on a small phone', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    editor.style.inlineSize = '296px';

    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    const middles = [...(part(editor, 'save')?.children ?? [])].map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    });

    expect(middles).to.have.length(3);
    expect(new Set(middles).size).to.equal(1);
  });

  it('is reverted by discard', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS);
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');

    await press(editor, 'Discard');

    expect(row(editor, KAYAK).shown).to.include({ value: 'on', status: 'From your website, not confirmed yet' });
    expect(part(editor, 'save')).to.equal(null);
  });

  it('is announced when it is discarded', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');

    await press(editor, 'Discard');

    await until(() => said(editor) === '1 change discarded.', 'it is announced');
  });

  it('is reverted by undo, and restored by redo', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');

    await editor.undo();
    const undone = row(editor, KAYAK).value;
    await editor.redo();

    expect([undone, row(editor, KAYAK).value]).to.deep.equal(['on', 'off']);
  });

  it('is not made if the host cancels inventory-change', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    editor.addEventListener('inventory-change', (event) => {
      event.preventDefault();
    });

    row(editor, KAYAK).control.click();
    await editor.updateComplete;

    expect(row(editor, KAYAK).value).to.equal('on');
    expect(part(editor, 'save')).to.equal(null);
  });

  it('is announced to the host again before undo, if it was saved, which the host may cancel', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    editor.saveMode = 'auto';
    await editor.updateComplete;
    row(editor, KAYAK).control.click();
    await until(() => row(editor, KAYAK).value === 'off', 'it is off');
    const events = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    editor.addEventListener('inventory-change', (event) => {
      event.preventDefault();
    });

    await editor.undo();

    expect(events.map(({ itemIds, available }) => [[...itemIds], available])).to.deep.equal([[[KAYAK], true]]);
    expect(row(editor, KAYAK).value).to.equal('off');
  });

  it('is kept with selection, search and history when the page sets the same items again', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).control.click();
    row(editor, CABIN).pick();
    await search(editor, 'a');
    await until(() => editor.renderRoot.querySelector('.total')?.textContent.includes('match'), 'it is searched');

    editor.items = ITEMS.map((item) => ({ ...item, label: `${item.label} today` }));
    await until(() => row(editor, KAYAK).label === 'Kayak tour today', 'the new label of the page is shown');

    expect(row(editor, KAYAK).shown).to.include({ value: 'off', status: 'Not saved yet' });
    expect(row(editor, CABIN).isSelected).to.equal(true);
    expect(editor.renderRoot.querySelector('input')?.value).to.equal('a');
    expect(button(editor, 'Undo').disabled).to.equal(false);
  });

  it('is kept while more items are read', async () => {
    const editor = document.createElement('inventory-editor');
    Object.assign(editor, { proxy: fakeProxy().url, items: many(3000) });
    document.body.append(editor);
    await until(() => rows(editor).length > 0, 'rows are there');

    row(editor, 'item-0').control.click();
    await until(() => editor.renderRoot.querySelector('.total')?.textContent.includes('3,000'), 'all are read');
    await untilStatus(editor, 'item-0', 'Not saved yet');
    editor.remove();
  });
});

describe('a bulk change', () => {
  it('is previewed, leaves out items with the value, and is announced to the host in one event', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    const events = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    row(editor, KAYAK).pick();
    row(editor, CABIN).pick({ shiftKey: true });
    await press(editor, /^Close th(is|ese) /);
    const preview = textOf(await dialog(editor));

    await press(editor, 'Close 2');
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'two are drafted');

    expect(preview).to.include('Close 2 items?').and.to.include('1 is already unavailable.');
    expect(events.map(({ itemId, itemIds }) => [itemId, [...itemIds]])).to.deep.equal([[KAYAK, [KAYAK, CABIN]]]);
    expect(rows(editor).map(({ value }) => value)).to.deep.equal(['off', 'off', 'off']);
    await until(() => said(editor) === '2 items closed. Not saved yet', 'the change is announced');
  });

  it('of items that have the value already offers only to cancel', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, BOAT).pick();

    await press(editor, /^Close th(is|ese) /);
    const preview = textOf(await dialog(editor));

    expect(preview).to.equal('Nothing would change. 1 is already unavailable. Cancel');
  });

  it('cannot be applied in its preview once the page is read-only, which the preview shows', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).pick();
    await press(editor, /^Close th(is|ese) /);
    const preview = await dialog(editor);

    editor.readonly = true;
    await until(() => preview.textContent.includes('You may look but not change.'), 'it is shown');

    const choices = Array.from(preview.querySelectorAll('button'), ({ textContent }) => textContent.trim());
    expect(choices).to.deep.equal(['Cancel']);
  });

  it('includes all matching items, also while the list shows others', async () => {
    const editor = await workingEditor(fakeProxy(), many(1000));
    await search(editor, 'item-99');
    await until(() => ids(editor)[0] === 'item-99', 'what matches is listed');
    row(editor, 'item-99').pick();
    await press(editor, 'Select all 11');

    await search(editor, '');
    await until(() => ids(editor)[0] === 'item-0', 'all are listed again');

    expect(partText(editor, 'selection')).to.match(/^11 selected/);
  });
});

describe('the search of the editor', () => {
  it('ignores case and accents, in labels and ids', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);

    await search(editor, 'BOAT T');
    await until(() => rows(editor).length === 1, 'one is found');

    expect(ids(editor)).to.deep.equal([BOAT]);
  });

  it('is kept with its focus and the filter when the page sets another list', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    const field = () => editor.renderRoot.querySelector('input');
    field()?.focus();
    await sendKeys({ type: 'boat' });
    await press(editor, /^Not available/);
    field()?.focus();
    const before = ids(editor);

    editor.items = [...ITEMS, { id: 'attic', label: 'Attic', available: false }];
    await until(() => partText(editor, 'tools').includes('All 4'), 'it is another list');
    await until(
      () => field() !== null && field() === editor.shadowRoot?.activeElement,
      'the keyboard is in the search',
    );
    await sendKeys({ type: ' tour' });

    await until(() => field()?.value === 'boat tour', 'it goes on');
    await until(() => ids(editor).length === 1, 'one is found');
    expect([before, ids(editor)]).to.deep.equal([[BOAT], [BOAT]]);
    expect(button(editor, /^Not available/).ariaPressed).to.equal('true');
  });

  it('is cleared when the page sets another proxy', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await search(editor, 'boat');
    await until(() => rows(editor).length === 1, 'one is found');

    editor.proxy = fakeProxy().url;

    await until(() => editor.renderRoot.querySelector('input')?.value === '', 'the search is empty');
    await until(() => rows(editor).length === 3, 'all are listed');
    expect(ids(editor)).to.deep.equal([KAYAK, BOAT, CABIN]);
  });

  it('is combined with filters that show their number of items', async () => {
    const editor = await workingEditor(fakeProxy(), many(1000));

    await press(editor, /^Not available/);
    await until(() => rows(editor).every(({ value }) => value === 'off'), 'they are off');
    const grid = editor.renderRoot.querySelector('[role=grid]');
    await until(() => grid?.getAttribute('aria-rowcount') !== '-1', 'all are counted');

    expect(textOf(button(editor, /^Not available/))).to.equal('Not available 500');
    expect(grid?.getAttribute('aria-rowcount')).to.equal('501');
  });
});

describe('a list of ten thousand rows', () => {
  it('renders only the visible rows, with their true row indexes and count', async () => {
    const editor = await workingEditor(fakeProxy(), many(10_000));
    const scroller = editor.renderRoot.querySelector<HTMLElement>('.scroller');

    scroller?.scrollTo(0, 300_000);
    await until(() => ids(editor).includes('item-5003'), 'the middle is drawn');

    expect(rows(editor).length).to.be.lessThan(30);
    expect(row(editor, 'item-5003').node.getAttribute('aria-rowindex')).to.equal('5005');
    expect(editor.renderRoot.querySelector('[role=grid]')?.getAttribute('aria-rowcount')).to.equal('10001');
  });

  it('keeps the focused row in the tree however far it is scrolled', async () => {
    const editor = await workingEditor(fakeProxy(), many(10_000));
    row(editor, 'item-2').control.focus();

    editor.renderRoot.querySelector('.scroller')?.scrollTo(0, 300_000);
    await until(() => ids(editor).includes('item-5003'), 'the middle is drawn');

    expect(focused(editor)).to.equal('4 off');
    expect(row(editor, 'item-2').viewIndex).to.equal(2);
  });
});

describe('the keyboard in the editor', () => {
  it('moves between rows, selects, and goes to the end', async () => {
    const editor = await workingEditor(fakeProxy(), many(1000));
    // Wide enough for each of its columns.
    editor.style.setProperty('inline-size', '1100px');
    row(editor, 'item-0').control.focus();
    const places: string[] = [];

    for (const press of ['ArrowDown', 'ArrowLeft', 'Control+End', 'Control+Home', 'PageDown']) {
      await pressKeys(press);
      places.push(focused(editor));
    }
    await pressKeys('Control+Home');
    await pressKeys('Shift+ArrowDown');
    await editor.updateComplete;

    expect(places.slice(0, 4)).to.deep.equal(['3 on', '3 group', '1001 group', '2 group']);
    expect(partText(editor, 'selection')).to.match(/^2 selected/);
  });

  it('edits, undoes, redoes and saves', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS);
    row(editor, KAYAK).control.focus();

    await sendKeys({ press: ' ' });
    await untilStatus(editor, KAYAK, 'Not saved yet');
    await pressKeys('Control+z');
    await untilStatus(editor, KAYAK, 'From your website, not confirmed yet');
    await pressKeys('Control+y');
    await pressKeys('Control+s');
    await untilStatus(editor, KAYAK, 'Sent, ');

    expect(proxy.accepted.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
  });

  it('does not pass its keys to the host page', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    const heard: string[] = [];
    const listener = (event: KeyboardEvent): void => void heard.push(event.key);
    document.addEventListener('keydown', listener);
    row(editor, KAYAK).control.focus();

    await sendKeys({ press: ' ' });
    await sendKeys({ press: 'Enter' });
    await sendKeys({ press: '?' });
    const list = await dialog(editor);
    await sendKeys({ press: 'Escape' });
    await sendKeys({ press: '/' });
    for (const type of ['keypress', 'keyup'] as const) document.addEventListener(type, listener);
    await sendKeys({ type: 'boat' });
    for (const type of ['keydown', 'keypress', 'keyup'] as const) document.removeEventListener(type, listener);

    expect(list.open).to.equal(false);
    expect(editor.renderRoot.querySelector('input')?.value).to.equal('boat');
    expect(heard).to.deep.equal([]);
  });
});

describe('an editor without the permission to edit', () => {
  it('offers no selection and no save', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    const editor = await workingEditor(proxy, ITEMS);

    row(editor, KAYAK).control.click();
    await editor.updateComplete;

    expect(part(editor, 'save')).to.equal(null);
    expect(getComputedStyle(row(editor, KAYAK).part('.pick')).visibility).to.equal('hidden');
  });
});

describe('an editor that becomes read-only', () => {
  it('keeps its drafts, and does not save them', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS);
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    editor.readonly = true;
    await editor.updateComplete;
    const offered = partText(editor, 'save');

    row(editor, KAYAK).part('.truth button').focus();
    await pressKeys('Control+s');
    await editor.save();
    const sent = proxy.accepted.length;
    editor.readonly = false;
    await press(editor, 'Save');

    await until(() => proxy.accepted.length === 1, 'it is sent');
    expect([offered, sent]).to.deep.equal(['', 0]);
  });

  it('selects nothing by keys', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS, { readonly: true });
    row(editor, KAYAK).part('.truth button').focus();

    for (const keys of ['Control+a', 'Shift+ArrowDown']) await pressKeys(keys);

    expect([rows(editor).some(({ isSelected }) => isSelected), said(editor)]).to.deep.equal([false, '']);
  });
});
