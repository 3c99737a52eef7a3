import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { KAYAK } from '../../client/support/items.js';
import { forbidStorage } from '../../client/support/failing-storage.js';
import { BEN, fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  dialog,
  mostlyOpen,
  part,
  partText,
  press,
  row,
  said,
  total,
  untilButton,
  workingEditor,
} from '../support/editor-page.js';

function sentIds(proxy: FakeProxy): string[] {
  return proxy.accepted.map(({ id }) => id);
}

describe('drafts', () => {
  async function leftByAnEarlierPage(): Promise<{ proxy: FakeProxy; editor: InventoryEditor }> {
    const proxy = fakeProxy();
    const before = await workingEditor(proxy, mostlyOpen(20));
    row(before, 'item-1').control.click();
    row(before, 'item-2').control.click();
    await until(() => partText(before, 'save').startsWith('2 changes'), 'two are drafted');
    before.remove();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    await until(() => part(editor, 'drafts'), 'they are offered back');
    return { proxy, editor };
  }

  it('of an earlier page are offered with their age, and restored only if the person agrees', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();
    const offer = partText(editor, 'drafts');
    const untouched = [row(editor, 'item-1').value, part(editor, 'save')];

    await press(editor, 'Bring back');
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'they are drafts of this page');

    expect(offer).to.match(/^2 changes that you did not save, from just now\. Discard Bring back$/);
    expect(untouched).to.deep.equal(['on', null]);
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
    await until(() => part(editor, 'drafts') === null, 'the offer is taken');
    await until(() => said(editor) === '2 changes', 'their number is announced');
    expect(sentIds(proxy)).to.deep.equal([]);
  });

  it('of an earlier page are included in the sign-out dialog, and sent by "Save and sign out"', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();

    const leaving = editor.signOut();
    await untilButton(editor, 'Save and sign out');

    expect((await dialog(editor)).textContent).to.contain('2 changes are not sent yet.');
    await press(editor, 'Save and sign out');
    expect(await leaving).to.equal(true);
    expect(proxy.accepted.map(({ id }) => id)).to.have.members(['item-1', 'item-2']);
  });

  it('of an earlier page stay on offer after "Stay signed in", and are deleted by "Delete and sign out"', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();

    const staying = editor.signOut();
    await press(editor, 'Stay signed in');
    expect(await staying).to.equal(false);
    expect(partText(editor, 'drafts')).to.contain('2 changes that you did not save');
    const leaving = editor.signOut();
    await press(editor, 'Delete and sign out');

    expect(await leaving).to.equal(true);
    expect(proxy.accepted.length).to.equal(0);
    editor.remove();
    const next = await workingEditor(fakeProxy(), mostlyOpen(20));
    expect(part(next, 'drafts')).to.equal(null);
  });

  /** The words of a bar, and its buttons. */
  function boxes(editor: InventoryEditor, bar: string): DOMRect[] {
    return [...(part(editor, bar)?.children ?? [])].map((one) => one.getBoundingClientRect());
  }

  function expectTwoAlike([words, one, other]: readonly DOMRect[]): void {
    expect(one?.top).to.equal(other?.top);
    expect(one?.width).to.be.closeTo(other?.width ?? NaN, 1);
    expect(words?.bottom).to.be.at.most(one?.top ?? NaN);
  }

  it('are offered on a phone above two buttons of the same width on one line', async () => {
    const { editor } = await leftByAnEarlierPage();

    editor.style.inlineSize = '343px';

    expectTwoAlike(boxes(editor, 'drafts'));
  });

  async function withDrafts(proxy = fakeProxy()): Promise<InventoryEditor> {
    const editor = await workingEditor(proxy, mostlyOpen(20));
    row(editor, 'item-1').control.click();
    row(editor, 'item-2').control.click();
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'two are drafted');
    return editor;
  }

  it('that the browser does not store are reported on a phone above the buttons', async () => {
    forbidStorage();
    const editor = await withDrafts();
    editor.style.inlineSize = '343px';

    await until(() => partText(editor, 'save').includes('This browser does not keep them'), 'the text is shown');

    expectTwoAlike(boxes(editor, 'save'));
  });

  it('stay drafts when the page moves the editor repeatedly', async () => {
    const editor = await withDrafts();
    const page = editor.parentElement;
    const place = await fixture<HTMLElement>(html`<div></div>`);

    place.append(editor);
    await until(() => part(editor, 'tools'), 'the tools are there again');
    page?.append(editor);
    await editor.updateComplete;
    place.append(editor);

    await until(() => partText(editor, 'save').startsWith('2 changes'), 'they are drafts here');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
    await until(() => part(editor, 'drafts') === null, 'nothing is on offer');
  });

  it('stay drafts when the page sets another list', async () => {
    const editor = await withDrafts();

    editor.items = mostlyOpen(21);

    await until(() => total(editor) === '21 items', 'the new list is shown');
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'they are drafts of it');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
    await until(() => part(editor, 'drafts') === null, 'nothing is on offer');
  });

  it('that the browser does not store return with the list that has their items', async () => {
    forbidStorage();
    const editor = await withDrafts();
    await until(() => partText(editor, 'save').includes('This browser does not keep them'), 'the text is shown');

    editor.items = mostlyOpen(2);
    await until(() => partText(editor, 'save').startsWith('1 change'), 'one is of this list');
    editor.items = mostlyOpen(21);

    await until(() => partText(editor, 'save').startsWith('2 changes'), 'both are of that one');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
  });

  it('that the browser does not store are not shown to another person who signs in', async () => {
    forbidStorage();
    const proxy = fakeProxy();
    const editor = await withDrafts(proxy);
    await until(() => partText(editor, 'save').includes('This browser does not keep them'), 'the text is shown');
    const place = editor.parentElement;

    editor.remove();
    proxy.person = BEN;
    await (await workingEditor(proxy, mostlyOpen(20))).refresh();
    place?.append(editor);
    await editor.updateComplete;

    await until(() => part(editor, 'tools'), 'the tools are there again');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['on', 'on']);
    expect(part(editor, 'save')).to.equal(null);
  });

  it('are sent for the item for which they were made, even if the page changes its array in place', async () => {
    const [proxy, items] = [fakeProxy(), mostlyOpen(20)];
    const editor = await workingEditor(proxy, items);
    row(editor, 'item-1').control.click();
    await until(() => partText(editor, 'save').startsWith('1 change'), 'one is drafted');

    items.unshift({ id: 'fresh', label: 'Fresh', available: true });
    await press(editor, 'Save');
    await until(() => proxy.accepted.length === 1, 'it is sent');

    expect(sentIds(proxy)).to.deep.equal(['item-1']);
  });

  it('are made for the visible item, even if the page has changed its array in place', async () => {
    const [proxy, items] = [fakeProxy(), mostlyOpen(20)];
    const editor = await workingEditor(proxy, items, { saveMode: 'auto' });

    items.reverse();
    row(editor, 'item-1').control.click();
    await until(() => proxy.accepted.length === 1, 'it is sent');

    expect(sentIds(proxy)).to.deep.equal(['item-1']);
  });

  it('can be saved after the editor was switched to auto mode', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();
    editor.saveMode = 'auto';

    await press(editor, 'Bring back');
    await press(editor, 'Save');

    await until(() => proxy.accepted.length === 2, 'both are sent');
    await until(() => part(editor, 'save') === null, 'nothing is left to save');
  });

  it('of an earlier page stay on offer if their items are not in the list, with a message', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();
    editor.remove();
    const other = await workingEditor(proxy, [{ id: KAYAK, label: 'Kayak tour', available: true }]);
    const words = '2 changes are for items that are not in this list. They are kept for the list that has them.';

    await press(other, 'Bring back');

    await until(() => partText(other, 'left-alone') === `${words} Done`, 'the text is shown');
    expect(said(other)).to.equal(words);
    await until(() => partText(other, 'drafts').startsWith('2 changes'), 'they are on offer');
  });

  it('of an earlier page are deleted if the person discards them', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();

    await press(editor, 'Discard');
    await until(() => part(editor, 'drafts') === null, 'the offer is gone');
    editor.remove();
    const next = await workingEditor(proxy, mostlyOpen(20));
    row(next, 'item-5').control.click();
    await until(() => part(next, 'save'), 'it works');

    expect(part(next, 'drafts')).to.equal(null);
  });
});
