import type Database from 'better-sqlite3';
import { toTimestamp, type ItemId } from '../../domain/item.js';
import { isEditId, type EditId } from '../../domain/edit.js';
import type { EditState } from '../../domain/truth.js';
import type { ListedItem, Receipt } from '../../contract/widget.js';
import {
  LONGEST_WAIT_MS,
  StorageFailed,
  type Acceptance,
  type Accepted,
  type AcceptedEdit,
  type Outbox,
} from '../outbox.js';
import { openDatabase } from './sqlite-database.js';

interface EditRow {
  readonly seq: number;
  readonly edit_id: EditId;
  readonly item_id: ItemId;
  readonly available: 0 | 1;
  readonly clicked_at: string;
  readonly base: string | null;
  readonly stamp: number;
  readonly state: EditState;
  readonly reason: string | null;
  readonly attempts: number;
}

/** `vendor` and `last_stamp` of an item. */
interface ItemRow {
  readonly vendor: string;
  readonly last_stamp: number;
}

// The oldest waiting edit of each item: nothing overtakes it.
const HEADS = `
  FROM edit AS e WHERE e.state = 'received' AND e.open = 0 AND NOT EXISTS (
    SELECT 1 FROM edit AS older WHERE older.item_id = e.item_id AND older.state = 'received' AND older.seq < e.seq)`;

/** The outbox in one SQLite file: the store of a single machine. @throws {StorageFailed} when the file cannot be used */
export function openSqliteOutbox(path: string): Outbox {
  const database = openDatabase(path);
  const statements = prepare(database);

  const accept = database.transaction((batch: Acceptance): Accepted => {
    const known = statements.findKey.get(batch.vendor, batch.subject, batch.idempotencyKey);
    if (known !== undefined) {
      if (known.digest !== batch.digest) return { kind: 'idempotency_key_reused' };
      return { kind: 'accepted', receipts: receiptsOf(batch.vendor, known.edit_ids.split(',').filter(isEditId)) };
    }
    const earlier = batch.edits.map((edit) => statements.findEdit.get(batch.vendor, edit.edit_id));
    const items = batch.edits.map((edit) => statements.findItem.get(edit.id));
    const reused = indices(batch.edits, (edit, at) => earlier[at] !== undefined && !isSameEdit(earlier[at], edit));
    if (reused.length > 0) return { kind: 'edit_id_reused', indices: reused };
    const foreign = indices(batch.edits, (_, at) => items[at] !== undefined && items[at].vendor !== batch.vendor);
    if (foreign.length > 0) return { kind: 'item_unknown', indices: foreign };

    batch.edits.forEach((edit, at) => {
      if (earlier[at] === undefined) insert(batch, edit, items[at]);
    });
    const ids = batch.edits.map((edit) => edit.edit_id);
    statements.insertKey.run(batch.vendor, batch.subject, batch.idempotencyKey, batch.digest, ids.join(','), batch.now);
    return { kind: 'accepted', receipts: receiptsOf(batch.vendor, ids) };
  });

  function insert(batch: Acceptance, edit: AcceptedEdit, item: ItemRow | undefined): void {
    const stamp = Math.max(batch.now, (item?.last_stamp ?? 0) + 1);
    statements.upsertItem.run(edit.id, batch.vendor, edit.label ?? null, stamp);
    statements.supersede.run(edit.id);
    statements.insertEdit.run({
      vendor: batch.vendor,
      subject: batch.subject,
      edit_id: edit.edit_id,
      item_id: edit.id,
      available: edit.available ? 1 : 0,
      clicked_at: edit.updated_at,
      base: edit.base ?? null,
      stamp,
      now: batch.now,
    });
  }

  function receiptsOf(vendor: string, editIds: readonly EditId[]): Receipt[] {
    return editIds.flatMap((id) => {
      const row = statements.findEdit.get(vendor, id);
      return row === undefined ? [] : [{ edit_id: row.edit_id, id: row.item_id, seq: row.seq, ...stateOf(row) }];
    });
  }

  const openAttempt = database.transaction((now: number, most: number) => {
    const rows = statements.dueHeads.all({ now, furthest: now + LONGEST_WAIT_MS, most });
    for (const row of rows) statements.open.run(row.seq);
    return rows.map((row) => ({
      seq: row.seq,
      id: row.item_id,
      available: row.available === 1,
      updated_at: toTimestamp(row.stamp),
      attempts: row.attempts + 1,
    }));
  });

  const settle = database.transaction((...[edits, settlement, now]: Parameters<Outbox['settle']>) => {
    for (const { seq } of edits) {
      switch (settlement.kind) {
        case 'delivered':
          statements.deliver.run(seq);
          break;
        case 'refused':
          statements.refuse.run({ seq, reason: settlement.reason });
          break;
        case 'waiting':
          statements.postpone.run({ seq, reason: settlement.reason ?? null, due: Math.max(settlement.dueAt, now) });
          break;
      }
    }
  });

  return {
    accept: (batch) => stored(() => accept.immediate(batch)),
    receipts: (vendor, ids) => stored(() => receiptsOf(vendor, ids)),
    list: (vendor, { after, limit }) =>
      stored(() => statements.list.all(vendor, after ?? '', limit).map((row) => listed(row))),
    openAttempt: (now, most) => stored(() => openAttempt.immediate(now, most)),
    settle: (...call) =>
      stored(() => {
        settle.immediate(...call);
      }),
    nextDue: () => stored(() => statements.nextDue.get()?.due ?? undefined),
    recover: (now) => stored(() => statements.recover.run(now).changes),
    close: () =>
      stored(() => {
        database.close();
      }),
  };
}

function prepare(database: Database.Database) {
  return {
    findKey: database.prepare<[string, string, string], { digest: string; edit_ids: string }>(
      'SELECT digest, edit_ids FROM idempotency WHERE vendor = ? AND subject = ? AND key = ?',
    ),
    insertKey: database.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?)'),
    findEdit: database.prepare<[string, string], EditRow>('SELECT * FROM edit WHERE vendor = ? AND edit_id = ?'),
    findItem: database.prepare<[string], ItemRow>('SELECT vendor, last_stamp FROM item WHERE id = ?'),
    upsertItem: database.prepare(
      `INSERT INTO item (id, vendor, label, last_stamp) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET label = coalesce(excluded.label, label), last_stamp = excluded.last_stamp`,
    ),
    // What nobody has tried yet, and what the portal would not take, gives way to the newer wish.
    supersede: database.prepare(
      `UPDATE edit SET state = 'superseded', due_at = NULL
       WHERE item_id = ? AND ((state = 'received' AND attempts = 0) OR state IN ('refused', 'conflict'))`,
    ),
    insertEdit: database.prepare(
      `INSERT INTO edit (vendor, subject, edit_id, item_id, available, clicked_at, base, stamp, accepted_at, state, due_at)
       VALUES (@vendor, @subject, @edit_id, @item_id, @available, @clicked_at, @base, @stamp, @now, 'received', @now)`,
    ),
    dueHeads: database.prepare<[{ now: number; furthest: number; most: number }], EditRow>(
      `SELECT e.* ${HEADS} AND (e.due_at <= @now OR e.due_at > @furthest) ORDER BY e.seq LIMIT @most`,
    ),
    nextDue: database.prepare<[], { due: number | null }>(`SELECT min(e.due_at) AS due ${HEADS}`),
    open: database.prepare('UPDATE edit SET open = 1, attempts = attempts + 1 WHERE seq = ?'),
    deliver: database.prepare(
      `UPDATE edit SET state = 'delivered', reason = NULL, open = 0, due_at = NULL WHERE seq = ? AND open = 1`,
    ),
    refuse: database.prepare(
      `UPDATE edit SET open = 0, due_at = NULL, reason = @reason, state = iif(
         EXISTS (SELECT 1 FROM edit AS newer WHERE newer.item_id = edit.item_id AND newer.seq > edit.seq),
         'superseded', 'refused')
       WHERE seq = @seq AND open = 1`,
    ),
    postpone: database.prepare(
      'UPDATE edit SET open = 0, due_at = @due, reason = @reason WHERE seq = @seq AND open = 1',
    ),
    recover: database.prepare('UPDATE edit SET open = 0, due_at = ? WHERE open = 1'),
    list: database.prepare<[string, string, number], EditRow & { label: string | null }>(
      `SELECT e.*, item.label AS label FROM item JOIN edit AS e ON e.seq = (
         SELECT max(seq) FROM edit WHERE item_id = item.id AND state NOT IN ('superseded', 'discarded'))
       WHERE item.vendor = ? AND item.id > ? ORDER BY item.id LIMIT ?`,
    ),
  };
}

function listed(row: EditRow & { readonly label: string | null }): ListedItem {
  return {
    id: row.item_id,
    available: row.available === 1,
    edit_id: row.edit_id,
    ...(row.label !== null && { label: row.label }),
    ...stateOf(row),
  };
}

function stateOf(row: EditRow): Pick<Receipt, 'state' | 'delayed' | 'reason' | 'updated_at'> {
  const delayed = row.state === 'received' && row.reason !== null;
  return {
    state: row.state,
    ...(delayed && { delayed }),
    ...(row.reason !== null && { reason: row.reason }),
    updated_at: toTimestamp(row.stamp),
  };
}

function isSameEdit(row: EditRow, edit: AcceptedEdit): boolean {
  return (
    row.item_id === edit.id &&
    row.available === (edit.available ? 1 : 0) &&
    row.clicked_at === edit.updated_at &&
    row.base === (edit.base ?? null)
  );
}

function indices(edits: readonly AcceptedEdit[], matches: (edit: AcceptedEdit, index: number) => boolean): number[] {
  return edits.flatMap((edit, index) => (matches(edit, index) ? [index] : []));
}

/** The driver is synchronous and the interface is not: one place turns its errors into the room's own. */
async function stored<T>(work: () => T): Promise<T> {
  try {
    return await Promise.resolve(work());
  } catch (error) {
    throw new StorageFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
