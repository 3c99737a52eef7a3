import type { ItemId } from '../../../../domain/item.js';
import { idsOf, type EditId } from '../../../../domain/edit.js';
import type { Receipt } from '../../../../contract/widget.js';
import { judge, nextStamp, type Judgement, type NewEdit } from '../../../outbox/acceptance-rules.js';
import type { Acceptance, Accepted, Asker, Decided, Decision, NewWish } from '../../../outbox/outbox.js';
import { INTERACTIVE_EDITS } from '../../../outbox/fair-order.js';
import { isUntried } from '../live-row.js';
import { factsOf, itemFacts, receiptOf, unchanged, withSides, type Written } from '../outbox-rows.js';
import type { AcceptanceStatements, FoundEdit, ItemRow } from './sqlite-acceptance-statements.js';
import { turnsFrom, type SqliteAppending, type Wish } from './sqlite-appending.js';
import type { SqliteBook } from '../../sqlite-book.js';
import type { SqliteLine } from './sqlite-line.js';

type Refused = Extract<Judgement, { kind: 'refused' }>['why'];

interface AcceptanceParts {
  readonly sql: AcceptanceStatements;
  readonly book: SqliteBook;
  readonly line: SqliteLine;
  readonly appending: SqliteAppending;
}

/** Everything that makes a new edit: a page's batch, or a person who wants an edit sent again. Runs inside a transaction. */
export class SqliteAcceptance {
  readonly #book: SqliteBook;
  readonly #line: SqliteLine;
  readonly #sql: AcceptanceStatements;
  readonly #appending: SqliteAppending;

  constructor({ sql, book, line, appending }: AcceptanceParts) {
    this.#book = book;
    this.#line = line;
    this.#sql = sql;
    this.#appending = appending;
  }

  accept(batch: Acceptance): Written<Accepted> {
    const { vendor, subject, idempotencyKey } = batch;
    const known = this.#sql.findKey.get(vendor, subject, idempotencyKey);
    if (known !== undefined) {
      if (known.digest !== batch.digest) return unchanged({ kind: 'idempotency_key_reused' });
      return unchanged({ kind: 'accepted', receipts: this.receipts(batch, known.edit_ids.split(',') as EditId[]) });
    }
    const stored = this.#store(batch);
    if ('kind' in stored) return unchanged(stored);
    const ids = idsOf(batch.edits);
    this.#sql.insertKey.run(vendor, subject, idempotencyKey, batch.digest, ids.join(','), batch.now);
    return { answer: { kind: 'accepted', receipts: stored }, changed: [vendor] };
  }

  #store(batch: Acceptance): readonly Receipt[] | Refused {
    const earlier = batch.edits.map((edit) => this.#sql.findEdit.get(edit.edit_id, batch.vendor));
    const items = batch.edits.map((edit) => this.#sql.findItem(edit.id, batch));
    const judgement = judge(batch, {
      earlier: earlier.map(factsOf),
      items: items.map(itemFacts),
      knowsBase: (at, base) => this.#sql.knowsStamp.get(items[at]?.key ?? 0, base) !== undefined,
    });
    if (judgement.kind === 'refused') return judgement.why;
    const made = this.#insert(batch, judgement.edits, new Map(items.map((item, at) => [batch.edits[at]?.id, item])));
    return earlier.flatMap((row) => (row === undefined ? (made.shift() ?? []) : [this.#receipt(row, batch.subject)]));
  }

  decide(decision: Decision): Written<Decided> {
    const { vendor, editId, by, verdict } = decision;
    const rows = vendor === undefined ? this.#sql.findAnyEdit.all(editId) : this.#sql.findEdit.all(editId, vendor);
    const [row, ...others] = rows;
    if (row === undefined) return unchanged({ kind: 'edit_unknown' });
    if (others.length > 0) return unchanged({ kind: 'edit_ambiguous', vendors: rows.map((one) => one.vendor) });
    const parked = row.state === 'refused' || row.state === 'conflict';
    if (!parked && !(verdict.kind === 'discard' && isUntried(row))) {
      return unchanged({ kind: 'edit_settled', receipt: this.#receipt(row, by) });
    }
    const receipt = verdict.kind === 'discard' ? this.#discard(row, decision) : this.#again(row, verdict, decision);
    if (receipt === undefined) return unchanged({ kind: 'item_unknown' });
    if (verdict.kind === 'retry') this.#sql.noteDecision.run(by, row.seq);
    return { answer: { kind: 'decided', receipt }, changed: [row.vendor] };
  }

  receipts({ vendor, subject }: Asker, ids: readonly EditId[]): Receipt[] {
    return ids.flatMap((id) => this.#sql.findEdit.get(id, vendor) ?? []).map((row) => this.#receipt(row, subject));
  }

  #receipt(row: FoundEdit, asker: string): Receipt {
    return withSides(receiptOf(row, asker), this.#sql.sides(row), asker);
  }

  #insert(
    batch: Acceptance,
    edits: readonly NewEdit[],
    items: ReadonlyMap<ItemId | undefined, ItemRow | undefined>,
  ): Receipt[] {
    if (edits.length === 0) return [];
    const parked = edits.filter(({ state }) => state === 'conflict').length;
    const first = this.#book.take(batch.vendor, edits.length, parked);
    const revision = this.#book.lastRevisionOf(batch.vendor);
    const bulk = batch.edits.length > INTERACTIVE_EDITS ? 1 : 0;
    const turn = turnsFrom(() => this.#line.newcomer(batch.lane, bulk, batch.vendor));
    return edits.map(({ edit, stamp, state, was }, at) =>
      this.#append(items.get(edit.id), turn, {
        seq: first.seq + at,
        number: first.number + at,
        revision: revision + 1 + at,
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
    this.#appending.append(item, turn, wish);
    return this.#appending.receipt(item, wish);
  }

  #discard(row: FoundEdit, decision: Decision): Receipt {
    const { by, verdict, now } = decision;
    this.#sql.discard.run(now, by, row.seq);
    this.#sql.reviewItem.run(row.item);
    this.#line.bringForward(row.item);
    if (verdict.kind === 'discard' && verdict.standing !== undefined) {
      const standing = this.#sql.findStanding.get(row);
      if (standing !== undefined) this.#again(standing, verdict.standing, decision);
    }
    return receiptOf({ ...row, state: 'discarded' }, by);
  }

  /** @returns `undefined` where another vendor has the id */
  #again(row: FoundEdit, wish: NewWish, { by, name, now, isAnothers }: Decision): Receipt | undefined {
    const { item_id, vendor } = row;
    if (isAnothers?.(vendor, item_id) === true) return undefined;
    const item = this.#sql.findOwn.get(vendor, item_id);
    if (item === undefined) throw new TypeError('an edit has its item');
    if (item.yields === 1 && this.#sql.findItem(item_id, item)?.key !== item.key) return undefined;
    const { lane } = item;
    return this.#append(item, () => this.#line.newcomer(lane, 0, vendor), {
      ...this.#book.take(vendor, 1),
      revision: this.#book.lastRevisionOf(vendor) + 1,
      vendor,
      subject: by,
      name: name ?? null,
      edit_id: wish.newId,
      item_id,
      label: null,
      lane,
      bulk: 0,
      available: row.available ? 1 : 0,
      was: item.available,
      clicked_at: row.clicked_at,
      base: row.base,
      stamp: nextStamp(now + wish.portalOffset, item.last_stamp, wish.stampUnit),
      accepted_at: now,
      retry_of: row.edit_id,
      state: 'received',
      reason: null,
    });
  }
}
