import type { HistoryEntry, SkippedItem, SkipReason } from '../../../contract/history.js';
import { toEditIds } from '../../../domain/edit.js';
import { toTimestamp, type ItemId } from '../../../domain/item.js';
import type { AcceptedEdit, Revert, Reverted, RevisedItem } from '../outbox.js';
import { accept } from './accept.js';
import * as history from './history.js';
import { findOwn, hasList } from './ownership.js';
import { findEdits, list } from './read.js';
import type { Transaction } from './tables/database.js';

/**
 * Sets the items of a change set back to their previous values. The values are compared and the edits accepted in one
 * transaction, so that no edit of another person is overwritten in between.
 *
 * A repeated request accepts nothing again, but its items are evaluated again. The items that the first request has set
 * back are not current any more and have a receipt; all others are skipped.
 */
export async function revert(transaction: Transaction, command: Revert): Promise<Reverted> {
  const { vendor, lists, reverted } = command;
  const read = await history.read(transaction, vendor, reverted);
  const entries = newestOfItems(read);
  const ids = entries.map(({ id }) => id);
  const own = new Set(await findOwn(transaction, vendor, ids, command));
  if (own.size < ids.length && lists?.isRead === false && !(await hasList(transaction, vendor))) {
    return { kind: 'list_unread' };
  }
  const shown = await findShown(transaction, command, ids);
  const reasons = new Map(
    entries.map((entry) => [entry.id, reasonToSkip(entry, shown.get(entry.id), own.has(entry.id))]),
  );
  const edits = entries.flatMap((entry) => (reasons.get(entry.id) === undefined ? toEdit(entry, command) : []));
  const accepted = await accept(transaction, { ...command, edits });
  if (accepted.kind !== 'accepted') return accepted;
  const { receipts } = accepted;
  const setBack = new Set(receipts.map(({ id }) => id));
  const [stored] = (await findEdits(transaction, vendor, toEditIds(receipts.slice(0, 1)))).values();
  return {
    kind: 'reverted',
    receipts,
    skipped: ids
      .filter((id) => !setBack.has(id))
      // In a repeated request: the item has changed since the first response.
      .map((id) => toSkipped(id, reasons.get(id) ?? 'changed_since', shown.get(id))),
    changeSet: stored?.change_set ?? undefined,
    next: read.length === reverted.limit ? read.at(-1)?.seq : undefined,
  };
}

/** Keeps the newest edit of each item: after a retry, the change set also has the older edit. */
function newestOfItems(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const items = new Map<ItemId, HistoryEntry>();
  for (const entry of entries) if (!items.has(entry.id)) items.set(entry.id, entry);
  return [...items.values()];
}

async function findShown(
  transaction: Transaction,
  viewer: Revert,
  ids: readonly ItemId[],
): Promise<Map<ItemId, RevisedItem>> {
  const rows = await list(transaction, viewer, { limit: ids.length, within: { from: '', to: '', ids } });
  return new Map(rows.map((row) => [row.id, row]));
}

function reasonToSkip(
  { from, current }: HistoryEntry,
  shown: RevisedItem | undefined,
  isOwn: boolean,
): SkipReason | undefined {
  if (!isOwn) return 'not_permitted';
  // A conflict needs a decision between two values first.
  if (shown?.state === 'conflict') return 'changed_since';
  if (from !== undefined && shown?.available === from) return 'same_value';
  if (current !== true) return 'changed_since';
  return from === undefined ? 'unset_before' : undefined;
}

function toEdit({ id, from, updated_at }: HistoryEntry, { now, newId, changeSet }: Revert): AcceptedEdit[] {
  if (from === undefined) return [];
  return [
    {
      id,
      available: from,
      updated_at: toTimestamp(now),
      base: updated_at,
      edit_id: newId(),
      change_set: changeSet,
    },
  ];
}

function toSkipped(id: ItemId, reason: SkipReason, shown: RevisedItem | undefined): SkippedItem {
  return { id, reason, ...(reason === 'changed_since' && shown?.by !== undefined && { by: shown.by }) };
}
