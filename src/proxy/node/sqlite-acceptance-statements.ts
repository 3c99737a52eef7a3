import type { ItemId } from '../../domain/item.js';
import type { EditState } from '../../domain/truth.js';
import { EDIT_COLUMNS, type EditRow } from './outbox-rows.js';
import { NEXT_REVISION, prepareSides, type Statements } from './sqlite-statements.js';

export interface ItemRow {
  readonly key: number;
  readonly vendor: string;
  readonly last_stamp: number;
  readonly again_at: number | null;
  readonly plain: number | null;
  /** Of the edit that `plain` names. */
  readonly available: 0 | 1 | null;
  readonly stamp: number | null;
}

/** With the key of its item. */
export type FoundEdit = EditRow & { readonly item: number };

/** An edit of an item that has not come to its end. */
export interface LiveRow {
  readonly seq: number;
  readonly state: EditState;
  readonly attempts: number;
  readonly open_attempt: number | null;
}

export type AcceptanceStatements = ReturnType<typeof prepareAcceptance>;

export function prepareAcceptance(database: Statements) {
  const edit = `SELECT ${EDIT_COLUMNS}, e.item FROM edit AS e JOIN item ON item.key = e.item`;
  const itemColumns = 'item.key, item.vendor, item.last_stamp, item.again_at, item.plain, plain.available, plain.stamp';
  return {
    findKey: database.prepare<[string, string, string], { digest: string; edit_ids: string }>(
      'SELECT digest, edit_ids FROM idempotency WHERE vendor = ? AND subject = ? AND key = ?',
    ),
    insertKey: database.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?)'),
    findEdit: database.prepare<[string, string], FoundEdit>(`${edit} WHERE e.edit_id = ? AND e.vendor = ?`),
    findAnyEdit: database.prepare<[string], FoundEdit>(`${edit} WHERE e.edit_id = ?`),
    findItem: database.prepare<[string], ItemRow>(
      `SELECT ${itemColumns}
       FROM item LEFT JOIN edit AS plain ON plain.seq = item.plain WHERE item.id = ?`,
    ),
    knowsAnyEdit: database.prepare<[string, string]>(
      'SELECT 1 FROM json_each(?) AS wanted CROSS JOIN edit ON edit.edit_id = wanted.value WHERE edit.vendor = ? LIMIT 1',
    ),
    findItems: database.prepare<[string], ItemRow & { readonly id: ItemId }>(
      `SELECT item.id, ${itemColumns} FROM json_each(?) AS wanted CROSS JOIN item ON item.id = wanted.value
       LEFT JOIN edit AS plain ON plain.seq = item.plain`,
    ),
    sides: prepareSides(database),
    knowsStamp: database.prepare<[number, number]>('SELECT 1 FROM edit WHERE item = ? AND stamp = ?'),
    insertItem: database.prepare(
      'INSERT INTO item (id, vendor, label, last_stamp, revision, shown, plain) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    updateItem: database.prepare(
      'UPDATE item SET label = coalesce(?, label), last_stamp = ?, revision = ?, shown = ?, plain = ? WHERE key = ?',
    ),
    live: database.prepare<[number], LiveRow>(
      `SELECT seq, state, attempts, open_attempt FROM edit
       WHERE item = ? AND state IN ('received', 'refused', 'conflict') ORDER BY seq`,
    ),
    supersede: database.prepare(
      `UPDATE edit SET state = 'superseded', settled_at = ?, due_at = NULL, turn = NULL WHERE seq = ?`,
    ),
    insertEdit: database.prepare(
      `INSERT INTO edit (seq, number, vendor, subject, name, edit_id, item, lane, bulk, available, was, clicked_at, base, stamp,
         accepted_at, retry_of, state, reason, due_at, turn)
       VALUES (@seq, @number, @vendor, @subject, @name, @edit_id, @item, @lane, @bulk, @available, @was, @clicked_at, @base, @stamp,
         @accepted_at, @retry_of, @state, @reason, @due_at, @turn)`,
    ),
    discard: database.prepare(
      `UPDATE edit SET state = 'discarded', settled_at = ?, decided_by = ?, due_at = NULL, turn = NULL WHERE seq = ?`,
    ),
    noteDecision: database.prepare('UPDATE edit SET decided_by = ? WHERE seq = ?'),
    reviewItem: database.prepare(
      `UPDATE item SET revision = ${NEXT_REVISION},
         shown = (SELECT seq FROM edit WHERE item = item.key AND state NOT IN ('superseded', 'discarded')
                  ORDER BY stamp DESC LIMIT 1),
         plain = (SELECT seq FROM edit WHERE item = item.key AND state NOT IN ('superseded', 'discarded', 'conflict')
                  ORDER BY stamp DESC LIMIT 1)
       WHERE key = ?`,
    ),
  };
}
