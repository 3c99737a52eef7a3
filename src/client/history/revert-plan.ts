import type { HistoryEntry } from '../../contract/history.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import type { RowValue } from '../editor/editor-types.js';
import type { ItemList } from '../editor/item-list.js';
import { shownValue } from '../editor/row-state.js';

/** An item that an undo leaves as it is. */
export interface SkippedItem {
  readonly id: ItemId;
  /** `first`: the item had no value before the edit, and the portal knows no such value. */
  readonly reason: 'changed' | 'first' | 'locked' | 'unlisted';
  /** Who changed it since, if that was another person. */
  readonly by?: string | undefined;
}

/** A row to revert. */
export interface RevertedRow extends RowValue {
  /** The time of the value for which the plan was made. */
  readonly updated_at: Timestamp | undefined;
}

export interface RevertPlan {
  readonly rows: readonly RevertedRow[];
  readonly skipped: readonly SkippedItem[];
}

/**
 * The values that undo some edits. An item is skipped unless it still has the value of its edit, at the proxy and on this
 * page: a later change of any person counts, and so does one that this device has not sent yet.
 *
 * @param entries newest first
 */
export function planRevert(entries: readonly HistoryEntry[], table: ItemList): RevertPlan {
  const rows: RevertedRow[] = [];
  const skipped: SkippedItem[] = [];
  const seen = new Set<ItemId>();
  for (const entry of entries) {
    const { id, from } = entry;
    // An older edit of the item in the same set was replaced by the newer one.
    if (seen.has(id) || from === entry.to) continue;
    seen.add(id);
    const itemIndex = table.findItemIndex(id);
    const row = itemIndex === undefined || !table.isRow(itemIndex) ? undefined : table.at(itemIndex);
    if (itemIndex === undefined || row === undefined) skipped.push({ id, reason: 'unlisted' });
    else if (isChangedSince(entry, table, shownValue(row)))
      skipped.push({ id, reason: 'changed', by: table.store.view(id).by });
    else if (from === undefined) skipped.push({ id, reason: 'first' });
    else if (!table.store.canEdit(id)) skipped.push({ id, reason: 'locked' });
    else rows.push({ itemIndex, available: from, updated_at: table.store.view(id).updated_at });
  }
  return { rows, skipped };
}

/** The rows that have not changed since the plan was made, by any person. */
export function unchangedRows({ rows }: RevertPlan, table: ItemList): readonly RevertedRow[] {
  return rows.filter(({ itemIndex, available, updated_at }) => {
    const view = table.row(itemIndex)?.view;
    return view !== undefined && view.available !== available && view.updated_at === updated_at;
  });
}

function isChangedSince({ current, id, to }: HistoryEntry, { store }: ItemList, shown: boolean | undefined): boolean {
  const { truth, theirs, writing } = store.view(id);
  const isUnsent = writing === true || truth === 'on-device';
  return current !== true || isUnsent || theirs !== undefined || shown !== to;
}
