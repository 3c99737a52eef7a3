import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryChangeEvent, InventoryEditor } from '../../../src/index.js';
import { itemId } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  hear,
  many,
  mostlyOpen,
  part,
  partText,
  press,
  row,
  rows,
  said,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';

/** Twenty items, of which the person has set the 18 that were open unavailable, and saved that. */
async function savedEditor(proxy: FakeProxy): Promise<InventoryEditor> {
  const editor = await workingEditor(proxy, mostlyOpen(20));
  await setAllUnavailable(editor);
  await press(editor, 'Save');
  await until(() => proxy.accepted.length === 18, 'all are sent');
  return editor;
}

async function setAllUnavailable(editor: InventoryEditor): Promise<void> {
  row(editor, 'item-1').pick();
  await press(editor, /^Select all/);
  await press(editor, /^Close th(is|ese) /);
  await dialog(editor);
  await press(editor, /^Close [\d,]+$/);
}

function sentIds(proxy: FakeProxy): string[] {
  return proxy.accepted.map(({ id }) => id);
}

describe('a bulk change', () => {
  it('can be undone by another editor after the first was removed, as after a reload', async () => {
    const proxy = fakeProxy();
    const first = await savedEditor(proxy);
    first.remove();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    await until(() => !button(editor, 'Undo').disabled, 'there is something to undo');

    await press(editor, 'Undo');
    await until(() => proxy.accepted.length === 36, 'all are sent again');

    expect(proxy.accepted.slice(18).every(({ available }) => available)).to.equal(true);
  });

  it('is saved by hand without items that already had the value', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(50));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('45 changes'), 'the changes are counted');
    const before = proxy.accepted.length;

    await press(editor, 'Save');
    await until(() => proxy.accepted.length === 45, 'all are sent');

    expect(before).to.equal(0);
    expect(sentIds(proxy)).not.to.include(itemId('item-10'));
    expect(proxy.accepted.some(({ available }) => available)).to.equal(false);
  });

  it('is sent at once in auto mode', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(50), { saveMode: 'auto' });

    await setAllUnavailable(editor);
    await until(() => proxy.accepted.length === 45, 'all are sent');

    expect(part(editor, 'save')).to.equal(null);
    await untilStatus(editor, 'item-1', 'Sent, ');
  });

  it('replaces an earlier one that is still being stored, and is announced to the host completely', async () => {
    const editor = await workingEditor(
      fakeProxy(),
      many(2_500, () => true),
      { saveMode: 'auto' },
    );
    const asked = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    await setAllUnavailable(editor);

    await until(() => part(editor, 'selection') === null, 'the selection has ended');
    row(editor, 'item-1').pick();
    await press(editor, /^Select all/);
    await press(editor, /^Open th(is|ese) /);
    await press(editor, /^Open [\d,]+$/);
    await until(() => said(editor).startsWith('2,500 items opened'), 'it is done');

    expect(asked.map(({ itemIds, available }) => [[...itemIds].length, available])).to.deep.equal([
      [2_500, false],
      [2_500, true],
    ]);
    await untilButton(editor, /^Available\s?2,500$/);
  });

  for (const saveMode of ['manual', 'auto'] as const) {
    it(`is sent completely if the person signs out while it is stored, saved ${saveMode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = fakeProxy();
      const editor = await workingEditor(
        proxy,
        many(1_100, () => true),
        { saveMode },
      );
      await setAllUnavailable(editor);
      if (saveMode === 'manual') await press(editor, 'Save');

      const isOut = await editor.signOut();

      expect(isOut).to.equal(true);
      expect(proxy.accepted.length).to.equal(1_100);
    });
  }

  it('that is not saved is included in the sign-out dialog, and sent by "Save and sign out"', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(50));
    await setAllUnavailable(editor);

    const leaving = editor.signOut();
    await untilButton(editor, 'Save and sign out');

    expect((await dialog(editor)).textContent).to.contain('45 changes are not sent yet.');
    await press(editor, 'Save and sign out');
    expect(await leaving).to.equal(true);
    expect(proxy.accepted.length).to.equal(45);
  });

  it('that is not saved is kept by "Stay signed in", and deleted by "Delete and sign out"', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(50));
    await setAllUnavailable(editor);

    const staying = editor.signOut();
    await press(editor, 'Stay signed in');
    expect(await staying).to.equal(false);
    await until(() => partText(editor, 'save').startsWith('45 changes'), 'all are still drafts');
    const leaving = editor.signOut();
    await press(editor, 'Delete and sign out');

    expect(await leaving).to.equal(true);
    expect(proxy.accepted.length).to.equal(0);
  });

  for (const saveMode of ['manual', 'auto'] as const) {
    it(`is sent completely if the page copies it into its items first, saved ${saveMode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = fakeProxy();
      const items = mostlyOpen(1200);
      const editor = await workingEditor(proxy, items, { saveMode });
      editor.addEventListener('inventory-change', () => {
        editor.items = items.map((item) => ({ ...item, available: false }));
      });

      await setAllUnavailable(editor);
      if (saveMode === 'manual') await press(editor, 'Save');

      await until(() => proxy.accepted.length === 1080, 'all are sent');
    });
  }

  it('is announced in one sentence, however many items it has', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(1200));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('1,080 changes'), 'the changes are counted');
    await until(() => said(editor) === '1,080 items closed. Not saved yet', 'the change is announced');
    const heard = hear(editor);

    await press(editor, 'Save');
    await until(() => proxy.accepted.length === 1080, 'all are sent');
    await untilStatus(editor, 'item-1', 'Sent, ');

    expect(heard).to.deep.equal(['1,080 changes will be sent.']);
  });

  it('is not announced as the last open one before the person is known', async () => {
    const proxy = fakeProxy();
    proxy.hold('GET v1/session');
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} save-mode="auto" .items=${many(3, () => true)}></inventory-editor>`,
    );
    await until(() => part(editor, 'tools'), 'the tools are there');
    const heard = hear(editor);
    row(editor, 'item-1').control.click();
    await until(() => row(editor, 'item-1').status.startsWith('Saved here'), 'the change is kept');

    await press(editor, 'Undo');
    await untilStatus(editor, 'item-1', 'From your website, not confirmed yet');
    await until(() => heard.includes('1 item changed back'), 'it is announced');

    expect(heard).to.deep.equal(['1 item changed back']);
  });

  it('is announced when all of it is on the portal', async () => {
    const proxy = fakeProxy();
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const heard = hear(editor);

    for (const id of sentIds(proxy)) proxy.settle(itemId(id), 'delivered');
    for (const { id, value } of rows(editor))
      if (value === 'off' && sentIds(proxy).includes(id)) await untilStatus(editor, id, 'Live on the portal');
    await until(() => heard.length > 0, 'it is announced');

    expect(heard).to.deep.equal(['Everything is up to date on the portal']);
  });

  it('is announced when some of it was refused', async () => {
    const proxy = fakeProxy();
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const heard = hear(editor);

    sentIds(proxy).forEach((id, at) => {
      proxy.settle(itemId(id), at < 3 ? 'refused' : 'delivered', at < 3 ? { reason: 'item_refused' } : {});
    });
    await untilButton(editor, 'Send 3 again');
    await until(() => heard.length > 0, 'it is announced');

    expect(heard).to.deep.equal(['3 changes were not accepted']);
  });

  it('is not announced as refused if only an earlier edit was', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: itemId('item-0'), available: false, state: 'refused', reason: 'item_refused' });
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const heard = hear(editor);

    for (const id of sentIds(proxy)) proxy.settle(itemId(id), 'delivered');
    await until(() => heard.length > 0, 'it is announced');

    expect(heard).to.deep.equal(['You decide: 1']);
  });

  it('is announced as refused when its retry was refused too', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: itemId('item-0'), available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, mostlyOpen(20));
    const heard = hear(editor);
    await press(editor, 'Send 1 again');
    await untilStatus(editor, 'item-0', 'Sent, ');

    proxy.settle(itemId('item-0'), 'refused', { reason: 'item_refused' });
    await until(() => heard.length > 0, 'it is announced');

    expect(heard).to.deep.equal(['1 change was not accepted']);
  });

  it('is announced as waiting on this device if nothing can be sent', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    proxy.down = true;
    await editor.refresh();
    await setAllUnavailable(editor);
    const heard = hear(editor);

    await press(editor, 'Save');
    await until(() => heard.some((text) => text.includes('will be sent')), 'it is announced');

    expect(heard.at(-1)).to.equal('18 changes will be sent. 18 changes are not live on the portal yet');
  });

  it('is undone and redone as one step before it is saved', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('18 changes'), 'the changes are counted');

    await press(editor, 'Undo');
    await until(() => part(editor, 'save') === null, 'no change is left');
    const undone = [row(editor, 'item-0').value, row(editor, 'item-1').value];
    await until(() => said(editor) === '18 items changed back', 'it is announced');
    await press(editor, 'Redo');
    await until(() => partText(editor, 'save').startsWith('18 changes'), 'the changes are there again');

    expect(undone).to.deep.equal(['off', 'on']);
    expect(row(editor, 'item-1').value).to.equal('off');
  });

  it('is undone after it was saved, without items that another person has changed since', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-3', 'Live on the portal');
    proxy.takeFromElsewhere(itemId('item-3'), false, 'delivered', 'Ben');
    await editor.refresh();
    const before = proxy.accepted.length;
    const heard = hear(editor);

    await press(editor, 'Undo');
    await until(() => proxy.accepted.length === before + 17, 'the rows are sent');

    const undone = '17 items changed back; 1 left alone: changed since, never set before, or refused by this page';
    await until(() => heard.includes(undone), 'the change is announced');
    expect(proxy.accepted.slice(before).every(({ available }) => available)).to.equal(true);
    expect(sentIds(proxy).slice(before)).not.to.include.members(['item-0', 'item-3', 'item-10']);
  });
});

describe('a long save', () => {
  it('shows its progress, and leaves the other changes as drafts when it is cancelled', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, mostlyOpen(2000));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('1,800 changes'), 'the changes are counted');
    const seen: string[] = [];
    const cancelled = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (editor.renderRoot.querySelector('progress') === null) return;
        observer.disconnect();
        seen.push(partText(editor, 'save'));
        button(editor, 'Cancel').click();
        resolve();
      });
      observer.observe(editor.renderRoot, { childList: true, subtree: true });
    });

    await press(editor, 'Save');
    await cancelled;
    await until(() => said(editor).includes('not saved'), 'it is announced');

    const [, taken, left] = /^([\d,]+) changes will be sent; ([\d,]+) not saved\.$/.exec(said(editor)) ?? [];
    const [sent, kept] = [taken, left].map((text) => Number(text?.replace(',', '')));
    expect(seen[0]).to.match(/^Saving: [\d,]+ of 1,800 Cancel$/);
    expect([Number(sent) + Number(kept), kept === 0]).to.deep.equal([1800, false]);
    await until(() => partText(editor, 'save').startsWith(`${String(left)} changes`), 'the rest is drafted still');
    await until(() => proxy.accepted.length === sent, 'what was attempted is sent');
  });
});
