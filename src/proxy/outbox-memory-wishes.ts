import { nextStamp, type NewEdit } from './acceptance.js';
import { newestPlain, type Row } from './outbox-memory-rows.js';
import type { Acceptance, Decision } from './outbox.js';
import { INTERACTIVE_EDITS } from './sending-order.js';

type Retry = Extract<Decision['verdict'], { kind: 'retry' }>;

/** What is known of an edit when it is accepted; the rest of its row is how it fares. */
export type Wish = Omit<
  Row,
  'seq' | 'number' | 'item' | 'attempts' | 'open' | 'dueAt' | 'settledAt' | 'decidedBy' | 'reason'
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

/** The same wish once more, by whoever says so. */
export function wishAgain(row: Row, verdict: Retry, { by, name, now }: Pick<Decision, 'by' | 'name' | 'now'>): Wish {
  return {
    ...row,
    lane: row.item.lane,
    editId: verdict.newId,
    retryOf: row.editId,
    subject: by,
    name,
    was: newestPlain(row.item)?.available,
    stamp: nextStamp(now + verdict.portalOffset, row.item.lastStamp, verdict.stampUnit),
    acceptedAt: now,
    bulk: false,
    state: 'received',
  };
}
