import type { LanePatch, Lease, OpenEdit, RejectedEdit, AttemptOutcome } from '../outbox.js';
import { listed, listOf, wholeTime, type Transaction } from './tables/database.js';
import {
  addUncertainty,
  effectOf,
  storedTime,
  type AttemptResult,
  type OpenRow,
  type OutcomeEffect,
} from './outcomes.js';
import { throwItemsUnknown } from './ownership.js';
import { enqueueNext, expectLease, renewLease, cancelResends } from './queue.js';
import { OTHERS_UNCERTAIN_UNTIL, rejectionsIn, type EditRow, type Flag } from './tables/rows.js';
import { Vendors } from './tables/vendors.js';

/** Stores an open attempt and renews the lease. @returns the edits of the attempt */
export async function beginAttempt(
  transaction: Transaction,
  lease: Lease,
  edits: readonly OpenEdit[],
  callersNow: number,
): Promise<OpenEdit[]> {
  const now = transaction.now(callersNow);
  await renewLease(transaction, lease, now);
  const rows = await transaction.query<OpenableRow>(
    `SELECT e.seq, e.item, e.state, e.attempts, e.open_attempt,
       CASE WHEN item.owned_by_other = 1 AND item.lane = e.lane AND (
         EXISTS (SELECT 1 FROM item AS owner WHERE owner.lane = item.lane AND owner.id = item.id AND owner.owned_by_other = 0)
         OR (SELECT vendor FROM item_owner WHERE item_owner.id = item.id ORDER BY key LIMIT 1) <> item.vendor)
       THEN 1 ELSE 0 END AS foreign_item
     FROM ${transaction.dialect.rows(2, 'wanted', { value: 'integer' })} CROSS JOIN edit AS e CROSS JOIN item
     WHERE e.seq = wanted.value AND e.lane = $1 AND (e.due_at IS NOT NULL OR e.open_attempt IS NOT NULL)
       AND item.key = e.item`,
    lease.lane,
    listOf(edits.map(({ seq }) => seq)),
  );
  const found = new Map(rows.map((row) => [row.seq, row]));
  const openable = edits.flatMap((edit) => {
    const row = found.get(edit.seq);
    return row?.state === (edit.isResend ? 'delivered' : 'received') ? [{ edit, row }] : [];
  });
  const foreign = openable.flatMap(({ row }) => (row.foreign_item === 1 ? [row] : []));
  if (foreign.length > 0) await refuseForeign(transaction, foreign, now, callersNow);
  const wanted = openable.filter(({ row }) => row.foreign_item === 0);
  if (wanted.length > 0) {
    const seqs = wanted.map(({ edit }) => edit.seq);
    const [attempt] = await transaction.query<{ id: number }>(
      'INSERT INTO attempt (lane, edits, still_open, opened_at) VALUES ($1, $2, $3, $4) RETURNING id',
      lease.lane,
      seqs.join(','),
      seqs.length,
      wholeTime(now),
    );
    await transaction.query(
      `UPDATE edit SET open_attempt = $2, attempts = attempts + 1, due_at = NULL, queue_position = NULL
       WHERE seq IN ${listed(transaction, 1)}`,
      listOf(seqs),
      attempt?.id ?? null,
    );
    await endAttempts(
      transaction,
      wanted.flatMap(({ row }) => (row.open_attempt === null ? [] : [[row.open_attempt, 'split'] as const])),
      now,
    );
  }
  return wanted.map(({ edit, row }) => ({ ...edit, attempts: row.attempts + 1 }));
}

interface OpenableRow extends Pick<EditRow, 'seq' | 'item' | 'state' | 'attempts' | 'open_attempt'> {
  /** The id belongs to another vendor in this lane by now. */
  readonly foreign_item: Flag;
}

async function refuseForeign(
  transaction: Transaction,
  rows: readonly OpenableRow[],
  now: number,
  settledAt: number,
): Promise<void> {
  await transaction.query(
    `UPDATE edit SET open_attempt = NULL WHERE seq IN ${listed(transaction, 1)}`,
    listOf(rows.map(({ seq }) => seq)),
  );
  await endAttempts(
    transaction,
    rows.flatMap(({ open_attempt }) => (open_attempt === null ? [] : [[open_attempt, 'refused'] as const])),
    now,
  );
  await throwItemsUnknown(
    transaction,
    rows.map(({ item }) => item),
    settledAt,
  );
}

export async function recordOutcomes(
  transaction: Transaction,
  lease: Lease,
  attemptOutcomes: readonly AttemptOutcome[],
  callersNow: number,
  patch?: LanePatch,
): Promise<void> {
  await expectLease(transaction, lease);
  const now = transaction.now(callersNow);
  const rows = await findOpen(
    transaction,
    lease.lane,
    attemptOutcomes.map(({ edit }) => edit.seq),
  );
  const open = new Map(rows.map((row) => [row.seq, row]));
  const ended: [OpenRow, OutcomeEffect][] = [];
  for (const attemptOutcome of attemptOutcomes) {
    const row = open.get(attemptOutcome.edit.seq);
    // A second settlement of the same attempt has no effect.
    if (row === undefined || !open.delete(row.seq)) continue;
    ended.push([row, effectOf(row, attemptOutcome, lease, { now, callersNow })]);
    transaction.changed.add(row.vendor);
  }
  await end(transaction, ended, now);
  if (patch !== undefined) {
    await transaction.query(
      `UPDATE lane SET recent_rejections = coalesce($2, recent_rejections),
         not_before = coalesce(CAST($3 AS bigint), not_before),
         verified_credential = coalesce(CAST($4 AS text), verified_credential) WHERE name = $1`,
      lease.lane,
      rejectionsIn(patch),
      patch.notBefore === undefined ? null : storedTime(patch.notBefore, { now, callersNow }),
      patch.verifiedCredential ?? null,
    );
  }
}

/** Ends attempts that an earlier holder of the lane left open. The portal may have applied them. */
export async function recover(transaction: Transaction, lane: string, now: number, uncertainMs: number): Promise<void> {
  const rows = await findOpen(transaction, lane);
  await end(
    transaction,
    rows.map((row) => [row, { result: 'unknown', uncertainty: addUncertainty(row, now, uncertainMs) }]),
    now,
  );
}

export async function reopen(
  transaction: Transaction,
  lease: Lease,
  edits: readonly RejectedEdit[],
  reason: string,
  callersNow: number,
): Promise<void> {
  await expectLease(transaction, lease);
  const now = wholeTime(transaction.now(callersNow));
  const rows = await transaction.query<{ seq: number; item: number; vendor: string; resend_at: number | null }>(
    `SELECT e.seq, e.item, e.vendor, item.resend_at
     FROM ${transaction.dialect.rows(2, 'wanted', { value: 'integer' })} CROSS JOIN edit AS e CROSS JOIN item
     WHERE e.seq = wanted.value AND e.lane = $1 AND e.state = 'refused' AND item.key = e.item ORDER BY e.seq`,
    lease.lane,
    listOf(edits.map(({ seq }) => seq)),
  );
  const resent = await cancelResends(
    transaction,
    rows.filter(({ resend_at }) => resend_at !== null).map(({ item }) => item),
  );
  // While the resend of an earlier value is in flight, the reopened edit waits for it.
  const behind = new Set(resent.filter(({ open }) => open).map(({ item }) => item));
  const vendors = await Vendors.of(
    transaction,
    rows.map(({ vendor }) => vendor),
  );
  const back = rows.map(({ seq, item, vendor }) => {
    vendors.move(vendor, 'refused', 'received');
    transaction.changed.add(vendor);
    return { seq, item, revision: vendors.nextRevision(vendor), due_at: behind.has(item) ? null : now };
  });
  const columns = { seq: 'integer', item: 'integer', revision: 'integer', due_at: 'integer' } as const;
  await transaction.query(
    `UPDATE edit SET state = 'received', reason = $2, settled_at = NULL, due_at = back.due_at
     FROM ${transaction.dialect.rows(1, 'back', columns)} WHERE edit.seq = back.seq`,
    JSON.stringify(back),
    reason,
  );
  await transaction.query(
    `UPDATE item SET revision = back.revision FROM ${transaction.dialect.rows(1, 'back', columns)} WHERE item.key = back.item`,
    JSON.stringify(back),
  );
  await vendors.write();
}

function findOpen(transaction: Transaction, lane: string, seqs?: readonly number[]): Promise<OpenRow[]> {
  const columns = `e.seq, e.number, e.vendor, e.item, e.state, e.reason, e.settled_at, e.open_attempt,
    (SELECT opened_at FROM attempt WHERE id = e.open_attempt) AS opened_at, item.newest_pending, item.uncertain_until,
    item.uncertain_from, ${OTHERS_UNCERTAIN_UNTIL}, item.resend_at,
    CASE WHEN EXISTS (SELECT 1 FROM edit AS sent WHERE sent.item = e.item AND sent.state IN ('received', 'refused', 'conflict')
      AND sent.confirm_at IS NOT NULL) THEN 1 ELSE 0 END AS has_accepted,
    (SELECT last_number FROM vendor WHERE name = e.vendor) AS last_number,
    (SELECT last_revision FROM vendor WHERE name = e.vendor) AS last_revision`;
  if (seqs === undefined) {
    return transaction.query(
      `SELECT ${columns} FROM edit AS e CROSS JOIN item
       WHERE e.lane = $1 AND e.open_attempt IS NOT NULL AND item.key = e.item ORDER BY e.seq`,
      lane,
    );
  }
  return transaction.query(
    `SELECT ${columns} FROM ${transaction.dialect.rows(2, 'wanted', { value: 'integer' })} CROSS JOIN edit AS e CROSS JOIN item
     WHERE e.seq = wanted.value AND e.lane = $1 AND e.open_attempt IS NOT NULL AND item.key = e.item ORDER BY e.seq`,
    lane,
    listOf(seqs),
  );
}

const ENDED_COLUMNS = {
  seq: 'integer',
  state: 'text',
  reason: 'text',
  settled_at: 'integer',
  due_at: 'integer',
  confirm_at: 'integer',
  answered_at: 'integer',
  key: 'integer',
  revision: 'integer',
  uncertain_until: 'integer',
  uncertain_from: 'integer',
  resend_at: 'integer',
} as const;

/** Stores the outcomes of open edits, at most one of an item, because only one is open at a time. */
async function end(
  transaction: Transaction,
  ended: readonly (readonly [OpenRow, OutcomeEffect])[],
  now: number,
): Promise<void> {
  if (ended.length === 0) return;
  const vendors = new Vendors(
    transaction,
    ended.map(([{ vendor, ...numbers }]) => ({ name: vendor, ...numbers })),
  );
  const rows = ended.map(([row, outcome]) => {
    const state = outcome.state ?? row.state;
    if (state !== row.state) vendors.move(row.vendor, row.state, state);
    // A change is shown to people, except for a resend.
    const isSeen = row.state === 'received' && outcome.result !== 'unknown';
    return {
      seq: row.seq,
      state,
      reason: outcome.reason === undefined ? row.reason : outcome.reason,
      settled_at: outcome.settledAt ?? row.settled_at,
      due_at: outcome.dueAt ?? null,
      confirm_at: outcome.confirmAt ?? null,
      answered_at: outcome.result === 'delivered' ? wholeTime(now) : null,
      key: row.item,
      revision: isSeen ? vendors.nextRevision(row.vendor) : null,
      uncertain_until: outcome.uncertainty === undefined ? row.uncertain_until : (outcome.uncertainty?.until ?? null),
      uncertain_from: outcome.uncertainty === undefined ? row.uncertain_from : (outcome.uncertainty?.seq ?? null),
      resend_at: outcome.resendAt === undefined ? row.resend_at : outcome.resendAt,
    };
  });
  // If neither this edit nor a newer one of its item waits, no edit has to be queued.
  const waiting = new Set(
    ended.flatMap(([{ item, number, newest_pending }, { state, confirmAt }]) =>
      (state === 'delivered' || confirmAt !== undefined) && number === newest_pending ? [] : [item],
    ),
  );
  const table = transaction.dialect.rows(1, 'ended', ENDED_COLUMNS);
  await transaction.query(
    `UPDATE edit SET state = ended.state, reason = ended.reason, settled_at = ended.settled_at, due_at = ended.due_at,
       confirm_at = ended.confirm_at, answered_at = coalesce(ended.answered_at, edit.answered_at), open_attempt = NULL FROM ${table} WHERE edit.seq = ended.seq`,
    JSON.stringify(rows),
  );
  await transaction.query(
    `UPDATE item SET revision = coalesce(ended.revision, item.revision), uncertain_until = ended.uncertain_until,
       uncertain_from = ended.uncertain_from, resend_at = ended.resend_at FROM ${table} WHERE item.key = ended.key`,
    JSON.stringify(rows),
  );
  await enqueueNext(
    transaction,
    rows.filter(({ key, resend_at }) => resend_at !== null || waiting.has(key)).map(({ key }) => key),
  );
  await endAttempts(
    transaction,
    ended.map(([row, { result }]) => [row.open_attempt, result]),
    now,
  );
  const replaced = ended.flatMap(([{ item, has_accepted }, { result }]) =>
    has_accepted === 1 && result === 'delivered' ? [item] : [],
  );
  if (replaced.length > 0) await supersedeAccepted(transaction, vendors, replaced, now);
  await vendors.write();
}

/**
 * Supersedes accepted edits of these items that are older than the newest one that the portal has accepted or applied:
 * the portal will not confirm them.
 */
async function supersedeAccepted(
  transaction: Transaction,
  vendors: Vendors,
  items: readonly number[],
  now: number,
): Promise<void> {
  const superseded = await transaction.query<{ vendor: string }>(
    `UPDATE edit SET state = 'superseded', settled_at = $2, confirm_at = NULL
     WHERE item IN ${listed(transaction, 1)} AND state = 'received' AND confirm_at IS NOT NULL
       AND stamp < (SELECT newest.stamp FROM edit AS newest WHERE newest.item = edit.item
         AND (newest.state = 'delivered' OR newest.confirm_at IS NOT NULL) ORDER BY newest.stamp DESC LIMIT 1)
     RETURNING vendor`,
    listOf(items),
    wholeTime(now),
  );
  for (const { vendor } of superseded) vendors.move(vendor, 'received', 'superseded');
}

const CONFIRMED_AT_ONCE = 500;

/** Confirms a portion of the accepted edits whose time is over. @returns whether there may be more */
export async function confirmAccepted(transaction: Transaction, callersNow: number, wall: number): Promise<boolean> {
  const rows = await transaction.query<AcceptedRow>(
    `SELECT seq, item, vendor FROM edit WHERE state = 'received' AND confirm_at <= $1
     ORDER BY confirm_at LIMIT ${String(CONFIRMED_AT_ONCE)}`,
    transaction.now(callersNow),
  );
  await markDelivered(transaction, rows, wall);
  return rows.length === CONFIRMED_AT_ONCE;
}

/** An edit that the portal has accepted. */
export interface AcceptedRow {
  readonly seq: number;
  readonly item: number;
  readonly vendor: string;
}

/** Marks accepted edits as delivered, because the portal has applied them. @param wall the time shown to people */
export async function markDelivered(
  transaction: Transaction,
  rows: readonly AcceptedRow[],
  wall: number,
): Promise<void> {
  if (rows.length === 0) return;
  const vendors = await Vendors.of(
    transaction,
    rows.map(({ vendor }) => vendor),
  );
  const confirmed = rows.map(({ seq, item, vendor }) => {
    vendors.move(vendor, 'received', 'delivered');
    transaction.changed.add(vendor);
    return { seq, item, revision: vendors.nextRevision(vendor) };
  });
  const table = transaction.dialect.rows(1, 'confirmed', { seq: 'integer', item: 'integer', revision: 'integer' });
  await transaction.query(
    `UPDATE edit SET state = 'delivered', reason = NULL, settled_at = $2, confirm_at = NULL FROM ${table}
     WHERE edit.seq = confirmed.seq`,
    JSON.stringify(confirmed),
    wholeTime(wall),
  );
  await transaction.query(
    `UPDATE item SET revision = confirmed.revision FROM ${table} WHERE item.key = confirmed.item`,
    JSON.stringify(confirmed),
  );
  await vendors.write();
}

const COUNT_COLUMNS = {
  id: 'integer',
  ended: 'integer',
  delivered: 'integer',
  refused: 'integer',
  waiting: 'integer',
  unknown: 'integer',
  split: 'integer',
} as const;

async function endAttempts(
  transaction: Transaction,
  results: readonly (readonly [attempt: number, result: AttemptResult])[],
  now: number,
): Promise<void> {
  if (results.length === 0) return;
  const counts = new Map<number, Record<AttemptResult | 'ended', number>>();
  for (const [attempt, result] of results) {
    const count = counts.get(attempt) ?? { delivered: 0, refused: 0, waiting: 0, unknown: 0, split: 0, ended: 0 };
    count[result] += 1;
    count.ended += 1;
    counts.set(attempt, count);
  }
  await transaction.query(
    `UPDATE attempt SET delivered = attempt.delivered + e.delivered, refused = attempt.refused + e.refused,
       waiting = attempt.waiting + e.waiting, unknown = attempt.unknown + e.unknown, split = attempt.split + e.split,
       still_open = still_open - e.ended, closed_at = CASE WHEN still_open = e.ended THEN CAST($2 AS bigint) END
     FROM ${transaction.dialect.rows(1, 'e', COUNT_COLUMNS)} WHERE attempt.id = e.id`,
    JSON.stringify(Array.from(counts, ([id, count]) => ({ id, ...count }))),
    wholeTime(now),
  );
}
