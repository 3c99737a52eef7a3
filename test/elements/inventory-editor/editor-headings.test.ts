import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { ANNA, fakeProxy, VISITOR } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  ids,
  part,
  press,
  pressKeys,
  row,
  search,
  textOf,
  untilStill,
  workingEditor,
} from '../support/editor-page.js';
import { choose, GROUPED_ITEMS, groupChoice, groupedEditor, sortChoice, untilIds } from '../support/grouped-editor.js';

const ITEMS = [...GROUPED_ITEMS, { id: 'canoe', label: 'Canoe', group: 'Tours', available: true }];

const ALL = 'attic cellar kayak sailing canoe bicycle';

function headings(editor: InventoryEditor): HTMLElement[] {
  return [...editor.renderRoot.querySelectorAll<HTMLElement>('.sheet > .heading')].sort(
    (one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex),
  );
}

function heading(editor: InventoryEditor, name: string): HTMLElement {
  const found = headings(editor).find((one) => one.querySelector('.fold')?.textContent.trim() === name);
  if (found === undefined) throw new Error(`no group is called ${name}`);
  return found;
}

function fold(editor: InventoryEditor, name: string): HTMLButtonElement {
  const found = heading(editor, name).querySelector<HTMLButtonElement>('.fold');
  if (found === null) throw new Error(`nothing collapses ${name}`);
  return found;
}

/** What a heading says, without what it offers to do. */
function shown(editor: InventoryEditor): string[] {
  return headings(editor).map((one) =>
    [...one.querySelectorAll('.fold, .open')].map((part) => part.textContent.trim()).join(': '),
  );
}

async function turn(editor: InventoryEditor, name: string, label: RegExp): Promise<void> {
  const found = [...heading(editor, name).querySelectorAll<HTMLButtonElement>('.turn button')].find((one) =>
    label.test(one.textContent.trim()),
  );
  if (found === undefined) throw new Error(`${name} has no button ${String(label)}`);
  found.click();
  await dialog(editor);
}

/** In the order of the groups, and wide enough for a table. */
async function sortedByGroup(
  proxy = fakeProxy(),
  set: Partial<InventoryEditor> = {},
  items: InventoryEditor['items'] = ITEMS,
): Promise<InventoryEditor> {
  const editor = await groupedEditor(proxy, items, set);
  editor.style.setProperty('inline-size', '1100px');
  await sortByGroup(editor);
  return editor;
}

async function sortByGroup(editor: InventoryEditor): Promise<void> {
  await until(() => groupChoice(editor), 'the groups are known');
  await choose(sortChoice(editor), 'Group');
  await until(() => headings(editor).length > 0, 'there are headings');
}

describe('a list sorted by group', () => {
  it('has a heading before each group with the number of available items', async () => {
    const editor = await sortedByGroup();

    await untilIds(editor, ALL);
    expect(shown(editor)).to.deep.equal([
      'Rooms: 2 of 2 available',
      'Tours: 2 of 3 available',
      'No group: 1 of 1 available',
    ]);
    const rowIndexes = [...editor.renderRoot.querySelectorAll('.sheet > .row')].map((one) => one.ariaRowIndex);
    expect(rowIndexes).to.deep.equal(['2', '3', '4', '5', '6', '7', '8', '9', '10']);
    expect(editor.renderRoot.querySelector('[role=grid]')?.ariaRowCount).to.equal('10');
  });

  it('counts drafts in its headings at once', async () => {
    const editor = await sortedByGroup();

    row(editor, 'kayak').control.click();

    await until(() => shown(editor)[1] === 'Tours: 1 of 3 available', 'the heading counts it');
  });

  it('never has a heading twice in the tree, even if groups become shorter', async () => {
    const items = (tours: number): { id: string; group: string; available: boolean }[] =>
      Array.from({ length: 40 }, (_, at) => ({
        id: `item-${String(at)}`,
        group: at < tours ? 'Tours' : 'Workshops',
        available: true,
      }));
    const editor = await sortedByGroup(fakeProxy(), {}, items(16));
    editor.style.setProperty('--inventory-list-height', '1000px');
    await until(() => shown(editor).length === 2, 'the second heading is drawn below the edge');
    await untilStill(editor);
    const seen: string[][] = [];
    const watching = new MutationObserver(() => seen.push(shown(editor).map((text) => text.split(':')[0] ?? '')));
    watching.observe(editor.renderRoot, { subtree: true, childList: true, attributes: true, characterData: true });

    editor.items = items(3);
    await until(() => shown(editor).includes('Tours: 3 of 3 available'), 'the first group is shorter');
    await untilStill(editor);
    watching.disconnect();

    expect(seen.filter((drawn) => new Set(drawn).size < drawn.length)).to.deep.equal([]);
  });

  it('has no headings in another order', async () => {
    const editor = await sortedByGroup();

    button(editor, 'Item').click();

    await untilIds(editor, 'attic bicycle canoe cellar kayak sailing');
    expect(headings(editor).length).to.equal(0);
  });

  it('selects all items, not only the rendered ones', async () => {
    const editor = await sortedByGroup();
    fold(editor, 'Tours').click();
    await untilIds(editor, 'attic cellar bicycle');

    editor.renderRoot.querySelector<HTMLElement>('.head [role=checkbox]')?.click();
    await until(() => part(editor, 'selection') !== null, 'all are selected');

    expect(part(editor, 'selection')?.textContent).to.include('6 selected');
    expect(editor.renderRoot.querySelector('.head [role=checkbox]')?.ariaChecked).to.equal('true');
  });

  it('renders a screenful of 100,000 items', async () => {
    const items = Array.from({ length: 100_000 }, (_, at) => ({
      id: `item-${String(at)}`,
      group: `Group ${String(at % 500)}`,
      available: true,
    }));
    const editor = await sortedByGroup(fakeProxy(), {}, items);
    await until(() => shown(editor)[0] === 'Group 0: 200 of 200 available', 'the first group is there');
    const scroller = editor.renderRoot.querySelector<HTMLElement>('.scroller');
    await until(() => ids(editor).includes('item-500'), 'its items follow');
    const grid = editor.renderRoot.querySelector('[role=grid]');
    await until(() => grid?.ariaRowCount === '100501', 'all of it is in order');

    scroller?.scrollTo(0, 201 * row(editor, 'item-0').node.offsetHeight);
    await until(() => shown(editor).includes('Group 1: 200 of 200 available'), 'the second group is there');

    expect(editor.renderRoot.querySelectorAll('.sheet > .row').length).to.be.lessThan(60);
  });
});

describe('the heading of a group', () => {
  it('collapses and expands the group, and keeps the focus', async () => {
    const editor = await sortedByGroup();
    fold(editor, 'Rooms').focus();

    await pressKeys('Enter');
    await untilIds(editor, 'kayak sailing canoe bicycle');
    const collapsed = fold(editor, 'Rooms').ariaExpanded;
    await pressKeys('Space');
    await untilIds(editor, ALL);

    expect([collapsed, fold(editor, 'Rooms').ariaExpanded]).to.deep.equal(['false', 'true']);
    expect(editor.shadowRoot?.activeElement).to.equal(fold(editor, 'Rooms'));
  });

  it('is still collapsed after a reload', async () => {
    const proxy = fakeProxy();
    const before = await sortedByGroup(proxy);
    fold(before, 'Tours').click();
    await untilIds(before, 'attic cellar bicycle');
    before.remove();

    const editor = await workingEditor(proxy, ITEMS);

    await untilIds(editor, 'attic cellar bicycle');
  });

  it('shows search results of a collapsed group, and offers no action during a search', async () => {
    const editor = await sortedByGroup();
    fold(editor, 'Tours').click();
    await untilIds(editor, 'attic cellar bicycle');

    await search(editor, 'kayak');
    await untilIds(editor, 'kayak');
    const inSearch = heading(editor, 'Tours').querySelectorAll('.turn button').length;
    await search(editor, '');
    await untilIds(editor, 'attic cellar bicycle');

    expect(inSearch).to.equal(0);
  });

  for (const [dir, next] of [
    ['ltr', 'ArrowRight'],
    ['rtl', 'ArrowLeft'],
  ] as const) {
    it(`is reached by arrow keys, which keep the column of the rows, in a page that is ${dir}`, async () => {
      const editor = await sortedByGroup();
      editor.dir = dir;
      row(editor, 'cellar').control.focus();

      await pressKeys('ArrowDown');
      const onHeading = editor.shadowRoot?.activeElement;
      await pressKeys(next);
      const beside = editor.shadowRoot?.activeElement?.textContent?.trim();
      await pressKeys('ArrowDown');

      expect(onHeading).to.equal(fold(editor, 'Tours'));
      expect(beside).to.equal('Close all');
      expect(editor.shadowRoot?.activeElement).to.equal(row(editor, 'kayak').control);
    });
  }

  it('has the one tab stop of a list that begins with it', async () => {
    const editor = await sortedByGroup();
    await untilIds(editor, ALL);

    const stops = [...editor.renderRoot.querySelectorAll<HTMLElement>('.sheet [tabindex="0"]')];

    expect(stops).to.deep.equal([fold(editor, 'Rooms')]);
  });

  it('closes the available items of its group, after a preview with its name', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const editor = await sortedByGroup(proxy, { saveMode: 'auto' });

    await turn(editor, 'Tours', /^Close all$/);
    const preview = textOf(await dialog(editor));
    await press(editor, 'Close 2');
    await until(() => proxy.accepted.length === 2, 'both are sent');

    expect(preview).to.match(/^Close 2 items\? Everything in \u2068Tours\u2069 that is available now\./);
    expect(proxy.accepted.map(({ id, available }) => `${id} ${String(available)}`)).to.deep.equal([
      'kayak false',
      'canoe false',
    ]);
    await until(() => shown(editor)[1] === 'Tours: 0 of 3 available', 'the heading counts it');
  });

  it('reopens exactly the items that were closed in its group', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const editor = await sortedByGroup(proxy, { saveMode: 'auto' });
    for (const [group, label] of [
      ['Tours', 'Close 2'],
      ['Rooms', 'Close 2'],
    ] as const) {
      await turn(editor, group, /^Close all$/);
      await press(editor, label);
      await until(() => heading(editor, group).textContent.includes('0 of'), 'it is closed');
    }

    await turn(editor, 'Tours', /^Reopen these 2$/);
    await press(editor, 'Open 2');
    await until(() => shown(editor)[1] === 'Tours: 2 of 3 available', 'it is open again');

    expect(row(editor, 'sailing').value).to.equal('off');
    expect(shown(editor)[0]).to.equal('Rooms: 0 of 2 available');
    await until(() => part(editor, 'closed')?.textContent.includes('2 items'), 'the others may be reopened');
  });

  it('has a closure that undo reverts', async () => {
    const editor = await sortedByGroup();
    await turn(editor, 'Tours', /^Close all$/);
    await press(editor, 'Close 2');
    await until(() => shown(editor)[1] === 'Tours: 0 of 3 available', 'it is closed');

    await until(() => !button(editor, 'Undo').disabled, 'there is something to undo');
    await press(editor, 'Undo');

    await until(() => shown(editor)[1] === 'Tours: 2 of 3 available', 'it is as it was');
    expect(part(editor, 'closed')).to.equal(null);
  });

  it('has no action without the permission to edit', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    const editor = await sortedByGroup(proxy);

    expect(headings(editor).flatMap((one) => [...one.querySelectorAll('.turn button')])).to.deep.equal([]);
  });

  it('includes the group in the accessible names of its actions', async () => {
    const editor = await sortedByGroup();
    const close = heading(editor, 'Tours').querySelector('.turn button');

    const names = (close?.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => editor.shadowRoot?.getElementById(id)?.textContent?.trim());

    expect(names).to.deep.equal(['Close all', 'Tours']);
  });

  it('fits on a phone with all its actions', async () => {
    const editor = await sortedByGroup();
    editor.style.setProperty('inline-size', '375px');
    await until(() => headings(editor)[0]?.offsetWidth === 373, 'it is as narrow as a phone');
    const line = heading(editor, 'Tours');
    const parts = [...line.querySelectorAll<HTMLElement>('.fold, .open, .turn button')];

    const { top, bottom, left, right } = line.getBoundingClientRect();

    for (const one of parts.map((inside) => inside.getBoundingClientRect())) {
      expect([one.top >= top, one.bottom <= bottom, one.left >= left, one.right <= right]).to.not.include(false);
    }
  });

  it('sets a schedule for the available items of its group', async () => {
    const proxy = fakeProxy();
    proxy.person = { ...ANNA, permissions: ['view', 'edit', 'schedule'] };
    const editor = await sortedByGroup(proxy);
    await turn(editor, 'Tours', /^Close all$/);

    await press(editor, 'Unavailable until…');
    const find = (): HTMLButtonElement | null => editor.renderRoot.querySelector('dialog[open] .strong:not(:disabled)');
    await until(() => editor.renderRoot.querySelector('dialog[open] fieldset.until:not(:disabled)'), 'it may be set');
    find()?.click();

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    expect(proxy.heardOn('PUT v1/schedules/')[0]?.body).to.deep.include({ items: ['kayak', 'canoe'] });
  });
});
