import type { Receipt } from '../../../../contract/widget.js';
import { nextStamp } from '../../../outbox/acceptance-rules.js';
import type { Decided, Decision, NewWish } from '../../../outbox/outbox.js';
import { isUntried } from '../live-row.js';
import { receiptOf, unchanged, type EditRow, type Written } from '../outbox-rows.js';
import { Appending } from './postgres-appending.js';
import {
  DISCARD,
  FIND_ANY_EDIT,
  FIND_EDITS,
  FIND_LANE,
  FIND_STANDING,
  NOTE_DECISION,
  REVIEW_ITEM,
} from './postgres-acceptance-statements.js';
import type { Queries } from './postgres-connection.js';
import { findFacts } from './postgres-facts.js';
import { bringForward } from './postgres-line.js';

/** A person's or an operator's word on one edit. */
export async function decide(transaction: Queries, decision: Decision): Promise<Written<Decided>> {
  const { vendor, editId, by, verdict } = decision;
  const rows =
    vendor === undefined
      ? await transaction.query<EditRow>(FIND_ANY_EDIT, editId)
      : await transaction.query<EditRow>(FIND_EDITS, vendor, [editId]);
  const [row, ...others] = rows;
  if (row === undefined) return unchanged({ kind: 'edit_unknown' });
  if (others.length > 0) return unchanged({ kind: 'edit_ambiguous', vendors: rows.map((one) => one.vendor) });
  const parked = row.state === 'refused' || row.state === 'conflict';
  if (!parked && !(verdict.kind === 'discard' && isUntried(row))) {
    return unchanged({ kind: 'edit_settled', receipt: receiptOf(row, by) });
  }
  const receipt =
    verdict.kind === 'discard'
      ? await discard(transaction, row, decision)
      : await again(transaction, row, verdict, decision);
  if (receipt === undefined) return unchanged({ kind: 'item_unknown' });
  if (verdict.kind === 'retry') await transaction.query(NOTE_DECISION, row.seq, by);
  return { answer: { kind: 'decided', receipt }, changed: [row.vendor] };
}

async function discard(transaction: Queries, row: EditRow, decision: Decision): Promise<Receipt> {
  const { by, verdict, now } = decision;
  await transaction.query(DISCARD, row.seq, by, now);
  await transaction.query(REVIEW_ITEM, row.vendor, row.item_id);
  await bringForward(transaction, row.vendor, row.item_id);
  if (verdict.kind === 'discard' && verdict.standing !== undefined) {
    const { vendor, item_id, seq } = row;
    const [standing] = await transaction.query<EditRow>(FIND_STANDING, vendor, item_id, seq);
    if (standing !== undefined) await again(transaction, standing, verdict.standing, decision);
  }
  return receiptOf({ ...row, state: 'discarded' }, by);
}

/** @returns `undefined` where another vendor has the id */
async function again(
  transaction: Queries,
  row: EditRow,
  wish: NewWish,
  { by, name, now, isAnothers }: Decision,
): Promise<Receipt | undefined> {
  const { vendor, item_id } = row;
  if (isAnothers?.(vendor, item_id) === true) return undefined;
  const [place] = await transaction.query<{ lane: string }>(FIND_LANE, vendor, item_id);
  if (place === undefined) throw new TypeError('an edit has its item');
  const { lane } = place;
  const facts = await findFacts(transaction, {
    items: [{ vendor, lane, id: item_id }],
    lines: [{ vendor, lane, bulk: false }],
  });
  if (facts.foreign.length > 0) return undefined;
  const [item] = facts.items;
  const appending = new Appending(facts);
  const receipt = appending.edit({
    vendor,
    subject: by,
    name: name ?? null,
    edit_id: wish.newId,
    item: item_id,
    label: null,
    lane,
    bulk: false,
    available: Boolean(row.available),
    was: item?.available ?? null,
    clicked_at: row.clicked_at,
    base: row.base,
    stamp: nextStamp(now + wish.portalOffset, item?.last_stamp, wish.stampUnit),
    accepted_at: now,
    retry_of: row.edit_id,
    state: 'received',
    reason: null,
  });
  await appending.write(transaction);
  return receipt;
}
