import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import type { Timestamp } from '../../../src/domain/item.js';
import { BOAT, KAYAK, LONG_AGO } from '../../client/support/items.js';
import { ANNA, BEN, fakeProxy, problemAnswer, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  part,
  press,
  pressKeys,
  row,
  textOf,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { entryOf } from '../support/history-entries.js';
import { expectAccessibleAndFitting, itOnAPhone, setLanguage } from '../support/phone.js';

const DOT = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', image: DOT, note: 'Long paddles' },
  { id: BOAT, label: 'Boat tour' },
];

function reader(): FakeProxy {
  const proxy = fakeProxy();
  proxy.person = { ...ANNA, permissions: ['view', 'edit', 'history'] };
  proxy.knows({ id: KAYAK, available: true, settled_at: '2026-01-05T11:30:00.000Z' as Timestamp });
  return proxy;
}

async function openDetails(proxy: FakeProxy): Promise<{ editor: InventoryEditor; inside: HTMLDialogElement }> {
  const editor = await workingEditor(proxy, ITEMS, { timeZone: 'UTC', saveMode: 'auto' });
  await untilStatus(editor, KAYAK, 'Live on the portal');
  row(editor, KAYAK).part('.name').click();
  return { editor, inside: await dialog(editor) };
}

const entries = (inside: HTMLElement): string[] => [...inside.querySelectorAll('.history li')].map(textOf);
const untilEntries = (inside: HTMLElement, count: number): Promise<void> =>
  until(() => entries(inside).length === count, `${String(count)} entries are listed`);

describe('the details of an item', () => {
  it('open on a click on its name, with its picture, switch, delivery status, group and note', async () => {
    const { inside } = await openDetails(reader());

    expect(inside.querySelector('img')?.getAttribute('src')).to.equal(DOT);
    expect(inside.querySelector('[role=switch]')?.getAttribute('aria-checked')).to.equal('true');
    expect(textOf(inside.querySelector('dl'))).to.equal(
      'Availability Available Status Live on the portal On the portal now Available · Jan 5, 2026, 11:30 AM ' +
        `Last change Jan 5, 2026, 9:00 AM Id ${KAYAK} Group Tours Note Long paddles`,
    );
  });

  it('open with Enter on its name, to which the focus returns', async () => {
    const editor = await workingEditor(reader(), ITEMS);
    row(editor, BOAT).part('.name').focus();

    await pressKeys('Enter');
    const inside = await dialog(editor);
    const title = textOf(inside.querySelector('h3'));
    await pressKeys('Escape');
    await until(() => !inside.open, 'it is closed');

    expect(title).to.equal('Boat tour');
    expect(editor.shadowRoot?.activeElement).to.equal(row(editor, BOAT).part('.name'));
  });

  it('hide a picture that cannot be loaded', async () => {
    const items = [{ id: KAYAK, label: 'Kayak tour', available: true, image: 'data:image/gif;base64,broken' }];
    const editor = await workingEditor(fakeProxy(), items);

    row(editor, KAYAK).part('.name').click();
    const inside = await dialog(editor);

    await until(() => inside.querySelector('img')?.checkVisibility() === false, 'it is hidden');
  });

  it('change the item by their switch, but not by the second click of a double click', async () => {
    const proxy = reader();
    const { editor, inside } = await openDetails(proxy);
    const control = inside.querySelector('[role=switch]');

    control?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, detail: 2 }));
    const before = row(editor, KAYAK).value;
    control?.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, detail: 1 }));

    await until(() => proxy.accepted.length === 1, 'it is sent');
    expect([before, row(editor, KAYAK).value]).to.deep.equal(['on', 'off']);
    expect(inside.querySelector('[role=switch]')?.getAttribute('aria-checked')).to.equal('false');
    expect(inside.open).to.equal(true);
  });

  it('offer both values of an item without a value', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    row(editor, BOAT).part('.name').click();
    const inside = await dialog(editor);

    inside.querySelector<HTMLElement>('.act .closes')?.click();

    await until(() => proxy.accepted.length === 1, 'it is sent');
    expect(row(editor, BOAT).value).to.equal('off');
  });

  it('are read-only for a person without the permission to edit', async () => {
    const proxy = reader();
    const { editor, inside } = await openDetails(proxy);
    editor.readonly = true;
    await until(() => inside.querySelector('[role=switch]')?.ariaDisabled === 'true', 'the switch is locked');

    inside.querySelector<HTMLElement>('[role=switch]')?.click();
    await editor.updateComplete;

    expect([row(editor, KAYAK).value, part(editor, 'save'), proxy.sent.length]).to.deep.equal(['on', null, 0]);
  });
});

describe('the last changes of an item', () => {
  it('have the value, the time, the author and the outcome, and never the id of a person without a name', async () => {
    const proxy = reader();
    proxy.history = [
      entryOf(4),
      entryOf(3, { subject: 'ben', name: 'Ben', from: false, to: true, state: 'refused', reason: 'item_refused' }),
      entryOf(2, { subject: 'colleague-4711', state: 'superseded' }),
      entryOf(1, { subject: 'ben', name: 'Ben', by: 'schedule', state: 'received' }),
      { ...entryOf(0, { state: 'discarded' }), from: undefined },
    ];

    const { inside } = await openDetails(proxy);
    await untilEntries(inside, 5);

    expect(entries(inside).map((text) => text.replace(/[\u2068\u2069]/g, ''))).to.deep.equal([
      '“Available” becomes “Not available” Jan 5, 2026, 9:00 AM · You · On the portal',
      '“Not available” becomes “Available” Jan 5, 2026, 9:00 AM · Ben · Not accepted',
      '“Available” becomes “Not available” Jan 5, 2026, 9:00 AM · A colleague · Replaced by a later change',
      '“Available” becomes “Not available” Jan 5, 2026, 9:00 AM · schedule of Ben · On its way',
      '“Not set yet” becomes “Not available” Jan 5, 2026, 9:00 AM · You · Discarded',
    ]);
    expect(proxy.heardOn('GET v1/history').map(({ query }) => query.get('item'))).to.deep.equal([KAYAK]);
  });

  it('begin with the newest five, and are continued by cursor', async () => {
    const proxy = reader();
    proxy.historyPage = 20;
    proxy.history = Array.from({ length: 27 }, (_, at) => entryOf(27 - at));
    const { inside, editor } = await openDetails(proxy);
    await untilEntries(inside, 5);

    await press(editor, 'Show more');
    await untilEntries(inside, 25);
    await press(editor, 'Show more');
    await untilEntries(inside, 27);

    expect(() => button(editor, 'Show more')).to.throw();
    expect(proxy.heardOn('GET v1/history').map(({ query }) => query.get('cursor'))).to.deep.equal([null, '8']);
  });

  it('are continued after an empty page that is not the last', async () => {
    const proxy = reader();
    proxy.history = [entryOf(1)];
    let isFirst = true;
    proxy.answers.set('GET v1/history', () => {
      const body = isFirst ? { history: [], next: '7' } : { history: [entryOf(1)] };
      isFirst = false;
      return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
    });

    const { inside } = await openDetails(proxy);

    await untilEntries(inside, 1);
    expect(proxy.heardOn('GET v1/history').map(({ query }) => query.get('cursor'))).to.deep.equal([null, '7']);
  });

  it('show that they are loading, and that there are none', async () => {
    const proxy = reader();
    const answer = proxy.hold('GET v1/history');
    const { inside } = await openDetails(proxy);
    await until(() => proxy.heardOn('GET v1/history').length === 1, 'they are asked for');
    const loading = textOf(inside.querySelector('.body'));

    answer();

    await until(() => textOf(inside).includes('No changes yet.'), 'the text is shown');
    expect(loading).to.match(/Last changes Loading/);
  });

  it('show that there is no connection, and are loaded by a retry', async () => {
    const proxy = reader();
    proxy.history = [entryOf(1)];
    const editor = await workingEditor(proxy, ITEMS);
    await untilStatus(editor, KAYAK, 'Live on the portal');
    proxy.down = true;
    row(editor, KAYAK).part('.name').click();
    const inside = await dialog(editor);
    await until(() => textOf(inside).includes('No connection: the history cannot be read now.'), 'the text is shown');
    proxy.down = false;

    inside.querySelector<HTMLElement>('.body .plain')?.click();

    await untilEntries(inside, 1);
  });

  it('show that they cannot be read if the proxy rejects the request or its response is invalid', async () => {
    const proxy = reader();
    proxy.answers.set('GET v1/history', () => problemAnswer('storage_unavailable'));
    const { editor, inside } = await openDetails(proxy);
    await until(() => textOf(inside).includes('The history cannot be read now.'), 'the text is shown');
    proxy.answers.set('GET v1/history', () => new Response('<h1>Hello</h1>'));

    const before = proxy.heardOn('GET v1/history').length;
    inside.querySelector<HTMLElement>('.body .plain')?.click();
    await until(() => proxy.heardOn('GET v1/history').length > before, 'it is asked again');

    await until(() => textOf(inside.querySelector('.hint')).includes('cannot be read now.'), 'the text is shown again');
    expect(editor.isConnected).to.equal(true);
  });

  it('are loaded again when the proxy has accepted another edit', async () => {
    const proxy = reader();
    proxy.history = [entryOf(1)];
    const { inside } = await openDetails(proxy);
    await untilEntries(inside, 1);
    proxy.history = [entryOf(2, { state: 'received' }), entryOf(1)];

    inside.querySelector<HTMLElement>('[role=switch]')?.click();

    await untilEntries(inside, 2);
  });

  it('are neither requested nor shown without the permission to read the history', async () => {
    const proxy = reader();
    proxy.person = ANNA;
    proxy.history = [entryOf(1)];

    const { inside } = await openDetails(proxy);

    expect(textOf(inside)).not.to.contain('Last changes');
    expect(proxy.heardOn('GET v1/history')).to.deep.equal([]);
  });

  it('are removed when another person signs in', async () => {
    const proxy = reader();
    proxy.history = [entryOf(1)];
    const { editor, inside } = await openDetails(proxy);
    await untilEntries(inside, 1);

    proxy.person = BEN;
    await editor.refresh();

    await until(() => entries(inside).length === 0, 'they are gone');
  });

  itOnAPhone('are accessible and fit a phone', ['en', 'ar'], async (language) => {
    const proxy = reader();
    proxy.history = [entryOf(2, { state: 'refused' }), entryOf(1, { subject: 'ben', name: 'B'.repeat(60) })];
    const { editor, inside } = await openDetails(proxy);
    await setLanguage(editor, language);
    await untilEntries(inside, 2);

    const body = inside.querySelector<HTMLElement>('.body');
    await expectAccessibleAndFitting(editor, body);
    expect(body?.tabIndex).to.equal(0);
  });
});

describe('a time in the history of an item', () => {
  it('has a machine-readable datetime', async () => {
    const proxy = reader();
    proxy.history = [entryOf(1)];

    const { inside } = await openDetails(proxy);
    await untilEntries(inside, 1);

    expect(inside.querySelector('time')?.dateTime).to.equal(LONG_AGO);
  });
});
