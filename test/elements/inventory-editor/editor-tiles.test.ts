import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, many, pressKeys, search, workingEditor } from '../support/editor-page.js';

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const TOURS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', image: DOT, available: true },
  { id: BOAT, label: 'Boat tour', group: 'Tours' },
  { id: CABIN, label: 'Cabin', group: 'Rooms', image: DOT, available: false },
];

function tiles(editor: InventoryEditor): HTMLElement[] {
  return [...editor.renderRoot.querySelectorAll<HTMLElement>('.sheet .tile')].sort(
    (one, other) => place(one) - place(other),
  );
}

const place = (tile: HTMLElement): number => Number(tile.parentElement?.ariaRowIndex) * 100 + Number(tile.ariaColIndex);

function tile(editor: InventoryEditor, id: string): HTMLElement {
  const found = tiles(editor).find(({ dataset }) => dataset['id'] === id);
  if (found === undefined) throw new Error(`there is no tile for ${id}`);
  return found;
}

const idsOf = (editor: InventoryEditor): (string | undefined)[] => tiles(editor).map(({ dataset }) => dataset['id']);
const grid = (editor: InventoryEditor): Element => editor.renderRoot.querySelector('[role=grid]')!;

/** What the keyboard is in: the item, and the part of its tile. */
function active(editor: InventoryEditor): string {
  const at = (editor.renderRoot as ShadowRoot).activeElement;
  const id = at?.closest<HTMLElement>('.tile')?.dataset['id'] ?? '';
  return at?.matches('.tile') === true ? id : `${id}/${at?.parentElement?.className ?? ''}`;
}

async function tiled(
  items: InventoryEditor['items'],
  {
    width = 375,
    proxy = fakeProxy(),
    ...set
  }: Omit<Partial<InventoryEditor>, 'proxy'> & { width?: number; proxy?: FakeProxy } = {},
): Promise<InventoryEditor> {
  const editor = await workingEditor(proxy, items, { view: 'grid', ...set });
  editor.style.setProperty('inline-size', `${String(width)}px`);
  await until(() => tiles(editor).length >= Math.min(items?.length ?? 1, 6), 'there are tiles');
  await until(
    () => Number(grid(editor).ariaColCount) === columnsAt(width),
    `there are ${String(columnsAt(width))} columns`,
  );
  return editor;
}

async function sortByGroup(editor: InventoryEditor): Promise<void> {
  await until(() => editor.renderRoot.querySelector('.sort [value=group]'), 'groups are offered');
  const sort = editor.renderRoot.querySelector<HTMLSelectElement>('.sort select')!;
  sort.value = 'group';
  sort.dispatchEvent(new Event('change'));
}

function columnsAt(width: number): number {
  return [300, 560, 860, 1120].filter((from) => width >= from).length + 1;
}

describe('an editor with view="grid"', () => {
  it('shows items as tiles, as many side by side as fit', async () => {
    const editor = await tiled(many(40));

    for (const [width, columns] of [
      [280, 1],
      [375, 2],
      [768, 3],
      [1000, 4],
      [1240, 5],
    ] as const) {
      editor.style.setProperty('inline-size', `${String(width)}px`);
      await until(
        () => grid(editor).ariaColCount === String(columns),
        `${String(width)} px have ${String(columns)} columns`,
      );
      const tops = tiles(editor)
        .slice(0, columns)
        .map((one) => Math.round(one.getBoundingClientRect().top));
      const inside = tiles(editor).every(({ offsetWidth, scrollWidth }) => scrollWidth <= offsetWidth);
      expect([new Set(tops).size, inside], String(width)).to.deep.equal([1, true]);
    }
  });

  it('has the roles and properties of an ARIA grid', async () => {
    const editor = await tiled(many(41));
    const [first, , third] = tiles(editor);

    expect(grid(editor).ariaRowCount).to.equal('22');
    expect(
      [first, third].map((one) => [
        one?.role,
        one?.ariaColIndex,
        one?.parentElement?.role,
        one?.parentElement?.ariaRowIndex,
      ]),
    ).to.deep.equal([
      ['gridcell', '1', 'row', '2'],
      ['gridcell', '1', 'row', '3'],
    ]);
    expect(first?.textContent).to.match(/^Item 0\s*Available\s*From your website, not confirmed yet/);
    expect(grid(editor).querySelectorAll('[role=columnheader]').length).to.equal(0);
    await expect(editor).to.be.accessible();
  });

  it('is accessible in each state, with targets of 44 px', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused', portal_available: false });
    const editor = await tiled(TOURS, { proxy });
    await until(
      () => tile(editor, KAYAK).textContent.includes('Guests see now: “Not available”.'),
      'what guests see is shown',
    );
    tile(editor, CABIN).querySelector<HTMLElement>('.pick button')!.click();
    await until(() => tile(editor, CABIN).ariaSelected === 'true', 'it is selected');

    const targets = [...editor.renderRoot.querySelectorAll<HTMLElement>('.tile button:not([hidden])')];

    expect(targets.map((one) => Math.min(one.offsetHeight, one.offsetWidth)).filter((px) => px < 44)).to.deep.equal([]);
    await expect(editor).to.be.accessible();
  });

  it('sets, selects and opens an item like a list', async () => {
    const editor = await tiled(TOURS, { saveMode: 'auto' });

    tile(editor, KAYAK).querySelector<HTMLElement>('[role=switch]')!.click();
    await until(() => tile(editor, KAYAK).textContent.includes('Sent'), 'it is sent');
    tile(editor, CABIN).querySelector<HTMLElement>('.pick button')!.click();
    await until(() => tile(editor, CABIN).ariaSelected === 'true', 'it is selected');
    tile(editor, BOAT).querySelector<HTMLElement>('.name')!.click();

    expect((await dialog(editor)).textContent).to.include('Boat tour');
  });

  it('finds, filters and sorts like a list', async () => {
    const editor = await tiled(TOURS);

    await search(editor, 'tour');
    await until(() => idsOf(editor).join() === [KAYAK, BOAT].join(), 'two are found');
    await search(editor, '');
    await until(() => idsOf(editor).length === 3, 'all are found');
    editor.renderRoot.querySelector<HTMLElement>('[data-filter=unavailable]')!.click();
    await until(() => idsOf(editor).join() === CABIN, 'one is unavailable');
  });

  it('has group headings on lines of their own, with their actions', async () => {
    const editor = await tiled(TOURS);
    await sortByGroup(editor);
    const headings = (): HTMLElement[] => [...editor.renderRoot.querySelectorAll<HTMLElement>('.sheet > .heading')];
    await until(() => headings().length === 2, 'there are two headings');
    const lines = (): (string | null)[] =>
      [...editor.renderRoot.querySelectorAll('.sheet > [role=row]')].map(({ ariaRowIndex }) => ariaRowIndex).sort();

    expect(lines()).to.deep.equal(['2', '3', '4', '5']);
    expect(idsOf(editor)).to.deep.equal([CABIN, KAYAK, BOAT]);
    await until(
      () => headings().every((one) => one.offsetHeight < tile(editor, CABIN).offsetHeight),
      'they are lower than tiles',
    );
    const box = (element?: Element): DOMRect => element!.getBoundingClientRect();
    await until(() => {
      const [rooms, tours] = headings().map(box);
      const { top, bottom } = box(tile(editor, CABIN));
      return Math.abs(rooms!.bottom - top) < 12 && Math.abs(tours!.top - bottom) < 12;
    }, 'nothing is between headings and tiles');
    headings()[0]?.querySelector<HTMLElement>('.fold')?.click();
    await until(() => idsOf(editor).join() === [KAYAK, BOAT].join(), 'the group is folded');
  });

  it('becomes a list and a grid again when view changes', async () => {
    const editor = await tiled(TOURS);

    editor.view = 'list';
    await until(
      () => editor.renderRoot.querySelectorAll('.sheet > .row').length === 3 && tiles(editor).length === 0,
      'they are rows',
    );
    editor.view = 'grid';
    await until(() => idsOf(editor).join() === [KAYAK, BOAT, CABIN].join(), 'they are tiles again');

    expect(editor.getAttribute('view')).to.equal('grid');
  });
});

describe('a hundred thousand tiles', () => {
  it('have only as many nodes as fit, from the first to the last', async () => {
    const editor = await tiled(many(100_000));
    const before = tiles(editor).length;

    tiles(editor)[0]?.focus();
    await pressKeys('Control+End');
    await until(() => active(editor) === 'item-99999', 'the last one has the keyboard');
    const last = tile(editor, 'item-99999').getBoundingClientRect();
    await until(() => {
      const { bottom } = editor.renderRoot.querySelector('.scroller')!.getBoundingClientRect();
      return tile(editor, 'item-99999').getBoundingClientRect().bottom <= bottom + 1;
    }, 'it is in view');

    expect(before).to.be.lessThan(60);
    expect(tiles(editor).length).to.be.lessThan(60);
    expect(last.height).to.be.greaterThan(100);
  });
});

describe('the keyboard in a grid of tiles', () => {
  async function walk(editor: InventoryEditor, ...keys: readonly string[]): Promise<string[]> {
    const walked: string[] = [];
    for (const key of keys) {
      await pressKeys(key);
      walked.push(active(editor));
    }
    return walked;
  }

  it('moves to the tile beside, above and below, and to the ends of the line and of the list', async () => {
    const editor = await tiled(many(7));
    tiles(editor)[0]?.focus();

    expect(await walk(editor, 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp')).to.deep.equal([
      'item-1',
      'item-1',
      'item-3',
      'item-2',
      'item-0',
    ]);
    expect(await walk(editor, 'End', 'Control+End', 'ArrowUp', 'Home', 'Control+Home')).to.deep.equal([
      'item-1',
      'item-6',
      'item-4',
      'item-4',
      'item-0',
    ]);
  });

  it('is mirrored in a page with right-to-left direction', async () => {
    const editor = await tiled(many(4), { dir: 'rtl' });
    tiles(editor)[0]?.focus();

    expect(await walk(editor, 'ArrowLeft', 'ArrowRight', 'End', 'Home')).to.deep.equal([
      'item-1',
      'item-0',
      'item-1',
      'item-0',
    ]);
  });

  it('enters a tile with F2, moves through its controls, and leaves with Escape', async () => {
    const editor = await tiled(many(4));
    tiles(editor)[0]?.focus();

    expect(
      await walk(editor, 'F2', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Home', 'F2', 'F2', 'Escape'),
    ).to.deep.equal([
      'item-0/pick',
      'item-0/truth',
      'item-0/act',
      'item-0/act',
      'item-0/pick',
      'item-0',
      'item-0/pick',
      'item-0',
    ]);
    await pressKeys('Enter');
    expect((await dialog(editor)).textContent).to.include('Item 0');
  });

  it('sets the item with the space bar, and selects with Shift and an arrow key', async () => {
    const editor = await tiled(many(6));
    tiles(editor)[0]?.focus();

    await sendKeys({ press: 'Space' });
    await until(() => tile(editor, 'item-0').textContent.includes('Not saved yet'), 'it is set');
    await pressKeys('Shift+ArrowDown');

    await until(() => tiles(editor).filter((one) => one.ariaSelected === 'true').length === 3, 'three are selected');
    expect(active(editor)).to.equal('item-2');
  });

  it('has one tab stop in the list', async () => {
    const editor = await tiled(many(6));
    tiles(editor)[0]?.focus();
    await pressKeys('ArrowRight');

    const stops = [...editor.renderRoot.querySelectorAll('.sheet [tabindex="0"]')];

    expect(stops).to.deep.equal([tile(editor, 'item-1')]);
  });

  it('passes a heading on the way to the tile in the same column', async () => {
    const items = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, label: id, group: at < 2 ? 'First' : 'Second' }));
    const editor = await tiled(items);
    await sortByGroup(editor);
    await until(() => editor.renderRoot.querySelectorAll('.sheet > .heading').length === 2, 'there are headings');
    tile(editor, 'b').focus();

    expect((await walk(editor, 'ArrowDown', 'ArrowDown')).at(-1)).to.equal('d');
  });

  it('stays on its item when the page sets the items in another order', async () => {
    const editor = await tiled(TOURS);
    tile(editor, CABIN).focus();

    editor.items = [...TOURS].reverse();

    await until(() => idsOf(editor)[0] === (CABIN as string), 'it stands elsewhere');
    expect(active(editor)).to.equal(CABIN);
  });
});
