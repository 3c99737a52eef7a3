import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  ids,
  many,
  partText,
  placeOf,
  press,
  row,
  rows,
  search,
  untilStatus,
  untilStill,
  workingEditor,
} from '../support/editor-page.js';

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Every second one is available. */
function grid(editor: InventoryEditor): Element {
  const found = editor.renderRoot.querySelector('[role=grid]');
  if (found === null) throw new Error('there is no grid');
  return found;
}

function scroller(editor: InventoryEditor): HTMLElement {
  const found = editor.renderRoot.querySelector<HTMLElement>('.scroller');
  if (found === null) throw new Error('there is nothing to scroll');
  return found;
}

/** As the rows are in the tree. */
function rowIndexes(editor: InventoryEditor): number[] {
  return [...editor.renderRoot.querySelectorAll('.sheet > .row')].map((node) => Number(node.ariaRowIndex));
}

function bottomOf(element: Element): number {
  return element.getBoundingClientRect().bottom;
}

describe('the grid of the editor', () => {
  it('has the true number of rows and columns, not that of the rendered ones', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));
    const head = grid(editor).querySelectorAll('[role=columnheader]');
    const cells = row(editor, 'item-0').node.querySelectorAll('[role=gridcell], [role=rowheader]');

    expect(grid(editor).ariaRowCount).to.equal('5001');
    expect([head.length, cells.length]).to.deep.equal([6, 6]);
    expect(rows(editor).length).to.be.lessThan(40);
  });

  it('counts only visible columns, at any width', async () => {
    const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, label: 'Kayak tour', group: 'Boats' }]);

    for (const [px, columns] of [
      [1100, 6],
      [800, 5],
    ] as const) {
      editor.style.setProperty('inline-size', `${String(px)}px`);
      const shown = [...grid(editor).querySelectorAll('[role=columnheader]')].filter((head) => head.checkVisibility());

      expect(shown.length).to.equal(columns);
      expect(Number(grid(editor).ariaColCount ?? shown.length), `${String(px)} px`).to.equal(columns);
    }
  });

  it('counts the rows that a search and a filter leave', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));

    await press(editor, /^Available/);
    await search(editor, 'item-49');
    await until(() => ids(editor)[0] === 'item-490' && grid(editor).ariaRowCount !== '-1', 'what matches is listed');

    // 49, 490 to 499, 4900 to 4999: every second one, and 49 is not.
    expect(grid(editor).ariaRowCount).to.equal('56');
  });

  it('has no number of rows before it is known', async () => {
    const proxy = fakeProxy();
    const release = proxy.hold('GET v1/inventory');
    const editor = document.createElement('inventory-editor');
    Object.assign(editor, { proxy: proxy.url, items: many(3) });
    document.body.append(editor);
    await until(() => rows(editor).length === 3, 'the rows are there');
    const before = [grid(editor).ariaRowCount, editor.renderRoot.querySelector('.total')?.textContent.trim()];

    release();
    await until(() => grid(editor).ariaRowCount === '4', 'they are counted');

    expect(before).to.deep.equal(['-1', 'counting…']);
    editor.remove();
  });

  it('has the index of each row, wherever the list is scrolled', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));

    scroller(editor).scrollTo(0, 150_000);
    await until(() => ids(editor).includes('item-2500'), 'the middle is drawn');

    expect(rows(editor).every(({ id, node }) => node.ariaRowIndex === String(Number(id.slice(5)) + 2))).to.equal(true);
  });

  it('moves no row in the tree during a scroll, and has the rows in order after it', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));
    editor.style.setProperty('inline-size', '1100px');
    const list = scroller(editor);
    const sheet = editor.renderRoot.querySelector('.sheet') ?? list;
    row(editor, 'item-3').control.focus();
    // WebKit brings what has the focus into sight only with the next picture.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Not at the edge of a row: one more row is in sight than where the first begins at the edge.
    list.scrollTop = 30_010;
    await until(() => ids(editor).includes('item-509') && isAscending(rowIndexes(editor)), 'it is in the middle');
    // The rows beyond the edges are drawn a moment later, which adds nodes.
    const isDrawnBelow = () => rows(editor).some(({ node }) => bottomOf(node) > bottomOf(list) + 2 * node.offsetHeight);
    await until(isDrawnBelow, 'the rows below the edge are drawn');
    // The new width of the page may change the height of the list, and so how many rows are drawn.
    await untilStill(editor);
    const watch = new MutationObserver(() => undefined);
    watch.observe(sheet, { childList: true });

    for (let step = 0; step < 60; step += 1) {
      list.scrollTop += step < 40 ? 25 : -55;
      // Now, and not with the next frame: however slow the machine is, nothing rests in between.
      list.dispatchEvent(new Event('scroll'));
    }

    expect(watch.takeRecords()).to.deep.equal([]);
    expect(isAscending(rowIndexes(editor))).to.equal(false);
    await until(() => isAscending(rowIndexes(editor)), 'they are in their order');
    watch.disconnect();
  });

  for (const [density, next] of [
    ['comfortable', 'compact'],
    ['compact', 'comfortable'],
  ] as const) {
    it(`shows the same rows, to its lower edge, when it becomes ${next} and is no longer ${density}`, async () => {
      const editor = await workingEditor(fakeProxy(), many(5000), { density });
      editor.style.setProperty('inline-size', '1100px');
      await until(() => row(editor, 'item-0').node.offsetHeight === height(density, false), 'it has its height');
      // As a person does who sees that it did not move: a list that measures its rows keeps the row at its top in place.
      await until(() => {
        scroller(editor).scrollTo(0, 1000 * height(density, false));
        return ids(editor).includes('item-1000');
      }, 'the list is scrolled');

      editor.density = next;

      await until(() => row(editor, 'item-0').node.offsetHeight === height(next, false), 'it has another height');
      await until(() => isInSight(editor, row(editor, 'item-1001').node), 'the same rows are in sight');
      const seen = scroller(editor).getBoundingClientRect();
      const rowsThere = rows(editor).map(({ node }) => node.getBoundingClientRect());
      expect(Math.max(...rowsThere.map(({ bottom }) => bottom))).to.be.at.least(seen.bottom - 1);
    });
  }

  it('renders the visible rows at once, and the rows around them later', async () => {
    const items = many(5000);
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor
        style="inline-size: 1100px; --inventory-list-height: 720px"
        proxy=${fakeProxy().url}
        .items=${items}
      ></inventory-editor>`,
    );
    expect(ids(editor)).to.deep.equal(items.slice(0, 12).map(({ id }) => id));

    const around = items.slice(0, 15).map(({ id }) => id);
    await until(() => ids(editor).join() === around.join(), 'the rows below are drawn');
    await until(() => editor.renderRoot.querySelector('[part=tools] input') !== null, 'the tools are there');
    await search(editor, 'item-49');

    const found = items.filter(({ id }) => id.includes('item-49')).slice(0, 15);
    await until(() => ids(editor).join() === found.map(({ id }) => id).join(), 'the rows below are drawn again');

    editor.disabled = true;
    // They stand where they stood.
    await until(() => rows(editor).every(({ control }) => control.disabled), 'the rows below say so too');
  });

  it('keeps its headers visible, and never covers the focused row', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));
    editor.style.setProperty('inline-size', '1100px');
    row(editor, 'item-9').control.focus();
    scroller(editor).scrollTo(0, 200_000);
    await until(() => !ids(editor).includes('item-11'), 'its neighbours are gone');
    expect(isInSight(editor, columnName(editor))).to.equal(true);

    button(editor, 'All 5,000').focus();
    for (let tab = 0; tab < 10 && editor.shadowRoot?.activeElement !== row(editor, 'item-9').control; tab++) {
      await sendKeys({ press: 'Tab' });
    }

    await until(() => ids(editor).includes('item-11'), 'they are back');
    const { top } = row(editor, 'item-9').control.getBoundingClientRect();
    expect(isInSight(editor, columnName(editor))).to.equal(true);
    expect(top).to.be.at.least(columnName(editor).getBoundingClientRect().bottom);
  });

  for (const width of [340, 900, 1100]) {
    it(`shows each element that the Tab key reaches, on ${String(width)} px`, async () => {
      const editor = await workingEditor(fakeProxy(), many(50));
      editor.style.setProperty('inline-size', `${String(width)}px`);
      // Less the borders, and a scroll bar that takes room of its own.
      await until(() => Math.abs(row(editor, 'item-1').node.offsetWidth - width + 2) <= SCROLL_BAR, 'it has its width');
      const seen: string[] = [];
      // Beyond the page's last stop a browser may have some of its own.
      const after = document.createElement('button');
      editor.after(after);
      editor.renderRoot.querySelector('input')?.focus();

      for (let active = editor.shadowRoot?.activeElement; active; active = editor.shadowRoot?.activeElement) {
        // The widest list is wider than the window of the tests.
        scrollTo(Math.max(0, scrollX + active.getBoundingClientRect().right - innerWidth), scrollY);
        expect(isInSight(editor, active), active.outerHTML).to.equal(true);
        seen.push((active.ariaLabel ?? active.textContent).trim());
        await sendKeys({ press: 'Tab' });
      }

      expect(document.activeElement).to.equal(after);
      after.remove();

      expect(seen).to.include('All 50');
      expect(seen.slice(-2)).to.deep.equal(['Select all items that are listed', 'Available']);
    });
  }
});

/** The widest that a browser draws. */
const SCROLL_BAR = 20;

function isAscending(rowIndexes: readonly number[]): boolean {
  return rowIndexes.every((rowIndex, index) => index === 0 || rowIndex > (rowIndexes[index - 1] ?? 0));
}

function columnName(editor: InventoryEditor): Element {
  const found = grid(editor).querySelectorAll('[role=columnheader]')[1];
  if (found === undefined) throw new Error('no column has a name');
  return found;
}

/** Whether a person sees the middle of it. */
function isInSight(editor: InventoryEditor, element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const seen = editor.shadowRoot?.elementFromPoint(left + width / 2, top + height / 2);
  return element.contains(seen ?? null);
}

describe('the focused row', () => {
  it('stays the same element with the same item while the rows around it are recycled', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));
    const { node, control } = row(editor, 'item-3');
    control.focus();

    for (const top of [20_000, 290_000, 90_000, 0, 250_000]) {
      scroller(editor).scrollTo(0, top);
      const first = `item-${String(Math.floor(top / node.offsetHeight))}`;
      await until(() => ids(editor).includes(first), `the list is at ${String(top)}`);
      expect(row(editor, 'item-3').node === node).to.equal(true);
      expect(editor.shadowRoot?.activeElement === control).to.equal(true);
    }
  });

  it('is the start of the next arrow key, which scrolls it into view', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));
    row(editor, 'item-3').control.focus();
    scroller(editor).scrollTo(0, 200_000);
    await until(() => !ids(editor).includes('item-4'), 'its neighbours are gone');

    await sendKeys({ press: 'ArrowDown' });

    expect(editor.shadowRoot?.activeElement?.closest('.row') === row(editor, 'item-4').node).to.equal(true);
    expect(scroller(editor).scrollTop).to.be.lessThan(1000);
  });

  it('is announced after an arrow key from a row out of view, without a change of the host page', async () => {
    const editor = await workingEditor(fakeProxy(), many(5000));
    row(editor, 'item-9').control.focus();
    scroller(editor).scrollTo(0, 200_000);
    await until(() => !ids(editor).includes('item-11') && isAscending(rowIndexes(editor)), 'its neighbours are gone');
    const [told, toHost]: [(string | null | undefined)[], string[]] = [[], []];
    grid(editor).addEventListener('focusin', ({ target }) => {
      told.push((target as Element).closest('.row')?.ariaRowIndex);
    });
    const listener = ({ type }: Event): void => void toHost.push(type);
    for (const type of ['focusin', 'focusout']) document.addEventListener(type, listener);

    await sendKeys({ press: 'ArrowDown' });
    for (const type of ['focusin', 'focusout']) document.removeEventListener(type, listener);

    expect(told).to.deep.equal(['12']);
    expect(toHost).to.deep.equal([]);
    expect(editor.shadowRoot?.activeElement === row(editor, 'item-10').control).to.equal(true);
    expect(isAscending(rowIndexes(editor))).to.equal(true);
  });
});

describe('the selection of rows', () => {
  it('has its two actions side by side on a phone, below its count', async () => {
    const editor = await workingEditor(fakeProxy(), many(5));
    editor.style.setProperty('inline-size', '340px');
    await until(() => row(editor, 'item-1').node.offsetWidth < 340, 'it is narrow');
    row(editor, 'item-1').pick();
    await press(editor, 'Select all 5');
    await until(() => partText(editor, 'selection').startsWith('5 selected'), 'all are selected');

    const [clear, ...deeds] = ['Clear', /^Close th(is|ese) /, /^Open th(is|ese) /].map((label) =>
      button(editor, label),
    );

    expect(deeds.map(({ offsetTop }) => offsetTop)).to.deep.equal(Array(2).fill(deeds[0]?.offsetTop));
    expect(deeds[0]?.offsetTop).to.be.greaterThan(clear?.offsetTop ?? Infinity);
  });

  it('is kept with its count while the list shows other rows', async () => {
    const editor = await workingEditor(fakeProxy(), many(1000));
    row(editor, 'item-1').pick();
    row(editor, 'item-4').pick({ shiftKey: true });
    await until(() => partText(editor, 'selection').startsWith('4 selected'), 'a range is selected');

    await press(editor, /^Not available/);
    await until(() => ids(editor)[0] === 'item-1', 'the filter is on');
    const filtered = [partText(editor, 'selection').slice(0, 10), row(editor, 'item-3').isSelected];
    await search(editor, 'item-99');
    await until(() => ids(editor)[0] === 'item-99', 'the search is on');
    const searched = partText(editor, 'selection').slice(0, 10);
    await search(editor, '');
    await press(editor, /^All/);
    await until(() => ids(editor)[0] === 'item-0', 'all are listed');

    expect(filtered).to.deep.equal(['4 selected', true]);
    expect(searched).to.equal('4 selected');
    expect(['item-0', 'item-1', 'item-4', 'item-5'].map((id) => row(editor, id).isSelected)).to.deep.equal([
      false,
      true,
      true,
      false,
    ]);
  });

  it('of all matching items is previewed with its changes, even if none of its rows is rendered', async () => {
    const editor = await workingEditor(fakeProxy(), many(1000));
    await search(editor, 'item-1');
    await until(() => ids(editor)[0] === 'item-1', 'what matches is listed');
    row(editor, 'item-1').pick();
    await press(editor, 'Select all 111');
    await search(editor, 'item-2');
    await until(() => ids(editor)[0] === 'item-2', 'others are listed');

    await press(editor, /^Open th(is|ese) /);

    await until(() => partText(editor, 'dialog').startsWith('Open 56 items?'), 'it is previewed');
    expect(partText(editor, 'dialog')).to.include('55 are already available.');
  });
});

describe('a row of the list', () => {
  it('has the image of the host with an empty alternative text, and none if there is none', async () => {
    const editor = await workingEditor(fakeProxy(), [
      { id: KAYAK, label: 'Kayak tour', available: true, image: DOT },
      { id: CABIN, label: 'Cabin', available: true },
    ]);
    const image = row(editor, KAYAK).node.querySelector('img');

    expect([image?.getAttribute('src'), image?.alt, image?.loading]).to.deep.equal([DOT, '', 'lazy']);
    expect(row(editor, CABIN).node.querySelector('img')).to.equal(null);
    expect(row(editor, KAYAK).node.offsetHeight).to.equal(row(editor, CABIN).node.offsetHeight);
  });

  it('has an image or a placeholder of one size if any item has an image', async () => {
    const editor = await workingEditor(fakeProxy(), [
      { id: KAYAK, label: 'Kayak tour', image: DOT },
      { id: CABIN, label: 'Cabin' },
      { id: BOAT, label: 'Boat tour', image: '/no-such-picture.png' },
    ]);
    editor.style.setProperty('inline-size', '1100px');
    const pictures = [KAYAK, CABIN, BOAT].map((id) => row(editor, id).part('[part=thumbnail]'));
    await until(() => (pictures[2] as HTMLImageElement).complete, 'the broken one is known to be broken');

    const boxes = pictures.map((picture) => picture.getBoundingClientRect());
    const grounds = pictures.map((picture) => getComputedStyle(picture).backgroundColor);
    const names = [KAYAK, CABIN, BOAT].map((id) => row(editor, id).part('.name span').getBoundingClientRect().left);

    expect(boxes.map(({ width, height }) => [width, height])).to.deep.equal(Array(3).fill([36, 36]));
    expect(new Set(names).size).to.equal(1);
    expect(new Set(grounds).size).to.equal(1);
    expect(grounds[0]).not.to.equal('rgba(0, 0, 0, 0)');
  });

  it('has no room for an image if no item has one any more', async () => {
    const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, label: 'Kayak tour', image: DOT }, { id: CABIN }]);
    const thumbnails = (): number => editor.renderRoot.querySelectorAll('[part=thumbnail]').length;
    const before = thumbnails();

    editor.items = [{ id: KAYAK, label: 'Kayak tour' }, { id: CABIN }];

    await until(() => thumbnails() === 0, 'there is no room for one');
    expect(before).to.equal(2);
  });

  for (const [width, shown] of [
    [340, 'beside its id'],
    [900, 'beside its id'],
    [1100, 'in a column of its own'],
  ] as const) {
    it(`has its group ${shown} on ${String(width)} px`, async () => {
      const editor = await workingEditor(fakeProxy(), [{ id: CABIN, label: 'Cabin', group: 'Houses' }], {
        hide: '',
      });
      editor.style.setProperty('inline-size', `${String(width)}px`);
      const { node } = row(editor, CABIN);
      await until(() => node.offsetWidth === width - 2, 'it has its width');
      const [id, group] = [row(editor, CABIN).part('small'), row(editor, CABIN).part('.group')];
      const ofColumn = [group, ...grid(editor).querySelectorAll('.head .group')] as HTMLElement[];

      const inColumn = ofColumn.map((part) => part.offsetParent !== null);
      // Firefox names the attribute instead of its value.
      const besideId = getComputedStyle(id, '::after').content.replace(
        'attr(data-group)',
        `"${id.dataset['group'] ?? ''}"`,
      );

      expect(inColumn).to.deep.equal(Array(2).fill(shown === 'in a column of its own'));
      expect(besideId).to.equal(shown === 'beside its id' ? '" · \u2068Houses"' : 'none');
    });
  }

  for (const [dir, label] of [
    ['rtl', 'A guided walk through the whole of the old harbour, with tea and cakes on board'],
    ['ltr', 'جولة مع مرشد في المرفأ القديم كله، مع الشاي والكعك على متن القارب في المساء'],
  ] as const) {
    it(`shows a long label completely in a page that is ${dir} if the label is not`, async () => {
      const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, label, available: true }]);
      editor.dir = dir;
      editor.style.setProperty('inline-size', '340px');
      const shown = row(editor, KAYAK).part('.name span');
      await until(() => shown.offsetWidth < 300 && shown.offsetHeight > 40, 'it needs more than one line');
      const beginning = document.createRange();
      beginning.setStart(shown.firstChild ?? shown, 0);
      beginning.setEnd(shown.firstChild ?? shown, 1);

      const [first, box] = [beginning.getBoundingClientRect(), shown.getBoundingClientRect()];

      expect(first.left).to.be.at.least(box.left - 1);
      expect(first.right).to.be.at.most(box.right + 1);
      expect(shown.scrollWidth).to.be.at.most(shown.clientWidth);
    });
  }

  for (const [dir, id, label, group] of [
    ['rtl', '2-kayak', '2 kayaks', '3 bays'],
    ['ltr', '2-قارب', '2 قوارب', '3 خلجان'],
  ] as const) {
    it(`shows an id, a label and a group in their own direction in a page that is ${dir} if they are not`, async () => {
      const editor = await workingEditor(fakeProxy(), [{ id, label, group, available: true }], { hide: '' });
      editor.dir = dir;
      editor.style.setProperty('inline-size', '1100px');
      const { node } = row(editor, id);
      await until(() => node.offsetWidth === 1098, 'it has its width');

      for (const selector of ['.name span', 'small', '.group']) {
        const shown = row(editor, id).part(selector);
        const text = shown.firstChild as Text;
        const [digit, letter, end] = [0, 3, text.length - 1].map((at) => placeOf(text, at));
        const [page, cell] = [dir === 'rtl' ? -1 : 1, shown.getBoundingClientRect()];
        const before = (one = 0, other = 0): boolean => (other - one) * page < 0;

        // The page's other way.
        expect([before(digit, letter), before(letter, end)], selector).to.deep.equal([true, true]);
        // It begins where the page does, with its last letter.
        expect(Math.abs((end ?? 0) - (dir === 'rtl' ? cell.right : cell.left)), selector).to.be.below(12);
      }
    });
  }

  for (const density of ['comfortable', 'compact'] as const) {
    for (const width of [340, 900, 1100]) {
      it(`has room for all that it shows, ${density} on ${String(width)} px`, async () => {
        const editor = await workingEditor(
          fakeProxy(),
          [
            { id: KAYAK, label: 'Kayak tour' },
            { id: CABIN, label: 'Cabin', group: 'Houses', available: false },
          ],
          { density },
        );
        editor.style.setProperty('inline-size', `${String(width)}px`);
        row(editor, CABIN).control.click();
        await untilStatus(editor, CABIN, 'Not saved yet');
        const isCard = width < 760;
        // A row is higher where its words need another line.
        await until(() => (rows(editor)[0]?.node.offsetHeight ?? 0) >= height(density, isCard), 'it has its height');

        const spills = rows(editor).flatMap(({ node }) => {
          const frame = node.getBoundingClientRect();
          return [...node.querySelectorAll('button, span, small')]
            .filter((part) => (part as HTMLElement).offsetParent !== null)
            .filter((part) => {
              const { top, bottom, left, right } = part.getBoundingClientRect();
              return top < frame.top || bottom > frame.bottom + 1 || left < frame.left || right > frame.right;
            })
            .map((part) => part.textContent);
        });

        expect(spills).to.deep.equal([]);
      });
    }
  }
});

function height(density: 'comfortable' | 'compact', isCard: boolean): number {
  if (isCard) return density === 'compact' ? 100 : 112;
  return density === 'compact' ? 46 : 60;
}
