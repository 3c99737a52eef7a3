import { batchByItem } from '../../domain/edit.js';
import type { ItemId } from '../../domain/item.js';
import { MAX_EDITS } from '../../contract/fields.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { toJson } from '../to-json.js';

/** The size that a browser still sends when the page closes (Fetch standard, keepalive), less the JSON around the edits. */
export const MAX_BATCH_BYTES = 60 * 1024 - 256;

/** Whether the edit waits to be sent. One that is `sending` waits too: its page may have closed before the receipt. */
export function isWaiting({ stage }: QueuedEdit): boolean {
  return stage === 'stored' || stage === 'sending';
}

/** The waiting edits that may overtake others: they are in no bulk change, and no earlier edit of their item waits. */
export function findSingleChoices(rows: readonly QueuedEdit[]): QueuedEdit[] {
  const earlier = new Set<ItemId>();
  return rows.filter(isWaiting).filter((row) => {
    const isFirst = !earlier.has(row.id);
    earlier.add(row.id);
    return isFirst && row.bulk !== true;
  });
}

/**
 * Splits the waiting edits into batches: single choices of a person first, so that they never wait for a bulk change. Edits
 * of one item keep their order.
 */
export function toBatches(rows: readonly QueuedEdit[], maxBytes = MAX_BATCH_BYTES): QueuedEdit[][] {
  const choices = findSingleChoices(rows);
  const isChoice = new Set(choices);
  const others = rows.filter((row) => isWaiting(row) && !isChoice.has(row));
  return [choices, others]
    .flatMap((some) => batchByItem(some, MAX_EDITS))
    .flatMap((batch) => cutToSize(batch, maxBytes));
}

/** The one batch that a page sends when it closes: a browser sends no more then. */
export function toLastBatch(rows: readonly QueuedEdit[]): QueuedEdit[] | undefined {
  const [first] = batchByItem(toBatches(rows).flat(), MAX_EDITS);
  return first && cutToSize(first, MAX_BATCH_BYTES)[0];
}

/** The size of the edits as they are sent, without the fields of the queue. */
export function countBytes(edits: readonly QueuedEdit[]): number {
  return edits.reduce((sum, edit) => {
    const sent = { ...edit, owner: undefined, stage: undefined, bulk: undefined };
    return sum + new Blob([toJson(sent)]).size;
  }, 0);
}

function cutToSize(batch: readonly QueuedEdit[], maxBytes: number): QueuedEdit[][] {
  const parts: QueuedEdit[][] = [];
  let room = 0;
  for (const edit of batch) {
    const bytes = countBytes([edit]);
    if (bytes > room) {
      parts.push([]);
      room = maxBytes;
    }
    parts.at(-1)?.push(edit);
    room -= bytes;
  }
  return parts;
}
