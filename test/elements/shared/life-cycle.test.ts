import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor, InventoryReceiptEvent } from '../../../src/index.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { BEN, fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { button, dialog, many, press, row, rows, untilStatus, workingEditor } from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';
import { countResources, noResources } from '../support/resources.js';

const TAGS = ['inventory-editor', 'availability-toggle'] as const;

/** Either element, as a page makes it with a script. */
function make(tag: (typeof TAGS)[number], proxy: FakeProxy, from = document): HTMLElement {
  const element = from.createElement(tag);
  element.setAttribute('proxy', proxy.url);
  if (tag === 'availability-toggle') element.setAttribute('item', KAYAK);
  return element;
}

function shownText(element: HTMLElement): string {
  const root = element.shadowRoot;
  return [
    root?.textContent ?? '',
    ...[...(root?.querySelectorAll('*') ?? [])].map((each) => each.shadowRoot?.textContent),
  ]
    .join(' ')
    .replace(/\s+/g, ' ');
}

/** By frames: a wait by timers would be counted with those of the elements. */
async function until(condition: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 120_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within two minutes: ${what}`);
    await new Promise(requestAnimationFrame);
  }
}

/** It saves at once. @returns `told`: which truths its page has heard of, and that all is saved */
async function editorOfOne(): Promise<{ proxy: FakeProxy; editor: InventoryEditor; told: () => string[] }> {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, [{ id: KAYAK, available: true }], { saveMode: 'auto' });
  const events = recordEvents<InventoryReceiptEvent>(editor, 'inventory-receipt', 'inventory-saved');
  return { proxy, editor, told: () => events.map(({ type, truth }) => (truth as string | undefined) ?? type) };
}

function place(): HTMLElement {
  const section = document.body.appendChild(document.createElement('section'));
  afterThisTest(() => {
    section.remove();
  });
  return section;
}

for (const tag of TAGS) {
  describe(`<${tag}>`, () => {
    // React warns of each attribute that it did not render on the server, and a morphing page removes it.
    it('sets no attribute on itself', async () => {
      const element = make(tag, fakeProxy()) as InventoryEditor;
      const before = element.getAttributeNames();

      place().append(element);
      await element.updateComplete;

      expect(element.getAttributeNames()).to.deep.equal(before);
    });

    it('releases all resources after being moved, removed and inserted a hundred times', async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const [here, there] = [place(), place()];
      const count = countResources();
      const element = make(tag, proxy);
      here.append(element);
      await until(() => proxy.heardOn('GET v1/events').length > 0, 'it listens');

      for (let time = 0; time < 100; time += 1) {
        there.append(element);
        await Promise.resolve();
        element.remove();
        if (time % 10 === 0) await until(() => count().streams === 0, 'it has hung up');
        here.append(element);
        if (time % 10 === 0) await until(() => proxy.heardOn('GET v1/events').length > time / 10, 'it listens again');
      }
      element.remove();

      await until(() => JSON.stringify(count()) === JSON.stringify(noResources()), 'all is let go').catch(
        () => undefined,
      );
      expect(count()).to.deep.equal(noResources());
    });

    it('renders the same whether properties and attributes are set before or after its upgrade', async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true, label: 'Kayak tour' });
      const bare = document.implementation.createHTMLDocument();
      const early = Object.assign(make(tag, proxy, bare), { strings: { available: 'Free' }, readonly: true });
      const late = make(tag, proxy);

      place().append(early);
      place().append(late);
      Object.assign(late, { strings: { available: 'Free' }, readonly: true });

      await until(() => shownText(early).includes('Free') && shownText(late).includes('Free'), 'both are drawn');
      await until(() => shownText(early) === shownText(late), 'both are the same').catch(() => undefined);
      expect(shownText(early)).to.equal(shownText(late));
      expect(early.outerHTML).to.equal(late.outerHTML);
    });
  });
}

describe('<inventory-editor> that is moved', () => {
  it('dispatches the events of edits that were made before', async () => {
    const { proxy, editor, told } = await editorOfOne();
    const release = proxy.hold('POST v1/inventory');
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Saved here');

    place().append(editor);
    release();
    await untilStatus(editor, KAYAK, 'Sent, ');
    proxy.settle(KAYAK, 'delivered');
    await until(() => told().at(-1) === 'inventory-saved', 'the last event is dispatched');

    expect(told()).to.deep.equal(['on-device', 'received', 'on-portal', 'inventory-saved']);
  });

  it('keeps the selection, an open dialog and the undo history', async () => {
    const items = [
      { id: KAYAK, available: true },
      { id: BOAT, available: true },
    ];
    const editor = await workingEditor(fakeProxy(), items);
    row(editor, KAYAK).pick();
    row(editor, BOAT).control.click();
    await until(() => !button(editor, 'Undo').disabled, 'it may be undone');
    await press(editor, /^Close th(is|ese) /);
    const preview = await dialog(editor);

    place().append(editor);
    await editor.updateComplete;

    expect([preview.isConnected, preview.matches(':modal')]).to.deep.equal([true, true]);
    expect(row(editor, KAYAK).isSelected).to.equal(true);
    await press(editor, 'Close 1');
    await untilStatus(editor, KAYAK, 'Not saved yet');
    await until(() => !preview.open, 'the preview is closed with the next picture');
    await until(() => !row(editor, KAYAK).isSelected, 'the selection has ended');
    await press(editor, 'Undo');
    await press(editor, 'Undo');
    await until(() => button(editor, 'Undo').disabled, 'all is undone');
    expect([row(editor, KAYAK).value, row(editor, BOAT).value]).to.deep.equal(['on', 'on']);
  });

  it('has one dialog, even if one was being loaded', async () => {
    const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, available: true }]);
    button(editor, 'Keyboard').click();

    place().append(editor);
    await editor.updateComplete;
    await press(editor, 'Keyboard');
    await dialog(editor);

    expect(editor.renderRoot.querySelectorAll('dialog')).to.have.length(1);
  });
});

describe('<inventory-editor> that is removed and inserted again', () => {
  it('dispatches the events of edits that were settled while it was removed', async () => {
    const { proxy, editor, told } = await editorOfOne();
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');

    editor.remove();
    await editor.updateComplete;
    proxy.settle(KAYAK, 'delivered');
    place().append(editor);
    await until(() => told().at(-1) === 'inventory-saved', 'the last event is dispatched');

    expect(told()).to.deep.equal(['on-device', 'received', 'on-portal', 'inventory-saved']);
  });

  it('shows the current values before the whole list is read', async () => {
    const items = many(1_000);
    const editor = await workingEditor(fakeProxy(), items);
    editor.remove();
    await editor.updateComplete;

    place().append(editor);
    await editor.updateComplete;

    const shown = rows(editor).map(({ label, value }) => [label, value === 'on']);
    expect(shown).to.deep.equal(items.slice(0, shown.length).map(({ label, available }) => [label, available]));
    expect(shown).not.to.have.length(0);
  });

  it('removes an item that the page has removed meanwhile', async () => {
    const items = many(100);
    const editor = await workingEditor(fakeProxy(), items);
    editor.remove();
    await editor.updateComplete;
    place().append(editor);
    await until(() => editor.renderRoot.querySelector('.chip')?.textContent.includes('100') === true, 'all is counted');

    editor.items = items.slice(1);

    await until(() => !rows(editor).some(({ id }) => id === 'item-0'), 'it is gone');
    expect(rows(editor)[0]?.label).to.equal('Item 1');
  });
});

describe('<inventory-editor> whose attributes are removed, as by a morphing page', () => {
  it('uses its default properties', async () => {
    const editor = await workingEditor(fakeProxy(), many(3), { density: 'compact', variant: 'plain' });

    editor.removeAttribute('density');
    editor.removeAttribute('variant');
    await editor.updateComplete;

    expect([editor.density, editor.variant]).to.deep.equal(['comfortable', 'card']);
  });
});

describe('<inventory-editor> after a change of the person', () => {
  it('dispatches no event about edits of the previous person', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, [{ id: KAYAK, available: true }], { saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');
    const events = recordEvents<InventoryReceiptEvent>(editor, 'inventory-receipt');
    proxy.person = BEN;
    proxy.settle(KAYAK, 'delivered');

    await editor.refresh();
    await untilStatus(editor, KAYAK, 'Live on the portal');

    expect(events).to.deep.equal([]);
  });
});
