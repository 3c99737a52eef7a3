import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { DraftTable } from '../../../src/client/storage/draft-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { ANNA, fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  dialog,
  many,
  part,
  partText,
  press,
  row,
  rows,
  said,
  untilStill,
  workingEditor,
} from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';

/** What an act has changed by the time that its picture is drawn. */
async function changedInPicture(editor: InventoryEditor, act: () => void): Promise<Node[]> {
  const changed: Node[] = [];
  const note = (records: MutationRecord[]): void => void changed.push(...records.map(({ target }) => target));
  const watching = new MutationObserver(note);
  watching.observe(editor.renderRoot, { subtree: true, childList: true, attributes: true, characterData: true });
  act();
  await new Promise(requestAnimationFrame);
  note(watching.takeRecords());
  watching.disconnect();
  return changed;
}

/** Of 300 items, whose first has a draft, all that it draws late by itself is drawn. */
async function editorWithDraft(): Promise<InventoryEditor> {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, many(300));
  row(editor, 'item-0').control.click();
  const kept = new DraftTable();
  // By then the tools have also looked for drafts of earlier pages, and draw that whenever it is done.
  await until(async () => (await kept.pages(toOwner(`${proxy.url}/`, ANNA))).length === 1, 'the draft is kept');
  kept.close();
  await untilStill(editor);
  return editor;
}

/** What else changed would have the whole editor laid out, in the frame that a person waits for. */
describe('the first frame after a press', () => {
  it('changes only the pressed row, and the counts and announcements follow', async () => {
    const editor = await editorWithDraft();
    const pressed = row(editor, 'item-1');

    const changed = await changedInPicture(editor, () => void pressed.control.click());

    expect(pressed.status).to.equal('Not saved yet');
    expect(changed.filter((node) => !pressed.node.contains(node))).to.deep.equal([]);
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'the count follows');
  });

  it('changes only the rows of a bulk change, and closes its dialog with the next frame', async () => {
    const editor = await editorWithDraft();
    rows(editor)[0]?.control.focus();
    editor.renderRoot.querySelector<HTMLElement>('.head button')?.click();
    await until(() => part(editor, 'selection'), 'all are selected');
    await press(editor, /^Close th(is|ese) /);
    const preview = await dialog(editor);
    const set = preview.querySelector<HTMLButtonElement>('.strong');

    const changed = await changedInPicture(editor, () => void set?.click());

    expect(row(editor, 'item-1').value).to.equal('off');
    expect(getComputedStyle(preview).opacity).to.equal('0');
    const isElsewhere = (node: Node): boolean =>
      node !== preview && !rows(editor).some((one) => one.node.contains(node));
    expect(changed.filter(isElsewhere)).to.deep.equal([]);
    await until(() => !preview.open, 'it is closed');
    expect(preview.className).to.equal('');
    expect(editor.shadowRoot?.activeElement?.closest('dialog')).to.equal(null);
  });

  it('belongs to one bulk change, even if its button is pressed twice', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    editor.renderRoot.querySelector<HTMLElement>('.head button')?.click();
    await until(() => part(editor, 'selection'), 'all are selected');
    await press(editor, /^Close th(is|ese) /);
    const set = (await dialog(editor)).querySelector<HTMLButtonElement>('.strong');
    const asked = recordEvents(editor, 'inventory-change');

    set?.click();
    set?.click();

    await until(
      () => said(editor) === '150 items closed. Not saved yet',
      'it is said once, and of those that were set',
    );
    expect(asked).to.have.length(1);
  });
});
