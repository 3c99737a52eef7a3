import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { itemId } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { row, type RowOnPage, rows, seams, untilStatus, untilStill, workingEditor } from '../support/editor-page.js';

const NAME = 'Attic room with two beds and a view of the harbour and of the old lighthouse behind it';

function many(count: number): { readonly id: string; readonly label: string; readonly available: boolean }[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `item-${String(at)}`,
    label: `Item ${String(at)}`,
    available: true,
  }));
}

/** Every seventh item was refused, and says why in a sentence that needs more than one line. */
function withRefused(count: number): FakeProxy {
  const proxy = fakeProxy();
  for (let at = 0; at < count; at += 7) {
    proxy.knows({ id: itemId(`item-${String(at)}`), available: true, state: 'refused', reason: 'item_refused' });
  }
  return proxy;
}

const box = ({ node }: RowOnPage): DOMRect => node.getBoundingClientRect();
const scroller = (editor: InventoryEditor): HTMLElement => editor.renderRoot.querySelector('.scroller')!;

function cut({ node }: RowOnPage): string[] {
  const frame = node.getBoundingClientRect();
  return [...node.querySelectorAll<HTMLElement>('.name span, .group, .truth span, .time')]
    .filter((part) => part.offsetParent !== null && part.textContent !== '')
    .filter((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      const { top, bottom, left, right } = range.getBoundingClientRect();
      const isOutside =
        top < frame.top - 1 || bottom > frame.bottom + 1 || left < frame.left - 1 || right > frame.right + 1;
      return isOutside || part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
    })
    .map((part) => part.textContent);
}

/** Whether the last row ends where the visible part of the list ends. */
function isLastInView(editor: InventoryEditor, id: string): boolean {
  return Math.abs(box(row(editor, id)).bottom - scroller(editor).getBoundingClientRect().bottom) < 2;
}

describe('a row of the list', () => {
  for (const lang of ['en', 'ar'])
    for (const density of ['comfortable', 'compact'] as const)
      it(`is as high as its label and its reason need at every width: ${lang}, ${density}`, async () => {
        const proxy = withRefused(3);
        const items = [{ id: 'item-0', label: NAME, group: 'Rooms with a view of the harbour' }, ...many(3).slice(1)];
        const editor = await workingEditor(proxy, items, { density, lang });
        await until(() => row(editor, 'item-0').status.length > 60, 'the reason is shown');

        for (const px of [240, 320, 375, 640, 768, 800, 1000, 1280]) {
          editor.style.inlineSize = `${String(px)}px`;
          await until(() => seams(editor).every((gap) => gap === 0), `the rows follow each other on ${String(px)} px`);

          expect(rows(editor).flatMap(cut), `${String(px)} px`).to.deep.equal([]);
        }
      });

  it('is followed by the next one without a gap, wherever a long list is scrolled', async () => {
    const editor = await workingEditor(withRefused(3000), many(3000));
    editor.style.inlineSize = '375px';
    await untilStatus(editor, 'item-0', 'Not accepted');

    for (const top of [0, 700, 60_000, 59_000, 58_300, 0]) {
      scroller(editor).scrollTop = top;
      await until(() => seams(editor).every((gap) => gap === 0), `the rows follow each other at ${String(top)}`);
    }
    row(editor, 'item-0').control.focus();
    await sendKeys({ down: 'Control' });
    await sendKeys({ press: 'End' });
    await sendKeys({ up: 'Control' });
    await until(() => rows(editor).some(({ id }) => id === 'item-2999'), 'the last one is drawn');

    await until(() => seams(editor).every((gap) => gap === 0), 'the rows follow each other at the end');
    await until(() => isLastInView(editor, 'item-2999'), 'the last one is in view');
  });
});

describe('the focused row at the end of a long list', () => {
  it('stays in view when rows above it become higher', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, many(300));
    editor.style.inlineSize = '375px';
    await until(() => proxy.streams === 1, 'the event stream is open');
    row(editor, 'item-0').control.focus();
    await sendKeys({ down: 'Control' });
    await sendKeys({ press: 'End' });
    await sendKeys({ up: 'Control' });
    await until(() => rows(editor).some(({ id }) => id === 'item-299'), 'the last one is drawn');
    const isAtEnd = (): boolean => isLastInView(editor, 'item-299');
    await until(isAtEnd, 'the last one is in view');
    await untilStill(editor);
    const before = box(row(editor, 'item-297')).height;

    for (const at of [295, 296, 297]) proxy.takeFromElsewhere(itemId(`item-${String(at)}`), false, 'refused', NAME);

    await until(() => box(row(editor, 'item-297')).height > before, 'a row above is higher');
    await until(isAtEnd, 'the last one is in view again');
  });
});

describe('a list without a maximum height', () => {
  async function wholeEditor(count: number): Promise<InventoryEditor> {
    const editor = await workingEditor(withRefused(count), many(count));
    editor.style.setProperty('--inventory-list-height', 'none');
    await until(() => scroller(editor).scrollHeight <= scroller(editor).clientHeight, 'nothing scrolls in the list');
    return editor;
  }

  it('has all of its rows in the page if there are few', async () => {
    const editor = await wholeEditor(40);

    await until(() => rows(editor).length === 40, 'all rows are drawn');
    await until(() => seams(editor).every((gap) => gap === 0), 'they follow each other');
    expect(rows(editor).flatMap(cut)).to.deep.equal([]);
  });

  it('is scrolled with its page if there are many rows, by pointer and by keyboard', async () => {
    const editor = await wholeEditor(3000);
    await until(() => rows(editor).length < 100, 'a screenful is drawn');

    window.scrollBy(0, 90_000);
    await until(() => rows(editor).some((one) => box(one).top < 100 && box(one).bottom > 0), 'the rows are there');
    const seen = rows(editor).filter((one) => box(one).bottom > 0 && box(one).top < innerHeight);
    const last = seen.at(-1)!;
    const before = last.viewIndex;
    last.control.focus();
    for (let step = 0; step < 5; step += 1) await sendKeys({ press: 'PageDown' });

    const focused = rows(editor).find(({ node }) => node.contains(editor.shadowRoot!.activeElement));
    expect(focused?.viewIndex).to.be.greaterThan(before + 10);
    expect(focused && box(focused).bottom).to.be.within(0, innerHeight + 1);
    window.scrollTo(0, 0);
  });

  it('is scrolled with a scroll container of the page', async () => {
    const editor = await wholeEditor(3000);
    const pane = await fixture<HTMLElement>(html`<div style="block-size: 400px; overflow: auto"></div>`);
    pane.append(editor);
    await until(() => rows(editor).length > 0 && rows(editor).length < 100, 'a screenful is drawn');

    pane.scrollTop = 50_000;

    await until(() => {
      const middle = pane.getBoundingClientRect().top + 200;
      return rows(editor).some((one) => box(one).top <= middle && box(one).bottom > middle);
    }, 'the rows in the middle of it are there');
  });
});
