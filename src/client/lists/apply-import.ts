import type { DraftOfItems, MayChange, RowValue } from '../editor/editor-types.js';
import type { ItemList } from '../editor/item-list.js';
import { shownValue } from '../editor/row-state.js';
import type { ItemId } from '../../domain/item.js';
import type { ImportLine, ImportPlan, ImportTarget } from './import-plan.js';

/** What an import has done. */
export interface ImportOutcome {
  readonly added: number;
  readonly changed: number;
  /** Changes that the host's page refused. */
  readonly left: number;
}

export function targetOf(table: ItemList): ImportTarget {
  return {
    positionOf: (id) => table.positionOf(id),
    isRow: (position) => table.isRow(position),
    shownAt(position) {
      const row = table.at(position);
      return row && shownValue(row);
    },
    mayEdit: (id) => table.store.mayEdit(id),
  };
}

/**
 * Makes one step of a plan, which undo takes back as a whole. Items that were only added stay: without a value there is
 * nothing to take back.
 *
 * @param mayChange is asked once for each of the two values, as for a bulk edit
 */
export async function applyImport(
  plan: ImportPlan,
  table: ItemList,
  draft: Pick<DraftOfItems, 'setEach'>,
  mayChange: MayChange,
): Promise<ImportOutcome> {
  const taken = plan.lines.filter(({ verdict }) => verdict === 'new' || verdict === 'changed');
  const allowed = new Map([true, false].map((available) => [available, isAllowed(taken, available, mayChange)]));
  const rows: RowValue[] = [];
  let [added, left] = [0, 0];
  for (const { id, available, verdict } of taken) {
    if (available !== undefined && allowed.get(available) !== true) {
      left += 1;
      continue;
    }
    const position = table.add(id as ItemId);
    if (verdict === 'new') added += 1;
    if (available !== undefined) rows.push({ position, available });
  }
  table.tell(undefined);
  await draft.setEach(rows);
  return { added, changed: taken.length - added - left, left };
}

function isAllowed(lines: readonly ImportLine[], available: boolean, mayChange: MayChange): boolean {
  const ids = lines.filter((line) => line.available === available).map(({ id }) => id as ItemId);
  const [first] = ids;
  return first !== undefined && mayChange(ids, first, available);
}
