import type { InventoryEditor } from '../../../src/elements/inventory-editor/inventory-editor.js';
import type { FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { ids, workingEditor } from './editor-page.js';

/** Two groups, whose order differs from that of their names, and one item without a group. */
export const GROUPED_ITEMS = [
  { id: 'kayak', label: 'Kayak', group: 'Tours', available: true },
  { id: 'attic', label: 'Attic', group: 'Rooms', available: true },
  { id: 'sailing', label: 'Sailing', group: 'Tours', available: false },
  { id: 'bicycle', label: 'Bicycle', available: true },
  { id: 'cellar', label: 'Cellar', group: 'Rooms', available: true },
];

/** Opens an editor, and waits until it has read the groups of its items. */
export async function groupedEditor(
  proxy: FakeProxy,
  items: InventoryEditor['items'] = GROUPED_ITEMS,
  set: Partial<InventoryEditor> = {},
): Promise<InventoryEditor> {
  const editor = await workingEditor(proxy, items, set);
  await until(() => groupChoice(editor) !== null, 'the groups are known');
  return editor;
}

/** The choice of the group that is shown. */
export function groupChoice(editor: InventoryEditor): HTMLSelectElement | null {
  return editor.renderRoot.querySelector<HTMLSelectElement>('.of-group select');
}

/** The choice of the order. */
export function sortChoice(editor: InventoryEditor): HTMLSelectElement | null {
  return editor.renderRoot.querySelector<HTMLSelectElement>('.sort:not(.of-group) select');
}

export async function choose(select: HTMLSelectElement | null, label: string): Promise<void> {
  const option = [...(select?.options ?? [])].find(({ text }) => text.trim() === label);
  if (select === null || option === undefined) throw new Error(`there is no choice "${label}"`);
  select.selectedIndex = option.index;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await Promise.resolve();
}

/** @param wanted ids of the rows from the first to the last, separated by spaces */
export function untilIds(editor: InventoryEditor, wanted: string): Promise<void> {
  return until(() => ids(editor).join(' ') === wanted, `the rows are ${wanted}`);
}
