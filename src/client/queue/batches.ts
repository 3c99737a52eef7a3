import { batchByItem } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { MAX_EDITS } from '../../contract/fields.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { toJson } from '../to-json.js';

/** What a browser still sends when the page goes (Fetch, keepalive), with room for the wrapper. */
export const MAX_BATCH_BYTES = 60 * 1024 - 256;

/** A batch that is `sending` on a page that closed before the receipt goes out again. */
export function isWaiting({ stage }: QueuedEdit): boolean {
  return stage === 'stored' || stage === 'sending';
}

/** Waiting edits of which no earlier edit of the same item waits, and that belong to no bulk: they may overtake others. */
export function choicesOf(rows: readonly QueuedEdit[]): QueuedEdit[] {
  const earlier = new Set<ItemId>();
  return rows.filter(isWaiting).filter((row) => {
    const isFirst = !earlier.has(row.id);
    earlier.add(row.id);
    return isFirst && row.bulk !== true;
  });
}

/**
 * Cuts what waits into batches: a person's single choices first, so that they never wait for a bulk edit. Edits of one item
 * keep their order.
 */
export function batchesOf(rows: readonly QueuedEdit[], maxBytes = MAX_BATCH_BYTES): QueuedEdit[][] {
  const choices = choicesOf(rows);
  const isChoice = new Set(choices);
  const others = rows.filter((row) => isWaiting(row) && !isChoice.has(row));
  return [choices, others]
    .flatMap((some) => batchByItem(some, MAX_EDITS))
    .flatMap((batch) => cutToSize(batch, maxBytes));
}

/** What a page sends when it goes: one batch, because a browser carries no more. */
export function lastBatchOf(rows: readonly QueuedEdit[]): QueuedEdit[] | undefined {
  const [first] = batchByItem(batchesOf(rows).flat(), MAX_EDITS);
  return first && cutToSize(first, MAX_BATCH_BYTES)[0];
}

/** Without what only the queue knows of them. */
export function bytesOf(edits: readonly QueuedEdit[]): number {
  return edits.reduce((sum, edit) => {
    const sent = { ...edit, owner: undefined, stage: undefined, bulk: undefined };
    return sum + new Blob([toJson(sent)]).size;
  }, 0);
}

function cutToSize(batch: readonly QueuedEdit[], maxBytes: number): QueuedEdit[][] {
  const parts: QueuedEdit[][] = [];
  let room = 0;
  for (const edit of batch) {
    const bytes = bytesOf([edit]);
    if (bytes > room) {
      parts.push([]);
      room = maxBytes;
    }
    parts.at(-1)?.push(edit);
    room -= bytes;
  }
  return parts;
}
