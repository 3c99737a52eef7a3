import { nextStamp, type NewEdit } from './outbox/acceptance-rules.js';
import { newestPlain, type Row } from './outbox-memory-rows.js';
import type { Acceptance, Decision, NewWish } from './outbox/outbox.js';
import { INTERACTIVE_EDITS } from './outbox/fair-order.js';

/** What is known of an edit when it is accepted; the rest of its row is how it fares. */
export type Wish = Omit<
  Row,
  'seq' | 'number' | 'item' | 'attempts' | 'open' | 'openedAt' | 'dueAt' | 'settledAt' | 'decidedBy' | 'reason'
>;

/** An edit of a batch. */
export function wishOf(batch: Acceptance, { edit, stamp, state, was }: NewEdit): Wish {
  return {
    vendor: batch.vendor,
    subject: batch.subject,
    name: batch.name,
    editId: edit.edit_id,
    available: edit.available,
    was,
    clickedAt: edit.updated_at,
    base: edit.base ?? null,
    stamp,
    acceptedAt: batch.now,
    lane: batch.lane,
    bulk: batch.edits.length > INTERACTIVE_EDITS,
    state,
  };
}

/**
 * The value that stands, where the portal may have another instead: of this discarded edit, or of one that it repeats or was to
 * replace. Where it was itself to say that value again, and the portal refused to hear it, it is not said once more.
 */
export function standingAfter({ item, retryOf, attempts: tries }: Row): Row | undefined {
  const standing = newestPlain(item);
  if (standing?.state !== 'delivered' || (standing.editId === retryOf && tries > 0)) return undefined;
  const oldest = item.unsure?.seq ?? Infinity;
  const mayBeThere = ({ seq, stamp, attempts, available }: Row): boolean =>
    stamp > standing.stamp && attempts > 1 && seq >= oldest && available !== standing.available;
  return item.edits.some(mayBeThere) ? standing : undefined;
}

/** The same wish once more, by whoever says so. */
export function wishAgain(
  row: Row,
  { newId, portalOffset, stampUnit }: NewWish,
  { by, name, now }: Pick<Decision, 'by' | 'name' | 'now'>,
): Wish {
  return {
    ...row,
    lane: row.item.lane,
    editId: newId,
    retryOf: row.editId,
    subject: by,
    name,
    was: newestPlain(row.item)?.available,
    stamp: nextStamp(now + portalOffset, row.item.lastStamp, stampUnit),
    acceptedAt: now,
    bulk: false,
    state: 'received',
  };
}
