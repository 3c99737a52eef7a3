import type Database from 'better-sqlite3';
import { toTimestamp, type ItemId } from '../../domain/item.js';
import type { EditId } from '../../domain/edit.js';
import type { EditState } from '../../domain/truth.js';
import type { Receipt } from '../../contract/widget.js';
import { judge, nextStamp, type ItemFacts, type NewEdit } from '../acceptance.js';
import type { Acceptance, Accepted, Decided, Decision } from '../outbox.js';
import { INTERACTIVE_EDITS } from '../sending-order.js';
import { EDIT_COLUMNS, factsOf, receiptOf, type EditRow } from './outbox-rows.js';
import type { SqliteBook } from './sqlite-book.js';
import type { SqliteLine } from './sqlite-line.js';

interface ItemRow {
  readonly key: number;
  readonly vendor: string;
  readonly last_stamp: number;
  readonly again_at: number | null;
  readonly plain: number | null;
  /** Of the edit that `plain` names. */
  readonly available: 0 | 1 | null;
  readonly stamp: number | null;
}

interface LiveRow {
  readonly seq: number;
  readonly state: EditState;
  readonly attempts: number;
  readonly open_attempt: number | null;
}

interface Wish {
  readonly seq: number;
  readonly revision: number;
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly edit_id: EditId;
  readonly item_id: ItemId;
  readonly label: string | null;
  readonly lane: string;
  readonly bulk: 0 | 1;
  readonly available: 0 | 1;
  readonly was: 0 | 1 | null;
  readonly clicked_at: string;
  readonly base: string | null;
  readonly stamp: number;
  readonly accepted_at: number;
  readonly retry_of: EditId | null;
  readonly state: 'received' | 'conflict';
  readonly reason: string | null;
}

/** Everything that makes a new edit: a page's batch, or a person who wants an edit sent again. Runs inside a transaction. */
export class SqliteAcceptance {
  readonly #book: SqliteBook;
  readonly #line: SqliteLine;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database.Database, book: SqliteBook, line: SqliteLine) {
    this.#book = book;
    this.#line = line;
    this.#sql = prepare(database);
  }

  /** @returns the answer, and whose edits changed */
  accept(batch: Acceptance): { readonly answer: Accepted; readonly changed?: string } {
    const { vendor, subject, idempotencyKey, digest } = batch;
    const known = this.#sql.findKey.get(vendor, subject, idempotencyKey);
    if (known !== undefined) {
      if (known.digest !== digest) return { answer: { kind: 'idempotency_key_reused' } };
      return { answer: { kind: 'accepted', receipts: this.receipts(vendor, known.edit_ids.split(',') as EditId[]) } };
    }
    const earlier = batch.edits.map((edit) => this.#sql.findEdit.get(edit.edit_id, vendor));
    const items = batch.edits.map((edit) => this.#sql.findItem.get(edit.id));
    const judgement = judge(batch, {
      earlier: earlier.map(factsOf),
      items: items.map(itemFacts),
      knowsBase: (at, base) => this.#sql.knowsStamp.get(items[at]?.key ?? 0, base) !== undefined,
    });
    if (judgement.kind === 'refused') return { answer: judgement.why };
    const made = this.#insert(batch, judgement.edits, new Map(items.map((item, at) => [batch.edits[at]?.id, item])));
    const ids = batch.edits.map((edit) => edit.edit_id);
    this.#sql.insertKey.run(vendor, subject, idempotencyKey, digest, ids.join(','), batch.now);
    const receipts = earlier.flatMap((row) => (row === undefined ? (made.shift() ?? []) : [receiptOf(row)]));
    return { answer: { kind: 'accepted', receipts }, changed: vendor };
  }

  /** @returns the answer, and whose edits changed */
  decide({ vendor, editId, by, verdict, now }: Decision): { readonly answer: Decided; readonly changed?: string } {
    const row = vendor === undefined ? this.#sql.findAnyEdit.get(editId) : this.#sql.findEdit.get(editId, vendor);
    if (row === undefined) return { answer: { kind: 'edit_unknown' } };
    const parked = row.state === 'refused' || row.state === 'conflict';
    if (!parked && !(verdict.kind === 'discard' && isUntried(row))) {
      return { answer: { kind: 'edit_settled', receipt: receiptOf(row) } };
    }
    const receipt = verdict.kind === 'discard' ? this.#discard(row, by, now) : this.#again(row, verdict, by, now);
    return { answer: { kind: 'decided', receipt }, changed: row.vendor };
  }

  receipts(vendor: string, ids: readonly EditId[]): Receipt[] {
    return ids.flatMap((id) => this.#sql.findEdit.get(id, vendor) ?? []).map(receiptOf);
  }

  #insert(
    batch: Acceptance,
    edits: readonly NewEdit[],
    items: ReadonlyMap<ItemId | undefined, ItemRow | undefined>,
  ): Receipt[] {
    if (edits.length === 0) return [];
    const first = this.#book.take(edits.length, edits.length);
    const bulk = batch.edits.length > INTERACTIVE_EDITS ? 1 : 0;
    const turn = turnsFrom(() => this.#line.newcomer(batch.lane, bulk, batch.vendor));
    return edits.map(({ edit, stamp, state, was }, at) =>
      this.#append(items.get(edit.id), turn, {
        seq: first.seq + at,
        revision: first.revision + at,
        vendor: batch.vendor,
        subject: batch.subject,
        name: batch.name ?? null,
        edit_id: edit.edit_id,
        item_id: edit.id,
        label: edit.label ?? null,
        lane: batch.lane,
        bulk,
        available: edit.available ? 1 : 0,
        was: was === undefined ? null : was ? 1 : 0,
        clicked_at: edit.updated_at,
        base: edit.base ?? null,
        stamp,
        accepted_at: batch.now,
        retry_of: null,
        state,
        reason: state === 'conflict' ? 'changed_meanwhile' : null,
      }),
    );
  }

  #append(item: ItemRow | undefined, turn: () => number, wish: Wish): Receipt {
    // A conflict waits for a person; it replaces nothing.
    const conflict = wish.state === 'conflict';
    const behind = item !== undefined && !conflict && this.#giveWay(item, wish.accepted_at);
    const plain = conflict ? (item?.plain ?? null) : wish.seq;
    const { label, stamp, revision, seq } = wish;
    const key =
      item?.key ??
      this.#sql.insertItem.run(wish.item_id, wish.vendor, label, stamp, revision, seq, plain).lastInsertRowid;
    if (item !== undefined) this.#sql.updateItem.run(label, stamp, revision, seq, plain, key);
    const waits = conflict || behind;
    this.#sql.insertEdit.run({
      ...wish,
      item: key,
      due_at: waits ? null : wish.accepted_at,
      turn: waits ? null : turn(),
    });
    return {
      edit_id: wish.edit_id,
      id: wish.item_id,
      seq,
      state: wish.state,
      ...(wish.reason !== null && { reason: wish.reason }),
      updated_at: toTimestamp(stamp),
    };
  }

  /**
   * What nobody has tried yet, and what waits for a person, gives way to a newer wish.
   *
   * @returns whether something of the item is at the portal, or waits to be there again: the newer wish stands behind it
   */
  #giveWay(item: ItemRow, now: number): boolean {
    let behind = false;
    for (const row of this.#sql.live.all(item.key)) {
      if (row.state === 'received' && !isUntried(row)) behind = true;
      else this.#sql.supersede.run(now, row.seq);
    }
    const saidAgain = item.again_at !== null && this.#line.standBack(item.key);
    return behind || saidAgain;
  }

  #discard(row: EditRow, by: string, now: number): Receipt {
    this.#sql.discard.run(now, by, row.seq);
    this.#sql.reviewItem.run(this.#book.take(1, 0).revision, row.item);
    this.#line.bringForward(row.item, now);
    return receiptOf({ ...row, state: 'discarded' });
  }

  #again(
    row: EditRow,
    verdict: { readonly newId: EditId; readonly portalOffset: number },
    by: string,
    now: number,
  ): Receipt {
    const item = this.#sql.findItem.get(row.item_id);
    this.#sql.noteDecision.run(by, row.seq);
    return this.#append(item, () => this.#line.newcomer(row.lane, 0, row.vendor), {
      ...this.#book.take(1, 1),
      vendor: row.vendor,
      subject: by,
      name: null,
      edit_id: verdict.newId,
      item_id: row.item_id,
      label: null,
      lane: row.lane,
      bulk: 0,
      available: row.available ? 1 : 0,
      was: item?.available ?? null,
      clicked_at: row.clicked_at,
      base: row.base,
      stamp: nextStamp(now + verdict.portalOffset, item?.last_stamp),
      accepted_at: now,
      retry_of: row.edit_id,
      state: 'received',
      reason: null,
    });
  }
}

function prepare(database: Database.Database) {
  const edit = `SELECT ${EDIT_COLUMNS} FROM edit AS e JOIN item ON item.key = e.item`;
  return {
    findKey: database.prepare<[string, string, string], { digest: string; edit_ids: string }>(
      'SELECT digest, edit_ids FROM idempotency WHERE vendor = ? AND subject = ? AND key = ?',
    ),
    insertKey: database.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?)'),
    findEdit: database.prepare<[string, string], EditRow>(`${edit} WHERE e.edit_id = ? AND e.vendor = ?`),
    findAnyEdit: database.prepare<[string], EditRow>(`${edit} WHERE e.edit_id = ?`),
    findItem: database.prepare<[string], ItemRow>(
      `SELECT item.key, item.vendor, item.last_stamp, item.again_at, item.plain, plain.available, plain.stamp
       FROM item LEFT JOIN edit AS plain ON plain.seq = item.plain WHERE item.id = ?`,
    ),
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
      `INSERT INTO edit (seq, vendor, subject, name, edit_id, item, lane, bulk, available, was, clicked_at, base, stamp,
         accepted_at, retry_of, state, reason, due_at, turn)
       VALUES (@seq, @vendor, @subject, @name, @edit_id, @item, @lane, @bulk, @available, @was, @clicked_at, @base, @stamp,
         @accepted_at, @retry_of, @state, @reason, @due_at, @turn)`,
    ),
    discard: database.prepare(
      `UPDATE edit SET state = 'discarded', settled_at = ?, decided_by = ?, due_at = NULL, turn = NULL WHERE seq = ?`,
    ),
    noteDecision: database.prepare('UPDATE edit SET decided_by = ? WHERE seq = ?'),
    reviewItem: database.prepare(
      `UPDATE item SET revision = ?,
         shown = (SELECT seq FROM edit WHERE item = item.key AND state NOT IN ('superseded', 'discarded')
                  ORDER BY stamp DESC LIMIT 1),
         plain = (SELECT seq FROM edit WHERE item = item.key AND state NOT IN ('superseded', 'discarded', 'conflict')
                  ORDER BY stamp DESC LIMIT 1)
       WHERE key = ?`,
    ),
  };
}

function itemFacts(item: ItemRow | undefined): ItemFacts | undefined {
  if (item === undefined) return undefined;
  const { vendor, last_stamp: lastStamp, available, stamp } = item;
  return { vendor, lastStamp, ...(stamp !== null && { newest: { available: available === 1, stamp } }) };
}

function isUntried(row: Pick<LiveRow, 'state' | 'attempts' | 'open_attempt'>): boolean {
  return row.state === 'received' && row.attempts === 0 && row.open_attempt === null;
}

/** Asks for the first turn when it is needed, and counts on from there. */
function turnsFrom(first: () => number): () => number {
  let next: number | undefined;
  return () => {
    const turn = next ?? first();
    next = turn + 1;
    return turn;
  };
}
