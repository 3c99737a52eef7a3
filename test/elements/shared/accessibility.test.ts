import { expect, fixture, html } from '@open-wc/testing';
import { DraftTable } from '../../../src/client/storage/draft-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import '../../../src/index.js';
import type { AvailabilityToggle, InventoryEditor } from '../../../src/index.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { fillStorage, keepDiskBusy } from '../../client/support/failing-storage.js';
import { BOAT, CABIN, KAYAK, LONG_AGO } from '../../client/support/items.js';
import { ANNA, pretendProxy, type PretendProxy, VISITOR } from '../../client/support/pretend-proxy.js';
import { until } from '../../client/support/until.js';
import { entryOf } from '../support/history-entries.js';
import { dialog, part, press, row, rows, search, untilStatus as untilRow } from '../support/editor-page.js';
import { choices, tryAgain, untilStatus } from '../support/on-page.js';

/** A page that looks one way; its own colours, because a toggle stands on whatever the host has behind it. */
interface Look {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly dir: 'ltr' | 'rtl';
}

const LOOKS: readonly Look[] = [
  { name: 'in light colours', scheme: 'light', dir: 'ltr' },
  { name: 'in dark colours', scheme: 'dark', dir: 'ltr' },
  { name: 'from right to left', scheme: 'light', dir: 'rtl' },
];

type ToggleState = (page: Page) => Promise<AvailabilityToggle>;
type EditorState = (page: Page) => Promise<InventoryEditor>;

class Page {
  readonly #look: Look;
  readonly proxy: PretendProxy = pretendProxy();

  constructor(look: Look) {
    this.#look = look;
  }

  async toggle(set: Partial<AvailabilityToggle> = { item: KAYAK }): Promise<AvailabilityToggle> {
    const toggle = document.createElement('availability-toggle');
    toggle.textContent = this.#look.dir === 'rtl' ? 'جولة بالكاياك' : 'Kayak tour';
    (await this.#open()).append(toggle);
    Object.assign(toggle, { proxy: this.proxy.url, ...set });
    await toggle.updateComplete;
    return toggle;
  }

  async editor(set: Partial<InventoryEditor> = {}): Promise<InventoryEditor> {
    const editor = document.createElement('inventory-editor');
    (await this.#open()).append(editor);
    Object.assign(editor, { proxy: this.proxy.url, ...set });
    await editor.updateComplete;
    return editor;
  }

  async #open(): Promise<HTMLElement> {
    const { scheme, dir } = this.#look;
    const page = await fixture<HTMLElement>(html`<main dir=${dir}></main>`);
    page.style.setProperty('color-scheme', scheme);
    page.style.setProperty('background', scheme === 'dark' ? '#11161d' : '#ffffff');
    return page;
  }
}

async function known(page: Page, available = true): Promise<AvailabilityToggle> {
  page.proxy.knows({ id: KAYAK, available });
  const toggle = await page.toggle();
  await untilStatus(toggle, 'Live on the portal');
  return toggle;
}

async function moved(page: Page): Promise<AvailabilityToggle> {
  const toggle = await known(page);
  toggle.click();
  return toggle;
}

const CONFLICT = {
  id: KAYAK,
  available: true,
  state: 'conflict',
  reason: 'conflict',
  clicked_at: LONG_AGO,
  base: { available: false, updated_at: LONG_AGO, by: 'Cleo' },
  theirs: { available: false, updated_at: LONG_AGO, by: 'Ben' },
} as const;

const TOGGLES: Readonly<Record<string, ToggleState>> = {
  'plain and off': (page) => page.toggle({}),
  'plain and on': (page) => page.toggle({ checked: true }),
  'that a form requires': (page) => page.toggle({ required: true }),
  'in a compact page': async (page) => {
    const toggle = await known(page);
    toggle.density = 'compact';
    await toggle.updateComplete;
    return toggle;
  },
  'with two values of two people': async (page) => {
    page.proxy.knows(CONFLICT);
    const toggle = await page.toggle();
    await untilStatus(toggle, 'chose differently');
    return toggle;
  },
  'in Arabic': async (page) => {
    const toggle = await known(page);
    toggle.lang = 'ar';
    await untilStatus(toggle, 'على البوابة');
    return toggle;
  },
  'with a value that nobody has told': async (page) => {
    const toggle = await page.toggle();
    await untilStatus(toggle, 'Not set yet');
    return toggle;
  },
  on: (page) => known(page),
  off: (page) => known(page, false),
  'with an edit on this device': async (page) => {
    page.proxy.hold('POST v1/inventory');
    const toggle = await moved(page);
    await untilStatus(toggle, 'Saved here');
    return toggle;
  },
  'with an edit that waits for a connection': async (page) => {
    page.proxy.down = true;
    const toggle = await page.toggle();
    await untilStatus(toggle, 'No connection.');
    choices(toggle)[0]?.click();
    await untilStatus(toggle, 'when the connection is back');
    return toggle;
  },
  'with an edit that storage refused': async (page) => {
    hearWarnings();
    page.proxy.hold('POST v1/inventory');
    const toggle = await known(page);
    fillStorage();
    toggle.click();
    await untilStatus(toggle, 'Not saved');
    return toggle;
  },
  'with a received edit': async (page) => {
    const toggle = await moved(page);
    await untilStatus(toggle, 'Sent, ');
    return toggle;
  },
  'with an edit that is held up': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'received', delayed: true, reason: 'portal_busy' });
    const toggle = await page.toggle();
    await untilStatus(toggle, 'the portal is busy');
    return toggle;
  },
  'with an edit that needs attention': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const toggle = await page.toggle();
    await until(() => tryAgain(toggle) !== undefined, 'trying again is offered');
    return toggle;
  },
  readonly: async (page) => {
    const toggle = await known(page);
    toggle.readonly = true;
    await toggle.updateComplete;
    return toggle;
  },
  disabled: async (page) => {
    const toggle = await known(page);
    toggle.disabled = true;
    await toggle.updateComplete;
    return toggle;
  },
  'in use by the keyboard': async (page) => {
    const toggle = await known(page);
    toggle.focus();
    return toggle;
  },
  'signed out': async (page) => {
    page.proxy.person = undefined;
    const toggle = await page.toggle({ item: KAYAK, session: page.proxy.sessionUrl });
    await untilStatus(toggle, 'You are signed out');
    return toggle;
  },
  'in trouble': async (page) => {
    page.proxy.refusal = 'origin_refused';
    const toggle = await page.toggle();
    await untilStatus(toggle, 'For support');
    return toggle;
  },
  'without a proxy': async (page) => {
    hearWarnings();
    const toggle = await page.toggle({ item: KAYAK, proxy: undefined });
    await untilStatus(toggle, 'address of its proxy');
    return toggle;
  },
  'with a bad id': async (page) => {
    hearWarnings();
    const toggle = await page.toggle({ item: '' });
    await untilStatus(toggle, 'id of its item');
    return toggle;
  },
};

const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true },
  { id: BOAT, label: 'Boat tour' },
];

function saying(editor: InventoryEditor, text: string): Promise<void> {
  return until(() => editor.renderRoot.textContent?.includes(text), `the editor says "${text}"`);
}

async function working(page: Page): Promise<InventoryEditor> {
  const editor = await page.editor({ items: ITEMS });
  await until(() => editor.renderRoot.querySelector('[part=tools]'), 'the tools are there');
  return editor;
}

const EDITORS: Readonly<Record<string, EditorState>> = {
  'that loads': async (page) => {
    page.proxy.hold('GET v1/session');
    const editor = await page.editor();
    await saying(editor, 'Loading');
    return editor;
  },
  'without items': async (page) => {
    const editor = await page.editor();
    await saying(editor, 'No items yet');
    return editor;
  },
  'with items': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true });
    const editor = await page.editor({ items: ITEMS });
    await untilRow(editor, KAYAK, 'Live on the portal');
    return editor;
  },
  'with an open edit': async (page) => {
    const editor = await page.editor({ items: ITEMS, saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await saying(editor, '1 change is not live on the portal yet');
    await untilRow(editor, KAYAK, 'Sent, ');
    return editor;
  },
  'with an edit that needs attention': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await page.editor({ items: ITEMS });
    await untilRow(editor, KAYAK, 'Not accepted');
    return editor;
  },
  'in trouble': async (page) => {
    page.proxy.refusal = 'storage_unavailable';
    const editor = await page.editor({ items: ITEMS });
    await saying(editor, 'For support');
    return editor;
  },
  'for a person who is signed out': async (page) => {
    page.proxy.person = undefined;
    const editor = await page.editor({ items: ITEMS, session: page.proxy.sessionUrl });
    await saying(editor, 'You are signed out');
    return editor;
  },
  'for a person who may only look': async (page) => {
    page.proxy.person = VISITOR;
    const editor = await page.editor({ items: ITEMS });
    await saying(editor, 'You may look but not change');
    return editor;
  },
  'that is readonly': async (page) => {
    const editor = await page.editor({ items: ITEMS, readonly: true });
    await until(() => row(editor, KAYAK).control.ariaDisabled === 'true', 'its rows are readonly');
    return editor;
  },
  'with a change that is not saved': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    return editor;
  },
  'with a selection': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).pick();
    await until(() => row(editor, KAYAK).isSelected, 'it is selected');
    return editor;
  },
  'whose columns are sorted': async (page) => {
    const editor = await working(page);
    editor.style.setProperty('inline-size', '1100px');
    await press(editor, 'Item');
    await until(() => editor.renderRoot.querySelector('[aria-sort=ascending]'), 'a column is sorted');
    return editor;
  },
  'with a heading for each group': async (page) => {
    const editor = await page.editor({ items: [...ITEMS, { id: CABIN, label: 'Cabin', group: 'Rooms' }] });
    await until(() => part(editor, 'tools')?.querySelector('.of-group'), 'the groups are known');
    await press(editor, 'Group');
    await until(() => editor.renderRoot.querySelectorAll('.heading').length === 3, 'each group has a heading');
    return editor;
  },
  'that previews a bulk edit': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).pick();
    await press(editor, /^Close th(is|ese) /);
    await dialog(editor);
    return editor;
  },
  'that shows the details of an item': async (page) => {
    const editor = await working(page);
    row(editor, KAYAK).part('.truth button').click();
    await dialog(editor);
    return editor;
  },
  'that shows the details of an item with its picture and its last changes': async (page) => {
    page.proxy.person = { ...ANNA, permissions: ['view', 'edit', 'history'] };
    page.proxy.knows({ id: KAYAK, available: true });
    page.proxy.history = [entryOf(2, { state: 'refused' }), entryOf(1, { subject: 'ben', name: 'Ben' })];
    const editor = await page.editor({ items: ITEMS.map((item) => ({ ...item, image: DOT, note: 'Key is inside.' })) });
    await untilRow(editor, KAYAK, 'Live on the portal');
    row(editor, KAYAK).part('.name').click();
    await until(() => editor.renderRoot.querySelectorAll('dialog .history li').length === 2, 'the changes are listed');
    return editor;
  },
  'that lists what waits': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const editor = await working(page);
    await press(editor, 'Details');
    await dialog(editor);
    return editor;
  },
  'that lists conflicts': async (page) => {
    page.proxy.knows(CONFLICT);
    const editor = await working(page);
    await press(editor, 'Choose which one counts');
    await dialog(editor);
    return editor;
  },
  'that lists its keys': async (page) => {
    const editor = await working(page);
    await press(editor, 'Keyboard');
    await dialog(editor);
    return editor;
  },
  'that finds nothing': async (page) => {
    const editor = await working(page);
    await search(editor, 'no such item');
    await saying(editor, 'No item matches.');
    return editor;
  },
  'with more items than fit': async (page) => {
    const items = Array.from({ length: 2000 }, (_, at) => ({ id: `item-${String(at)}`, available: at % 2 === 0 }));
    const editor = await page.editor({ items });
    await until(() => editor.renderRoot.querySelector('[part=tools]'), 'the tools are there');
    await saying(editor, '2,000 items');
    return editor;
  },
  'that waits for a connection': async (page) => {
    const editor = await working(page);
    editor.saveMode = 'auto';
    page.proxy.down = true;
    await editor.refresh();
    row(editor, KAYAK).control.click();
    await untilRow(editor, KAYAK, 'when the connection is back');
    await until(() => part(editor, 'trouble'), 'what waits is told below');
    return editor;
  },
  'in trouble without items': async (page) => {
    page.proxy.refusal = 'storage_unavailable';
    const editor = await page.editor();
    await saying(editor, 'For support');
    return editor;
  },
  'that is disabled': async (page) => {
    const editor = await page.editor({ items: ITEMS, disabled: true });
    await until(() => row(editor, KAYAK).control.disabled, 'its rows are disabled');
    return editor;
  },
  'with pictures': async (page) => {
    const editor = await page.editor({ items: ITEMS.map((item) => ({ ...item, image: DOT })) });
    await until(() => row(editor, KAYAK).node.querySelector('img'), 'the picture is there');
    return editor;
  },
  'with drafts of an earlier page': async (page) => {
    const before = await working(page);
    row(before, KAYAK).control.click();
    await until(() => part(before, 'save'), 'saving is offered');
    const owner = toOwner(`${page.proxy.url}/`, ANNA);
    const kept = new DraftTable();
    await until(async () => (await kept.pages(owner)).length === 1, 'the draft is kept');
    kept.close();
    before.remove();
    const editor = await working(page);
    await until(() => part(editor, 'drafts'), 'they are offered back');
    return editor;
  },
  'with a change that met another one before it was saved': async (page) => {
    const editor = await working(page);
    row(editor, BOAT).control.click();
    await untilRow(editor, BOAT, 'Not saved yet');
    page.proxy.takeFromElsewhere(BOAT, false);
    await editor.refresh();
    await untilRow(editor, BOAT, 'Somebody else changed this meanwhile');
    await until(() => part(editor, 'trouble'), 'it is told below');
    return editor;
  },
  'that saves much, and is not done': async (page) => {
    const items = Array.from({ length: 3_000 }, (_, at) => ({ id: `item-${String(at)}`, available: true }));
    const editor = await page.editor({ items });
    await press(editor, 'Close all');
    await press(editor, 'Close 3,000');
    await press(editor, 'Save');
    await until(() => editor.renderRoot.querySelector('progress'), 'it says how far it is');
    await keepDiskBusy();
    return editor;
  },
  'that asks before it closes everything': async (page) => {
    const editor = await working(page);
    await press(editor, 'Close all');
    await dialog(editor);
    return editor;
  },
  'that asks before a person signs out': async (page) => {
    const editor = await working(page);
    page.proxy.down = true;
    await editor.refresh();
    row(editor, KAYAK).control.click();
    await until(() => part(editor, 'save'), 'saving is offered');
    void editor.signOut();
    await dialog(editor);
    return editor;
  },
  'that is closed as a whole': async (page) => {
    const editor = await working(page);
    await press(editor, 'Close all');
    await press(editor, 'Close 1');
    await until(() => part(editor, 'closed'), 'opening again is offered');
    return editor;
  },
  'that is compact': async (page) => {
    const editor = await working(page);
    editor.density = 'compact';
    await until(() => rows(editor)[0]?.node.offsetHeight === 46, 'its rows are lower');
    return editor;
  },
  'on a narrow page': async (page) => {
    const editor = await working(page);
    editor.style.setProperty('inline-size', '340px');
    await until(() => (rows(editor)[0]?.node.offsetHeight ?? 0) >= 112, 'its rows are cards');
    return editor;
  },
  'without a proxy': async (page) => {
    hearWarnings();
    const editor = await page.editor({ items: ITEMS, proxy: undefined });
    await saying(editor, 'address of its proxy');
    return editor;
  },
};

for (const look of LOOKS) {
  describe(`everybody can use, ${look.name},`, () => {
    for (const [name, arrange] of Object.entries(TOGGLES)) {
      it(`a toggle ${name}`, async () => {
        const toggle = await arrange(new Page(look));

        await expect(toggle).to.be.accessible();
      });
    }

    for (const [name, arrange] of Object.entries(EDITORS)) {
      it(`an editor ${name}`, async () => {
        const editor = await arrange(new Page(look));

        await expect(editor).to.be.accessible();
      });
    }
  });
}
