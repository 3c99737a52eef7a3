import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { ANNA, BEN, fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { button, search, textOf, workingEditor } from '../support/editor-page.js';
import { choose, GROUPED_ITEMS, groupChoice, groupedEditor, sortChoice, untilIds } from '../support/grouped-editor.js';

/** The page comes again: the same person at the same list. */
async function comeAgain(before: InventoryEditor, proxy: FakeProxy): Promise<InventoryEditor> {
  before.remove();
  return groupedEditor(proxy);
}

describe('an editor whose items have groups', () => {
  it('offers each group, sorted by name, and all groups', async () => {
    const editor = await groupedEditor(fakeProxy());

    expect([...(groupChoice(editor)?.options ?? [])].map(({ text }) => text.trim())).to.deep.equal([
      'All groups',
      'Rooms',
      'Tours',
      'No group',
    ]);
  });

  it('offers no choice if there is one group or none', async () => {
    const editor = await workingEditor(
      fakeProxy(),
      GROUPED_ITEMS.filter(({ group }) => group !== 'Rooms'),
    );
    await until(() => /4|3/.test(editor.renderRoot.querySelector('.total')?.textContent ?? ''), 'all is counted');
    await new Promise((resolve) => requestIdleCallback(resolve));

    expect(groupChoice(editor)).to.equal(null);
    expect([...(sortChoice(editor)?.options ?? [])].map(({ value }) => value)).not.to.include('group');
  });

  it('shows the items of the chosen group, and counts these in its filters', async () => {
    const editor = await groupedEditor(fakeProxy());

    await choose(groupChoice(editor), 'Tours');
    await untilIds(editor, 'kayak sailing');
    await editor.updateComplete;
    const counted = textOf(button(editor, /^Available/));
    button(editor, /^Available/).click();
    await untilIds(editor, 'kayak');
    await choose(groupChoice(editor), 'No group');
    await untilIds(editor, 'bicycle');

    expect(counted).to.equal('Available 1');
  });

  it('searches within the chosen group', async () => {
    const editor = await groupedEditor(fakeProxy());
    await choose(groupChoice(editor), 'Rooms');

    await search(editor, 'a');
    await untilIds(editor, 'attic cellar');
  });

  it('shows all groups if the page sets items without the chosen one', async () => {
    const editor = await groupedEditor(fakeProxy());
    await choose(groupChoice(editor), 'Rooms');
    await untilIds(editor, 'attic cellar');

    editor.items = GROUPED_ITEMS.map((item) => ({ ...item, group: item.group === 'Rooms' ? 'Houses' : item.group }));

    await untilIds(editor, 'kayak attic sailing bicycle cellar');
  });

  it('restores the group and the order after a reload, but no search', async () => {
    const proxy = fakeProxy();
    const before = await groupedEditor(proxy);
    await choose(groupChoice(before), 'Rooms');
    await choose(sortChoice(before), 'Name');
    await before.updateComplete;
    before.renderRoot.querySelector<HTMLElement>('[aria-sort] button')?.click();
    await untilIds(before, 'cellar attic');
    await search(before, 'attic');
    await untilIds(before, 'attic');

    const editor = await comeAgain(before, proxy);

    await untilIds(editor, 'cellar attic');
    expect(groupChoice(editor)?.selectedOptions[0]?.text.trim()).to.equal('Rooms');
  });

  it('restores the group for the person who chose it, and for no other', async () => {
    const proxy = fakeProxy();
    const before = await groupedEditor(proxy);
    await choose(groupChoice(before), 'Rooms');
    await untilIds(before, 'attic cellar');

    proxy.person = BEN;
    const ofBen = await comeAgain(before, proxy);
    await untilIds(ofBen, 'kayak attic sailing bicycle cellar');
    proxy.person = ANNA;
    const ofAnna = await comeAgain(ofBen, proxy);

    await untilIds(ofAnna, 'attic cellar');
  });

  it('restores no group after a sign-out', async () => {
    const proxy = fakeProxy();
    const before = await groupedEditor(proxy);
    await choose(groupChoice(before), 'Rooms');
    await untilIds(before, 'attic cellar');

    await before.signOut();
    await before.refresh();
    await until(() => before.renderRoot.querySelector('.problem') === null, 'the person is signed in again');
    const editor = await comeAgain(before, proxy);
    await choose(sortChoice(editor), 'Name');

    await untilIds(editor, 'attic bicycle cellar kayak sailing');
  });

  it('keeps the group of one list separate from that of another list of the page', async () => {
    const proxy = fakeProxy();
    const one = await groupedEditor(proxy);
    await choose(groupChoice(one), 'Rooms');
    await untilIds(one, 'attic cellar');
    one.remove();

    const other = document.createElement('inventory-editor');
    Object.assign(other, { id: 'other', proxy: proxy.url, items: GROUPED_ITEMS });
    document.body.append(other);
    await until(() => groupChoice(other) !== null, 'the groups are known');

    await untilIds(other, 'kayak attic sailing bicycle cellar');
    other.remove();
  });
});
