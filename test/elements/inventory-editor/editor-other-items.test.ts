import { expect, fixture } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  ids,
  many,
  part,
  partText,
  press,
  pressKeys,
  row,
  rows,
  search,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { BOAT_CLOSED } from '../support/tours.js';

const ATTIC = { id: 'attic', label: 'Attic', available: true };
/** As a framework gives them: with each drawing another array of other objects. */
async function give(editor: InventoryEditor, items: NonNullable<InventoryEditor['items']>): Promise<void> {
  editor.items = items.map((item) => ({ ...item }));
  await editor.updateComplete;
}

describe('a page that sets new arrays of the same items while a filter is active', () => {
  const some = ['attic', 'barn', 'cabin', 'dock'].map((id) => ({ id, label: id, available: true }));
  const focused = (editor: InventoryEditor): string | undefined =>
    rows(editor).find(({ node }) => node.matches(':focus-within'))?.id;

  async function lookingFor(proxy: FakeProxy): Promise<InventoryEditor> {
    const editor = await workingEditor(proxy, some, { saveMode: 'auto' });
    await press(editor, /^Available/);
    await until(() => ids(editor).length === 4, 'all four are available');
    return editor;
  }

  it('does not move the focus from its item when other items leave the list', async () => {
    const proxy = fakeProxy();
    const editor = await lookingFor(proxy);
    row(editor, 'attic').control.click();
    await untilStatus(editor, 'attic', 'Sent, ');
    row(editor, 'cabin').control.focus();

    await give(editor, some);

    await until(() => !ids(editor).includes('attic'), 'the other one is not listed any more');
    expect(focused(editor)).to.equal('cabin');
    await sendKeys({ press: ' ' });
    await until(() => proxy.accepted.length === 2, 'it is sent');
    expect(proxy.sent.map(({ id }) => id)).to.deep.equal(['attic', 'cabin']);
  });

  it('does not move the focus to another item when its own item leaves the list', async () => {
    const proxy = fakeProxy();
    const editor = await lookingFor(proxy);
    row(editor, 'cabin').control.focus();
    await sendKeys({ press: ' ' });
    await untilStatus(editor, 'cabin', 'Sent, ');

    await give(editor, some);

    await until(() => !ids(editor).includes('cabin'), 'it is not listed any more');
    expect(focused(editor)).to.equal(undefined);
    await sendKeys({ press: ' ' });
    await editor.updateComplete;
    expect((editor.renderRoot as ShadowRoot).activeElement?.textContent).to.contain('Available');
    expect(proxy.sent.map(({ id }) => id)).to.deep.equal(['cabin']);
  });
});

describe('a page that adds an item', () => {
  it('does not close an open dialog, which keeps the focus', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, CABIN).part('.truth button').click();
    const details = await dialog(editor);
    const { activeElement } = editor.renderRoot as ShadowRoot;

    await give(editor, [ATTIC, ...BOAT_CLOSED]);

    await until(() => ids(editor).length === 4, 'four are listed');
    expect([details.open, details.isConnected, details.textContent.includes('Cabin')]).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect((editor.renderRoot as ShadowRoot).activeElement).to.equal(activeElement);
  });

  it('does not change the selection or an open preview of it', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, KAYAK).pick();
    row(editor, CABIN).pick();
    await press(editor, /^Close th(is|ese) /);
    await dialog(editor);

    await give(editor, [ATTIC, ...BOAT_CLOSED]);
    await until(() => ids(editor).length === 4, 'four are listed');
    const selected = rows(editor).map(({ isSelected }) => isSelected);
    await press(editor, 'Close 2');

    await until(() => partText(editor, 'save').startsWith('2 changes'), 'two are drafted');
    expect(selected).to.deep.equal([false, true, false, true]);
    expect(rows(editor).map(({ value }) => value)).to.deep.equal(['on', 'off', 'off', 'off']);
  });

  it('does not change what can be undone and redone', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');

    await give(editor, [ATTIC, ...BOAT_CLOSED]);
    await until(() => ids(editor).length === 4, 'four are listed');
    await press(editor, 'Undo');
    await until(() => row(editor, KAYAK).value === 'on', 'it is undone');
    await give(editor, BOAT_CLOSED);
    await press(editor, 'Redo');

    await until(() => row(editor, KAYAK).value === 'off', 'it is made again');
  });

  it('does not interrupt the typing in the search field', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    const field = editor.renderRoot.querySelector('input');
    field?.focus();

    for (const [at, letter] of [...'tour'].entries()) {
      await sendKeys({ press: letter });
      void give(editor, at % 2 === 0 ? [ATTIC, ...BOAT_CLOSED] : BOAT_CLOSED);
    }

    await until(() => ids(editor).length === 2, 'two are found');
    expect([field?.isConnected, field?.value, (editor.renderRoot as ShadowRoot).activeElement === field]).to.deep.equal(
      [true, 'tour', true],
    );
  });

  it('has the new item found by the current search', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    await search(editor, 'tour');
    await until(() => ids(editor).length === 2, 'two are found');

    await give(editor, [{ id: 'night', label: 'Night tour', available: true }, ...BOAT_CLOSED]);

    await until(() => ids(editor).length === 3, 'three are found');
    expect(ids(editor)).to.deep.equal(['night', KAYAK, BOAT]);
  });

  it('does not have the new item selected after all others were', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    editor.renderRoot.querySelector<HTMLElement>('.head [role=checkbox], [role=columnheader] button')?.click();
    await until(() => partText(editor, 'selection').startsWith('3 selected'), 'all are selected');

    await give(editor, [...BOAT_CLOSED, ATTIC]);
    await until(() => ids(editor).length === 4, 'four are listed');

    expect(rows(editor).map(({ isSelected }) => isSelected)).to.deep.equal([true, true, true, false]);
    expect(partText(editor, 'selection')).to.match(/^3 selected/);
  });
});

describe('a page that removes an item', () => {
  it('has it deselected, also when it returns', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, KAYAK).pick();
    row(editor, CABIN).pick();

    await give(editor, BOAT_CLOSED.slice(1));
    await until(() => partText(editor, 'selection').startsWith('1 selected'), 'one is selected');
    await until(() => ids(editor).length === 2, 'it is gone');
    await give(editor, BOAT_CLOSED);

    await until(() => ids(editor).length === 3, 'all are back');
    expect(rows(editor).map(({ isSelected }) => isSelected)).to.deep.equal([false, false, true]);
  });

  it('does not have it restored by redo', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, CABIN).control.click();
    await untilStatus(editor, CABIN, 'Not saved yet');
    await until(() => !button(editor, 'Undo').disabled, 'it may be undone');
    await press(editor, 'Undo');
    await until(() => row(editor, CABIN).value === 'on', 'it is undone');

    await give(editor, BOAT_CLOSED.slice(0, 2));
    await until(() => ids(editor).length === 2, 'it is gone');
    await press(editor, 'Redo');
    await until(() => button(editor, 'Redo').disabled, 'nothing is left to make again');

    expect([ids(editor), part(editor, 'save')]).to.deep.equal([[KAYAK, BOAT], null]);
    expect(partText(editor, 'tools')).to.include('All 2');
  });

  it('has its draft offered again when it returns', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, CABIN).control.click();
    await untilStatus(editor, CABIN, 'Not saved yet');

    await give(editor, BOAT_CLOSED.slice(0, 2));
    await until(() => ids(editor).length === 2, 'it is gone');
    await until(() => part(editor, 'drafts'), 'its draft is offered');
    await give(editor, BOAT_CLOSED);
    await until(() => ids(editor).length === 3, 'it is back');
    await press(editor, 'Bring back');

    await untilStatus(editor, CABIN, 'Not saved yet');
  });

  it('does not move the focus to another item', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, BOAT_CLOSED, { saveMode: 'auto' });
    row(editor, BOAT).control.focus();

    await give(editor, [BOAT_CLOSED[0], BOAT_CLOSED[2]] as typeof BOAT_CLOSED);
    await until(() => ids(editor).length === 2, 'it is gone');
    await pressKeys('Space');

    expect(rows(editor).map(({ value }) => value)).to.deep.equal(['on', 'on']);
    expect((editor.renderRoot as ShadowRoot).activeElement?.textContent).to.include('All');
  });

  it('has its details dialog closed', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, CABIN).part('.truth button').click();
    const details = await dialog(editor);

    await give(editor, BOAT_CLOSED.slice(0, 2));

    await until(() => !details.open, 'they are closed');
  });
});

describe('a page that sets its items in another order', () => {
  it('has the list in that order, also with a filter', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);

    await give(editor, [...BOAT_CLOSED].reverse());
    await until(() => ids(editor)[0] === CABIN, 'the last is the first');
    const all = ids(editor);
    await press(editor, /^Available/);
    await until(() => ids(editor).length === 2, 'two are found');

    expect(all).to.deep.equal([CABIN, BOAT, KAYAK]);
    expect(ids(editor)).to.deep.equal([CABIN, KAYAK]);
  });

  it('does not move the focus from its item', async () => {
    const editor = await workingEditor(fakeProxy(), BOAT_CLOSED);
    row(editor, CABIN).control.focus();
    const { activeElement } = editor.renderRoot as ShadowRoot;

    await give(editor, [...BOAT_CLOSED].reverse());
    await until(() => ids(editor)[0] === CABIN, 'the last is the first');
    await pressKeys('Space');
    await untilStatus(editor, CABIN, 'Not saved yet');

    expect((editor.renderRoot as ShadowRoot).activeElement).to.equal(activeElement);
    expect(rows(editor).map(({ value }) => value)).to.deep.equal(['off', 'off', 'on']);
    await pressKeys('ArrowDown');
    expect((editor.renderRoot as ShadowRoot).activeElement?.closest('.row')).to.equal(row(editor, BOAT).node);
  });

  it('twenty times has each item in the list once', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    row(editor, 'item-3').pick();

    for (let turn = 1; turn <= 20; turn += 1) await give(editor, [...many(300).slice(turn), ...many(turn)]);

    await until(() => ids(editor)[0] === 'item-20', 'it is the last order');
    await until(() => partText(editor, 'tools').includes('All 300'), 'all are counted');
    expect(partText(editor, 'selection')).to.match(/^1 selected/);
    await search(editor, 'item-1');
    await until(() => button(editor, /^All/).textContent.includes('300'), 'all are searched');
    await until(() => ids(editor)[0] === 'item-100', 'they are found in that order');
  });
});

describe('a page that is morphed in place', () => {
  for (const [what, change] of [
    [
      'the text of a script',
      (script: HTMLScriptElement, text: string) => (script.firstChild as Text).replaceData(0, 1e6, text),
    ],
    [
      'the script',
      (script: HTMLScriptElement, text: string) => {
        const next = script.cloneNode() as HTMLScriptElement;
        next.textContent = text;
        script.replaceWith(next);
      },
    ],
  ] as const) {
    it(`has the new items of ${what} listed, and an open dialog stays open`, async () => {
      const editor = await fixture<InventoryEditor>(
        `<inventory-editor proxy="${fakeProxy().url}"><script type="application/json">${JSON.stringify(BOAT_CLOSED)}</script></inventory-editor>`,
      );
      await until(() => part(editor, 'tools'), 'the tools are there');
      row(editor, CABIN).part('.truth button').click();
      const details = await dialog(editor);

      change(editor.querySelector('script') as HTMLScriptElement, JSON.stringify([...BOAT_CLOSED, ATTIC]));

      await until(() => ids(editor).length === 4, 'four are listed');
      expect(details.open).to.equal(true);
    });
  }
});
