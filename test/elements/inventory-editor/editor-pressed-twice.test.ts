import { expect, nextFrame } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  hear,
  many,
  partText,
  press,
  pressKeys,
  row,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { BOAT_UNSET as ITEMS } from '../support/tours.js';

function focused(editor: InventoryEditor): string {
  return editor.shadowRoot?.activeElement?.textContent.trim() ?? '';
}

/** As the second click of a double click comes: to whatever stands there by then. */
function clickAgain(element: Element | null | undefined): void {
  element?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, detail: 2 }));
}

describe('a second press', () => {
  before(() => setViewport({ width: 1280, height: 800 }));

  it('does not switch a row to which the focus has moved', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    row(editor, CABIN).control.click();
    await untilStatus(editor, CABIN, 'Sent, ');
    await until(() => !button(editor, 'Undo').disabled, 'it can be taken back');
    button(editor, 'Undo').focus();

    await pressKeys('Enter');
    await until(() => proxy.accepted.length === 2, 'it is taken back');
    await until(() => editor.shadowRoot?.activeElement?.closest('.row'), 'the keyboard is in the list');
    await pressKeys('Enter');

    // Of the row that it is in, at most what is known of it is shown.
    await dialog(editor);
    expect(proxy.accepted.map(({ id, available }) => [id, available])).to.deep.equal([
      [CABIN, false],
      [CABIN, true],
    ]);
  });

  it('does not discard an edit, because its details dialog focuses the button to close it', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    proxy.down = true;
    row(editor, CABIN).control.click();
    await untilStatus(editor, CABIN, 'Saved here. It goes out');
    row(editor, CABIN).part('.truth button').focus();

    await pressKeys('Enter');
    const details = await dialog(editor);
    const begins = focused(editor);
    await pressKeys('Enter');
    await until(() => !details.open, 'it is closed');

    expect(begins).to.equal('Done');
    expect(row(editor, CABIN).status).to.contain('Saved here');
  });

  it('does not apply a bulk change, because its preview focuses "Cancel"', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).pick();
    await press(editor, /^Close th(is|ese) /);
    await dialog(editor);

    expect(focused(editor)).to.equal('Cancel');
  });

  it('of a double click does not change a first value that the first click has set', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });

    row(editor, BOAT).choices[0]?.click();
    await untilStatus(editor, BOAT, 'Sent, ');
    clickAgain(row(editor, BOAT).control);
    await nextFrame();

    expect(row(editor, BOAT).shown.value).to.equal('on');
    row(editor, BOAT).control.click();
    await until(() => proxy.accepted.length === 2, 'the next press is one');
  });

  it('of a double click on "Save" does not cancel the save', async () => {
    const editor = await workingEditor(fakeProxy(), many(2200));
    row(editor, 'item-0').control.focus();
    await pressKeys('Control+a');
    await press(editor, /^Close th(is|ese) /);
    await press(editor, /^Close 1,100/);
    await untilButton(editor, 'Save');
    const heard = hear(editor);

    await press(editor, 'Save');
    await untilButton(editor, 'Cancel');
    clickAgain(button(editor, 'Cancel'));

    await until(() => partText(editor, 'save') === '', 'all are saved');
    expect(heard).to.include('1,100 changes will be sent.');
  });

  for (const [where, key] of [
    ['.name', 'Space'],
    ['[role=switch]', 'Enter'],
    ['[role=switch]', 'Space'],
  ] as const) {
    it(`does not result from ${key} that is held down on ${where}`, async () => {
      const editor = await workingEditor(fakeProxy(), ITEMS);
      row(editor, KAYAK).part(where).focus();

      await sendKeys({ down: key });
      await sendKeys({ down: key });
      await sendKeys({ up: key });
      await untilStatus(editor, KAYAK, 'Not saved yet');

      expect(row(editor, KAYAK).shown.value).to.equal('off');
    });
  }
});
