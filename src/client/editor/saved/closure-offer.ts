import type { EditId } from '../../../domain/edit.js';
import type { ItemId } from '../../../domain/item.js';
import type { Change, SavedClosure } from '../../storage/closure-table.js';
import type { EditorStore, OfferedClosure } from '../editor-types.js';
import type { ItemList } from '../item-list.js';
import { shownValue } from '../row-state.js';

/** What can be reopened now. */
export interface ClosureOffer extends Pick<OfferedClosure, 'madeAt'> {
  readonly ids: readonly ItemId[];
}

export interface ClosureChange {
  /** The new time of the closure; absent: it stays. */
  readonly at?: number | undefined;
  /** Added to those that are ignored. */
  readonly ignored?: readonly EditId[] | undefined;
}

/** Closings that a person leaves closed, and that are remembered: the newest ones. */
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

/** What this device has closed, then what the proxy says was closed on other devices. */
export function joinOffers(closure: SavedClosure | undefined, table: ItemList, store: EditorStore): ClosureOffer {
  const own = new Set(closure?.ids);
  const ignored = new Set(closure?.ignored);
  const ids = [...own];
  /** An item of each closing: all of one have about the same time. */
  const examples = new Map<EditId, ItemId>();
  for (const [id, closing] of store.closed) {
    const row = table.at(table.positionOf(id) ?? -1);
    // A draft may have reopened it.
    const isOpen = row !== undefined && shownValue(row) === true;
    if (own.has(id) || ignored.has(closing) || isOpen) continue;
    ids.push(id);
    examples.set(closing, id);
  }
  const times = [...examples.values()].map((id) => Date.parse(store.view(id).updated_at ?? ''));
  return { ids, madeAt: Math.max(own.size > 0 && closure !== undefined ? closure.at : 0, ...times) };
}
