import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { fakeProxy, problemAnswer, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { button, dialog, many, part, press, row, textOf, untilStatus, workingEditor } from '../support/editor-page.js';
import { TOURS } from '../support/tours.js';

/** The Kayak tour is drafted, and the change of the boat waits on the device. */
async function withBoth(): Promise<{ proxy: FakeProxy; editor: InventoryEditor }> {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, TOURS, { saveMode: 'auto' });
  proxy.down = true;
  await editor.refresh();
  row(editor, BOAT).control.click();
  await untilStatus(editor, BOAT, 'Saved here');
  editor.saveMode = 'manual';
  await editor.updateComplete;
  row(editor, KAYAK).control.click();
  await until(() => part(editor, 'save'), 'it is drafted');
  return { proxy, editor };
}

/** Each heading of the dialog with the rows of the list below it. */
function groups(inside: HTMLElement): Record<string, string[]> {
  const rowsBelow = (heading: Element): string[] => {
    let at = heading.nextElementSibling;
    while (at !== null && at.localName !== 'ul') at = at.nextElementSibling;
    return [...(at?.querySelectorAll('li') ?? [])].map(textOf);
  };
  return Object.fromEntries([...inside.querySelectorAll('h4')].map((heading) => [textOf(heading), rowsBelow(heading)]));
}

describe('the sign-out dialog', () => {
  it('lists unsaved and unsent changes with their values', async () => {
    const { editor } = await withBoth();

    void editor.signOut();

    const inside = await dialog(editor);
    expect(groups(inside)).to.deep.equal({
      'Not saved yet (1)': ['Kayak tour Not available'],
      'Saved here, not sent yet (1)': ['Boat tour Not available'],
    });
    expect(textOf(inside)).to.contain('No connection. Your changes are safe here');
  });

  it('describes each choice, and focuses one that loses nothing', async () => {
    const { editor } = await withBoth();

    void editor.signOut();

    const inside = await dialog(editor);
    expect([...inside.querySelectorAll('dt')].map(textOf)).to.deep.equal(['Save and sign out', 'Delete and sign out']);
    expect([...inside.querySelectorAll('dd')].map(textOf)).to.deep.equal([
      'Everything is sent first. If that fails, nothing is lost and you stay signed in.',
      'These changes are lost for good. Guests go on seeing what they see now.',
    ]);
    expect(editor.shadowRoot?.activeElement).to.equal(button(editor, 'Save and sign out'));
  });

  it('has only the delete button in the colour of danger', async () => {
    const { editor } = await withBoth();
    editor.style.setProperty('--inventory-danger', 'rgb(150, 0, 0)');

    void editor.signOut();
    await dialog(editor);

    const colours = ['Stay signed in', 'Delete and sign out', 'Save and sign out'].map(
      (label) => getComputedStyle(button(editor, label)).borderTopColor,
    );
    expect(colours.map((colour) => colour === 'rgb(150, 0, 0)')).to.deep.equal([false, true, false]);
  });

  it('keeps the changes and the session if saving cannot send', async () => {
    const { proxy, editor } = await withBoth();
    const leaving = editor.signOut();
    await press(editor, 'Save and sign out');

    await until(
      () => [...editor.renderRoot.querySelectorAll('h4')].map(textOf).join() === 'Saved here, not sent yet (2)',
      'it asks again',
    );
    await press(editor, 'Stay signed in');

    expect(await leaving).to.equal(false);
    proxy.down = false;
    await editor.refresh();
    await until(() => proxy.accepted.length === 2, 'both are sent');
  });

  it('lists refused edits separately, because signing out does not send them', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, TOURS, { saveMode: 'auto' });
    proxy.answers.set('POST v1/inventory', () => problemAnswer('item_unknown', [0]));
    row(editor, BOAT).control.click();
    await untilStatus(editor, BOAT, 'Not accepted');

    void editor.signOut();

    const inside = await dialog(editor);
    expect(groups(inside)).to.deep.equal({ 'Not accepted: you decide (1)': ['Boat tour Not available'] });
    expect(textOf(inside)).to.contain('These cannot be sent as they are: decide about them first.');
    expect(button(editor, 'Send and sign out').className).to.contain('strong');
  });

  it('lists the first 100 of very many changes and counts the others', async () => {
    const editor = await workingEditor(
      fakeProxy(),
      many(1_200, () => true),
    );
    await press(editor, 'Close all');
    await press(editor, 'Close 1,200');
    await until(() => part(editor, 'save'), 'all are drafted');

    void editor.signOut();

    const inside = await dialog(editor);
    await until(() => textOf(inside).includes('Not saved yet (1,200)'), 'all are counted');
    expect(inside.querySelectorAll('li')).to.have.length(100);
    expect(textOf(inside)).to.contain('and 1,100 more');
    await expect(editor).to.be.accessible();
  });
});
