import type { DraftOfItems, ConfirmChange, RowValue } from '../editor/editor-types.js';
import type { ItemList } from '../editor/item-list.js';
import { shownValue } from '../editor/row-state.js';
import type { ItemId } from '../../domain/item.js';
import type { ImportLine, ImportPlan, ImportTarget } from './import-plan.js';

/** The result of an import, in items. */
export interface ImportOutcome {
  readonly added: number;
  readonly changed: number;
  /** Changes that the host's page refused. */
  readonly left: number;
}

export function toImportTarget(table: ItemList): ImportTarget {
  return {
    findItemIndex: (id) => table.findItemIndex(id),
    isRow: (itemIndex) => table.isRow(itemIndex),
    shownAt(itemIndex) {
      const row = table.at(itemIndex);
      return row && shownValue(row);
    },
    canEdit: (id) => table.store.canEdit(id),
  };
}

/**
 * Applies a plan as one undo step. Items that were only added stay after an undo, because they have no value to revert.
 *
 * @param confirmChange called once for each of the two values, as for a bulk edit
 */
export async function applyImport(
  plan: ImportPlan,
  table: ItemList,
  draft: Pick<DraftOfItems, 'setEach'>,
  confirmChange: ConfirmChange,
): Promise<ImportOutcome> {
  const taken = plan.lines.filter(({ verdict }) => verdict === 'new' || verdict === 'changed');
  const allowed = new Map([true, false].map((available) => [available, isAllowed(taken, available, confirmChange)]));
  const rows: RowValue[] = [];
  let [added, left] = [0, 0];
  for (const { id, available, verdict } of taken) {
    if (available !== undefined && allowed.get(available) !== true) {
      left += 1;
      continue;
    }
    const itemIndex = table.add(id as ItemId);
    if (verdict === 'new') added += 1;
    if (available !== undefined) rows.push({ itemIndex, available });
  }
  table.notify(undefined);
  await draft.setEach(rows);
  return { added, changed: taken.length - added - left, left };
}

function isAllowed(lines: readonly ImportLine[], available: boolean, confirmChange: ConfirmChange): boolean {
  const ids = lines.filter((line) => line.available === available).map(({ id }) => id as ItemId);
  const [first] = ids;
  return first !== undefined && confirmChange(ids, first, available);
}
