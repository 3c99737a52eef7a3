import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { LONG_AGO } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { many, part, pressKeys, row, workingEditor } from '../support/editor-page.js';

/** The keyboard is in a part of the list, or of this, in front of which nothing stands (WCAG 2.2, success criterion 2.4.11). */
function isInSight({ shadowRoot }: InventoryEditor, within = '.sheet', edge = 1): boolean {
  const active = shadowRoot?.activeElement;
  if (!active?.closest(within)) return false;
  const { left, right, top, bottom } = active.getBoundingClientRect();
  return [top + edge, bottom - edge].every((y) =>
    active.contains(shadowRoot?.elementFromPoint((left + right) / 2, y) ?? null),
  );
}

/** A list that is longer than the window, with the keyboard in the last row above its lower edge. */
async function atTheEdge(): Promise<InventoryEditor> {
  const editor = await workingEditor(fakeProxy(), many(300));
  editor.style.setProperty('--inventory-list-height', `${String(2 * innerHeight)}px`);
  row(editor, 'item-0').part('.pick button').focus();
  await pressKeys('PageDown');
  await until(() => isInSight(editor), 'the keyboard is in sight');
  return editor;
}

describe('the focused element', () => {
  afterEach(() => {
    scrollTo(0, 0);
  });

  it('stays visible when its press opens an action bar', async () => {
    const editor = await atTheEdge();

    await pressKeys(' ');
    await until(() => part(editor, 'selection'), 'the bar of the selection is there');

    await until(() => isInSight(editor), 'the row is above it');
  });

  it('is visible when the focus returns from the action bars', async () => {
    const editor = await atTheEdge();
    await pressKeys(' ');
    await until(() => part(editor, 'selection'), 'the bar of the selection is there');
    await pressKeys('Tab');
    const stop = editor.renderRoot.querySelector('.sheet [tabindex="0"]');
    const foot = part(editor, 'bars')?.getBoundingClientRect().top ?? NaN;
    scrollBy(0, (stop?.getBoundingClientRect().top ?? NaN) - foot - 4);

    await pressKeys('Shift+Tab');

    expect(isInSight(editor)).to.equal(true);
  });

  it('is visible above the action bars in each part above the list', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, many(300));
    const pane = await fixture<HTMLElement>(html`<div style="block-size: 400px; overflow: auto"></div>`);
    pane.append(editor);
    await until(() => part(editor, 'tools'), 'the tools are there');
    row(editor, 'item-0').pick();
    row(editor, 'item-0').control.click();
    await until(() => part(editor, 'save') && part(editor, 'selection'), 'two bars are there');
    proxy.down = true;
    await editor.refresh();
    await until(() => part(editor, 'problem'), 'it can be tried again');
    const problem = part(editor, 'problem');
    // As far up as it takes for the bars to stand in front of what tries again, and of all below it.
    const spacer = document.createElement('div');
    pane.prepend(spacer);
    const foot = part(editor, 'bars')?.offsetHeight ?? NaN;
    const low = (problem?.getBoundingClientRect().top ?? NaN) - pane.getBoundingClientRect().top;
    spacer.style.blockSize = `${String(400 - foot - low + 10)}px`;

    for (const within of ['[part=problem]', '.search', '.sort', '.line', '.chips']) {
      pane.scrollTop = 0;
      editor.renderRoot.querySelector<HTMLElement>(`${within} :is(button, input, select):not(:disabled)`)?.focus();
      // A browser scrolls by whole pixels: what is not as high as a number of them may keep a part of one beneath.
      await until(() => isInSight(editor, within, 2), `${within} is above the bars`);
    }
  });

  it('stays above the action bars in a scroll container of the page', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    const pane = await fixture<HTMLElement>(html`<div style="block-size: 400px; overflow: auto"></div>`);
    pane.append(editor);
    await until(() => part(editor, 'tools'), 'the tools are there');
    row(editor, 'item-0').pick();
    await until(() => part(editor, 'selection'), 'the bar of the selection is there');
    row(editor, 'item-0').part('.pick button').focus();

    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) {
      await pressKeys(key);
      expect(isInSight(editor), key).to.equal(true);
    }
  });

  it('has a focus ring that neither crosses its text nor is cut off', async () => {
    const items = many(3).map((item) => ({ ...item, updated_at: LONG_AGO }));
    for (const [inlineSize, density] of [
      ['1100px', 'comfortable'],
      ['343px', 'compact'],
    ] as const) {
      const editor = await workingEditor(fakeProxy(), items, { density });
      editor.style.inlineSize = inlineSize;
      row(editor, 'item-0').part('.truth button').focus();

      await pressKeys('ArrowRight');

      const time = row(editor, 'item-0').part('.time');
      const { outlineOffset, outlineWidth } = getComputedStyle(time);
      const [cell, around] = [time.getBoundingClientRect(), time.parentElement?.getBoundingClientRect()];
      const ring = parseFloat(outlineOffset) + parseFloat(outlineWidth);
      expect(editor.shadowRoot?.activeElement).to.equal(time);
      expect(parseFloat(outlineOffset)).to.be.at.least(0);
      expect(cell.bottom + ring).to.be.at.most(around?.bottom ?? NaN);
      expect(cell.right + ring).to.be.at.most(around?.right ?? NaN);
    }
  });

  it('is completely visible with its ring in a row of filters that is wider than a phone', async () => {
    const editor = await workingEditor(fakeProxy(), many(3000));
    editor.style.inlineSize = '345px';
    const chips = [...editor.renderRoot.querySelectorAll<HTMLElement>('.chip:not([hidden])')];
    const line = editor.renderRoot.querySelector('.chips')?.getBoundingClientRect();
    const ring = 5;
    chips[0]?.focus();
    const seen: boolean[] = [];

    for (const key of [...chips.slice(1).map(() => 'Tab'), ...chips.slice(1).map(() => 'Shift+Tab')]) {
      await pressKeys(key);
      const { left = NaN, right = NaN } = editor.shadowRoot?.activeElement?.getBoundingClientRect() ?? {};
      seen.push(left - ring >= (line?.left ?? NaN) && right + ring <= (line?.right ?? NaN));
    }

    expect(seen).to.deep.equal(seen.map(() => true));
    expect(seen).to.have.length(6);
  });
});
