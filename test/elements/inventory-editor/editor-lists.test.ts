import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryChangeEvent, InventoryEditor } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  ids,
  many,
  part,
  partText,
  press,
  row,
  said,
  search,
  textOf,
  total,
  workingEditor,
} from '../support/editor-page.js';
import { expectAccessibleAndFitting, itOnAPhone, setLanguage } from '../support/phone.js';
import { BOAT_CLOSED } from '../support/tours.js';

/** The name of the button that opens the dialog. */
const IMPORT_EXPORT = { en: 'Import, export', de: 'Import, Export', ar: 'استيراد وتصدير' };

async function openLists(
  editor: InventoryEditor,
  name: string | RegExp = 'Import, export',
): Promise<HTMLDialogElement> {
  await press(editor, name);
  return dialog(editor);
}

async function paste(editor: InventoryEditor, text: string): Promise<void> {
  const field = (await dialog(editor)).querySelector('textarea');
  if (field === null) throw new Error('no field');
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

async function choose(editor: InventoryEditor, file: File): Promise<void> {
  const input = (await dialog(editor)).querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('no file');
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function untilCounts(editor: InventoryEditor, counts: string): Promise<void> {
  await until(() => editor.renderRoot.querySelector('.counts')?.textContent === counts, counts);
}

/** What the browser is given to save. */
function catchDownloads(): { name: string; text: () => Promise<string> }[] {
  const caught: { name: string; text: () => Promise<string> }[] = [];
  const { createObjectURL } = URL;
  const { click } = HTMLAnchorElement.prototype;
  let last = new Blob();
  URL.createObjectURL = (blob: Blob) => createObjectURL((last = blob));
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    const blob = last;
    caught.push({
      name: this.download,
      text: async () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer()),
    });
  };
  afterThisTest(() => {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  });
  return caught;
}

describe('the CSV methods of the editor', () => {
  it('import a list and return the rejected lines', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const asked: boolean[] = [];
    editor.addEventListener('inventory-change', (event) => asked.push((event as InventoryChangeEvent).available));

    const report = await editor.importCsv(`id,available\n${KAYAK},no\n${BOAT},1\n${CABIN},x`);

    expect(report).to.deep.equal({
      new: 0,
      changed: 2,
      same: 0,
      refused: 1,
      faults: [{ line: 4, reason: 'value', column: 2 }],
    });
    expect(asked).to.deep.equal([true, false]);
    expect(part(editor, 'save')).not.to.equal(null);
    await editor.undo();
    await until(() => row(editor, KAYAK).value === 'on', 'it is taken back');
  });

  it('export a list that can be imported again without a change', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);

    const text = await editor.exportCsv();

    expect(text).to.equal(
      `\uFEFFid,available,label,group\r\n${KAYAK},yes,Kayak tour,\r\n${BOAT},no,Boat tour,\r\n${CABIN},yes,Cabin,\r\n`,
    );
    expect(await editor.importCsv(text)).to.include({ same: 3, new: 0, changed: 0, refused: 0 });
  });
});

describe('the CSV dialog', () => {
  it('uses the texts of the page', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED, { strings: { listsTitle: 'In and out' } });

    const inside = await openLists(editor);

    expect(textOf(inside.querySelector('h3'))).to.equal('In and out');
  });

  it('previews each line, changes nothing before, and imports as one undo step', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const inside = await openLists(editor);

    await paste(editor, `${KAYAK},no\n${BOAT},no\ncanoe,yes\n${CABIN},perhaps`);
    await untilCounts(editor, 'New: 1 · Changed: 1 · The same: 1 · Refused: 1');

    expect([...inside.querySelectorAll('.verdicts li')].map((line) => textOf(line))).to.deep.equal([
      `Line 4, column 2 ${CABIN} Refused This is neither yes nor no.`,
      'Line 3 canoe New: Available',
      `Line 1 ${KAYAK} Changed: Not available`,
    ]);
    expect(row(editor, KAYAK).value).to.equal('on');
    await press(editor, 'Import (2)');
    await until(() => ids(editor).includes('canoe'), 'the new item is listed');
    expect([row(editor, KAYAK).value, row(editor, 'canoe').value]).to.deep.equal(['off', 'on']);
    await until(() => said(editor) === 'Imported. New: 1 · Changed: 1 · Refused: 1', 'it is announced');
    await press(editor, 'Undo');
    expect([row(editor, KAYAK).value, row(editor, 'canoe').value]).to.deep.equal(['on', 'unknown']);
    expect(button(editor, 'Undo').disabled).to.equal(true);
  });

  it('adds an item by its id, and shows it', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    await openLists(editor);

    await paste(editor, 'canoe');
    await press(editor, 'Import (1)');

    await until(() => ids(editor).join() === 'canoe', 'it alone is listed');
    expect(row(editor, 'canoe').value).to.equal('unknown');
    expect(row(editor, 'canoe').choices).to.have.length(2);
  });

  it('sets the chosen value for items without one, and keeps the focus', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const inside = await openLists(editor);
    await paste(editor, `${KAYAK}\n${CABIN}`);
    await untilCounts(editor, 'New: 0 · Changed: 0 · The same: 2 · Refused: 0');
    const select = inside.querySelector('select');
    select?.focus();

    if (select !== null) select.value = 'no';
    select?.dispatchEvent(new Event('change', { bubbles: true }));
    await untilCounts(editor, 'New: 0 · Changed: 2 · The same: 0 · Refused: 0');

    expect(editor.shadowRoot?.activeElement).to.equal(select);
    await press(editor, 'Import (2)');
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'both are drafted');
  });

  it('checks a file of 100,000 lines with progress, and stops when it is cancelled', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const inside = await openLists(editor);
    const lines = Array.from({ length: 100_000 }, (_, at) => `item-${String(at)};yes`).join('\r\n');

    await choose(editor, new File([`\uFEFFid;available\r\n${lines}`], 'list.csv'));
    await until(() => inside.querySelector('progress'), 'the progress is there');
    [...inside.querySelectorAll('button')].find((one) => one.textContent.trim() === 'Cancel')?.click();

    expect(inside.querySelector('progress')).to.equal(null);
    expect(inside.textContent).not.to.include('Import (');
    await choose(editor, new File([`\uFEFFid;available\r\n${lines}`], 'list.csv'));
    await untilCounts(editor, 'New: 100,000 · Changed: 0 · The same: 0 · Refused: 0');
    await press(editor, 'Import (100,000)');
    await until(() => total(editor) === '100,003 items', 'all are listed');
    expect(partText(editor, 'save')).to.contain('100,000 changes');
  });

  it('saves all items, the listed items, and a long check as files', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const saved = catchDownloads();
    await search(editor, 'boat');
    await until(() => ids(editor).length === 1, 'one is found');
    await openLists(editor);

    await press(editor, 'All items (3)');
    await press(editor, 'Items listed now (1)');
    await paste(
      editor,
      many(150)
        .map(({ id }) => id)
        .join('\n'),
    );
    await untilCounts(editor, 'New: 150 · Changed: 0 · The same: 0 · Refused: 0');
    await press(editor, 'Save this check as a file');

    expect(saved.map(({ name }) => name)).to.deep.equal(['inventory.csv', 'inventory.csv', 'inventory-import.csv']);
    expect((await saved[0]?.text())?.split('\r\n')).to.have.length(5);
    expect(await saved[1]?.text()).to.equal(`\uFEFFid,available,label,group\r\n${BOAT},no,Boat tour,\r\n`);
    expect((await saved[2]?.text())?.split('\r\n')[149]).to.equal('150,item-149,New,,');
  });

  it('offers only the export without the permission to edit', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED, { readonly: true });

    const inside = await openLists(editor);

    expect(inside.querySelector('textarea')).to.equal(null);
    expect(button(editor, 'All items (3)').disabled).to.equal(false);
  });

  it('can be used by keyboard, and does not pass its keys to the page', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const keys: string[] = [];
    const hear = (event: Event): void => void keys.push(event.type);
    for (const type of ['keydown', 'keyup', 'keypress']) document.addEventListener(type, hear);
    afterThisTest(() => {
      for (const type of ['keydown', 'keyup', 'keypress']) document.removeEventListener(type, hear);
    });
    button(editor, 'Import, export').focus();
    await sendKeys({ press: 'Enter' });
    const inside = await dialog(editor);
    expect(editor.shadowRoot?.activeElement).to.equal(inside.querySelector('textarea'));
    keys.length = 0;

    await sendKeys({ type: `${KAYAK},no` });
    await until(() => inside.textContent.includes('Import (1)'), 'it is checked');
    expect(keys).to.deep.equal([]);
    button(editor, 'Import (1)').focus();
    await sendKeys({ press: 'Enter' });

    await until(() => row(editor, KAYAK).value === 'off', 'it is drafted');
  });

  itOnAPhone('is accessible and fits a phone', ['en', 'de', 'ar'], async (language) => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    await setLanguage(editor, language);
    const inside = await openLists(editor, IMPORT_EXPORT[language]);
    await paste(editor, `${KAYAK}\n${BOAT},xx\ncanoe,1`);
    await until(() => inside.querySelectorAll('.verdicts li').length === 2, 'it is checked');

    await expectAccessibleAndFitting(editor, inside);
    expect(inside.getBoundingClientRect().width).to.be.at.most(320);
    inside.close();
  });
});
