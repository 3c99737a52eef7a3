import type { InventoryEditor } from '../../../src/index.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { ANNA } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, press, row } from './editor-page.js';
import type { EditorState } from './editor-states.js';
import { entryOf } from './history-entries.js';
import type { StatePage } from './state-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true },
  { id: BOAT, label: 'Boat tour' },
];

/** Opens the editor for a person who has all permissions. */
async function open(page: StatePage): Promise<InventoryEditor> {
  page.proxy.person = { ...ANNA, permissions: ['view', 'edit', 'history', 'schedule'] };
  const editor = await page.editor({ items: ITEMS });
  await until(() => editor.renderRoot.querySelector('[part=tools]'), 'the tools are there');
  return editor;
}

/** Opens the dialog of schedules for one item. */
async function openSchedule(page: StatePage, kind: 'weekly' | 'calendar'): Promise<InventoryEditor> {
  const editor = await open(page);
  row(editor, KAYAK).pick();
  await press(editor, 'Unavailable until…');
  const inside = await dialog(editor);
  await until(() => inside.querySelector('fieldset')?.disabled === false, 'the schedules are read');
  inside.querySelector<HTMLElement>(`[data-until="${kind}"]`)?.click();
  await editor.updateComplete;
  return editor;
}

/** The states of an editor in the dialogs of features that are loaded on demand, by name. */
export const FEATURE_STATES: Readonly<Record<string, EditorState>> = {
  'that imports a list': async (page) => {
    const editor = await open(page);
    await press(editor, 'Import, export');
    const inside = await dialog(editor);
    const field = inside.querySelector('textarea');
    if (field === null) throw new Error('There is no field for the list.');
    field.value = `${KAYAK}\n${BOAT},xx\ncanoe,1`;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await until(() => inside.querySelectorAll('.verdicts li').length === 2, 'the list is checked');
    return editor;
  },
  'that shows the history': async (page) => {
    page.proxy.history = [
      entryOf(3, { id: KAYAK, state: 'refused' }),
      entryOf(2, { id: BOAT }),
      entryOf(1, { id: CABIN }),
    ];
    const editor = await open(page);
    await press(editor, 'Last changes');
    const inside = await dialog(editor);
    await until(() => inside.querySelectorAll('li').length >= 3, 'the changes are listed');
    return editor;
  },
  'that may close everything until a time': async (page) => {
    const editor = await open(page);
    await press(editor, 'Close all');
    await dialog(editor);
    return editor;
  },
  'that closes an item on days of the week': (page) => openSchedule(page, 'weekly'),
  'that closes an item by a calendar': (page) => openSchedule(page, 'calendar'),
};
