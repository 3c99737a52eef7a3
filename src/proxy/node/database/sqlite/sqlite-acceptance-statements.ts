import type { ItemId, Timestamp } from '../../../../domain/item.js';
import type { LiveRow } from '../live-row.js';
import { EDIT_COLUMNS, type EditRow } from '../outbox-rows.js';
import { NEXT_REVISION, prepareSides, type Statements } from './sqlite-statements.js';

export interface ItemRow {
  readonly key: number;
  readonly vendor: string;
  readonly lane: string;
  readonly yields: 0 | 1;
  readonly last_stamp: number;
  readonly again_at: number | null;
  readonly plain: number | null;
  /** Of the edit that `plain` names. */
  readonly available: 0 | 1 | null;
  readonly stamp: number | null;
  readonly subject: string | null;
  readonly clicked_at: Timestamp | null;
}

/** With the key of its item. */
export type FoundEdit = EditRow & { readonly item: number };

/** Whose edit it is, and by which lane it leaves. */
interface Place {
  readonly vendor: string;
  readonly lane: string;
}

export type AcceptanceStatements = ReturnType<typeof prepareAcceptance>;

export function prepareAcceptance(database: Statements) {
  const edit = `SELECT ${EDIT_COLUMNS}, e.item FROM edit AS e JOIN item ON item.key = e.item`;
  const itemColumns = `item.key, item.vendor, item.lane, item.yields, item.last_stamp, item.again_at, item.plain,
    plain.available, plain.stamp, plain.subject, plain.clicked_at`;
  const withPlain = 'LEFT JOIN edit AS plain ON plain.seq = item.plain';
  const findHolder = database.prepare<[string, string], ItemRow>(
    `SELECT ${itemColumns} FROM item ${withPlain} WHERE item.lane = ? AND item.id = ? AND item.yields = 0`,
  );
  const findOwn = database.prepare<[string, string], ItemRow>(
    `SELECT ${itemColumns} FROM item ${withPlain} WHERE item.vendor = ? AND item.id = ?`,
  );
  return {
    findKey: database.prepare<[string, string, string], { digest: string; edit_ids: string }>(
      'SELECT digest, edit_ids FROM idempotency WHERE vendor = ? AND subject = ? AND key = ?',
    ),
    insertKey: database.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?)'),
    findEdit: database.prepare<[string, string], FoundEdit>(`${edit} WHERE e.edit_id = ? AND e.vendor = ?`),
    findAnyEdit: database.prepare<[string], FoundEdit>(`${edit} WHERE e.edit_id = ?`),
    /** Whoever has this id in this lane; where nobody has, this vendor's own item. */
    findItem: (id: ItemId, { vendor, lane }: Place): ItemRow | undefined =>
      findHolder.get(lane, id) ?? findOwn.get(vendor, id),
    findOwn,
    sides: prepareSides(database),
    knowsStamp: database.prepare<[number, number]>('SELECT 1 FROM edit WHERE item = ? AND stamp = ?'),
    insertItem: database.prepare(
      `INSERT INTO item (id, vendor, lane, since, label, last_stamp, revision, shown, plain)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    enterLane: database.prepare('UPDATE item SET lane = ?, yields = 0 WHERE key = ?'),
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
       VALUES (${Array<string>(20).fill('?').join(', ')})`,
    ),
    discard: database.prepare(
      `UPDATE edit SET state = 'discarded', settled_at = ?, decided_by = ?, due_at = NULL, turn = NULL WHERE seq = ?`,
    ),
    /**
     * The delivered value of the item, where the portal may have another value instead: that of the discarded edit, or of one that
     * the discarded edit repeats or was to replace. A discarded repeat that the portal rejected is not repeated again.
     */
    findStanding: database.prepare<[Pick<FoundEdit, 'item' | 'seq'>], FoundEdit>(
      `${edit} WHERE item.key = @item AND item.yields = 0 AND e.seq = item.plain AND e.state = 'delivered'
         AND e.edit_id IS NOT (SELECT retry_of FROM edit WHERE seq = @seq AND attempts > 0)
         AND EXISTS (SELECT 1 FROM edit AS doubtful WHERE doubtful.item = item.key AND doubtful.stamp > e.stamp
           AND doubtful.attempts > 1 AND doubtful.seq >= item.unsure_seq AND doubtful.available <> e.available)`,
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
