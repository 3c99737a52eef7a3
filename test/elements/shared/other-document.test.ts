import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, itemId, KAYAK } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { button, dialog, many, press as pressButton, row, rows, workingEditor } from '../support/editor-page.js';

/** Another document, as a frame, a window that was popped out, or picture-in-picture has one. */
function otherDocument(): Document {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'inline-size: 900px; block-size: 700px; border: 0';
  document.body.append(frame);
  afterThisTest(() => {
    frame.remove();
  });
  if (frame.contentDocument === null) throw new Error('no document');
  return frame.contentDocument;
}

function sheetsOf(element: Element): number {
  return element.shadowRoot?.adoptedStyleSheets.length ?? 0;
}

function partOf(element: Element, selector: string): HTMLElement {
  const found = element.shadowRoot?.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

function sizeOf(element: Element, selector: string): { width: number; height: number } {
  const { width, height } = partOf(element, selector).getBoundingClientRect();
  return { width: Math.round(width), height: Math.round(height) };
}

function press(target: Element, type: 'pointerdown' | 'pointerup'): void {
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true }));
}

async function readyToggle(proxy: FakeProxy): Promise<HTMLElement> {
  proxy.knows({ id: KAYAK, available: true });
  const toggle = await fixture<HTMLElement>(
    html`<availability-toggle item=${KAYAK} proxy=${proxy.url}>Kayak tour</availability-toggle>`,
  );
  await until(() => partOf(toggle, '[part=status]').textContent.includes('Live on the portal'), 'its value is there');
  return toggle;
}

describe('a toggle that is moved into another document', () => {
  it('keeps its style there and on the way back', async () => {
    const toggle = await readyToggle(fakeProxy());
    const [place, before, sheets] = [toggle.parentElement, sizeOf(toggle, '[part=control]'), sheetsOf(toggle)];

    otherDocument().body.append(toggle);
    const there = [sheetsOf(toggle), sizeOf(toggle, '[part=control]').height];
    place?.append(toggle);

    expect(there).to.deep.equal([sheets, before.height]);
    expect([sheetsOf(toggle), sizeOf(toggle, '[part=control]')]).to.deep.equal([sheets, before]);
  });

  it('has its style if it is inserted into a page for the first time', async () => {
    const toggle = document.createElement('availability-toggle');
    toggle.textContent = 'Kayak tour';

    otherDocument().body.append(toggle);
    await (toggle as AvailabilityToggle).updateComplete;

    expect(sheetsOf(toggle)).to.be.above(0);
    expect(sizeOf(toggle, '[part=control]').height).to.be.at.least(44);
  });

  it('sends an edit that is made there', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);

    otherDocument().body.append(toggle);
    await (toggle as AvailabilityToggle).updateComplete;
    partOf(toggle, 'input').click();
    await until(() => proxy.accepted.length === 1, 'the edit is accepted');
    await until(
      () => partOf(toggle, '[part=status]').textContent.includes('Sent, the portal confirms soon'),
      'it says so',
    );

    expect(proxy.accepted[0]).to.include({ id: KAYAK, available: false });
  });

  it('uses the language of that document', async () => {
    const other = otherDocument();
    other.documentElement.lang = 'de';
    const toggle = await readyToggle(fakeProxy());

    other.body.append(toggle);
    await until(() => partOf(toggle, '[part=value]').textContent === 'Verfügbar', 'it is German');
    other.documentElement.lang = 'fr';

    await until(() => partOf(toggle, '[part=value]').textContent === 'Disponible', 'it is French');
  });

  it('keeps its value while a pointer is down there', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    await until(() => proxy.streams === 1, 'its stream of changes is open');
    otherDocument().body.append(toggle);
    await (toggle as AvailabilityToggle).updateComplete;
    await until(
      () => proxy.heardOn('GET v1/events').length === 2 && proxy.streams === 1,
      'its stream of changes is open again',
    );
    const input = partOf(toggle, 'input') as HTMLInputElement;
    const asked = proxy.heardOn('GET v1/inventory').length;
    press(input, 'pointerdown');

    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');
    await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'the change is asked for');
    for (let frame = 0; frame < 10; frame += 1) {
      // Updates wait for a finger only so long since it came down, and a frame may take long.
      press(input, 'pointerdown');
      await new Promise(requestAnimationFrame);
    }
    const during = input.checked;
    press(input, 'pointerup');

    await until(() => !input.checked, 'the change is shown');
    expect(during).to.equal(true);
  });
});

describe('an editor that is moved into another document', () => {
  it('keeps its style, its rows and its drafts, there and on the way back', async () => {
    const editor = await workingEditor(fakeProxy(), many(500));
    const [place, sheets, height] = [editor.parentElement, sheetsOf(editor), sizeOf(editor, '.sheet .row').height];
    row(editor, 'item-1').control.click();
    await until(() => row(editor, 'item-1').status.includes('Not saved yet'), 'it is drafted');

    otherDocument().body.append(editor);
    await editor.updateComplete;
    const there = [sheetsOf(editor), sizeOf(editor, '.sheet .row').height, row(editor, 'item-1').value];
    place?.append(editor);
    await editor.updateComplete;

    expect(there).to.deep.equal([sheets, height, 'on']);
    expect([sheetsOf(editor), sizeOf(editor, '.sheet .row').height]).to.deep.equal([sheets, height]);
    expect(row(editor, 'item-1').value).to.equal('on');
  });

  it('renders the rows that scroll into view, also after that document was resized', async () => {
    const editor = await workingEditor(fakeProxy(), many(500));
    const other = otherDocument();
    other.body.append(editor);
    await editor.updateComplete;

    const scroller = partOf(editor, '.scroller');
    scroller.scrollTop = scroller.scrollHeight;
    await until(() => rows(editor).some(({ id }) => id === 'item-499'), 'the last row is drawn');
    scroller.scrollTop = 0;
    if (other.defaultView?.frameElement) (other.defaultView.frameElement as HTMLElement).style.inlineSize = '320px';

    const defaultPx = (): number => parseFloat(getComputedStyle(partOf(editor, '.sheet .row')).minBlockSize);
    await until(() => defaultPx() > 70, 'rows are cards');
    await until(() => {
      const boxes = rows(editor).map(({ node }) => node.getBoundingClientRect());
      return boxes.every(({ top }, at) => at === 0 || Math.abs(top - (boxes[at - 1]?.bottom ?? 0)) < 1);
    }, 'each row begins where the one before ends');
    expect(partOf(editor, '.sheet').offsetHeight).to.be.at.least(500 * defaultPx());
  });

  it('opens its dialogs with their style, and handles keys', async () => {
    const editor = await workingEditor(fakeProxy(), [
      { id: KAYAK, available: true },
      { id: BOAT, available: true },
    ]);
    const other = otherDocument();
    other.body.append(editor);
    await editor.updateComplete;

    row(editor, KAYAK).pick();
    await pressButton(editor, 'Close this one');
    const shown = await dialog(editor);

    expect(shown.matches(':modal')).to.equal(true);
    expect(getComputedStyle(shown).maxInlineSize).not.to.equal('none');
    await pressButton(editor, 'Close 1');
    await until(() => row(editor, KAYAK).value === 'off', 'it is drafted');
    const key = new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true, composed: true });
    row(editor, KAYAK).node.dispatchEvent(key);
    await until(() => row(editor, KAYAK).value === 'on', 'it is undone');
    expect(button(editor, 'Redo').disabled).to.equal(false);
  });

  it('can be created there', async () => {
    const proxy = fakeProxy();
    const editor = document.createElement('inventory-editor');
    Object.assign(editor, { proxy: proxy.url, items: [{ id: itemId('sauna'), available: true }] });

    otherDocument().body.append(editor);
    await until(() => rows(editor).length === 1, 'its row is there');

    expect(sizeOf(editor, '.sheet .row').height).to.be.at.least(40);
  });
});

for (const [lang, word] of [
  ['ar_EG', 'متاح'],
  ['ar_EG.UTF-8', 'متاح'],
  ['de_DE@euro', 'Verfügbar'],
  [' de ', 'Verfügbar'],
  ['DE-at', 'Verfügbar'],
  ['pt_BR.utf8', 'Disponível'],
  ['zh_Hans', 'Available'],
  ['C', 'Available'],
  ['POSIX', 'Available'],
  ['en_US_POSIX', 'Available'],
] as const)
  describe(`a page whose server writes the language as "${lang}"`, () => {
    it(`has a toggle with the text ${word}`, async () => {
      const toggle = await fixture(html`<availability-toggle lang=${lang} checked></availability-toggle>`);

      await until(() => partOf(toggle, '[part=value]').textContent === word, 'it speaks');
    });

    it('has an editor that formats times', async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const editor = await workingEditor(proxy, [{ id: KAYAK }], { lang });

      expect(row(editor, KAYAK).part('.time').textContent).not.to.equal('');
    });
  });
