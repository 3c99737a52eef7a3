import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { ANNA, type PretendProxy, pretendProxy } from '../../client/support/pretend-proxy.js';
import { until } from '../../client/support/until.js';
import {
  button,
  dialog,
  part,
  press,
  row,
  said,
  untilButton,
  untilStatus,
  workingEditor,
} from '../support/editor-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', available: true },
  { id: BOAT, label: 'Boat tour', available: true },
  { id: CABIN, label: 'Cabin', available: true },
];

function scheduling(): PretendProxy {
  const proxy = pretendProxy();
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

describe('“unavailable until”', () => {
  it('closes what is selected at the proxy, and the rows say when they are back', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, ITEMS, { timeZone: 'Europe/Berlin' });
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
    await until(() => said(editor) === 'It is set.', 'it is said');
  });

  it('takes a date and time of the zone, and none that has passed', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, ITEMS, { timeZone: 'Asia/Tokyo' });
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

  it('closes every week on the days that are chosen', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, ITEMS, { timeZone: 'UTC' });
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

  it('says why it is not set, and keeps what was chosen', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, ITEMS);
    const inside = await openFor(editor);
    await untilRead(inside);
    choose(inside, 'tomorrow');
    proxy.down = true;

    await setUnavailable(editor);

    await until(
      () => inside.querySelector('[role=alert]')?.textContent.startsWith('Not set: the inventory'),
      'it is said',
    );
    expect(inside.querySelector<HTMLInputElement>('[data-until=tomorrow]')?.checked).to.equal(true);
    expect(row(editor, KAYAK).value).to.equal('on');
  });

  it('names the schedule of an item in its details’ dialog, and removes it: the item stays unavailable', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, ITEMS);
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

  it('is not offered to who may not set it', async () => {
    const editor = await workingEditor(pretendProxy(), ITEMS);

    row(editor, KAYAK).pick();
    await untilButton(editor, 'Clear');

    expect(() => button(editor, 'Unavailable until…')).to.throw();
  });

  it('is set by keyboard alone', async () => {
    const proxy = scheduling();
    const editor = await workingEditor(proxy, ITEMS);
    const inside = await openFor(editor);
    await untilRead(inside);
    inside.querySelector<HTMLInputElement>('[data-until=end-of-day]')?.focus();

    await sendKeys({ press: 'ArrowDown' });
    inside.querySelector<HTMLButtonElement>('.strong')?.focus();
    await sendKeys({ press: 'Enter' });

    await until(() => proxy.heardOn('PUT v1/schedules/').length === 1, 'it is asked for');
    expect((proxy.heardOn('PUT v1/schedules/')[0]?.body as { until: string }).until).to.match(/T09:00$/);
  });

  for (const [language, dir, name] of [
    ['en', 'ltr', 'Unavailable until…'],
    ['ar', 'rtl', 'غير متاح حتى…'],
  ] as const) {
    it(`is accessible and fits a phone in ${language}`, async () => {
      await setViewport({ width: 320, height: 640 });
      afterThisTest(() => setViewport({ width: 800, height: 600 }));
      const editor = await workingEditor(scheduling(), ITEMS);
      editor.lang = language;
      editor.dir = dir;
      const inside = await openFor(editor, name);
      await untilRead(inside);
      choose(inside, 'weekly');

      await expect(editor).to.be.accessible();
      expect(inside.scrollWidth).to.be.at.most(inside.clientWidth);
    });
  }
});
