import { toTimestamp, type ItemId } from '../../domain/item.js';
import type { EditId } from '../../domain/edit.js';
import type { Receipt } from '../../contract/widget.js';
import { judge, nextStamp, type ItemFacts, type NewEdit } from '../acceptance.js';
import type { Acceptance, Accepted, Asker, Decided, Decision } from '../outbox.js';
import { INTERACTIVE_EDITS } from '../sending-order.js';
import { against, factsOf, receiptOf, unchanged, type Written } from './outbox-rows.js';
import {
  prepareAcceptance,
  type AcceptanceStatements,
  type FoundEdit,
  type ItemRow,
  type LiveRow,
} from './sqlite-acceptance-statements.js';
import type { SqliteBook } from './sqlite-book.js';
import type { SqliteLine } from './sqlite-line.js';
import type { Statements } from './sqlite-statements.js';

type Retry = Extract<Decision['verdict'], { kind: 'retry' }>;

interface Wish {
  readonly seq: number;
  readonly number: number;
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
  readonly #sql: AcceptanceStatements;

  constructor(database: Statements, book: SqliteBook, line: SqliteLine) {
    this.#book = book;
    this.#line = line;
    this.#sql = prepareAcceptance(database);
  }

  accept(batch: Acceptance): Written<Accepted> {
    const { vendor, subject, idempotencyKey, digest } = batch;
    const known = this.#sql.findKey.get(vendor, subject, idempotencyKey);
    if (known !== undefined) {
      if (known.digest !== digest) return unchanged({ kind: 'idempotency_key_reused' });
      return unchanged({ kind: 'accepted', receipts: this.receipts(batch, known.edit_ids.split(',') as EditId[]) });
    }
    const earlier = batch.edits.map((edit) => this.#sql.findEdit.get(edit.edit_id, vendor));
    const items = batch.edits.map((edit) => this.#sql.findItem.get(edit.id));
    const judgement = judge(batch, {
      earlier: earlier.map(factsOf),
      items: items.map(itemFacts),
      knowsBase: (at, base) => this.#sql.knowsStamp.get(items[at]?.key ?? 0, base) !== undefined,
    });
    if (judgement.kind === 'refused') return unchanged(judgement.why);
    const made = this.#insert(batch, judgement.edits, new Map(items.map((item, at) => [batch.edits[at]?.id, item])));
    const ids = batch.edits.map((edit) => edit.edit_id);
    this.#sql.insertKey.run(vendor, subject, idempotencyKey, digest, ids.join(','), batch.now);
    const receipts = earlier.flatMap((row) =>
      row === undefined ? (made.shift() ?? []) : [this.#receipt(row, subject)],
    );
    return { answer: { kind: 'accepted', receipts }, changed: [vendor] };
  }

  decide(decision: Decision): Written<Decided> {
    const { vendor, editId, by, verdict } = decision;
    const row = vendor === undefined ? this.#sql.findAnyEdit.get(editId) : this.#sql.findEdit.get(editId, vendor);
    if (row === undefined) return unchanged({ kind: 'edit_unknown' });
    const parked = row.state === 'refused' || row.state === 'conflict';
    if (!parked && !(verdict.kind === 'discard' && isUntried(row))) {
      return unchanged({ kind: 'edit_settled', receipt: this.#receipt(row, by) });
    }
    const receipt = verdict.kind === 'discard' ? this.#discard(row, decision) : this.#again(row, verdict, decision);
    return { answer: { kind: 'decided', receipt }, changed: [row.vendor] };
  }

  receipts({ vendor, subject }: Asker, ids: readonly EditId[]): Receipt[] {
    return ids.flatMap((id) => this.#sql.findEdit.get(id, vendor) ?? []).map((row) => this.#receipt(row, subject));
  }

  #receipt(row: FoundEdit, asker: string): Receipt {
    return against(receiptOf(row, asker), this.#sql.standing(row), asker);
  }

  #insert(
    batch: Acceptance,
    edits: readonly NewEdit[],
    items: ReadonlyMap<ItemId | undefined, ItemRow | undefined>,
  ): Receipt[] {
    if (edits.length === 0) return [];
    const parked = edits.filter(({ state }) => state === 'conflict').length;
    const first = this.#book.take(edits.length, parked);
    const last = this.#book.lastOf(batch.vendor);
    const bulk = batch.edits.length > INTERACTIVE_EDITS ? 1 : 0;
    const turn = turnsFrom(() => this.#line.newcomer(batch.lane, bulk, batch.vendor));
    return edits.map(({ edit, stamp, state, was }, at) =>
      this.#append(items.get(edit.id), turn, {
        seq: first + at,
        number: last.number + 1 + at,
        revision: last.revision + 1 + at,
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
      // At once, whatever the clock of acceptance says.
      due_at: waits ? null : 0,
      turn: waits ? null : turn(),
    });
    const receipt: Receipt = {
      edit_id: wish.edit_id,
      id: wish.item_id,
      seq: wish.number,
      state: wish.state,
      ...(wish.reason !== null && { reason: wish.reason }),
      updated_at: toTimestamp(stamp),
    };
    return item === undefined
      ? receipt
      : against(receipt, this.#sql.standing({ state: wish.state, item: item.key }), wish.subject);
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

  #discard(row: FoundEdit, { by, now }: Decision): Receipt {
    this.#sql.discard.run(now, by, row.seq);
    this.#sql.reviewItem.run(row.item);
    this.#line.bringForward(row.item);
    return receiptOf({ ...row, state: 'discarded' }, by);
  }

  #again(row: FoundEdit, verdict: Retry, { by, name, now }: Decision): Receipt {
    const item = this.#sql.findItem.get(row.item_id);
    const last = this.#book.lastOf(row.vendor);
    this.#sql.noteDecision.run(by, row.seq);
    return this.#append(item, () => this.#line.newcomer(row.lane, 0, row.vendor), {
      seq: this.#book.take(1),
      number: last.number + 1,
      revision: last.revision + 1,
      vendor: row.vendor,
      subject: by,
      name: name ?? null,
      edit_id: verdict.newId,
      item_id: row.item_id,
      label: null,
      lane: row.lane,
      bulk: 0,
      available: row.available ? 1 : 0,
      was: item?.available ?? null,
      clicked_at: row.clicked_at,
      base: row.base,
      stamp: nextStamp(now + verdict.portalOffset, item?.last_stamp, verdict.stampUnit),
      accepted_at: now,
      retry_of: row.edit_id,
      state: 'received',
      reason: null,
    });
  }
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
