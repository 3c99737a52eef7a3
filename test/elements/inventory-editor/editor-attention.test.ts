import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryChangeEvent, InventoryEditor } from '../../../src/index.js';
import type { ListedItem } from '../../../src/contract/widget.js';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, type Timestamp, toTimestamp } from '../../../src/domain/item.js';
import { ar } from '../../../src/locales/ar.js';
import { enItem } from '../../../src/locales/en.js';
import { editorAr } from '../../../src/locales/editor-ar.js';
import { BOAT, CABIN, KAYAK, LONG_AGO } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { accessibleName } from '../support/accessible-name.js';
import {
  dialog,
  many,
  part,
  partText,
  press,
  row,
  said,
  textOf,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { recordEvents } from '../support/on-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', note: 'Ask for the long paddles.\nTwo are broken.' },
  { id: BOAT, label: 'Boat tour' },
  { id: CABIN, label: 'Cabin' },
];

const ALL = [KAYAK, BOAT, CABIN];

function sent(proxy: FakeProxy): [ItemId, boolean][] {
  return proxy.accepted.map(({ id, available }) => [id, available]);
}

/** The entry of an item in the dialog that is open. */
function entry(list: HTMLDialogElement, label: string): HTMLLIElement {
  const found = [...list.querySelectorAll('li')].find((one) => one.querySelector('b')?.textContent === label);
  if (found === undefined) throw new Error(`${label} is not listed`);
  return found;
}

async function choose(list: HTMLDialogElement, label: string, choice: RegExp): Promise<void> {
  const find = () =>
    [...entry(list, label).querySelectorAll('button')].find(({ textContent }) => choice.test(textContent.trim()));
  await until(find, `${label} offers ${String(choice)}`);
  find()?.click();
}

async function withRefused(...ids: ItemId[]): Promise<{ proxy: FakeProxy; editor: InventoryEditor }> {
  const proxy = fakeProxy();
  for (const id of ids) proxy.knows({ id, available: true, state: 'refused', reason: 'item_refused' });
  return { proxy, editor: await workingEditor(proxy, ITEMS) };
}

/** This person's edits, of which the proxy says that somebody else spoke first. */
async function withConflicts(...ids: ItemId[]): Promise<{ proxy: FakeProxy; editor: InventoryEditor }> {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
  for (const id of ids) {
    row(editor, id).control.click();
    await untilStatus(editor, id, 'Sent, ');
  }
  for (const id of ids) proxy.settle(id, 'conflict', { reason: 'conflict' });
  await editor.refresh();
  for (const id of ids) await untilStatus(editor, id, 'chose differently');
  return { proxy, editor };
}

/** Drafts of this page that somebody else's word came across before they were saved. */
async function withMet(...ids: ItemId[]): Promise<{ proxy: FakeProxy; editor: InventoryEditor }> {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, ITEMS);
  for (const id of ids) {
    row(editor, id).control.click();
    await untilStatus(editor, id, 'Not saved yet');
  }
  for (const id of ids) proxy.takeFromElsewhere(id, false);
  await editor.refresh();
  for (const id of ids) await untilStatus(editor, id, 'Somebody else changed this meanwhile');
  return { proxy, editor };
}

describe('refused edits', () => {
  it('are counted below the list, and each row shows the reason', async () => {
    const { editor } = await withRefused(...ALL);

    expect(partText(editor, 'trouble')).to.match(/^3 changes were not accepted/);
    expect(ALL.map((id) => row(editor, id).status.startsWith('Not accepted'))).to.deep.equal([true, true, true]);
  });

  it('show only whole lines of the reason if the row has no room for all', async () => {
    const { editor } = await withRefused(KAYAK);
    editor.style.inlineSize = '320px';
    const words = row(editor, KAYAK).part('.truth span');
    const range = document.createRange();
    range.selectNodeContents(words);
    await until(() => range.getClientRects().length > 2, 'the reason has more lines than there is room for');

    const { bottom } = words.getBoundingClientRect();
    const cut = [...range.getClientRects()].filter((line) => line.top < bottom && line.bottom > bottom);

    expect(cut.map(({ top }) => top)).to.deep.equal([]);
  });

  it('are counted with conflicts in two lines at most on a phone', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    proxy.knows({ id: BOAT, available: true, state: 'conflict', reason: 'conflict' });
    const editor = await workingEditor(proxy, ITEMS);
    await until(
      () => partText(editor, 'trouble').startsWith('1 change was not accepted · 1 choice to make'),
      'both are shown below the list',
    );

    editor.style.inlineSize = '351px';
    const range = document.createRange();
    range.selectNodeContents(part(editor, 'trouble')?.querySelector('span') ?? editor);

    const lines = new Set([...range.getClientRects()].map(({ top }) => top));
    expect(lines.size).to.be.within(1, 2);
  });

  it('are all retried with one press', async () => {
    const { proxy, editor } = await withRefused(...ALL);

    await press(editor, 'Send 3 again');
    await until(() => part(editor, 'trouble') === null, 'nothing has failed any more');
    await until(() => sent(proxy).length === 3, 'all three are sent');

    expect(sent(proxy)).to.have.deep.members(ALL.map((id) => [id, true]));
    for (const id of ALL) await untilStatus(editor, id, 'Sent, ');
  });

  it('show the time of a retry that failed, until no refused edit is left', async () => {
    const { proxy, editor } = await withRefused(KAYAK);
    const vain = /Tried again at \d+:\d\d:\d\d.[AP]M\./;
    const before = partText(editor, 'trouble');

    await press(editor, 'Send 1 again');
    await untilStatus(editor, KAYAK, 'Sent, ');
    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await untilStatus(editor, KAYAK, 'Not accepted');
    await until(() => vain.test(partText(editor, 'trouble')), 'it is seen below the list');
    const heard = said(editor);
    await press(editor, 'Details');
    const list = await dialog(editor);
    const listed = textOf(list);
    await choose(list, 'Kayak tour', /^Send again$/);
    await untilStatus(editor, KAYAK, 'Sent, ');
    proxy.settle(KAYAK, 'delivered');
    await until(() => part(editor, 'trouble') === null, 'nothing has failed any more');
    proxy.takeFromElsewhere(BOAT, true, 'refused');
    await until(() => part(editor, 'trouble'), 'something else has failed');

    expect(before).not.to.match(vain);
    expect(heard).to.equal('1 change was not accepted');
    expect(listed).to.match(vain);
    expect(partText(editor, 'trouble')).not.to.match(vain);
  });

  it('are announced to the host before a retry, which it may cancel', async () => {
    const { proxy, editor } = await withRefused(KAYAK, BOAT);
    const asked = recordEvents<InventoryChangeEvent>(editor, 'inventory-change');
    editor.addEventListener('inventory-change', (event) => {
      if (event.itemId === KAYAK) event.preventDefault();
    });

    await press(editor, 'Send 2 again');
    await untilStatus(editor, BOAT, 'Sent, ');

    expect(asked.map(({ itemId, available }) => [itemId, available])).to.deep.equal([
      [KAYAK, true],
      [BOAT, true],
    ]);
    expect(sent(proxy)).to.deep.equal([[BOAT, true]]);
  });

  it('are retried without conflicts, which need a choice', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    proxy.knows({ id: BOAT, available: true, state: 'conflict', reason: 'conflict' });
    const editor = await workingEditor(proxy, ITEMS);

    await press(editor, 'Send 1 again');
    await untilStatus(editor, KAYAK, 'Sent, ');

    expect(sent(proxy)).to.deep.equal([[KAYAK, true]]);
    await until(() => partText(editor, 'trouble').startsWith('1 choice to make '), 'the conflict alone is left');
  });
});

describe('the dialog of open edits', () => {
  it('shows each edit with its value, its state and its actions', async () => {
    const { editor } = await withRefused(KAYAK, BOAT);
    await press(editor, 'Details');
    const list = await dialog(editor);

    expect(textOf(list.querySelector('h3'))).to.equal('Not live on the portal yet');
    expect(textOf(entry(list, 'Kayak tour'))).to.match(/^Kayak tour Available Not accepted.+ Send again Discard$/);
    expect(list.querySelectorAll('li')).to.have.length(2);
  });

  it('retries one edit', async () => {
    const { proxy, editor } = await withRefused(KAYAK, BOAT);
    await press(editor, 'Details');
    const list = await dialog(editor);

    await choose(list, 'Boat tour', /^Send again$/);
    await untilStatus(editor, BOAT, 'Sent, ');

    expect(sent(proxy)).to.deep.equal([[BOAT, true]]);
    expect(textOf(entry(list, 'Kayak tour'))).to.include('Not accepted');
  });

  it('retries all edits', async () => {
    const { proxy, editor } = await withRefused(KAYAK, BOAT);
    await press(editor, 'Details');
    await dialog(editor);

    await press(editor, 'Send all again');
    await until(() => sent(proxy).length === 2, 'both are sent');

    expect(sent(proxy)).to.have.deep.members([
      [KAYAK, true],
      [BOAT, true],
    ]);
  });

  it('discards an edit, and its row shows the previous value', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');
    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await editor.refresh();
    await press(editor, 'Details');
    const list = await dialog(editor);

    await choose(list, 'Kayak tour', /^Discard$/);
    await untilStatus(editor, KAYAK, 'Live on the portal');

    expect(row(editor, KAYAK).value).to.equal('off');
    await until(() => textOf(list).includes('Everything is up to date on the portal.'), 'the list is empty');
  });

  it('discards an edit that was not sent', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    proxy.down = true;
    await editor.refresh();
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Saved here. It goes out when the connection is back');
    await press(editor, 'Details');
    const list = await dialog(editor);

    await choose(list, 'Kayak tour', /^Discard$/);
    await untilStatus(editor, KAYAK, 'Not set yet');

    expect(sent(proxy)).to.deep.equal([]);
    await until(() => textOf(list).includes('Everything is up to date on the portal.'), 'the list is empty');
  });
});

describe('an edit that may have been sent', () => {
  it('cannot be discarded, and the dialog says why', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    proxy.down = true;
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Saved here. It goes out when the connection is back');
    await press(editor, 'Details');
    const list = await dialog(editor);

    await choose(list, 'Kayak tour', /^Discard$/);
    await until(() => textOf(list.querySelector('[role=status]')) !== '', 'the text is shown');

    expect(textOf(list.querySelector('[role=status]'))).to.match(/^Not discarded: it may have been sent already/);
    expect(row(editor, KAYAK).value).to.equal('on');
  });

  it('cannot be discarded, and that is shown below the list if the dialog was closed meanwhile', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'refused', edit_id: 'edit-1' as EditId });
    const editor = await workingEditor(proxy, ITEMS);
    const asked = proxy.hold('POST v1/edits/discard');
    row(editor, KAYAK).part('.truth button').click();
    const details = await dialog(editor);
    await press(editor, 'Discard');
    await until(() => proxy.heardOn('POST v1/edits/discard').length === 1, 'the proxy is asked');

    await press(editor, 'Done');
    proxy.refusal = 'overloaded';
    asked();

    await until(() => partText(editor, 'left-alone').startsWith('Not discarded:'), 'the text is shown');
    expect(said(editor)).to.match(/^Not discarded:/);
    await press(editor, 'Keyboard');
    await dialog(editor);
    expect(textOf(details.querySelector('[role=status]'))).to.equal('');
  });
});

describe('a conflict whose other value cannot be taken now', () => {
  it('shows why in the dialog', async () => {
    const { proxy, editor } = await withConflicts(KAYAK);
    await press(editor, 'Choose which one counts');
    const list = await dialog(editor);
    proxy.down = true;

    await choose(list, 'Kayak tour', /^Leave it /);

    await until(() => textOf(list.querySelector('[role=status]')).startsWith('Not discarded'), 'the text is shown');
  });
});

describe('announcements while a dialog is open', () => {
  const heardIn = (list: HTMLDialogElement): string => textOf(list.querySelector('.live-region'));

  it('are made within it, because the rest of the page is inert', async () => {
    const { proxy, editor } = await withConflicts(KAYAK);
    await press(editor, 'Choose which one counts');
    const list = await dialog(editor);

    expect(said(editor)).to.equal('1 choice to make');
    expect(heardIn(list)).to.equal('');
    await choose(list, 'Kayak tour', /^Set to /);
    await until(() => proxy.sent.length > 1, 'it is sent again');
    proxy.settle(KAYAK, 'delivered');

    await until(() => heardIn(list) === 'Everything is up to date on the portal', 'it is announced');
  });

  it('say that no conflict is left, and not that no edit is open, while the chosen value is sent', async () => {
    const { proxy, editor } = await withConflicts(KAYAK);
    await press(editor, 'Choose which one counts');
    const list = await dialog(editor);
    const body = (): string => textOf(list.querySelector('.body'));
    expect(body()).to.match(/^Two people chose differently\. Which one counts\? Kayak tour/);

    await choose(list, 'Kayak tour', /^Set to /);
    await until(() => proxy.sent.length > 1, 'it is sent again');
    await untilStatus(editor, KAYAK, 'Sent, ');

    await until(() => list.querySelector('li') === null, 'it is listed no more');
    expect(body()).to.equal('0 choices to make');
  });

  it('are made for the last edit that needed attention when it is discarded', async () => {
    const { editor } = await withConflicts(KAYAK);
    await press(editor, 'Choose which one counts');
    const list = await dialog(editor);

    await choose(list, 'Kayak tour', /^Leave it /);

    await until(() => heardIn(list) === 'Everything is up to date on the portal', 'it is announced');
  });
});

describe('a change that was delivered long after it was made', () => {
  const minutesAgo = (minutes: number) => toTimestamp(Date.now() - minutes * 60_000);

  it('shows the time since its delivery in its row', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, updated_at: minutesAgo(65), settled_at: minutesAgo(2) });
    proxy.knows({ id: BOAT, available: true, updated_at: minutesAgo(65) });

    const editor = await workingEditor(proxy, ITEMS);

    expect([KAYAK, BOAT].map((id) => row(editor, id).part('.time').textContent)).to.deep.equal([
      '2 min. ago',
      '1 hr. ago',
    ]);
  });

  it('shows both times in its details', async () => {
    const proxy = fakeProxy();
    const settled_at = '2026-01-05T11:30:00.000Z' as Timestamp;
    proxy.knows({ id: KAYAK, available: true, updated_at: LONG_AGO, settled_at });
    const editor = await workingEditor(proxy, ITEMS, { timeZone: 'UTC' });

    row(editor, KAYAK).part('.truth button').click();

    expect(textOf(await dialog(editor))).to.match(
      /Status Live on the portal On the portal now Available · Jan 5, 2026, 11:30 AM Last change Jan 5, 2026, 9:00 AM/,
    );
  });
});

describe('the details of an unsaved change', () => {
  it('show the value on the portal and its time, without the colour of a delivery status', async () => {
    const proxy = fakeProxy();
    const settled_at = '2026-01-05T11:30:00.000Z' as Timestamp;
    proxy.knows({ id: KAYAK, available: true, updated_at: LONG_AGO, settled_at });
    const editor = await workingEditor(proxy, ITEMS, { timeZone: 'UTC' });
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Not saved yet');

    row(editor, KAYAK).part('.truth button').click();

    const list = await dialog(editor);
    expect(textOf(list)).to.match(
      /Availability Not available Status Not saved yet\. Guests see now: “Available”\. On the portal now Available · Jan 5, 2026, 11:30 AM Last change Jan 5, 2026, 9:00 AM/,
    );
    expect(list.querySelector<HTMLElement>('dd[data-sign]')?.dataset['sign']).to.equal('changed');
  });
});

describe('the details dialog of a row', () => {
  it('belongs to the row that was pressed, even if another item has its place when the dialog opens', async () => {
    const editor = await workingEditor(fakeProxy(), many(300));
    const scroller = part(editor, 'list');

    row(editor, 'item-1').part('.truth button').click();
    scroller?.scrollTo({ top: 9_000, behavior: 'instant' });
    scroller?.dispatchEvent(new Event('scroll'));

    expect(textOf((await dialog(editor)).querySelector('h3'))).to.equal('Item 1');
  });
});

describe('an edit in conflict with that of another person', () => {
  const at = (time: string) => `2026-01-05T${time}:00.000Z` as Timestamp;
  const [base, theirs] = [
    { available: false, updated_at: at('10:03'), by: 'Cleo' },
    { available: false, updated_at: at('10:45'), by: 'Ben' },
  ];
  const CONFLICT = { id: KAYAK, available: true, state: 'conflict', reason: 'conflict' } as const;

  async function told(known: Partial<ListedItem>, lang = 'en'): Promise<string> {
    const proxy = fakeProxy();
    proxy.knows({ ...CONFLICT, ...known });
    const editor = await workingEditor(proxy, ITEMS, { timeZone: 'UTC', lang });
    await untilStatus(
      editor,
      KAYAK,
      (lang === 'ar' ? ar(lang) : enItem()).attention('conflict', known.by, known.theirs?.by),
    );
    await press(editor, lang === 'ar' ? editorAr(lang).conflictsTitle : 'Choose which one counts');
    return textOf(entry(await dialog(editor), 'Kayak tour').querySelector('dl')).replace(/[\u2068\u2069]/g, '');
  }

  it('shows the previous, own and current value with times and authors', async () => {
    expect(await told({ base, theirs, clicked_at: at('10:30') })).to.equal(
      'Before Not available · Jan 5, 2026, 10:03 AM · by Cleo ' +
        'You Available · Jan 5, 2026, 10:30 AM ' +
        'Now Not available · Jan 5, 2026, 10:45 AM · by Ben',
    );
  });

  it('shows only the values that the proxy knows', async () => {
    expect(await told({ theirs })).to.equal('You Available Now Not available · Jan 5, 2026, 10:45 AM · by Ben');
    expect(await told({})).to.equal('You Available Now Not available');
  });

  it('names the other person, for a person who may resolve the conflicts of others', async () => {
    expect(await told({ theirs: { available: false, updated_at: at('10:45') }, by: 'Ana' })).to.equal(
      'Ana Available Now Not available · Jan 5, 2026, 10:45 AM',
    );
  });

  it('leaves out the date of today', async () => {
    const updated_at = toTimestamp(Date.now());

    expect(await told({ theirs: { available: false, updated_at } })).to.match(
      /^You Available Now Not available · \d+:\d\d [AP]M$/,
    );
  });

  it('shows the values in Arabic', async () => {
    expect(await told({ base, theirs }, 'ar')).to.match(
      /^سابقًا غير متاح · .* · بواسطة Cleo أنت متاح الآن غير متاح · .* · بواسطة Ben$/,
    );
  });

  for (const [choice, value, accepted] of [
    [/^Set to “Available” \(\u2068you\u2069\)$/, 'on', 2],
    [/^Leave it “Not available”$/, 'unknown', 1],
  ] as const) {
    it(`is settled by ${String(choice)} for one row`, async () => {
      const { proxy, editor } = await withConflicts(KAYAK);
      await press(editor, 'Choose which one counts');

      await choose(await dialog(editor), 'Kayak tour', choice);
      await until(() => part(editor, 'trouble') === null, 'nothing is conflicting any more');

      expect(row(editor, KAYAK).value).to.equal(value);
      await until(() => proxy.accepted.length === accepted, 'what was chosen is sent');
    });
  }

  for (const [choice, sends] of [
    ['Use your choice for all', 4],
    ['Leave all as they are now', 2],
  ] as const) {
    it(`is settled by "${choice}" for all rows`, async () => {
      const { proxy, editor } = await withConflicts(KAYAK, BOAT);
      await press(editor, 'Choose which one counts');
      await dialog(editor);

      await press(editor, choice);
      await until(() => part(editor, 'trouble') === null, 'nothing is conflicting any more');

      await until(() => proxy.accepted.length === sends, 'what was chosen is sent');
    });
  }

  it('offers its choices in the texts of the page', async () => {
    const { editor } = await withConflicts(KAYAK);
    editor.strings = { keepMine: () => 'Mine stays' };
    await press(editor, 'Choose which one counts');

    const list = await dialog(editor);

    expect(list.textContent).to.include('Mine stays');
  });
});

describe('an unsaved change in conflict with an edit of another person', () => {
  it('is held back by save, with a message', async () => {
    const { proxy, editor } = await withMet(KAYAK);

    await press(editor, 'Save');
    await until(
      () => editor.renderRoot.querySelector('.live-region')?.textContent.includes('1 held back'),
      'it is told what was held back',
    );

    expect(sent(proxy)).to.deep.equal([]);
    expect(row(editor, KAYAK).value).to.equal('on');
  });

  it('shows the previous, own and current value in its details', async () => {
    const { editor } = await withMet(KAYAK);

    row(editor, KAYAK).part('.truth button').click();
    const details = await dialog(editor);

    expect(textOf(details)).to.match(/Before Not set yet You Available Now Not available/);
    expect(textOf(details.querySelector('.note'))).to.equal('Ask for the long paddles. Two are broken.');
  });

  it('has scrollable details with a tab stop and an accessible name', async () => {
    const note = 'Ask for the paddles.\n'.repeat(20);
    const editor = await workingEditor(fakeProxy(), [{ id: KAYAK, label: 'Kayak tour', note }]);
    editor.style.setProperty('--inventory-font-size', '40px');

    row(editor, KAYAK).part('.truth button').click();
    const body = (await dialog(editor)).querySelector<HTMLElement>('.body');

    expect([body?.tabIndex, body?.role, body && accessibleName(body)]).to.deep.equal([0, 'group', 'Kayak tour']);
  });

  it('is saved after the person keeps their own value', async () => {
    const { proxy, editor } = await withMet(KAYAK);
    await press(editor, 'Choose which one counts');
    const list = await dialog(editor);
    await choose(list, 'Kayak tour', /^Set to /);
    await untilStatus(editor, KAYAK, 'Not saved yet');
    list.close();

    await press(editor, 'Save');
    await untilStatus(editor, KAYAK, 'Sent, ');

    expect(sent(proxy)).to.deep.equal([[KAYAK, true]]);
  });

  it('is shown without a choice if the page is read-only', async () => {
    const { editor } = await withMet(KAYAK);
    editor.readonly = true;

    row(editor, KAYAK).part('.truth button').click();
    const details = await dialog(editor);

    expect([...details.querySelectorAll('button')].map(({ textContent }) => textContent.trim())).to.deep.equal([
      'Done',
    ]);
  });

  it('is removed after the person takes the other value', async () => {
    const { editor } = await withMet(KAYAK);
    await press(editor, 'Choose which one counts');

    await choose(await dialog(editor), 'Kayak tour', /^Leave it /);
    await untilStatus(editor, KAYAK, 'Live on the portal');

    expect(row(editor, KAYAK).value).to.equal('off');
    await until(() => part(editor, 'save') === null, 'nothing is left to save');
  });

  for (const [choice, value] of [
    ['Use your choice for all', 'on'],
    ['Leave all as they are now', 'off'],
  ] as const) {
    it(`is settled by "${choice}" for all rows`, async () => {
      const { editor } = await withMet(...ALL);
      await press(editor, 'Choose which one counts');
      await dialog(editor);

      await press(editor, choice);
      await until(() => part(editor, 'trouble') === null, 'nothing is conflicting any more');

      expect(ALL.map((id) => row(editor, id).value)).to.deep.equal([value, value, value]);
    });
  }
});

it('edits that wait while the proxy is unreachable are counted below the list', async () => {
  const proxy = fakeProxy();
  const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
  proxy.down = true;

  row(editor, KAYAK).control.click();
  row(editor, BOAT).control.click();
  await untilButton(editor, 'Details');

  await until(() => partText(editor, 'trouble').startsWith('2 changes on their way'), 'both are counted');
});
