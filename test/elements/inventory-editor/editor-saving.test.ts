import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryChangeEvent, InventoryEditor } from '../../../src/index.js';
import { itemId, KAYAK } from '../../client/support/items.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { forbidStorage } from '../../client/support/failing-storage.js';
import { ANNA, BEN, pretendProxy, type PretendProxy } from '../../client/support/pretend-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  hear,
  many,
  part,
  partText,
  press,
  row,
  rows,
  said,
  total,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';

/** All but every tenth are available. */
function mostlyOpen(count: number): ReturnType<typeof many> {
  return many(count, (at) => at % 10 !== 0);
}

/** Twenty items, of which the person has set the 18 that were open unavailable, and saved that. */
async function savedEditor(proxy: PretendProxy): Promise<InventoryEditor> {
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

function sentIds(proxy: PretendProxy): string[] {
  return proxy.accepted.map(({ id }) => id);
}

describe('a bulk edit', () => {
  it('can be taken back by another editor once the first is gone, as after a reload', async () => {
    const proxy = pretendProxy();
    const first = await savedEditor(proxy);
    first.remove();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    await until(() => !button(editor, 'Undo').disabled, 'there is something to undo');

    await press(editor, 'Undo');
    await until(() => proxy.accepted.length === 36, 'all are sent again');

    expect(proxy.accepted.slice(18).every(({ available }) => available)).to.equal(true);
  });

  it('is saved by hand: what was unavailable already is neither counted nor sent', async () => {
    const proxy = pretendProxy();
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

  it('is sent at once where saving is automatic', async () => {
    const proxy = pretendProxy();
    const editor = await workingEditor(proxy, mostlyOpen(50), { saveMode: 'auto' });

    await setAllUnavailable(editor);
    await until(() => proxy.accepted.length === 45, 'all are sent');

    expect(part(editor, 'save')).to.equal(null);
    await untilStatus(editor, 'item-1', 'Sent, ');
  });

  it('stands over an earlier one that is still being stored, and the host is asked about all of it', async () => {
    const editor = await workingEditor(
      pretendProxy(),
      many(8_000, () => true),
      { saveMode: 'auto' },
    );
    const asked = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    await setAllUnavailable(editor);

    await until(() => part(editor, 'selection') === null, 'the selection has ended');
    row(editor, 'item-1').pick();
    await press(editor, /^Select all/);
    await press(editor, /^Open th(is|ese) /);
    await press(editor, /^Open [\d,]+$/);
    await until(() => said(editor).startsWith('8,000 items opened'), 'it is done');

    expect(asked.map(({ itemIds, available }) => [[...itemIds].length, available])).to.deep.equal([
      [8_000, false],
      [8_000, true],
    ]);
    await untilButton(editor, /^Available\s?8,000$/);
  });

  for (const saveMode of ['manual', 'auto'] as const) {
    it(`is sent as a whole where the person signs out while it is being stored, saved ${saveMode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = pretendProxy();
      const editor = await workingEditor(
        proxy,
        many(4_000, () => true),
        { saveMode },
      );
      await setAllUnavailable(editor);
      if (saveMode === 'manual') await press(editor, 'Save');

      const isOut = await editor.signOut();

      expect(isOut).to.equal(true);
      expect(proxy.accepted.length).to.equal(4_000);
    });
  }

  it('is not gone unasked where the person signs out before they have saved it', async () => {
    const proxy = pretendProxy();
    const editor = await workingEditor(proxy, mostlyOpen(50));
    await setAllUnavailable(editor);

    const leaving = editor.signOut();
    await untilButton(editor, 'Save and sign out');

    expect((await dialog(editor)).textContent).to.contain('45 changes are not sent yet.');
    await press(editor, 'Save and sign out');
    expect(await leaving).to.equal(true);
    expect(proxy.accepted.length).to.equal(45);
  });

  it('is kept where the person stays when asked, and deleted where they say so', async () => {
    const proxy = pretendProxy();
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
    it(`is sent as a whole where the page writes it into its items meanwhile, saved ${saveMode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = pretendProxy();
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

  it('is told in one line, however many items it has', async () => {
    const proxy = pretendProxy();
    const editor = await workingEditor(proxy, mostlyOpen(1200));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('1,080 changes'), 'the changes are counted');
    await until(() => said(editor) === '1,080 items closed. Not saved yet', 'what was done is said');
    const heard = hear(editor);

    await press(editor, 'Save');
    await until(() => proxy.accepted.length === 1080, 'all are sent');
    await untilStatus(editor, 'item-1', 'Sent, ');

    expect(heard).to.deep.equal(['1,080 changes will be sent.']);
  });

  it('is not told to be the last before it is known who is there, whose changes may be waiting', async () => {
    const proxy = pretendProxy();
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
    await until(() => heard.includes('1 item changed back'), 'it is told');

    expect(heard).to.deep.equal(['1 item changed back']);
  });

  it('is told once more when all of it is on the portal', async () => {
    const proxy = pretendProxy();
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const heard = hear(editor);

    for (const id of sentIds(proxy)) proxy.settle(itemId(id), 'delivered');
    for (const { id, value } of rows(editor))
      if (value === 'off' && sentIds(proxy).includes(id)) await untilStatus(editor, id, 'Live on the portal');
    await until(() => heard.length > 0, 'it is told');

    expect(heard).to.deep.equal(['Everything is up to date on the portal']);
  });

  it('is told once more when some of it was refused', async () => {
    const proxy = pretendProxy();
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const heard = hear(editor);

    sentIds(proxy).forEach((id, at) => {
      proxy.settle(itemId(id), at < 3 ? 'refused' : 'delivered', at < 3 ? { reason: 'item_refused' } : {});
    });
    await untilButton(editor, 'Send 3 again');
    await until(() => heard.length > 0, 'it is told');

    expect(heard).to.deep.equal(['3 changes were not accepted']);
  });

  it('is not told as refused where only an earlier change was', async () => {
    const proxy = pretendProxy();
    proxy.knows({ id: itemId('item-0'), available: false, state: 'refused', reason: 'item_refused' });
    const editor = await savedEditor(proxy);
    await untilStatus(editor, 'item-1', 'Sent, ');
    const heard = hear(editor);

    for (const id of sentIds(proxy)) proxy.settle(itemId(id), 'delivered');
    await until(() => heard.length > 0, 'it is told');

    expect(heard).to.deep.equal(['You decide: 1']);
  });

  it('is told as refused when it was sent once more and refused again', async () => {
    const proxy = pretendProxy();
    proxy.knows({ id: itemId('item-0'), available: true, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, mostlyOpen(20));
    const heard = hear(editor);
    await press(editor, 'Send 1 again');
    await untilStatus(editor, 'item-0', 'Sent, ');

    proxy.settle(itemId('item-0'), 'refused', { reason: 'item_refused' });
    await until(() => heard.length > 0, 'it is told');

    expect(heard).to.deep.equal(['1 change was not accepted']);
  });

  it('is told as still to leave this device where nothing can be sent', async () => {
    const proxy = pretendProxy();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    proxy.down = true;
    await editor.refresh();
    await setAllUnavailable(editor);
    const heard = hear(editor);

    await press(editor, 'Save');
    await until(() => heard.some((text) => text.includes('will be sent')), 'it is told');

    expect(heard.at(-1)).to.equal('18 changes will be sent. 18 changes are not live on the portal yet');
  });

  it('is taken back as one step, and made again, before it is saved', async () => {
    const proxy = pretendProxy();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('18 changes'), 'the changes are counted');

    await press(editor, 'Undo');
    await until(() => part(editor, 'save') === null, 'no change is left');
    const undone = [row(editor, 'item-0').value, row(editor, 'item-1').value];
    await until(() => said(editor) === '18 items changed back', 'it is said');
    await press(editor, 'Redo');
    await until(() => partText(editor, 'save').startsWith('18 changes'), 'the changes are there again');

    expect(undone).to.deep.equal(['off', 'on']);
    expect(row(editor, 'item-1').value).to.equal('off');
  });

  it('is taken back after it was saved too: only its own rows, and not what somebody has changed since', async () => {
    const proxy = pretendProxy();
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
    await until(() => heard.includes(undone), 'what was done is said');
    expect(proxy.accepted.slice(before).every(({ available }) => available)).to.equal(true);
    expect(sentIds(proxy).slice(before)).not.to.include.members(['item-0', 'item-3', 'item-10']);
  });
});

describe('a long save', () => {
  it('shows how far it is, and stops when the person cancels: what was not attempted is drafted still', async () => {
    const proxy = pretendProxy();
    const editor = await workingEditor(proxy, mostlyOpen(4000));
    await setAllUnavailable(editor);
    await until(() => partText(editor, 'save').startsWith('3,600 changes'), 'the changes are counted');
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
    await until(() => said(editor).includes('not saved'), 'it is told');

    const [, taken, left] = /^([\d,]+) changes will be sent; ([\d,]+) not saved\.$/.exec(said(editor)) ?? [];
    const [sent, kept] = [taken, left].map((text) => Number(text?.replace(',', '')));
    expect(seen[0]).to.match(/^Saving: [\d,]+ of 3,600 Cancel$/);
    expect([Number(sent) + Number(kept), kept === 0]).to.deep.equal([3600, false]);
    await until(() => partText(editor, 'save').startsWith(`${String(left)} changes`), 'the rest is drafted still');
    await until(() => proxy.accepted.length === sent, 'what was attempted is sent');
  });
});

describe('drafts', () => {
  async function leftByAnEarlierPage(): Promise<{ proxy: PretendProxy; editor: InventoryEditor }> {
    const proxy = pretendProxy();
    const before = await workingEditor(proxy, mostlyOpen(20));
    row(before, 'item-1').control.click();
    row(before, 'item-2').control.click();
    await until(() => partText(before, 'save').startsWith('2 changes'), 'two are drafted');
    before.remove();
    const editor = await workingEditor(proxy, mostlyOpen(20));
    await until(() => part(editor, 'drafts'), 'they are offered back');
    return { proxy, editor };
  }

  it('of an earlier page are offered back with their age, and put back only when the person says so', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();
    const offer = partText(editor, 'drafts');
    const untouched = [row(editor, 'item-1').value, part(editor, 'save')];

    await press(editor, 'Bring back');
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'they are drafts of this page');

    expect(offer).to.match(/^2 changes that you did not save, from just now\. Discard Bring back$/);
    expect(untouched).to.deep.equal(['on', null]);
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
    await until(() => part(editor, 'drafts') === null, 'the offer is taken');
    await until(() => said(editor) === '2 changes', 'it is said how many there are');
    expect(sentIds(proxy)).to.deep.equal([]);
  });

  it('of an earlier page are not gone unasked where the person signs out: sent again, they are sent with the rest', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();

    const leaving = editor.signOut();
    await untilButton(editor, 'Save and sign out');

    expect((await dialog(editor)).textContent).to.contain('2 changes are not sent yet.');
    await press(editor, 'Save and sign out');
    expect(await leaving).to.equal(true);
    expect(proxy.accepted.map(({ id }) => id)).to.have.members(['item-1', 'item-2']);
  });

  it('of an earlier page stay on offer where the person stays when asked, and are deleted where they say so', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();

    const staying = editor.signOut();
    await press(editor, 'Stay signed in');
    expect(await staying).to.equal(false);
    expect(partText(editor, 'drafts')).to.contain('2 changes that you did not save');
    const leaving = editor.signOut();
    await press(editor, 'Delete and sign out');

    expect(await leaving).to.equal(true);
    expect(proxy.accepted.length).to.equal(0);
    editor.remove();
    const next = await workingEditor(pretendProxy(), mostlyOpen(20));
    expect(part(next, 'drafts')).to.equal(null);
  });

  /** The words of a bar, and its buttons. */
  function boxes(editor: InventoryEditor, bar: string): DOMRect[] {
    return [...(part(editor, bar)?.children ?? [])].map((one) => one.getBoundingClientRect());
  }

  function expectTwoAlike([words, one, other]: readonly DOMRect[]): void {
    expect(one?.top).to.equal(other?.top);
    expect(one?.width).to.be.closeTo(other?.width ?? NaN, 1);
    expect(words?.bottom).to.be.at.most(one?.top ?? NaN);
  }

  it('are offered back on a phone above two buttons of one width, and neither is left alone on a line', async () => {
    const { editor } = await leftByAnEarlierPage();

    editor.style.inlineSize = '343px';

    expectTwoAlike(boxes(editor, 'drafts'));
  });

  async function withDrafts(proxy = pretendProxy()): Promise<InventoryEditor> {
    const editor = await workingEditor(proxy, mostlyOpen(20));
    row(editor, 'item-1').control.click();
    row(editor, 'item-2').control.click();
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'two are drafted');
    return editor;
  }

  it('that the browser does not keep are told on a phone in as few lines as there are', async () => {
    forbidStorage();
    const editor = await withDrafts();
    editor.style.inlineSize = '343px';

    await until(() => partText(editor, 'save').includes('Not kept by this browser'), 'it is said');

    expectTwoAlike(boxes(editor, 'save'));
  });

  it('stay drafts in an editor that the page puts somewhere else, however often', async () => {
    const editor = await withDrafts();
    const page = editor.parentElement;
    const place = await fixture<HTMLElement>(html`<div></div>`);

    place.append(editor);
    await until(() => part(editor, 'tools'), 'the tools are there again');
    page?.append(editor);
    await editor.updateComplete;
    place.append(editor);

    await until(() => partText(editor, 'save').startsWith('2 changes'), 'they are drafts here');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
    await until(() => part(editor, 'drafts') === null, 'nothing is on offer');
  });

  it('stay drafts where the page gives the editor another list', async () => {
    const editor = await withDrafts();

    editor.items = mostlyOpen(21);

    await until(() => total(editor) === '21 items', 'the new list is shown');
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'they are drafts of it');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
    await until(() => part(editor, 'drafts') === null, 'nothing is on offer');
  });

  it('stay drafts where the browser keeps none and the page gives the editor other lists, back in the one that has their items', async () => {
    forbidStorage();
    const editor = await withDrafts();
    await until(() => partText(editor, 'save').includes('Not kept by this browser'), 'it is said');

    editor.items = mostlyOpen(2);
    await until(() => partText(editor, 'save').startsWith('1 change'), 'one is of this list');
    editor.items = mostlyOpen(21);

    await until(() => partText(editor, 'save').startsWith('2 changes'), 'both are of that one');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['off', 'off']);
  });

  it('pass to nobody else where the browser keeps none and another person is there before the next list', async () => {
    forbidStorage();
    const proxy = pretendProxy();
    const editor = await withDrafts(proxy);
    await until(() => partText(editor, 'save').includes('Not kept by this browser'), 'it is said');
    const place = editor.parentElement;

    editor.remove();
    proxy.person = BEN;
    await (await workingEditor(proxy, mostlyOpen(20))).refresh();
    place?.append(editor);
    await editor.updateComplete;

    await until(() => part(editor, 'tools'), 'the tools are there again');
    expect([row(editor, 'item-1').value, row(editor, 'item-2').value]).to.deep.equal(['on', 'on']);
    expect(part(editor, 'save')).to.equal(null);
  });

  it('are sent of the item that they were made of where the page changes its array in place', async () => {
    const [proxy, items] = [pretendProxy(), mostlyOpen(20)];
    const editor = await workingEditor(proxy, items);
    row(editor, 'item-1').control.click();
    await until(() => partText(editor, 'save').startsWith('1 change'), 'one is drafted');

    items.unshift({ id: 'fresh', label: 'Fresh', available: true });
    await press(editor, 'Save');
    await until(() => proxy.accepted.length === 1, 'it is sent');

    expect(sentIds(proxy)).to.deep.equal(['item-1']);
  });

  it('are of the item that is seen where the page has changed its array in place', async () => {
    const [proxy, items] = [pretendProxy(), mostlyOpen(20)];
    const editor = await workingEditor(proxy, items, { saveMode: 'auto' });

    items.reverse();
    row(editor, 'item-1').control.click();
    await until(() => proxy.accepted.length === 1, 'it is sent');

    expect(sentIds(proxy)).to.deep.equal(['item-1']);
  });

  it('can be saved where changes are saved at once by now', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();
    editor.saveMode = 'auto';

    await press(editor, 'Bring back');
    await press(editor, 'Save');

    await until(() => proxy.accepted.length === 2, 'both are sent');
    await until(() => part(editor, 'save') === null, 'nothing is left to save');
  });

  it('of an earlier page stay on offer where their items are not in this list, which is said to who wants them', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();
    editor.remove();
    const other = await workingEditor(proxy, [{ id: KAYAK, label: 'Kayak tour', available: true }]);
    const words = '2 changes are of items that this list does not have, and kept for the list that has them.';

    await press(other, 'Bring back');

    await until(() => partText(other, 'left-alone') === `${words} Done`, 'it is said');
    expect(said(other)).to.equal(words);
    await until(() => partText(other, 'drafts').startsWith('2 changes'), 'they are on offer');
  });

  it('of an earlier page are gone when the person does not want them', async () => {
    const { proxy, editor } = await leftByAnEarlierPage();

    await press(editor, 'Discard');
    await until(() => part(editor, 'drafts') === null, 'the offer is gone');
    editor.remove();
    const next = await workingEditor(proxy, mostlyOpen(20));
    row(next, 'item-5').control.click();
    await until(() => part(next, 'save'), 'it works');

    expect(part(next, 'drafts')).to.equal(null);
  });
});

describe('"save"', () => {
  it('says to who sees it, too, that it has held back what the person may not change any more', async () => {
    const proxy = pretendProxy();
    proxy.person = { ...ANNA, items: [KAYAK] };
    const editor = await workingEditor(proxy, [{ id: KAYAK, label: 'Kayak tour', available: true }]);
    row(editor, KAYAK).control.click();
    await untilButton(editor, 'Save');
    proxy.person = { ...ANNA, items: [] };
    await editor.refresh();

    await press(editor, 'Save');

    const words = '0 changes will be sent; 1 held back: changed by somebody else, or not yours to change.';
    await until(() => partText(editor, 'left-alone') === `${words} Done`, 'it is said');
    expect(said(editor)).to.equal(words);
    expect(partText(editor, 'save')).to.match(/^1 change /);
  });

  it('says nothing of a save by the page where nothing is drafted', async () => {
    const editor = await workingEditor(pretendProxy(), mostlyOpen(20));
    const heard = hear(editor);

    await editor.save();
    await editor.updateComplete;
    row(editor, 'item-1').control.click();
    await until(() => partText(editor, 'save').startsWith('1 change'), 'one is drafted');
    await editor.save();
    await until(() => heard.includes('1 change will be sent.'), 'the save of something is told');

    expect(heard).not.to.include('0 changes will be sent.');
  });

  it('resolves when all is stored, also for who asks while a save is on its way', async () => {
    const editor = await workingEditor(pretendProxy(), mostlyOpen(20));
    row(editor, 'item-1').control.click();
    await untilButton(editor, 'Save');
    const done: string[] = [];

    const saves = ['first', 'second'].map((name) => editor.save().then(() => done.push(name)));
    await Promise.all(saves);

    expect(done).to.deep.equal(['first', 'second']);
  });
});

describe('"settled"', () => {
  it('resolves when everything is on the portal, or waits for a person', async () => {
    const proxy = pretendProxy();
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

  it('resolves when the editor leaves the page, and not when it is put somewhere else', async () => {
    const proxy = pretendProxy();
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

    await until(() => isSettled, 'nobody waits any more');
    expect(afterMove).to.equal(false);
  });

  it('does not resolve before it is known what is still on its way', async () => {
    const proxy = pretendProxy();
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

  it('resolves at once where nothing is on its way', async () => {
    const editor = await workingEditor(pretendProxy(), [{ id: KAYAK, available: true }]);

    expect(await editor.settled).to.equal(undefined);
  });
});
