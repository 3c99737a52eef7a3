import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { HistoryEntry } from '../../../src/contract/history.js';
import type { EditId } from '../../../src/domain/edit.js';
import type { Timestamp } from '../../../src/domain/item.js';
import type { InventoryEditor } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { ANNA, fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, press, pressKeys, row, said, untilStatus, workingEditor } from '../support/editor-page.js';
import { entryOf } from '../support/history-entries.js';
import { expectAccessibleAndFitting, itOnAPhone, setLanguage } from '../support/phone.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour' },
  { id: BOAT, label: 'Boat tour' },
  { id: CABIN, label: 'Cabin' },
];
const STORM = 'storm' as EditId;
const BEN = { subject: 'ben', name: 'Ben' };

const at = (time: string): { accepted_at: Timestamp } => ({ accepted_at: `${time}:00.000Z` as Timestamp });

/** Ben closed three items; the cabin was opened since, by Carla. */
const CLOSING: HistoryEntry[] = [KAYAK, BOAT, CABIN].map((id, index) =>
  entryOf(30 - index, {
    ...BEN,
    ...at('2026-01-04T22:30'),
    id,
    change_set: STORM,
    ...(id === CABIN ? { state: 'superseded' as const } : { current: true as const }),
  }),
);
const SUMMARY = entryOf(30, {
  ...CLOSING[0],
  edit_id: 'edit-30' as EditId,
  summary: { available: 0, unavailable: 3, revertible: 2, states: { delivered: 2, superseded: 1 } },
});

function reader(more: Partial<typeof ANNA> = {}): FakeProxy {
  const proxy = fakeProxy();
  proxy.person = { ...ANNA, permissions: ['view', 'edit', 'history'], ...more };
  for (const id of [KAYAK, BOAT]) proxy.knows({ id, available: false, by: 'Ben' });
  proxy.knows({ id: CABIN, available: true, by: 'Carla' });
  return proxy;
}

async function openHistory(
  proxy: FakeProxy,
  set: Partial<InventoryEditor> = {},
): Promise<{ editor: InventoryEditor; inside: HTMLDialogElement }> {
  const editor = await workingEditor(proxy, ITEMS, { timeZone: 'UTC', saveMode: 'auto', ...set });
  await untilStatus(editor, KAYAK, 'Live on the portal');
  await press(editor, 'Last changes');
  const inside = await dialog(editor);
  await until(() => !words(inside).includes('Loading'), 'the history is read');
  return { editor, inside };
}

const words = (element: Element | null): string =>
  element?.textContent
    .replace(/[\u2068\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim() ?? '';
const lines = (inside: HTMLElement): string[] => [...inside.querySelectorAll('.body > .history > li')].map(words);
const days = (inside: HTMLElement): string[] => [...inside.querySelectorAll('.body > h4')].map(words);
const field = (inside: HTMLElement, label: string): HTMLInputElement => {
  const found = [...inside.querySelectorAll('.filters label')].find((one) => words(one).startsWith(label));
  return found?.querySelector('select, input') as HTMLInputElement;
};
const choose = (inside: HTMLElement, label: string, value: string): void => {
  const input = field(inside, label);
  input.value = value;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};
const lastQuery = (proxy: FakeProxy): Record<string, string> =>
  Object.fromEntries(proxy.heardOn('GET v1/history').at(-1)?.query ?? []);

describe('the history dialog', () => {
  it('is grouped by day, with one line for each change set', async () => {
    const proxy = reader();
    proxy.history = [entryOf(31, { ...at('2026-01-05T09:05'), current: true }), SUMMARY, ...CLOSING];

    const { inside } = await openHistory(proxy);

    expect(days(inside)).to.deep.equal(['Monday, January 5, 2026', 'Sunday, January 4, 2026']);
    expect(lines(inside)).to.deep.equal([
      'Kayak tour “Available” becomes “Not available” 9:05 AM · You · On the portal Undo',
      'Closed: 3 10:30 PM · Ben · On the portal (2), Replaced by a later change (1) Items Undo (2)',
    ]);
    expect(lastQuery(proxy)).to.deep.equal({ collapse: 'change_set' });
  });

  it('uses the time zone of the vendor for days', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY];

    const { inside } = await openHistory(proxy, { timeZone: 'Europe/Berlin' });
    expect(days(inside)).to.deep.equal(['Sunday, January 4, 2026']);
    choose(inside, 'Day', '2026-01-04');

    await until(() => lastQuery(proxy)['day'] === '2026-01-04', 'the day is asked for');
    expect(lastQuery(proxy)['time_zone']).to.equal('Europe/Berlin');
  });

  it('lists the items of an expanded change set', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY, ...CLOSING];
    const { editor, inside } = await openHistory(proxy);

    await press(editor, 'Items');
    await until(() => inside.querySelectorAll('.items-of-act li').length === 3, 'its items are listed');

    expect(words(inside.querySelector('.items-of-act li'))).to.equal(
      'Kayak tour “Available” becomes “Not available” Jan 4, 2026, 10:30 PM · Ben · On the portal',
    );
    expect(lastQuery(proxy)).to.deep.equal({ change_set: STORM, subject: 'ben' });
    await press(editor, 'Items');
    expect(inside.querySelector('.items-of-act')).to.equal(null);
  });

  it('is filtered by person, outcome and item at the proxy', async () => {
    const proxy = reader();
    proxy.history = [entryOf(2, { id: BOAT }), entryOf(1, { ...BEN, state: 'refused' })];
    const { inside } = await openHistory(proxy);
    const until1 = (): Promise<void> => until(() => lines(inside).length === 1, 'one is left');

    choose(inside, 'Person', 'ben');
    await until1();
    expect(lines(inside)[0]).to.include('Ben · Not accepted');
    choose(inside, 'Person', '');
    await until(() => lines(inside).length === 2, 'all are back');
    choose(inside, 'Status', 'refused');
    await until1();
    choose(inside, 'Status', '');
    await until(() => lines(inside).length === 2, 'all are back');
    choose(inside, 'Item', 'boat tour');
    await until1();

    expect(lastQuery(proxy)).to.deep.equal({ item: BOAT });
    choose(inside, 'Status', 'conflict');
    await until(() => words(inside).includes('No item matches.'), 'none is left');
  });

  it('is loaded to the end by "Show more"', async () => {
    const proxy = reader();
    proxy.historyPage = 2;
    proxy.history = [3, 2, 1].map((seq) => entryOf(seq));
    const { editor, inside } = await openHistory(proxy);

    await press(editor, 'Show more');
    await until(() => lines(inside).length === 3, 'all are listed');

    expect(words(inside)).not.to.include('Show more');
  });

  it('shows that there are no changes, or why they cannot be read, with a retry button', async () => {
    const proxy = reader();
    const { editor, inside } = await openHistory(proxy);
    expect(words(inside)).to.include('No changes yet.');

    proxy.down = true;
    choose(inside, 'Status', 'refused');
    await until(() => words(inside).includes('No connection: the history cannot be read now.'), 'the text is shown');
    proxy.down = false;
    proxy.history = [entryOf(1, { state: 'refused' })];
    await press(editor, 'Try again');

    await until(() => lines(inside).length === 1, 'it is read');
  });

  it('is not offered without the permission to read the history', async () => {
    const proxy = reader({ permissions: ['view', 'edit'] });
    const editor = await workingEditor(proxy, ITEMS);

    expect(words(editor.renderRoot.querySelector('.tools'))).not.to.include('Last changes');
  });

  it('exports all matching edits as a CSV file, one per line', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY, ...CLOSING, entryOf(1, { id: '=1+1' as never, reason: 'item_refused' })];
    const { createObjectURL } = URL;
    let file: Blob | undefined;
    URL.createObjectURL = (blob: Blob) => createObjectURL((file = blob));
    afterThisTest(() => {
      URL.createObjectURL = createObjectURL;
    });
    const { editor } = await openHistory(proxy);

    await press(editor, 'Export');
    await until(() => file !== undefined, 'there is a file');

    const rows = (await file?.text())?.trim().split('\r\n');
    expect(rows?.length).to.equal(5);
    expect(rows?.[0]).to.match(
      /^\uFEFF?time,subject,name,by,id,label,from,to,outcome,reason,settled,decided_by,change_set/,
    );
    expect(rows?.[1]).to.equal(
      `2026-01-04T22:30:00.000Z,ben,Ben,,${KAYAK},Kayak tour,yes,no,delivered,,,,storm,edit-30`,
    );
    expect(rows?.[4]).to.include(`'=1+1`);
    expect(lastQuery(proxy)).to.deep.equal({ limit: '1000' });
  });

  it('is closed by Escape', async () => {
    const { editor, inside } = await openHistory(reader());

    await pressKeys('Escape');
    await until(() => !inside.open, 'it is closed');

    expect(editor.renderRoot.querySelector('dialog')?.open).to.equal(false);
  });
});

describe('undo from the history', () => {
  it('reverts the change set of a colleague, after a preview with the items that have changed since', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY, ...CLOSING];
    const { editor, inside } = await openHistory(proxy);

    await press(editor, 'Undo (2)');
    await until(() => words(inside).includes('Left as they are'), 'the preview is there');
    const preview = words(inside.querySelector('.body'));
    await press(editor, 'Undo (2)');
    await until(() => proxy.sent.length === 2, 'both are sent');

    expect(preview).to.equal(
      '“Not available” becomes “Available” (2) Kayak tourBoat tour Left as they are (1) Cabin changed since by Carla',
    );
    const sent = proxy.sent.map(({ id, available, change_set }) => [id, available, change_set]);
    const set = sent[0]?.[2];
    expect(set).to.match(/^[0-9a-f]{32}$/);
    expect(sent).to.deep.equal([
      [KAYAK, true, set],
      [BOAT, true, set],
    ]);
    await untilStatus(editor, KAYAK, 'Sent');
    await until(() => said(editor).includes('2 items changed back'), 'it is announced');
  });

  it('leaves an item alone that a colleague changes while the preview is open', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY, ...CLOSING];
    const { editor } = await openHistory(proxy);
    await press(editor, 'Undo (2)');
    await until(() => words(editor.renderRoot.querySelector('dialog')).includes('Left as they are'), 'it is previewed');
    proxy.takeFromElsewhere(KAYAK, true, 'delivered', 'Carla');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Carla');
    await editor.refresh();

    await press(editor, 'Undo (2)');

    await until(() => proxy.accepted.length > 0, 'the other one is sent');
    expect(proxy.accepted.map(({ id, available }) => [id, available])).to.deep.equal([[BOAT, true]]);
  });

  it('reverts one item, and can be undone itself', async () => {
    const proxy = reader();
    proxy.history = [entryOf(9, { ...BEN, current: true })];
    const { editor, inside } = await openHistory(proxy);

    inside.querySelector<HTMLElement>('.acts button')?.click();
    await press(editor, 'Undo (1)');
    await until(() => row(editor, KAYAK).value === 'on', 'it is put back');
    await editor.undo();

    await until(() => row(editor, KAYAK).value === 'off', 'it is as before');
  });

  it('makes drafts if changes are saved by hand', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY, ...CLOSING];
    const { editor } = await openHistory(proxy, { saveMode: 'manual' });

    await press(editor, 'Undo (2)');
    await press(editor, 'Undo (2)');
    await press(editor, /^Save/);

    await until(() => proxy.sent.length === 2, 'both are sent');
    const [one, other] = proxy.sent;
    expect(one?.change_set).to.equal(other?.change_set);
  });

  it('changes nothing if the person cancels the preview', async () => {
    const proxy = reader();
    proxy.history = [SUMMARY, ...CLOSING];
    const { editor, inside } = await openHistory(proxy);

    await press(editor, 'Undo (2)');
    await press(editor, 'Cancel');
    await until(() => lines(inside).length === 1, 'the list is back');

    expect(proxy.sent).to.deep.equal([]);
  });

  it('leaves items alone that have unsent changes on this page or had no value before', async () => {
    const proxy = reader();
    const kayak = CLOSING[0] ?? entryOf(0);
    proxy.history = [
      SUMMARY,
      kayak,
      { ...entryOf(28, { ...BEN, id: BOAT, change_set: STORM, current: true }), from: undefined },
    ];
    const { editor, inside } = await openHistory(proxy, { saveMode: 'manual' });
    await pressKeys('Escape');
    row(editor, KAYAK).control.click();
    await press(editor, 'Last changes');
    await press(editor, 'Undo (2)');
    await until(() => words(inside).includes('Left as they are'), 'the preview is there');

    expect(words(inside.querySelector('.body'))).to.equal(
      'Nothing would change. Left as they are (2) Kayak tour changed since by Ben Boat tour had no value before',
    );
  });

  it('is not offered without the permission to edit', async () => {
    const proxy = reader({ permissions: ['view', 'history'] });
    proxy.history = [SUMMARY, ...CLOSING];

    const { inside } = await openHistory(proxy);

    expect(lines(inside)[0]).not.to.include('Undo');
  });
});

describe('the history on a phone', () => {
  itOnAPhone('is accessible and fits, with its preview,', ['en', 'ar'], async (language) => {
    const proxy = reader();
    const long = entryOf(1, { subject: 'x', name: 'B'.repeat(60), id: KAYAK, current: true });
    proxy.history = [SUMMARY, ...CLOSING, long];
    const { editor, inside } = await openHistory(proxy);
    await setLanguage(editor, language);
    const body = inside.querySelector<HTMLElement>('.body');
    inside.querySelector<HTMLElement>('[aria-expanded]')?.click();
    await until(() => inside.querySelectorAll('.items-of-act li').length === 3, 'its items are listed');

    await expectAccessibleAndFitting(editor, body);
    inside.querySelector<HTMLElement>('.act-of-many .acts button:last-child')?.click();
    await until(() => inside.querySelector('.names'), 'the preview is there');
    await expectAccessibleAndFitting(editor, body);
  });
});
