import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryChangeEvent, InventoryEditor } from '../../../src/index.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { storeFor } from '../../../src/client/store/store-registry.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { forbidStorage } from '../../client/support/failing-storage.js';
import { BOAT, CABIN, itemId, KAYAK } from '../../client/support/items.js';
import { ANNA, BEN, fakeProxy, VISITOR, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  many,
  part,
  partText,
  press,
  row,
  rows,
  said,
  textOf,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';

const ATTIC = itemId('attic');

/** Two that are open, one that is closed, and one that nobody has set. */
const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', available: true },
  { id: BOAT, label: 'Boat tour', available: false },
  { id: CABIN, label: 'Cabin', available: true },
  { id: ATTIC, label: 'Attic' },
];

const values = (editor: InventoryEditor): string =>
  rows(editor)
    .map(({ value }) => value)
    .join(' ');
const sent = (proxy: FakeProxy): string =>
  proxy.accepted.map(({ id, available }) => `${id} ${String(available)}`).join(', ');

async function closeAll(editor: InventoryEditor): Promise<void> {
  await untilButton(editor, 'Close all');
  await until(() => !button(editor, 'Close all').disabled, 'there is something to close');
  await press(editor, 'Close all');
  await dialog(editor);
  await press(editor, /^Close \d+$/);
  await until(() => part(editor, 'closed') && !values(editor).includes('on '), 'all is closed');
}

async function openAgain(editor: InventoryEditor): Promise<void> {
  await press(editor, /^Reopen (this one|these)/);
  await dialog(editor);
  await press(editor, /^Open \d+$/);
  await until(() => part(editor, 'closed') === null, 'it is open again');
}

async function openAutoEditor(proxy = fakeProxy()): Promise<{ proxy: FakeProxy; editor: InventoryEditor }> {
  proxy.portal = 'swift';
  return { proxy, editor: await workingEditor(proxy, ITEMS, { saveMode: 'auto' }) };
}

/** Another person on another device. The page of this test shares what it has loaded, so Ben has to be known first. */
async function openAsBen(proxy: FakeProxy): Promise<InventoryEditor> {
  proxy.person = BEN;
  const { editor } = await openAutoEditor(proxy);
  await editor.refresh();
  const store = storeFor({ proxy: proxy.url });
  await until(() => store.snapshot.owner === toOwner(`${proxy.url}/`, BEN), 'Ben is here');
  return editor;
}

/** An editor with the question until when everything is to be closed. */
async function openSchedules(): Promise<{ proxy: FakeProxy; editor: InventoryEditor; inside: HTMLElement }> {
  const proxy = fakeProxy();
  proxy.person = { ...ANNA, permissions: ['view', 'edit', 'schedule'] };
  const { editor } = await openAutoEditor(proxy);
  await press(editor, 'Close all');
  await dialog(editor);
  await press(editor, 'Unavailable until…');
  const inside = await dialog(editor);
  await until(() => inside.querySelector('fieldset')?.disabled === false, 'the schedules are read');
  return { proxy, editor, inside };
}

describe('"close all"', () => {
  it('closes all available items, and no other, after a preview', async () => {
    const { proxy, editor } = await openAutoEditor();
    const events = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    await press(editor, 'Close all');
    const preview = textOf(await dialog(editor));

    await press(editor, 'Close 2');
    await until(() => proxy.accepted.length === 2, 'both are sent');

    expect(preview).to.match(/^Close 2 items\? Everything that is available now\./);
    expect(values(editor)).to.equal('off off off unknown');
    expect(events.map(({ itemIds, available }) => [[...itemIds], available])).to.deep.equal([[[KAYAK, CABIN], false]]);
    await until(
      () => /^(2 items closed\.|Everything is up to date on the portal)$/.test(said(editor)),
      'it is announced',
    );
  });

  for (const saveMode of ['manual', 'auto'] as const) {
    it(`sends the closed items even if the page copies the value at once, saved ${saveMode === 'auto' ? 'at once' : 'by hand'}`, async () => {
      const proxy = fakeProxy();
      const editor = await workingEditor(proxy, ITEMS, { saveMode });
      editor.addEventListener('inventory-change', () => {
        editor.items = ITEMS.map((item) => ({ ...item, available: false }));
      });

      await press(editor, 'Close all');
      await dialog(editor);
      await press(editor, 'Close 2');
      if (saveMode === 'manual') await press(editor, 'Save');

      await until(() => proxy.accepted.length === 2, 'both are sent');
      // The bars are drawn after the rows, which may be later than the edits are sent.
      await until(() => partText(editor, 'closed').startsWith('2 items closed together'), 'they are on offer');
    });
  }

  it('includes items that were opened a moment before and are still being stored', async () => {
    const editor = await workingEditor(
      fakeProxy(),
      many(2_500, (at) => at === 0),
      { saveMode: 'auto' },
    );
    const asked = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    row(editor, 'item-0').pick();
    await press(editor, /^Select all/);
    await press(editor, /^Open th(is|ese) /);
    await dialog(editor);
    await press(editor, /^Open [\d,]+$/);

    await press(editor, 'Close all');
    await dialog(editor);
    await press(editor, /^Close [\d,]+$/);
    await untilButton(editor, /^Not available\s?2,500$/);

    expect(asked.map(({ itemIds, available }) => [[...itemIds].length, available])).to.deep.equal([
      [2_499, true],
      [2_500, false],
    ]);
  });

  it('can be reverted by reopening exactly the items that it closed', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);
    await until(() => proxy.accepted.length === 2, 'both are sent');
    const offer = partText(editor, 'closed');

    await openAgain(editor);
    await until(() => proxy.accepted.length === 4, 'both are sent again');

    expect(offer).to.equal('2 items closed together, just now. Leave closed Reopen these 2');
    expect(values(editor)).to.equal('on off on unknown');
    expect(sent(proxy)).to.equal('kayak-tour-2 false, cabin-7 false, kayak-tour-2 true, cabin-7 true');
  });

  it('hides the offer to reopen while items are selected', async () => {
    const { editor } = await openAutoEditor();
    await closeAll(editor);
    await until(() => partText(editor, 'closed').includes('Reopen these'), 'it is on offer');

    row(editor, KAYAK).pick();
    await until(() => part(editor, 'selection'), 'one is selected');
    const during = part(editor, 'closed');
    await press(editor, 'Clear');

    expect(during).to.equal(null);
    await until(() => partText(editor, 'closed').includes('Reopen these'), 'it is on offer again');
  });

  it('can be reopened later by another page of the person', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);
    await until(() => proxy.accepted.length === 2, 'both are sent');
    editor.remove();
    const { editor: later } = await openAutoEditor(proxy);
    await untilButton(later, /^Reopen (this one|these)/);

    await openAgain(later);

    expect(values(later)).to.equal('on off on unknown');
  });

  it('reopens no item that another person has changed since', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);
    await untilStatus(editor, CABIN, 'Live on the portal');
    proxy.takeFromElsewhere(CABIN, false, 'delivered', 'Ben');
    await editor.refresh();

    await press(editor, /^Reopen (this one|these)/);
    const preview = await dialog(editor);
    await until(
      () => preview.textContent.includes('1 left alone, because somebody else has changed them since'),
      'it is told what is left alone',
    );
    await press(editor, 'Open 1');

    await until(() => values(editor) === 'on off off unknown', 'one is open again');
  });

  it('offers to reopen the items of both if it is used twice', async () => {
    const { editor } = await openAutoEditor();
    await closeAll(editor);
    row(editor, KAYAK).control.click();
    row(editor, BOAT).control.click();
    await until(() => values(editor) === 'on on off unknown', 'two are open');
    await closeAll(editor);
    await until(() => partText(editor, 'closed').startsWith('3 items'), 'three are on offer');

    await openAgain(editor);

    expect(values(editor)).to.equal('on on on unknown');
  });

  it('makes drafts if changes are saved by hand, and offers nothing once these are discarded', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS);
    await closeAll(editor);
    await until(() => partText(editor, 'save').startsWith('2 changes'), 'two are drafted');

    await editor.discard();
    await until(() => part(editor, 'closed') === null, 'nothing is offered');

    expect(values(editor)).to.equal('on off on unknown');
    expect(proxy.accepted).to.deep.equal([]);
  });

  it('offers to reopen again after the reopening was discarded', async () => {
    const editor = await workingEditor(fakeProxy(), ITEMS);
    await closeAll(editor);
    await press(editor, 'Save');
    await untilStatus(editor, KAYAK, 'Sent, ');
    await openAgain(editor);

    await editor.discard();
    await until(() => part(editor, 'closed'), 'it is offered again');

    expect(values(editor)).to.equal('off off off unknown');
  });

  it('offers nothing any more after the person has chosen to leave the items closed', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);

    await press(editor, 'Leave closed');
    await until(() => part(editor, 'closed') === null, 'the offer is gone');
    editor.remove();
    const { editor: later } = await openAutoEditor(proxy);
    row(later, ATTIC).control.click();
    await untilStatus(later, ATTIC, 'Live on the portal');

    expect(part(later, 'closed')).to.equal(null);
  });

  it('offers nothing after a sign-out, and again by the proxy after the next sign-in', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);
    await until(() => proxy.accepted.length === 2, 'both are sent');

    expect(await editor.signOut()).to.equal(true);
    await until(() => part(editor, 'closed') === null, 'nothing is offered');
    await editor.refresh();

    await until(() => partText(editor, 'closed').includes('Reopen these 2'), 'it is offered');
  });

  it('can be reopened by a colleague on another device without the permission to read the history', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);
    await until(() => proxy.accepted.length === 2, 'both are sent');
    editor.remove();
    const his = await openAsBen(proxy);
    await until(() => partText(his, 'closed').startsWith('2 items closed together'), 'it is offered');

    await openAgain(his);
    await until(() => proxy.accepted.length === 4, 'both are sent again');

    expect(values(his)).to.equal('on off on unknown');
    expect(sent(proxy)).to.equal('kayak-tour-2 false, cabin-7 false, kayak-tour-2 true, cabin-7 true');
    expect(proxy.heardOn('GET v1/history')).to.deep.equal([]);
  });

  it('offers to reopen only the items that have not changed since', async () => {
    const { proxy, editor } = await openAutoEditor();
    await closeAll(editor);
    await until(() => proxy.accepted.length === 2, 'both are sent');
    editor.remove();
    const his = await openAsBen(proxy);
    await untilButton(his, 'Reopen these 2');

    proxy.takeFromElsewhere(KAYAK, true, 'delivered', 'Carla');
    await his.refresh();
    await untilButton(his, 'Reopen this one');
    proxy.takeFromElsewhere(CABIN, false, 'delivered', 'Carla');
    await his.refresh();

    await until(() => part(his, 'closed') === null, 'nothing is left to offer');
  });

  for (const px of [296, 351, 1_256])
    it(`does not move the search, the order and the filters once all items are closed: ${String(px)} px`, async () => {
      const { editor } = await openAutoEditor();
      editor.style.inlineSize = `${String(px)}px`;
      // Within the editor: the page may scroll to the button that gets the focus.
      const places = (): string[] =>
        ['.search', '.sort', '.chips'].map((what) => {
          const { left, top, width } = editor.renderRoot.querySelector(what)?.getBoundingClientRect() ?? new DOMRect();
          return `${what} ${[left, top - editor.getBoundingClientRect().top, width].map(Math.round).join(' ')}`;
        });
      await untilButton(editor, 'Close all');
      const before = places();

      await closeAll(editor);
      await until(() => partText(editor, 'tools').includes('Available 0'), 'nothing is left to close');

      expect(places()).to.deep.equal(before);
    });

  it('warns if the browser does not store the closure', async () => {
    hearWarnings();
    forbidStorage();
    const editor = await workingEditor(fakeProxy(), ITEMS);

    await closeAll(editor);

    await until(() => partText(editor, 'closed').includes('This browser does not keep them'), 'it is shown');
  });

  it('is not offered to a person without the permission to edit', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    const editor = await workingEditor(proxy, ITEMS);

    expect(editor.renderRoot.textContent).not.to.include('Close all');
  });

  it('may set a schedule until a time, for the available items', async () => {
    const { proxy, editor, inside } = await openSchedules();

    inside.querySelector<HTMLButtonElement>('.strong')?.click();

    await untilStatus(editor, KAYAK, '· back ');
    const [asked] = proxy.heardOn('PUT v1/schedules/');
    // The others would be opened at the end.
    expect((asked?.body as { items: unknown }).items).to.deep.equal([KAYAK, CABIN]);
  });

  it('may set a weekly schedule, for all items', async () => {
    const { proxy, inside } = await openSchedules();
    inside.querySelector<HTMLElement>('[data-until=weekly]')?.click();
    inside.querySelector<HTMLElement>('[type=checkbox]')?.click();

    inside.querySelector<HTMLButtonElement>('.strong')?.click();

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    const [asked] = proxy.heardOn('PUT v1/schedules/');
    expect((asked?.body as { items: unknown }).items).to.deep.equal([KAYAK, BOAT, CABIN, ATTIC]);
  });
});
