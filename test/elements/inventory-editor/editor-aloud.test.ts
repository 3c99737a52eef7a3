import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { ar } from '../../../src/locales/ar.js';
import { editorAr } from '../../../src/locales/editor-ar.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { hear, row, untilStatus, workingEditor } from '../support/editor-page.js';
import { TOURS } from '../support/tours.js';
import { BOAT_UNSET } from '../support/tours.js';

const AWAY = { delayed: true, reason: 'portal_unreachable' } as const;
const ONE_HELD = '1 change is not live on the portal yet. Sent, but the portal cannot be reached. We keep trying.';
const ONE_CHOICE = '1 choice to make';
const ALL_REACHED = 'The portal takes changes again. Everything is up to date on the portal';

async function listeningEditor(proxy: FakeProxy): Promise<InventoryEditor> {
  const editor = await workingEditor(proxy, TOURS, { saveMode: 'auto' });
  await until(() => proxy.streams === 1, 'it listens');
  return editor;
}

/** A change of this page that the proxy has. */
async function change(editor: InventoryEditor, id: typeof KAYAK): Promise<void> {
  row(editor, id).control.click();
  await untilStatus(editor, id, 'Sent, ');
}

async function withHeld(): Promise<{ proxy: FakeProxy; editor: InventoryEditor; heard: string[] }> {
  const proxy = fakeProxy();
  const editor = await listeningEditor(proxy);
  await change(editor, KAYAK);
  const heard = hear(editor);
  proxy.settle(KAYAK, 'received', AWAY);
  await until(() => heard.length > 0, 'it is announced');
  return { proxy, editor, heard };
}

describe('an unreachable portal', () => {
  it('is announced once, however many edits it delays, and so is its return', async () => {
    const { proxy, editor, heard } = await withHeld();

    await change(editor, BOAT);
    proxy.settle(BOAT, 'received', { delayed: true, reason: 'portal_busy' });
    await untilStatus(editor, BOAT, 'the portal is busy');
    await editor.refresh();
    for (const id of [BOAT, KAYAK]) {
      proxy.settle(id, 'delivered');
      await untilStatus(editor, id, 'Live on the portal');
    }

    await until(() => heard.length > 1, 'it is back');
    expect(heard).to.deep.equal([ONE_HELD, ALL_REACHED]);
  });

  it('is not announced as reachable when the person reverts the delayed edit', async () => {
    const { proxy, editor, heard } = await withHeld();

    await change(editor, KAYAK);
    proxy.settle(KAYAK, 'received', AWAY);
    await untilStatus(editor, KAYAK, 'cannot be reached');
    proxy.settle(KAYAK, 'delivered');

    await until(() => heard.length > 1, 'it is back');
    expect(heard).to.deep.equal([ONE_HELD, ALL_REACHED]);
  });

  it('is not announced as reachable when the delayed edit is refused', async () => {
    const { proxy, heard } = await withHeld();

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });

    await until(() => heard.length > 1, 'it is announced');
    expect(heard).to.deep.equal([ONE_HELD, '1 change was not accepted']);
  });

  it('is not announced if it was unreachable at load, but its return is', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'received', ...AWAY });
    const editor = await listeningEditor(proxy);
    const heard = hear(editor);

    await change(editor, BOAT);
    proxy.settle(BOAT, 'received', AWAY);
    await untilStatus(editor, BOAT, 'cannot be reached');
    proxy.settle(BOAT, 'delivered');
    await untilStatus(editor, BOAT, 'Live on the portal');
    proxy.deliverFromElsewhere(KAYAK);

    await until(() => heard.length > 0, 'it is back');
    expect(heard).to.deep.equal([ALL_REACHED]);
  });

  it('is announced in Arabic', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, TOURS, { saveMode: 'auto', lang: 'ar' });
    const text = editorAr('ar');
    await until(() => row(editor, KAYAK).control.textContent === ar('ar').available, 'it speaks Arabic');
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, ar('ar').truth.received);
    const heard = hear(editor);

    proxy.settle(KAYAK, 'received', AWAY);
    await until(() => heard.length > 0, 'it is announced');
    proxy.settle(KAYAK, 'delivered');
    await until(() => heard.length > 1, 'it is back');

    const { openCount, delayed, nothingOpen } = ar('ar');
    expect(heard).to.deep.equal([`${openCount(1)}. ${delayed(AWAY.reason)}`, `${text.portalIsBack} ${nothingOpen}`]);
  });
});

describe('an edit that needs attention', () => {
  it('is announced once if it is a conflict from another device', async () => {
    const proxy = fakeProxy();
    const editor = await listeningEditor(proxy);
    const heard = hear(editor);

    proxy.takeFromElsewhere(BOAT, false, 'conflict');
    await untilStatus(editor, BOAT, 'chose differently');
    await until(() => heard.length > 0, 'it is announced');
    await editor.refresh();
    proxy.takeFromElsewhere(CABIN, false, 'conflict');
    await untilStatus(editor, CABIN, 'chose differently');

    await until(() => heard.length > 1, 'the other one is announced');
    expect(heard).to.deep.equal([ONE_CHOICE, '2 choices to make']);
  });

  it('is announced while the portal is unreachable', async () => {
    const { proxy, editor, heard } = await withHeld();

    proxy.takeFromElsewhere(BOAT, false, 'conflict');
    await untilStatus(editor, BOAT, 'chose differently');

    await until(() => heard.length > 1, 'it is announced');
    expect(heard).to.deep.equal([ONE_HELD, ONE_CHOICE]);
  });

  it('is announced if it is an unsaved change in conflict with another device', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, BOAT_UNSET);
    await until(() => proxy.streams === 1, 'it listens');
    const heard = hear(editor);
    row(editor, BOAT).control.click();
    await until(() => heard.length > 0, 'the press is announced');

    proxy.takeFromElsewhere(BOAT, false);
    await untilStatus(editor, BOAT, 'Somebody else changed this meanwhile');

    await until(() => heard.length > 1, 'it is announced');
    expect(heard).to.deep.equal(['\u2068Boat tour\u2069: Available. Not saved yet', ONE_CHOICE]);
  });

  it('is not announced by itself if it was there at load', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: false, state: 'conflict' });
    const editor = await listeningEditor(proxy);
    const heard = hear(editor);

    proxy.takeFromElsewhere(CABIN, false, 'conflict');

    await until(() => heard.length > 0, 'the new one is announced');
    expect(heard).to.deep.equal(['2 choices to make']);
  });
});
