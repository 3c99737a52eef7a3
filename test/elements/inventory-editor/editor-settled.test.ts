import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import { itemId, KAYAK } from '../../client/support/items.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { ANNA, fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  hear,
  mostlyOpen,
  partText,
  press,
  row,
  said,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';

describe('the method save', () => {
  it('reports items that it has held back because the person may not change them any more', async () => {
    const proxy = fakeProxy();
    proxy.person = { ...ANNA, items: [KAYAK] };
    const editor = await workingEditor(proxy, [{ id: KAYAK, label: 'Kayak tour', available: true }]);
    row(editor, KAYAK).control.click();
    await untilButton(editor, 'Save');
    proxy.person = { ...ANNA, items: [] };
    await editor.refresh();

    await press(editor, 'Save');

    const text = '0 changes will be sent; 1 held back: changed by somebody else, or not yours to change.';
    await until(() => partText(editor, 'left-alone') === `${text} Done`, 'the text is shown');
    expect(said(editor)).to.equal(text);
    expect(partText(editor, 'save')).to.match(/^1 change /);
  });

  it('announces nothing if there is no draft', async () => {
    const editor = await workingEditor(fakeProxy(), mostlyOpen(20));
    const heard = hear(editor);

    await editor.save();
    await editor.updateComplete;
    row(editor, 'item-1').control.click();
    await until(() => partText(editor, 'save').startsWith('1 change'), 'one is drafted');
    await editor.save();
    await until(() => heard.includes('1 change will be sent.'), 'the save is announced');

    expect(heard).not.to.include('0 changes will be sent.');
  });

  it('resolves when everything is stored, also for a second call meanwhile', async () => {
    const editor = await workingEditor(fakeProxy(), mostlyOpen(20));
    row(editor, 'item-1').control.click();
    await untilButton(editor, 'Save');
    const done: string[] = [];

    const saves = ['first', 'second'].map((name) => editor.save().then(() => done.push(name)));
    await Promise.all(saves);

    expect(done).to.deep.equal(['first', 'second']);
  });
});

describe('the property settled', () => {
  it('resolves when every edit is on the portal or needs attention', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(20), { saveMode: 'auto' });
    let isSettled = false;
    for (const id of ['item-1', 'item-2']) row(editor, id).control.click();
    await until(() => proxy.accepted.length === 2, 'both are sent');
    void editor.settled.then(() => {
      isSettled = true;
    });
    proxy.settle(itemId('item-1'), 'delivered');
    await untilStatus(editor, 'item-1', 'Live on the portal');
    const halfWay = isSettled;

    proxy.settle(itemId('item-2'), 'refused', { reason: 'item_refused' });
    await untilStatus(editor, 'item-2', 'Not accepted');
    await until(() => isSettled, 'it is settled');

    expect(halfWay).to.equal(false);
  });

  it('resolves when the editor is removed, and not when it is moved', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(20), { saveMode: 'auto' });
    let isSettled = false;
    row(editor, 'item-1').control.click();
    await until(() => proxy.accepted.length === 1, 'it is sent');
    void editor.settled.then(() => {
      isSettled = true;
    });
    document.body.append(editor);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const afterMove = isSettled;

    editor.remove();

    await until(() => isSettled, 'the promise is settled');
    expect(afterMove).to.equal(false);
  });

  it('does not resolve before the open edits of an earlier page are known', async () => {
    const proxy = fakeProxy();
    const before = await workingEditor(proxy, mostlyOpen(20), { saveMode: 'auto' });
    row(before, 'item-1').control.click();
    await untilStatus(before, 'item-1', 'Sent, ');
    before.remove();
    const editor = document.createElement('inventory-editor');
    afterThisTest(() => {
      editor.remove();
    });
    // Of its own: nothing is known in it yet.
    const { url, sessionUrl } = proxy;
    let isSettled = false;

    document.body.append(Object.assign(editor, { proxy: url, session: sessionUrl, items: mostlyOpen(20) }));
    void editor.settled.then(() => {
      isSettled = true;
    });
    await untilStatus(editor, 'item-1', 'Sent, ');
    const beforeTheEnd = isSettled;
    proxy.settle(itemId('item-1'), 'delivered');

    await until(() => isSettled, 'it is settled');
    expect(beforeTheEnd).to.equal(false);
  });

  it('resolves at once if no edit is open', async () => {
    const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, available: true }]);

    expect(await editor.settled).to.equal(undefined);
  });
});
