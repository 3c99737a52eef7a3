import type { Receipt } from '../../../contract/widget.js';
import { nextTimestamp } from '../acceptance-rules.js';
import type { Decided, Decision, NewEdit } from '../outbox.js';
import { append, findItems } from './accept.js';
import type { Queries, Scope, Transaction } from './tables/database.js';
import { findForeign, findUnlisted } from './ownership.js';
import { enqueueNext, refreshLanes } from './queue.js';
import { findEdits, receipts } from './read.js';
import { EDIT_COLUMNS, isUntried, receiptOf, type EditRow } from './tables/rows.js';
import { Vendors } from './tables/vendors.js';

/**
 * The scope of a decision: the vendor, and the lanes of the edit and of its item. If the id names no single edit,
 * nothing is written.
 */
export async function scopeOf(queries: Queries, { vendor, editId }: Decision): Promise<Scope> {
  const rows = await queries.query<{ vendor: string; lane: string; item_lane: string }>(
    `SELECT e.vendor, e.lane, item.lane AS item_lane FROM edit AS e JOIN item ON item.key = e.item WHERE e.edit_id = $1`,
    editId,
  );
  const [row, ...others] = rows.filter((one) => vendor === undefined || one.vendor === vendor);
  if (row === undefined || others.length > 0) return { rowsOnly: true };
  return { vendor: row.vendor, into: [...new Set([row.lane, row.item_lane])] };
}

/** A person's or an operator's decision on one edit. */
export async function decide(transaction: Transaction, decision: Decision): Promise<Decided> {
  const { vendor, editId, by, verdict } = decision;
  const rows =
    vendor === undefined
      ? await transaction.query<EditRow>(
          `SELECT ${EDIT_COLUMNS} FROM edit AS e JOIN item ON item.key = e.item WHERE e.edit_id = $1`,
          editId,
        )
      : [...(await findEdits(transaction, vendor, [editId])).values()];
  const [row, ...others] = rows;
  if (row === undefined) return { kind: 'edit_unknown' };
  if (others.length > 0) return { kind: 'edit_ambiguous', vendors: rows.map((one) => one.vendor) };
  const isAwaitingDecision = row.state === 'refused' || row.state === 'conflict';
  if (!isAwaitingDecision && !(verdict.kind === 'discard' && isUntried(row))) {
    return { kind: 'edit_settled', receipt: receiptOf(row, by) };
  }
  const receipt =
    verdict.kind === 'discard'
      ? await discard(transaction, row, decision)
      : await resubmit(transaction, row, verdict, decision);
  if (receipt === undefined) return { kind: 'item_unknown' };
  if (verdict.kind === 'retry') {
    await transaction.query('UPDATE edit SET decided_by = $2 WHERE seq = $1', row.seq, by);
  }
  transaction.changed.add(row.vendor);
  return { kind: 'decided', receipt };
}

async function discard(transaction: Transaction, row: EditRow, decision: Decision): Promise<Receipt> {
  const { by, verdict, now } = decision;
  const vendors = await Vendors.of(transaction, [row.vendor]);
  vendors.move(row.vendor, row.state, 'discarded');
  await transaction.query(
    `UPDATE edit SET state = 'discarded', decided_by = $2, settled_at = $3, due_at = NULL, queue_position = NULL
     WHERE seq = $1`,
    row.seq,
    by,
    now,
  );
  const newest = (
    gone: string,
  ): string => `(SELECT number FROM edit WHERE edit.item = item.key AND state NOT IN (${gone})
    ORDER BY stamp DESC LIMIT 1)`;
  await transaction.query(
    `UPDATE item SET revision = $2, newest_visible = ${newest(`'superseded', 'discarded'`)},
       newest_pending = ${newest(`'superseded', 'discarded', 'conflict'`)} WHERE key = $1`,
    row.item,
    vendors.nextRevision(row.vendor),
  );
  await vendors.write();
  await enqueueNext(transaction, [row.item]);
  await refreshLanes(transaction, [row.lane]);
  if (verdict.kind === 'discard' && verdict.resend !== undefined) {
    const resend = await findDelivered(transaction, row);
    if (resend !== undefined) await resubmit(transaction, resend, verdict.resend, decision);
  }
  return receiptOf({ ...row, state: 'discarded' }, by);
}

/**
 * Finds the delivered value of the item if the portal may have another value: that of the discarded edit, or of one
 * that the discarded edit repeats or was to replace. A discarded repeat that the portal rejected is not repeated again.
 */
async function findDelivered(transaction: Transaction, { item, seq }: EditRow): Promise<EditRow | undefined> {
  const [resend] = await transaction.query<EditRow>(
    `SELECT ${EDIT_COLUMNS} FROM item CROSS JOIN edit AS e
     WHERE item.key = $1 AND item.owned_by_other = 0 AND e.vendor = item.vendor AND e.number = item.newest_pending
       AND e.state = 'delivered'
       AND e.edit_id IS DISTINCT FROM (SELECT retry_of FROM edit WHERE seq = $2 AND attempts > 0)
       AND EXISTS (SELECT 1 FROM edit AS doubtful WHERE doubtful.item = item.key AND doubtful.stamp > e.stamp
         AND doubtful.attempts > 1 AND doubtful.number >= item.uncertain_from AND doubtful.available <> e.available)`,
    item,
    seq,
  );
  return resend;
}

/** Accepts the value of this edit again, as a new edit. @returns `undefined` if another vendor owns the id */
async function resubmit(
  transaction: Transaction,
  row: EditRow,
  { newId, portalOffset, timestampUnit }: NewEdit,
  { by, name, verdict, now, hasOtherOwner, lists }: Decision,
): Promise<Receipt | undefined> {
  const { vendor, item_id } = row;
  if (hasOtherOwner?.(vendor, item_id) === true) return undefined;
  const items = await findItems(transaction, vendor, [item_id]);
  const item = items.get(item_id);
  if (item === undefined) throw new TypeError('an edit has its item');
  const foreign = await findForeign(transaction, vendor, item.lane, [item_id]);
  if (foreign.size > 0) return undefined;
  if (lists && (await findUnlisted(transaction, vendor, [item_id], lists)).size > 0) return undefined;
  const origin = {
    vendor,
    lane: item.lane,
    subject: by,
    name: name ?? null,
    bulk: 0,
    now,
    schedule: row.schedule,
  } as const;
  await append(transaction, origin, items, [
    {
      edit_id: newId,
      item_id,
      label: null,
      available: row.available,
      // A retry replaces the same value as the edit that it repeats.
      previous_value:
        verdict.kind === 'retry' && item.newest_pending === row.number ? row.previous_value : item.available,
      clicked_at: row.clicked_at,
      base: row.base,
      stamp: nextTimestamp(now + portalOffset, item.last_stamp, timestampUnit),
      retry_of: row.edit_id,
      change_set: row.change_set,
      state: 'received',
      reason: null,
    },
  ]);
  const [receipt] = await receipts(transaction, { vendor, subject: by }, [newId]);
  return receipt;
}
