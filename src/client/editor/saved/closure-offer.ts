import type { EditId } from '../../../domain/edit.js';
import type { ItemId } from '../../../domain/item.js';
import type { Change, SavedClosure } from '../../storage/closure-table.js';
import type { EditorStore, OfferedClosure } from '../editor-types.js';
import type { ItemList } from '../item-list.js';
import { shownValue } from '../row-state.js';

/** The items that can be reopened now. */
export interface ClosureOffer extends Pick<OfferedClosure, 'madeAt'> {
  readonly ids: readonly ItemId[];
}

export interface ClosureChange {
  /** The new time of the closure; absent: the time does not change. */
  readonly at?: number | undefined;
  /** Change sets to add to those that the offer leaves out. */
  readonly ignored?: readonly EditId[] | undefined;
}

/** The number of change sets with the choice "Leave closed" that are stored. Older ones are forgotten. */
const MAX_IGNORED = 100;

export function changeIds(
  ids: readonly ItemId[] | undefined,
  isIncluded: (id: ItemId) => boolean,
  { at, ignored = [] }: ClosureChange,
): Change {
  return (there) => {
    const all = new Set(there?.ids);
    ids?.forEach((id) => all[isIncluded(id) ? 'add' : 'delete'](id));
    const left = [...new Set([...(there?.ignored ?? []), ...ignored])].slice(-MAX_IGNORED);
    if (all.size + left.length === 0) return undefined;
    return { at: at ?? there?.at ?? Date.now(), ids: [...all], ignored: left };
  };
}

/** Joins the items that this device has closed with those that the proxy reports as closed on other devices. */
export function joinOffers(closure: SavedClosure | undefined, table: ItemList, store: EditorStore): ClosureOffer {
  const own = new Set(closure?.ids);
  const ignored = new Set(closure?.ignored);
  const ids = [...own];
  /** One item of each change set: all items of a change set have about the same time. */
  const examples = new Map<EditId, ItemId>();
  for (const [id, closing] of store.closed) {
    const row = table.at(table.findItemIndex(id) ?? -1);
    // A draft may have reopened the item.
    const isOpen = row !== undefined && shownValue(row) === true;
    if (own.has(id) || ignored.has(closing) || isOpen) continue;
    ids.push(id);
    examples.set(closing, id);
  }
  const times = [...examples.values()].map((id) => Date.parse(store.view(id).updated_at ?? ''));
  return { ids, madeAt: Math.max(own.size > 0 && closure !== undefined ? closure.at : 0, ...times) };
}
