import { toEditIds, type EditId } from '../../../domain/edit.js';
import type { ItemId, Timestamp } from '../../../domain/item.js';
import { decideAcceptance, type NewEdit } from '../acceptance-rules.js';
import type { AcceptBatchCommand, AcceptResult } from '../outbox.js';
import { listed, listOf, type Transaction } from './tables/database.js';
import { findForeign, findUnlisted, hasList } from './ownership.js';
import { refreshLanes, cancelResends } from './queue.js';
import { findEdits, receipts } from './read.js';
import { toEditSnapshot, isUntried, toItemSnapshot, type EditRow, type Flag, type ItemRow } from './tables/rows.js';
import { Vendors } from './tables/vendors.js';

/** Batches of up to this many edits are interactive, and are sent before bulk batches. */
export const INTERACTIVE_EDITS = 20;

/** The owner of an item that the lists do not assign to the vendor. No vendor has an empty name. */
const UNLISTED = { vendor: '', lastTimestamp: 0 } as const;

/** Accepts a batch of a page as a whole or not at all. */
export async function accept(transaction: Transaction, batch: AcceptBatchCommand): Promise<AcceptResult> {
  const { vendor, subject, idempotencyKey, digest, lane, now } = batch;
  const [known] = await transaction.query<{ digest: string; edit_ids: string }>(
    'SELECT digest, edit_ids FROM idempotency WHERE vendor = $1 AND subject = $2 AND key = $3',
    vendor,
    subject,
    idempotencyKey,
  );
  if (known !== undefined) {
    if (known.digest !== digest) return { kind: 'idempotency_key_reused' };
    if (transaction.dialect.confirm !== undefined) await transaction.query(transaction.dialect.confirm);
    return { kind: 'accepted', receipts: await receipts(transaction, batch, known.edit_ids.split(',') as EditId[]) };
  }
  const ids = toEditIds(batch.edits);
  const itemIds = batch.edits.map(({ id }) => id);
  const earlier = await findEdits(transaction, vendor, ids);
  const items = await findItems(transaction, vendor, itemIds);
  const foreign = await findForeign(transaction, vendor, lane, itemIds);
  const unlisted = batch.lists && (await findUnlisted(transaction, vendor, itemIds, batch.lists));
  const bases = await findBases(transaction, batch, items);
  const decision = decideAcceptance(batch, {
    earlier: batch.edits.map(({ edit_id }) => toEditSnapshot(earlier.get(edit_id))),
    items: batch.edits.map(
      ({ id }) => foreign.get(id) ?? (unlisted?.has(id) === true ? UNLISTED : toItemSnapshot(items.get(id))),
    ),
    knowsBase: (at) => bases.has(at),
  });
  if (decision.kind === 'refused') {
    const isUnread = decision.why.kind === 'item_unknown' && batch.lists?.isRead === false;
    return isUnread && !(await hasList(transaction, vendor)) ? { kind: 'list_unread' } : decision.why;
  }
  await append(
    transaction,
    { vendor, lane, subject, name: batch.name ?? null, bulk: batch.edits.length > INTERACTIVE_EDITS ? 1 : 0, now },
    items,
    decision.edits.map(requestOf),
  );
  await transaction.query(
    `INSERT INTO idempotency (vendor, subject, key, digest, edit_ids, accepted_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    vendor,
    subject,
    idempotencyKey,
    digest,
    ids.join(','),
    now,
  );
  transaction.changed.add(vendor);
  return { kind: 'accepted', receipts: await receipts(transaction, batch, ids, true) };
}

/** A vendor's items of these ids, by id. */
export async function findItems(
  transaction: Transaction,
  vendor: string,
  ids: readonly ItemId[],
): Promise<Map<ItemId, ItemRow>> {
  const rows = await transaction.query<ItemRow>(
    `SELECT item.key, item.id, item.vendor, item.lane, item.owned_by_other, item.last_stamp, item.resend_at,
       item.newest_pending, newest.available, newest.stamp, newest.subject, newest.clicked_at
     FROM ${transaction.dialect.rows(1, 'wanted', { id: 'text' })} CROSS JOIN item
       LEFT JOIN edit AS newest ON newest.vendor = item.vendor AND newest.number = item.newest_pending
     WHERE item.vendor = $2 AND item.id = wanted.id`,
    JSON.stringify(ids.map((id) => ({ id }))),
    vendor,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The indices of the edits whose base is a timestamp that their item ever had here. */
async function findBases(
  transaction: Transaction,
  { edits }: AcceptBatchCommand,
  items: ReadonlyMap<ItemId, ItemRow>,
): Promise<Set<number>> {
  const based = edits.flatMap(({ id, base }, at) => {
    const item = items.get(id);
    return base === undefined || item === undefined ? [] : [{ at, item: item.key, stamp: Date.parse(base) }];
  });
  if (based.length === 0) return new Set();
  const wanted = transaction.dialect.rows(1, 'wanted', { at: 'integer', item: 'integer', stamp: 'integer' });
  const rows = await transaction.query<{ at: number }>(
    `SELECT wanted.at FROM ${wanted} CROSS JOIN edit WHERE edit.item = wanted.item AND edit.stamp = wanted.stamp`,
    JSON.stringify(based),
  );
  return new Set(rows.map(({ at }) => at));
}

/** The author and the lane of new edits. */
export interface Origin {
  readonly vendor: string;
  readonly lane: string;
  readonly subject: string;
  readonly name: string | null;
  readonly bulk: Flag;
  readonly now: number;
  /** The schedule that makes the edits; absent: a person. */
  readonly schedule?: string | null;
}

/** A new edit before it gets its numbers and its position in the queue. */
export interface EditRequest {
  readonly edit_id: EditId;
  readonly item_id: ItemId;
  readonly label: string | null;
  readonly available: Flag;
  readonly previous_value: Flag | null;
  readonly clicked_at: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
  readonly retry_of: EditId | null;
  readonly change_set?: EditId | null | undefined;
  readonly state: 'received' | 'conflict';
  readonly reason: string | null;
}

function requestOf({ edit, stamp, state, was }: NewEdit): EditRequest {
  return {
    edit_id: edit.edit_id,
    item_id: edit.id,
    label: edit.label ?? null,
    available: edit.available ? 1 : 0,
    previous_value: was === undefined ? null : was ? 1 : 0,
    clicked_at: edit.updated_at,
    base: edit.base ?? null,
    stamp,
    retry_of: null,
    change_set: edit.change_set,
    state,
    reason: state === 'conflict' ? 'changed_meanwhile' : null,
  };
}

/** Appends new edits, at most one of an item. @param items the existing items, by id */
export async function append(
  transaction: Transaction,
  origin: Origin,
  items: ReadonlyMap<ItemId, ItemRow>,
  requests: readonly EditRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const { vendor, lane, subject, name, now, schedule = null } = origin;
  const vendors = await Vendors.of(transaction, [vendor]);
  // An edit in conflict awaits a decision and replaces no other.
  const replaced = requests.flatMap(({ item_id, state }) => (state === 'conflict' ? [] : (items.get(item_id) ?? [])));
  const { blocked, places } = await giveWay(transaction, vendors, replaced, origin);
  let next = await nextPosition(transaction, origin);
  const rows = requests.map((request) => {
    const item = items.get(request.item_id);
    const waits = request.state === 'conflict' || (item !== undefined && blocked.has(item.key));
    const place = item && places.get(item.key);
    vendors.move(vendor, undefined, request.state);
    const number = vendors.nextNumber(vendor);
    return {
      ...request,
      number,
      revision: vendors.nextRevision(vendor),
      pending: request.state === 'conflict' ? null : number,
      bulk: place?.bulk ?? origin.bulk,
      // Due at once, even if the clock at acceptance is ahead.
      due_at: waits ? null : 0,
      queue_position: waits ? null : (place?.queue_position ?? next++),
    };
  });
  const json = JSON.stringify(rows);
  await transaction.query('INSERT INTO lane (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', lane);
  // The item may be in another lane if settings have changed and it is not moved yet, or owned by another vendor whose
  // edits are gone.
  await transaction.query(
    `INSERT INTO item (id, vendor, lane, label, last_stamp, revision, newest_visible, newest_pending)
     SELECT item_id, $2, $3, label, stamp, revision, number, pending
     FROM ${transaction.dialect.rows(1, 'new', REQUEST_COLUMNS)} WHERE true ORDER BY number
     ON CONFLICT (vendor, id) DO UPDATE SET lane = excluded.lane, owned_by_other = 0,
       label = coalesce(excluded.label, item.label), last_stamp = excluded.last_stamp, revision = excluded.revision,
       newest_visible = excluded.newest_visible, newest_pending = coalesce(excluded.newest_pending, item.newest_pending)`,
    json,
    vendor,
    lane,
  );
  await transaction.query(
    `INSERT INTO edit (number, vendor, subject, name, edit_id, item, lane, bulk, available, previous_value, clicked_at, base,
       stamp, accepted_at, retry_of, change_set, schedule, state, reason, due_at, queue_position)
     SELECT new.number, item.vendor, $3, $4, new.edit_id, item.key, $5, new.bulk, new.available, new.previous_value,
       new.clicked_at, new.base, new.stamp, CAST($6 AS bigint), new.retry_of, new.change_set, $7, new.state, new.reason,
       new.due_at, new.queue_position
     FROM ${transaction.dialect.rows(1, 'new', REQUEST_COLUMNS)} CROSS JOIN item
     WHERE item.vendor = $2 AND item.id = new.item_id ORDER BY new.number`,
    json,
    vendor,
    subject,
    name,
    lane,
    now,
    schedule,
  );
  await vendors.write();
  await refreshLanes(transaction, [lane]);
}

const REQUEST_COLUMNS = {
  number: 'integer',
  revision: 'integer',
  pending: 'integer',
  edit_id: 'text',
  item_id: 'text',
  label: 'text',
  bulk: 'integer',
  available: 'integer',
  previous_value: 'integer',
  clicked_at: 'text',
  base: 'text',
  stamp: 'integer',
  retry_of: 'text',
  change_set: 'text',
  state: 'text',
  reason: 'text',
  due_at: 'integer',
  queue_position: 'integer',
} as const;

type LiveRow = Pick<EditRow, 'seq' | 'item' | 'lane' | 'state' | 'attempts' | 'open_attempt'> &
  Place & { readonly confirm_at: number | null };

interface Place {
  readonly bulk: Flag;
  readonly queue_position: number | null;
}

interface GivenWay {
  /** Keys of items with an edit that is being sent or retried: a newer edit waits for it. */
  readonly blocked: ReadonlySet<number>;
  /** The position of the replaced edit by the key of its item: a rewritten edit keeps its position. */
  readonly places: ReadonlyMap<number, Place>;
}

/** Supersedes edits of these items that were not tried yet or await a decision. */
async function giveWay(
  transaction: Transaction,
  vendors: Vendors,
  items: readonly ItemRow[],
  { vendor, lane, bulk, now }: Origin,
): Promise<GivenWay> {
  const blocked = new Set<number>();
  const places = new Map<number, Place>();
  if (items.length === 0) return { blocked, places };
  const live = await transaction.query<LiveRow>(
    `SELECT seq, item, lane, state, attempts, open_attempt, bulk, queue_position, confirm_at FROM edit
     WHERE item IN ${listed(transaction, 1)} AND state IN ('received', 'refused', 'conflict')`,
    listOf(items.map(({ key }) => key)),
  );
  const superseded: number[] = [];
  for (const row of live) {
    // The portal has accepted this edit: it does not block a newer edit, and is not superseded before that one is
    // delivered.
    if (row.confirm_at !== null) continue;
    if (row.state === 'received' && !isUntried(row)) {
      blocked.add(row.item);
      continue;
    }
    superseded.push(row.seq);
    vendors.move(vendor, row.state, 'superseded');
    if (row.queue_position !== null && row.lane === lane && row.bulk <= bulk) places.set(row.item, row);
  }
  if (superseded.length > 0) {
    await transaction.query(
      `UPDATE edit SET state = 'superseded', settled_at = $2, due_at = NULL, queue_position = NULL
       WHERE seq IN ${listed(transaction, 1)}`,
      listOf(superseded),
      now,
    );
  }
  const resent = items.filter(({ resend_at }) => resend_at !== null).map(({ key }) => key);
  for (const { item, open } of await cancelResends(transaction, resent)) if (open) blocked.add(item);
  return { blocked, places };
}

/** The position of the next new edit: after the last edit of its vendor, and not before the head of the queue. */
async function nextPosition(transaction: Transaction, { lane, bulk, vendor }: Origin): Promise<number> {
  const queued = 'SELECT queue_position FROM edit WHERE lane = $1 AND bulk = $2 AND queue_position IS NOT NULL';
  const [row] = await transaction.query<{ head: number | null; last: number | null }>(
    `SELECT (${queued} ORDER BY queue_position LIMIT 1) AS head,
       (${queued} AND vendor = $3 ORDER BY queue_position DESC LIMIT 1) AS last`,
    lane,
    bulk,
    vendor,
  );
  return Math.max(row?.head ?? 0, (row?.last ?? -1) + 1);
}
