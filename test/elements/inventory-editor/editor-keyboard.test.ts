import { expect, fixture, html, nextFrame } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy, VISITOR } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  hear,
  ids,
  many,
  part,
  partText,
  press,
  pressKeys,
  row,
  said,
  search,
  total,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { BOAT_UNSET as ITEMS } from '../support/tours.js';

function active(editor: InventoryEditor): HTMLElement | null {
  return (editor.shadowRoot?.activeElement ?? null) as HTMLElement | null;
}

/** What the keyboard is in: the row and what that is for. */
function held(editor: InventoryEditor): string {
  const element = active(editor);
  const rowIndex = element?.closest('.sheet .row')?.getAttribute('aria-rowindex');
  const isCell = element?.localName === 'div';
  return rowIndex
    ? `${rowIndex} ${(isCell ? undefined : element?.dataset['act']) ?? element?.className ?? ''}`
    : (element?.localName ?? '');
}

async function keys(...pressed: string[]): Promise<void> {
  for (const key of pressed) await pressKeys(key);
}

function scroller(editor: InventoryEditor): HTMLElement {
  return part(editor, 'list') ?? editor;
}

describe('the keyboard focus in a list', () => {
  it('stays in the row whose first value was set, and is its one tab stop', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS, { saveMode: 'auto' });
    row(editor, BOAT).choices[1]?.focus();

    await keys('Enter');
    await untilStatus(editor, BOAT, 'Sent, ');
    await until(() => held(editor) !== '', 'it is somewhere');

    expect(row(editor, BOAT).shown.value).to.equal('off');
    expect(held(editor)).to.equal('3 details');
    expect([...editor.renderRoot.querySelectorAll('.sheet [tabindex="0"]')]).to.deep.equal([active(editor)]);
  });

  it('has one tab stop in a row without a value', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);

    await press(editor, /^Not set/);
    await until(() => ids(editor).join() === BOAT, 'that one is shown');

    expect(row(editor, BOAT).choices.map(({ tabIndex }) => tabIndex)).to.deep.equal([0, -1]);
  });

  it('stays in its column when a row has one button more', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).part('.truth button').focus();
    const walked: string[] = [];

    for (const key of ['ArrowDown', 'ArrowDown', 'Control+Home', 'Control+End', 'ArrowUp']) {
      await keys(key);
      walked.push(held(editor));
    }

    expect(walked).to.deep.equal(['3 details', '4 details', '2 details', '4 details', '3 details']);
  });

  it('reaches the columns of a list without the permission to edit', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    const editor = await workingEditor(proxy, ITEMS);
    await until(() => row(editor, KAYAK).control.ariaDisabled === 'true', 'nothing may be changed');
    editor.renderRoot.querySelector('input')?.focus();
    const walked: string[] = [];

    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowUp', 'End']) {
      await keys(key);
      walked.push(held(editor));
    }
    row(editor, KAYAK).part('.truth button').focus();
    await keys('Shift+Tab', 'Tab');

    expect(walked).to.deep.equal(['2 name', '3 name', '3 name', '3 name', '2 name', '2 time']);
    expect(held(editor)).to.equal('2 details');
  });

  it('reaches the value without the permission to edit, and does not change it', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    const editor = await workingEditor(proxy, ITEMS);
    // Its group has no column of its own.
    editor.style.inlineSize = '600px';
    await until(() => row(editor, KAYAK).control.ariaDisabled === 'true', 'nothing may be changed');
    row(editor, KAYAK).part('.name').focus();

    await keys('ArrowRight');
    const walkedTo = held(editor);
    await keys(' ', 'Enter');

    expect([walkedTo, held(editor)]).to.deep.equal(['2 off', '2 off']);
    expect(row(editor, KAYAK).shown.value).to.equal('on');
    expect(proxy.sent).to.deep.equal([]);
  });

  it('is always visible, beyond the edge of the window and above the action bars', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    editor.style.setProperty('--inventory-list-height', `${String(2 * innerHeight)}px`);
    row(editor, 'item-0').control.click();
    row(editor, 'item-1').pick();
    await until(() => part(editor, 'save') !== null && part(editor, 'selection') !== null, 'both bars are there');
    await until(() => ids(editor).length > (2 * innerHeight) / 60, 'it is longer than the window');
    scrollTo(0, 0);
    row(editor, 'item-0').control.focus();

    for (const key of ['PageDown', 'PageUp', 'PageDown', 'PageDown', 'Control+End', 'Control+Home', 'PageDown']) {
      await keys(key);
      const { top, bottom } = active(editor)?.getBoundingClientRect() ?? editor.getBoundingClientRect();
      const foot = editor.renderRoot.querySelector('.bars')?.getBoundingClientRect().top ?? NaN;
      expect([top >= 0, bottom <= foot, foot <= innerHeight], `${key}: ${String([top, bottom, foot])}`).to.deep.equal([
        true,
        true,
        true,
      ]);
    }
    scrollTo(0, 0);
  });

  it('does not scroll the list when it moves to the header', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    editor.style.setProperty('inline-size', '780px');
    row(editor, 'item-0').control.focus();
    scroller(editor).scrollTo(0, 100_000);
    await until(() => ids(editor).includes('item-299'), 'the end is drawn');
    // Rows that have come are measured, which may move the end by some pixels.
    let end = NaN;
    await until(async () => {
      const before = end;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      end = scroller(editor).scrollTop;
      return end === before;
    }, 'the list rests');

    editor.renderRoot.querySelector<HTMLElement>('.head button')?.focus();

    // The row that the keyboard leaves is drawn anew, which may correct its height by some pixels.
    expect(scroller(editor).scrollTop).to.be.closeTo(end, 5);
  });

  it('returns to the list when the last entry of a dialog was decided', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');
    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await editor.refresh();
    await untilButton(editor, 'Details');
    button(editor, 'Details').focus();
    await keys('Enter');
    const list = await dialog(editor);
    await press(editor, 'Discard');
    await until(() => part(editor, 'trouble') === null, 'nothing needs a person any more');

    list.querySelector<HTMLElement>('.choices :last-child')?.focus();
    await keys('Enter');
    await until(() => !list.open, 'it is closed');

    await until(() => held(editor) === '2 details', 'it is in the list');
  });

  it('lets Ctrl+S save from the search field', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS);
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');
    editor.renderRoot.querySelector('input')?.focus();

    await keys('Control+s');

    await untilStatus(editor, KAYAK, 'Sent, ');
  });
});

describe('the key commands of a list', () => {
  const [CTRL, SHIFT] = [{ ctrlKey: true }, { shiftKey: true }];

  /** One row is drafted. @returns whether the key means something in the list, in which it is pressed */
  async function pressed(init: KeyboardEventInit): Promise<readonly [InventoryEditor, boolean]> {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');
    const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true, composed: true });
    row(editor, CABIN).control.dispatchEvent(event);
    return [editor, event.defaultPrevented];
  }

  for (const [layout, key, code, does] of [
    ['Arabic', 'ش', 'KeyA', '3 selected'],
    ['Arabic', 'ئ', 'KeyZ', '1 item changed back'],
    ['Arabic', 'غ', 'KeyY', '0 items changed again'],
    ['Arabic', 'س', 'KeyS', '1 change will be sent.'],
    ['Russian', 'Я', 'KeyZ', '1 item changed back'],
    ['Greek', 'ζ', 'KeyZ', '1 item changed back'],
    ['Hebrew', 'ש', 'KeyA', '3 selected'],
    ['Thai', '\u0e31', 'KeyY', '0 items changed again'],
    ['French', 'a', 'KeyQ', '3 selected'],
    ['German', 'z', 'KeyY', '1 item changed back'],
    ['German', 'y', 'KeyZ', '0 items changed again'],
  ] as const) {
    it(`work with Ctrl and ${code} on a keyboard for ${layout}`, async () => {
      const [editor, isUsed] = await pressed({ key, code, ...CTRL });

      expect(isUsed).to.equal(true);
      await until(() => said(editor) === does, `"${does}" is announced`);
    });
  }

  for (const [layout, key, code] of [
    ['French', 'q', 'KeyA'],
    ['French', 'w', 'KeyZ'],
    ['BÉPO', 'à', 'KeyZ'],
    ['Dvorak', ';', 'KeyZ'],
    ['Arabic', 'ؤ', 'KeyC'],
  ] as const) {
    it(`do not use Ctrl and ${code} on a keyboard for ${layout}`, async () => {
      const [, isUsed] = await pressed({ key, code, ...CTRL });

      expect(isUsed).to.equal(false);
    });
  }

  for (const key of ['/', 'ظ']) {
    it(`focus the search field with ${key}`, async () => {
      const [editor] = await pressed({ key, code: 'Slash' });

      expect(held(editor)).to.equal('input');
    });
  }

  for (const key of ['?', '؟', 'ฦ']) {
    it(`show their list with ${key}`, async () => {
      const [editor] = await pressed({ key, code: 'Slash', ...SHIFT });

      expect((await dialog(editor)).querySelector('h3')?.textContent).to.equal('Keyboard');
    });
  }

  it('are ignored while an input method is composing', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await search(editor, 'kayak');
    const field = editor.renderRoot.querySelector('input');
    field?.focus();

    for (const key of ['ArrowDown', 'Enter', 'Escape']) {
      const event = new KeyboardEvent('keydown', {
        key,
        isComposing: true,
        bubbles: true,
        composed: true,
        cancelable: true,
      });
      expect(field?.dispatchEvent(event), key).to.equal(true);
    }

    expect([field?.value, active(editor)?.localName]).to.deep.equal(['kayak', 'input']);
  });

  it('are ignored for a key that ends a composition with the key code 229', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await search(editor, 'kayak');
    const field = editor.renderRoot.querySelector('input');
    field?.focus();

    // Safari says that the word has ended before it tells of the key that ended it.
    const init = { key: 'Enter', keyCode: 229, bubbles: true, composed: true, cancelable: true };
    expect(field?.dispatchEvent(new KeyboardEvent('keydown', init))).to.equal(true);

    expect([field?.value, active(editor)?.localName]).to.deep.equal(['kayak', 'input']);
  });

  it('save from the search field on an Arabic keyboard', async () => {
    const [editor] = await pressed({ key: 'Shift' });
    const event = { key: 'س', code: 'KeyS', ...CTRL, bubbles: true, cancelable: true, composed: true };

    editor.renderRoot.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', event));

    await untilStatus(editor, KAYAK, 'Sent, ');
  });
});

describe('the live region of the list', () => {
  it('announces the number of items that match a search, which is also visible', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));

    await search(editor, 'item-29');
    await until(() => said(editor) === '11 items match', 'it is announced');
    const shown = total(editor);
    await search(editor, 'nothing of the kind');
    await until(() => said(editor) === 'No item matches', 'it is announced that no item matches');
    await search(editor, '');
    await until(() => said(editor) === '300 items match', 'it is announced that all items match again');

    expect(shown).to.equal('11 items match');
    expect(total(editor)).to.equal('300 items');
  });

  it('announces one number when the typing pauses', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    const heard: string[] = [];
    const region = editor.renderRoot.querySelector('.live-region');
    const listener = new MutationObserver(() => heard.push(said(editor)));
    if (region !== null) listener.observe(region, { childList: true, characterData: true, subtree: true });

    for (const typed of ['i', 'item', 'item-2', 'item-29']) {
      await search(editor, typed);
      await until(() => total(editor).endsWith('match'), 'what is found so far is shown');
    }
    await until(() => said(editor) === '11 items match', 'it is announced');
    listener.disconnect();

    expect(heard).to.deep.equal(['11 items match']);
  });

  it('announces the number even if the order changes before that', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    await search(editor, 'item-29');
    const order = editor.renderRoot.querySelector('select');

    if (order !== null) order.value = 'label';
    order?.dispatchEvent(new Event('change'));

    await until(() => said(editor) === '11 items match', 'it is announced');
  });

  it('announces that nothing is selected after Escape', async () => {
    const editor = await workingEditor(fakeProxy(), many(3));
    row(editor, 'item-1').pick();
    row(editor, 'item-1').control.focus();

    await pressKeys('Escape');

    await until(() => said(editor) === '0 selected', 'it is announced');
  });

  it('announces the number of selected rows with each change', async () => {
    const editor = await workingEditor(fakeProxy(), many(3));
    row(editor, 'item-0').control.focus();

    await pressKeys('Shift+ArrowDown');
    await until(() => said(editor) === '2 selected', 'two are');
    row(editor, 'item-0').pick();

    await until(() => said(editor) === '1 selected', 'one is');
  });

  it('announces a draft, and nothing when it is reverted', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    const heard = hear(editor);

    row(editor, KAYAK).control.click();
    await until(() => heard.length > 0, 'it is announced');
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save') === null, 'nothing is left to save');

    expect(heard).to.deep.equal(['\u2068Kayak tour\u2069: Not available. Not saved yet']);
  });

  it('announces that an edit waits if it cannot be sent', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    proxy.down = true;
    await editor.refresh();
    await until(() => part(editor, 'problem'), 'the connection is lost');

    row(editor, KAYAK).control.click();

    await until(() => said(editor).endsWith('1 change is not live on the portal yet'), 'it is announced');
  });

  it('announces the same text again, and redo with another text than undo', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    for (const id of [KAYAK, CABIN]) row(editor, id).control.click();
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'both are drafted');
    const heard: string[] = [];

    for (const label of ['Undo', 'Undo', 'Redo']) {
      const before = editor.renderRoot.querySelector('.live-region')?.textContent;
      await press(editor, label);
      await until(
        () => editor.renderRoot.querySelector('.live-region')?.textContent !== before,
        'another text is announced',
      );
      heard.push(said(editor));
    }

    expect(heard).to.deep.equal(['1 item changed back', '1 item changed back', '1 item changed again']);
  });

  it('shows no number if nothing is counted', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${ITEMS}></inventory-editor>`,
    );
    await until(() => part(editor, 'problem'), 'it says that it cannot reach the proxy');

    expect(total(editor)).to.equal('');
  });
});

describe('the layout of the editor', () => {
  for (const layout of ['display: flex', 'display: grid; justify-items: start', 'display: inline-block']) {
    it(`has a usable width in a box with ${layout}`, async () => {
      const box = await fixture(html`<div style=${layout}><inventory-editor></inventory-editor></div>`);
      await nextFrame();

      expect(box.firstElementChild?.clientWidth).to.be.at.least(320);
    });
  }

  it('shows all filters of a table without a scroll', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, ITEMS);
    editor.style.setProperty('inline-size', '780px');
    row(editor, KAYAK).control.click();
    await press(editor, /^Not saved/);
    row(editor, KAYAK).control.click();
    await untilButton(editor, /sort again/);
    const chips = editor.renderRoot.querySelector('.chips');

    expect(chips?.scrollWidth).to.equal(chips?.clientWidth);
  });
});
