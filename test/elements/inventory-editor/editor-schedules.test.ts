import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { Timestamp } from '../../../src/domain/item.js';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { ANNA, problemAnswer, type FakeProxy, fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  many,
  part,
  press,
  row,
  said,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';
import { expectAccessibleAndFitting, itOnAPhone, setLanguage } from '../support/phone.js';
import { TOURS } from '../support/tours.js';

/** The name of the button that opens the dialog. */
const UNAVAILABLE_UNTIL = { en: 'Unavailable until…', de: 'Nicht verfügbar bis…', ar: 'غير متاح حتى…' };

function scheduling(): FakeProxy {
  const proxy = fakeProxy();
  proxy.person = { ...ANNA, permissions: ['view', 'edit', 'schedule'] };
  return proxy;
}

/** The dialog for the first two items. */
async function openFor(
  editor: InventoryEditor,
  name: string | RegExp = 'Unavailable until…',
): Promise<HTMLDialogElement> {
  row(editor, KAYAK).pick();
  row(editor, BOAT).pick();
  await press(editor, name);
  return dialog(editor);
}

/** The button of the dialog: that of the selection, below it, has the same name. */
async function setUnavailable(editor: InventoryEditor): Promise<void> {
  const inside = await dialog(editor);
  const find = (): HTMLButtonElement | null => inside.querySelector('.strong:not(:disabled)');
  await until(find, 'it may be set');
  find()?.click();
}

function untilRead(inside: HTMLElement): Promise<void> {
  return until(() => inside.querySelector('fieldset')?.disabled === false, 'the schedules are read');
}

function choose(inside: HTMLElement, value: string): HTMLInputElement {
  const field = inside.querySelector<HTMLInputElement>(`[data-until="${value}"]`);
  if (field === null) throw new Error(`there is no choice ${value}`);
  field.click();
  return field;
}

describe('the dialog “Unavailable until”', () => {
  it('sets a schedule for the selected items, whose rows show their end', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS, { timeZone: 'Europe/Berlin' });
    const inside = await openFor(editor);

    await untilRead(inside);
    choose(inside, 'tomorrow');
    await setUnavailable(editor);

    await untilStatus(editor, KAYAK, '· back ');
    await untilStatus(editor, BOAT, '· back ');
    expect(row(editor, KAYAK).value).to.equal('off');
    expect(row(editor, CABIN).value).to.equal('on');
    const [asked] = proxy.heardOn('PUT v1/schedules/');
    const body = asked?.body as { items: string[]; until: string; time_zone: string };
    expect(body.items).to.deep.equal([KAYAK, BOAT]);
    expect(body.time_zone).to.equal('Europe/Berlin');
    expect(body.until).to.match(/^\d{4}-\d\d-\d\dT09:00$/);
    await until(() => said(editor) === 'It is set.', 'it is announced');
  });

  it('accepts a date and time in the time zone of the vendor, but none in the past', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS, { timeZone: 'Asia/Tokyo' });
    const inside = await openFor(editor);
    await untilRead(inside);
    choose(inside, 'time');
    const field = inside.querySelector<HTMLInputElement>('[type=datetime-local]');
    const type = (value: string): void => {
      if (field !== null) field.value = value;
      field?.dispatchEvent(new Event('input', { bubbles: true }));
    };
    expect(inside.textContent).to.contain('Asia/Tokyo');

    type('2001-01-01T10:00');
    expect([...inside.querySelectorAll<HTMLButtonElement>('.strong')].map(({ disabled }) => disabled)).to.deep.equal([
      true,
    ]);
    type('2040-05-06T10:30');
    await setUnavailable(editor);

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    expect(proxy.heardOn('PUT v1/schedules/')[0]?.body).to.deep.include({ until: '2040-05-06T10:30' });
  });

  it('sets a weekly schedule for the chosen days', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS, { timeZone: 'UTC' });
    const inside = await openFor(editor);
    await untilRead(inside);
    choose(inside, 'weekly');

    for (const box of [...inside.querySelectorAll<HTMLInputElement>('[type=checkbox]')].slice(0, 2)) box.click();
    await setUnavailable(editor);

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    expect(proxy.heardOn('PUT v1/schedules/')[0]?.body).to.deep.equal({
      items: [KAYAK, BOAT],
      repeat: { days: ['mon', 'tue'], from: '00:00', until: '00:00' },
      time_zone: 'UTC',
    });
  });

  it('shows why a schedule was rejected, and keeps the choice', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS);
    const inside = await openFor(editor);
    await untilRead(inside);
    choose(inside, 'tomorrow');
    proxy.down = true;

    await setUnavailable(editor);

    await until(
      () => inside.querySelector('[role=alert]')?.textContent.startsWith('Not confirmed: there is no connection'),
      'the text is shown',
    );
    expect(inside.querySelector<HTMLInputElement>('[data-until=tomorrow]')?.checked).to.equal(true);
    expect(row(editor, KAYAK).value).to.equal('on');
  });

  it('retries under the same id if the response was lost', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS);
    const inside = await openFor(editor);
    await untilRead(inside);
    proxy.loseAnswers('PUT v1/schedules/');
    await setUnavailable(editor);
    await until(() => inside.querySelector('[role=alert]')?.textContent !== '', 'the text is shown');
    // It was set: the row says so, whatever became of the answer.
    await untilStatus(editor, KAYAK, '· back ');
    proxy.keepAnswers('PUT v1/schedules/');

    await setUnavailable(editor);

    await until(() => said(editor) === 'It is set.', 'it is announced');
    expect(proxy.schedules.size).to.equal(1);
  });

  it('shows for how many items the proxy has accepted it, and continues with the others', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, many(600));
    row(editor, 'item-0').pick();
    await press(editor, /^Select all/);
    await press(editor, 'Unavailable until…');
    const inside = await dialog(editor);
    await untilRead(inside);
    let puts = 0;
    proxy.answers.set('PUT v1/schedules/', () => {
      puts += 1;
      return puts === 1 ? new Response(null, { status: 201 }) : problemAnswer('budget_spent');
    });
    await setUnavailable(editor);
    await until(
      () => inside.querySelector('[role=alert]')?.textContent === 'Set for 500 of 600 items. Try again for the others.',
      'the text is shown',
    );
    proxy.answers.clear();

    await setUnavailable(editor);

    await until(() => said(editor) === 'It is set.', 'it is announced');
    const items = [...proxy.schedules.values()].flatMap((schedule) => schedule.items);
    expect(items.map(({ id }) => id).sort()[0]).to.equal('item-500');
    expect(items.length).to.equal(100);
  });

  it('shows the schedule of an item and removes it, and the item stays unavailable', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS);
    await openFor(editor);
    await setUnavailable(editor);
    await untilStatus(editor, KAYAK, '· back ');

    await until(() => part(editor, 'selection') === null, 'the selection has ended');

    row(editor, KAYAK).part('.truth button').click();
    await press(editor, 'Unavailable until…');
    await press(editor, 'Remove');

    await until(() => !row(editor, KAYAK).status.includes('back'), 'the row says nothing of it');
    expect(row(editor, KAYAK).value).to.equal('off');
    // The other one stays in it.
    expect([...proxy.schedules.values()].map(({ items }) => items.map(({ id }) => id))).to.deep.equal([[BOAT]]);
  });

  it('is followed by a message about an item that the person sets by hand during its schedule', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS, { saveMode: 'auto' });
    await openFor(editor);
    await setUnavailable(editor);
    await untilStatus(editor, KAYAK, '· back ');
    await until(() => part(editor, 'selection') === null, 'the selection has ended');

    row(editor, KAYAK).control.click();

    await until(() => part(editor, 'left-alone') !== null, 'it is shown below the list');
    expect(part(editor, 'left-alone')?.textContent).to.contain('Set by hand: the schedule leaves it alone.');
    expect(said(editor)).to.contain('Kayak tour');
  });

  it('is not offered without the permission', async () => {
    const editor = await workingEditor(fakeProxy(), TOURS);

    row(editor, KAYAK).pick();
    await untilButton(editor, 'Clear');

    expect(() => button(editor, 'Unavailable until…')).to.throw();
  });

  it('can be used by keyboard', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS);
    const inside = await openFor(editor);
    await untilRead(inside);
    inside.querySelector<HTMLInputElement>('[data-until=end-of-day]')?.focus();

    await sendKeys({ press: 'ArrowDown' });
    inside.querySelector<HTMLButtonElement>('.strong')?.focus();
    await sendKeys({ press: 'Enter' });

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    expect((proxy.heardOn('PUT v1/schedules/')[0]?.body as { until: string }).until).to.match(/T09:00$/);
  });

  itOnAPhone('is accessible and fits a phone', ['en', 'ar'], async (language) => {
    const editor = await workingEditor(scheduling(), TOURS);
    await setLanguage(editor, language);
    const inside = await openFor(editor, UNAVAILABLE_UNTIL[language]);
    await untilRead(inside);
    choose(inside, 'weekly');

    await expectAccessibleAndFitting(editor, inside);
  });
});

describe('the calendar of an item', () => {
  /** The dialog of one item, with the choice of a calendar. */
  async function openForKayak(editor: InventoryEditor): Promise<HTMLDialogElement> {
    row(editor, KAYAK).pick();
    await press(editor, 'Unavailable until…');
    const inside = await dialog(editor);
    await untilRead(inside);
    return inside;
  }

  function typeAddress(inside: HTMLElement, address: string): void {
    choose(inside, 'calendar');
    const field = inside.querySelector<HTMLInputElement>('[type=url]');
    if (field === null) throw new Error('there is no field for the address');
    field.value = address;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  it('is set by its URL, which may begin with webcal', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, TOURS, { timeZone: 'Europe/Berlin' });
    const inside = await openForKayak(editor);
    typeAddress(inside, 'http://calendar.example.com/kayak.ics');
    expect(inside.querySelector<HTMLButtonElement>('.strong')?.disabled).to.equal(true);

    typeAddress(inside, ' webcal://calendar.example.com/kayak.ics ');
    await setUnavailable(editor);

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    expect(proxy.heardOn('PUT v1/schedules/')[0]?.body).to.deep.equal({
      items: [KAYAK],
      feed: 'https://calendar.example.com/kayak.ics',
      time_zone: 'Europe/Berlin',
    });
    await untilStatus(editor, KAYAK, '· back ');
  });

  it('is not offered for several items', async () => {
    const editor = await workingEditor(scheduling(), TOURS);
    const inside = await openFor(editor);
    await untilRead(inside);

    expect(inside.querySelector('[data-until=calendar]')).to.equal(null);
  });

  it('that cannot be read is rejected, and the dialog says why', async () => {
    const proxy = scheduling();
    proxy.feedProblem = 'unreadable';
    const editor = await workingEditor(proxy, TOURS);
    const inside = await openForKayak(editor);

    typeAddress(inside, 'https://calendar.example.com/');
    await setUnavailable(editor);

    await until(
      () => inside.querySelector('[role=alert]')?.textContent.startsWith('There is no calendar at this address'),
      'the text is shown',
    );
    expect(row(editor, KAYAK).value).to.equal('on');
  });

  it('is shown with the time since when it cannot be read, and can be removed', async () => {
    const proxy = scheduling();
    proxy.schedules.set('feed', {
      id: 'feed',
      items: [{ id: KAYAK, state: 'waiting' }],
      time_zone: 'UTC',
      feed: {
        host: 'calendar.example.com',
        read_at: at('2026-11-20T08:00:00.000Z'),
        failed_since: at('2026-11-20T08:15:00.000Z'),
        problem: 'rejected',
      },
      state: 'waiting',
      subject: ANNA.subject,
      created_at: at('2026-11-20T08:00:00.000Z'),
    });
    const editor = await workingEditor(proxy, TOURS, { timeZone: 'UTC' });
    const inside = await openForKayak(editor);

    await until(() => inside.querySelector('li') !== null, 'it is listed');
    const text = inside.querySelector('li')?.textContent ?? '';
    expect(text).to.contain('Calendar of calendar.example.com');
    expect(text).to.contain('Cannot be read since ');
    expect(text).to.contain('This address is refused.');

    await press(editor, 'Remove');
    await until(() => proxy.schedules.size === 0, 'it is gone');
  });

  itOnAPhone('is accessible and fits a phone', ['en', 'ar'], async (language) => {
    const editor = await workingEditor(scheduling(), TOURS);
    await setLanguage(editor, language);
    row(editor, KAYAK).pick();
    await press(editor, UNAVAILABLE_UNTIL[language]);
    const inside = await dialog(editor);
    await untilRead(inside);
    typeAddress(inside, 'https://calendar.example.com/a/very/long/address/of/a/calendar.ics?token=0123456789');

    await expectAccessibleAndFitting(editor, inside);
  });
});

function at(time: string): Timestamp {
  return time as Timestamp;
}
