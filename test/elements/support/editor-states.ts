import { DraftTable } from '../../../src/client/storage/draft-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import type { InventoryEditor } from '../../../src/index.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { keepDiskBusy } from '../../client/support/failing-storage.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { ANNA, VISITOR } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, part, press, row, rows, search, untilStatus as untilRow } from './editor-page.js';
import { entryOf } from './history-entries.js';
import { CONFLICT, type StatePage } from './state-page.js';

/** Brings an editor into one of its states. */
export type EditorState = (page: StatePage) => Promise<InventoryEditor>;

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true },
  { id: BOAT, label: 'Boat tour' },
];

function saying(editor: InventoryEditor, text: string): Promise<void> {
  return until(() => editor.renderRoot.textContent?.includes(text), `the editor says "${text}"`);
}

async function working(page: StatePage): Promise<InventoryEditor> {
  const editor = await page.editor({ items: ITEMS });
  await until(() => editor.renderRoot.querySelector('[part=tools]'), 'the tools are there');
  return editor;
}

/** The states of an editor, by name. */
export const EDITOR_STATES: Readonly<Record<string, EditorState>> = {
  'that loads': async (page) => {
    page.proxy.hold('GET v1/session');
    const editor = await page.editor();
    await saying(editor, 'Loading');
    return editor;
  },
  'without items': async (page) => {
    const editor = await page.editor();
    await saying(editor, 'No items yet');
    return editor;
  },
  'with items': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true });
    const editor = await page.editor({ items: ITEMS });
    await untilRow(editor, KAYAK, 'Live on the portal');
    return editor;
  },
  'with an open edit': async (page) => {
    const editor = await page.editor({ items: ITEMS, saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await saying(editor, '1 change is not live on the portal yet');
    await untilRow(editor, KAYAK, 'Sent, ');
    return editor;
  },
  'with an edit that needs attention': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await page.editor({ items: ITEMS });
    await untilRow(editor, KAYAK, 'Not accepted');
    return editor;
  },
  'in trouble': async (page) => {
    page.proxy.refusal = 'storage_unavailable';
    const editor = await page.editor({ items: ITEMS });
    await saying(editor, 'For support');
    return editor;
  },
  'for a person who is signed out': async (page) => {
    page.proxy.person = undefined;
    const editor = await page.editor({ items: ITEMS, session: page.proxy.sessionUrl });
    await saying(editor, 'You are signed out');
    return editor;
  },
  'for a person who may only look': async (page) => {
    page.proxy.person = VISITOR;
    const editor = await page.editor({ items: ITEMS });
    await saying(editor, 'You may look but not change');
    return editor;
  },
  'that is readonly': async (page) => {
    const editor = await page.editor({ items: ITEMS, readonly: true });
    await until(() => row(editor, KAYAK).control.ariaDisabled === 'true', 'its rows are readonly');
    return editor;
  },
  'with a change that is not saved': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    return editor;
  },
  'with a selection': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).pick();
    await until(() => row(editor, KAYAK).isSelected, 'it is selected');
    return editor;
  },
  'whose columns are sorted': async (page) => {
    const editor = await working(page);
    editor.style.setProperty('inline-size', '1100px');
    await press(editor, 'Item');
    await until(() => editor.renderRoot.querySelector('[aria-sort=ascending]'), 'a column is sorted');
    return editor;
  },
  'with a heading for each group': async (page) => {
    const editor = await page.editor({ items: [...ITEMS, { id: CABIN, label: 'Cabin', group: 'Rooms' }] });
    await until(() => part(editor, 'tools')?.querySelector('.of-group'), 'the groups are known');
    await press(editor, 'Group');
    await until(() => editor.renderRoot.querySelectorAll('.heading').length === 3, 'each group has a heading');
    return editor;
  },
  'that previews a bulk edit': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).pick();
    await press(editor, /^Close th(is|ese) /);
    await dialog(editor);
    return editor;
  },
  'that shows the details of an item': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).part('.truth button').click();
    await dialog(editor);
    return editor;
  },
  'that shows the details of an item with its picture and its last changes': async (page) => {
    page.proxy.person = { ...ANNA, permissions: ['view', 'edit', 'history'] };
    page.proxy.knows({ id: KAYAK, available: true });
    page.proxy.history = [entryOf(2, { state: 'refused' }), entryOf(1, { subject: 'ben', name: 'Ben' })];
    const editor = await page.editor({ items: ITEMS.map((item) => ({ ...item, image: DOT, note: 'Key is inside.' })) });
    await untilRow(editor, KAYAK, 'Live on the portal');
    row(editor, KAYAK).part('.name').click();
    await until(() => editor.renderRoot.querySelectorAll('dialog .history li').length === 2, 'the changes are listed');
    return editor;
  },
  'that lists what waits': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await working(page);
    await press(editor, 'Details');
    await dialog(editor);
    return editor;
  },
  'that lists conflicts': async (page) => {
    page.proxy.knows(CONFLICT);
    const editor = await working(page);
    await press(editor, 'Choose which one counts');
    await dialog(editor);
    return editor;
  },
  'that lists its keys': async (page) => {
    const editor = await working(page);
    await press(editor, 'Keyboard');
    await dialog(editor);
    return editor;
  },
  'that finds nothing': async (page) => {
    const editor = await working(page);
    await search(editor, 'no such item');
    await saying(editor, 'No item matches.');
    return editor;
  },
  'with more items than fit': async (page) => {
    const items = Array.from({ length: 2000 }, (_, at) => ({ id: `item-${String(at)}`, available: at % 2 === 0 }));
    const editor = await page.editor({ items });
    await until(() => editor.renderRoot.querySelector('[part=tools]'), 'the tools are there');
    await saying(editor, '2,000 items');
    return editor;
  },
  'that waits for a connection': async (page) => {
    const editor = await working(page);
    editor.saveMode = 'auto';
    page.proxy.down = true;
    await editor.refresh();
    row(editor, KAYAK).control.click();
    await untilRow(editor, KAYAK, 'when the connection is back');
    await until(() => part(editor, 'trouble'), 'the open edit is shown below the list');
    return editor;
  },
  'in trouble without items': async (page) => {
    page.proxy.refusal = 'storage_unavailable';
    const editor = await page.editor();
    await saying(editor, 'For support');
    return editor;
  },
  'that is disabled': async (page) => {
    const editor = await page.editor({ items: ITEMS, disabled: true });
    await until(() => row(editor, KAYAK).control.disabled, 'its rows are disabled');
    return editor;
  },
  'with pictures': async (page) => {
    const editor = await page.editor({ items: ITEMS.map((item) => ({ ...item, image: DOT })) });
    await until(() => row(editor, KAYAK).node.querySelector('img'), 'the picture is there');
    return editor;
  },
  'with drafts of an earlier page': async (page) => {
    const before = await working(page);
    row(before, KAYAK).control.click();
    await until(() => part(before, 'save'), 'saving is offered');
    const owner = toOwner(`${page.proxy.url}/`, ANNA);
    const kept = new DraftTable();
    await until(async () => (await kept.pages(owner)).length === 1, 'the draft is kept');
    kept.close();
    before.remove();
    const editor = await working(page);
    await until(() => part(editor, 'drafts'), 'they are offered back');
    return editor;
  },
  'with a change that met another one before it was saved': async (page) => {
    const editor = await working(page);
    row(editor, BOAT).control.click();
    await untilRow(editor, BOAT, 'Not saved yet');
    page.proxy.takeFromElsewhere(BOAT, false);
    await editor.refresh();
    await untilRow(editor, BOAT, 'Somebody else changed this meanwhile');
    await until(() => part(editor, 'trouble'), 'the conflict is shown below the list');
    return editor;
  },
  'that saves much, and is not done': async (page) => {
    const items = Array.from({ length: 3_000 }, (_, at) => ({ id: `item-${String(at)}`, available: true }));
    const editor = await page.editor({ items });
    await press(editor, 'Close all');
    await press(editor, 'Close 3,000');
    await press(editor, 'Save');
    await until(() => editor.renderRoot.querySelector('progress'), 'it says how far it is');
    await keepDiskBusy();
    return editor;
  },
  'that asks before it closes everything': async (page) => {
    const editor = await working(page);
    await press(editor, 'Close all');
    await dialog(editor);
    return editor;
  },
  'that asks before a person signs out': async (page) => {
    const editor = await working(page);
    page.proxy.down = true;
    await editor.refresh();
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    void editor.signOut();
    await dialog(editor);
    return editor;
  },
  'that is closed as a whole': async (page) => {
    const editor = await working(page);
    await press(editor, 'Close all');
    await press(editor, 'Close 1');
    await until(() => part(editor, 'closed'), 'opening again is offered');
    return editor;
  },
  'that is compact': async (page) => {
    const editor = await working(page);
    editor.density = 'compact';
    await editor.updateComplete;
    return editor;
  },
  'on a narrow page': async (page) => {
    const editor = await working(page);
    editor.style.setProperty('inline-size', '340px');
    await until(() => (rows(editor)[0]?.node.offsetHeight ?? 0) >= 112, 'its rows are cards');
    return editor;
  },
  'without a proxy': async (page) => {
    hearWarnings();
    const editor = await page.editor({ items: ITEMS, proxy: undefined });
    await saying(editor, 'address of its proxy');
    return editor;
  },
};
