import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  part,
  partText,
  press,
  row,
  search,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { BOAT_CLOSED } from '../support/tours.js';

/** What the keyboard is in, by its words; empty: the keyboard has fallen out of the editor. */
function held(editor: InventoryEditor): string {
  const active = editor.shadowRoot?.activeElement;
  if (!active) return '';
  const rowIndex = active.closest('.row')?.getAttribute('aria-rowindex');
  return rowIndex ? `row ${rowIndex}` : (active.textContent.trim().replace(/\s+/g, ' ') ?? '') || active.localName;
}

/** As a person does who has no mouse. */
async function pressByKey(editor: InventoryEditor, label: string | RegExp): Promise<void> {
  await untilButton(editor, label);
  button(editor, label).focus();
  await sendKeys({ press: 'Enter' });
}

async function withDraft(): Promise<{ editor: InventoryEditor; proxy: ReturnType<typeof fakeProxy> }> {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, BOAT_CLOSED);
  row(editor, BOAT).control.click();
  await until(() => part(editor, 'save'), 'saving is offered');
  return { editor, proxy };
}

describe('the keyboard focus stays in the editor', () => {
  it('when the save button disappears', async () => {
    const { editor } = await withDraft();

    await pressByKey(editor, 'Save');
    await untilStatus(editor, BOAT, 'Sent, ');
    await until(() => part(editor, 'save') === null, 'nothing is left to save');

    await until(() => held(editor) === 'row 2', 'it is in the list');
  });

  it('when the page sets other items', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, BOAT).control.focus();

    editor.items = [...BOAT_CLOSED, { id: 'attic', label: 'Attic', available: true }];
    await until(() => part(editor, 'tools'), 'the tools are there');

    await until(() => held(editor) === 'row 3', 'it is where it was');
  });

  it('when the page removes the focused item, which has a draft', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, BOAT).control.click();
    await until(() => part(editor, 'save'), 'it is drafted');
    row(editor, BOAT).control.focus();

    editor.items = BOAT_CLOSED.filter(({ id }) => id !== BOAT);
    await until(() => part(editor, 'drafts'), 'its draft is offered');

    await until(() => held(editor) === 'row 2', 'it is in the list');
  });

  it('when the discard button disappears', async () => {
    const { editor } = await withDraft();

    await pressByKey(editor, 'Discard');
    await until(() => part(editor, 'save') === null, 'nothing is left to save');

    await until(() => held(editor) === 'row 2', 'it is in the list');
  });

  it('when the undo button is disabled after the last step', async () => {
    const { editor } = await withDraft();

    await pressByKey(editor, 'Undo');
    await until(() => button(editor, 'Undo').disabled, 'nothing is left to undo');

    await until(() => held(editor) !== '', 'it is somewhere');
    expect(held(editor)).to.equal('row 2');
  });

  it('when everything is selected, and when the selection is cleared', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, BOAT).pick();
    await pressByKey(editor, 'Select all 3');
    await until(() => partText(editor, 'selection').startsWith('3 selected'), 'all are selected');
    await until(() => held(editor) !== '', 'it is somewhere');
    const afterAll = held(editor);

    await pressByKey(editor, 'Clear');
    await until(() => part(editor, 'selection') === null, 'nothing is selected');

    await until(() => held(editor) === 'row 2', 'it is in the list');
    expect(afterAll).not.to.equal('');
  });

  it('when the button to show all items disappears after a search', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    await search(editor, 'no such item');

    await pressByKey(editor, 'Show all items');
    await until(() => row(editor, KAYAK), 'the items are there');

    await until(() => held(editor) === 'row 2', 'it is in the list');
  });

  it('on its filter, when an earlier filter disappears', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, BOAT_CLOSED, { saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');
    await untilButton(editor, /^On its way/);
    button(editor, /^You decide/).focus();

    proxy.settle(KAYAK, 'delivered');
    await untilStatus(editor, KAYAK, 'Live on the portal');
    await until(() => !editor.renderRoot.querySelector('[data-filter=waiting]:not([hidden])'), 'nothing waits');

    expect(held(editor)).to.match(/^You decide/);
  });

  it('where a dialog was opened from, when that closes', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, BOAT).part('.truth button').focus();
    await sendKeys({ press: 'Enter' });
    const details = await dialog(editor);

    await sendKeys({ press: 'Escape' });
    await until(() => !details.open, 'it is closed');

    expect(held(editor)).to.equal('row 3');
  });

  it('when a bulk change is applied in its preview', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, KAYAK).pick();
    await pressByKey(editor, /^Close th(is|ese) /);
    await dialog(editor);

    await pressByKey(editor, 'Close 1');
    await until(() => partText(editor, 'save').startsWith('1 change'), 'it is drafted');

    await until(() => held(editor) === 'row 2', 'it is in the list');
  });

  it('in the dialog of open edits, when the pressed button disappears', async () => {
    const proxy = fakeProxy();
    for (const id of [KAYAK, BOAT]) proxy.knows({ id, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, BOAT_CLOSED);
    await pressByKey(editor, 'Details');
    const list = await dialog(editor);

    await pressByKey(editor, 'Send again');
    await until(() => list.textContent.includes('Sent, '), 'one is on its way again');

    await until(() => held(editor) !== '', 'it is somewhere');
    expect(list.contains(editor.shadowRoot?.activeElement ?? null)).to.equal(true);
  });

  it('when the retry button disappears after a retry', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, BOAT_CLOSED);

    await pressByKey(editor, 'Send 1 again');
    await until(() => part(editor, 'trouble') === null, 'nothing has failed any more');

    await until(() => held(editor) === 'row 2', 'it is in the list');
  });
});

describe('the keyboard focus of the host page', () => {
  it('is not taken when something disappears in the editor', async () => {
    const { editor } = await withDraft();
    const field = document.createElement('input');
    editor.before(field);
    field.focus();

    await editor.discard();
    await press(editor, 'Keyboard');
    (await dialog(editor)).close();
    field.focus();
    row(editor, BOAT).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    await editor.save();
    await until(() => part(editor, 'save') === null, 'nothing is left to save');

    expect(document.activeElement === field).to.equal(true);
    field.remove();
  });
});
