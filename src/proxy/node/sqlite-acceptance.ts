import type { ItemId } from '../../domain/item.js';
import { idsOf, type EditId } from '../../domain/edit.js';
import type { Receipt } from '../../contract/widget.js';
import { judge, nextStamp, type NewEdit } from '../acceptance.js';
import { namesOf, someOf, type Names } from '../names.js';
import {
  type Acceptance,
  type Accepted,
  type Asker,
  type Decided,
  type Decision,
  type NewWish,
} from '../outbox.js';
import { INTERACTIVE_EDITS } from '../sending-order.js';
import { isUntried } from './live-row.js';
import { factsOf, itemFacts, receiptOf, unchanged, withSides, type Written } from './outbox-rows.js';
import type { AcceptanceStatements, FoundEdit, ItemRow } from './sqlite-acceptance-statements.js';
import { turnsFrom, type SqliteAppending, type Wish } from './sqlite-appending.js';
import type { SqliteBook } from './sqlite-book.js';
import type { SqliteKnownNames } from './sqlite-known-names.js';
import type { SqliteLine } from './sqlite-line.js';
import type { PackingParts, Refused, SqlitePacking } from './sqlite-packing.js';
import type { Parcel } from './sqlite-parcel-line.js';
import type { SqliteParcels } from './sqlite-parcels.js';

/** Edits of several parcels that are unpacked in the transaction of the batch that needs them; more take their own. */
const MOST_UNPACKED_FIRST = 1_000;

/** Everything that makes a new edit: a page's batch, or a person who wants an edit sent again. Runs inside a transaction. */
export class SqliteAcceptance {
  readonly #book: SqliteBook;
  readonly #line: SqliteLine;
  readonly #sql: AcceptanceStatements;
  readonly #appending: SqliteAppending;
  readonly #known: SqliteKnownNames;
  readonly #parcels: SqliteParcels;
  readonly #packing: SqlitePacking;

  constructor({ sql, known, book, line, appending, parcels }: PackingParts, packing: SqlitePacking) {
    this.#book = book;
    this.#line = line;
    this.#sql = sql;
    this.#appending = appending;
    this.#known = known;
    this.#parcels = parcels;
    this.#packing = packing;
  }

  /** @returns parcels that have to be unpacked first: nothing was written, and the same batch may come again */
  accept(batch: Acceptance): Written<Accepted | readonly Parcel[]> {
    const { vendor, subject, idempotencyKey } = batch;
    const names = namesOfBatch(batch);
    const here = this.#known.among(names);
    // One of another vendor in another lane has only the words in common.
    const meets = (parcel: Parcel): boolean => parcel.vendor === vendor || parcel.lane === batch.lane;
    const touched = here.length === 0 ? [] : this.#parcels.touchedBy(someOf(names, here), meets);
    if (touched.length > 1 && sizeOf(touched) > MOST_UNPACKED_FIRST) return unchanged(touched);
    for (const parcel of touched) this.#packing.unpack(parcel);
    // Its name is the last.
    const isKeyHere = here.at(-1) === 2 * batch.edits.length;
    const known = isKeyHere ? this.#sql.findKey.get(vendor, subject, idempotencyKey) : undefined;
    if (known !== undefined) {
      if (known.digest !== batch.digest) return unchanged({ kind: 'idempotency_key_reused' });
      const before = known.edit_ids.split(',') as EditId[];
      this.#packing.unpackTouchedBy(namesOf({ edits: before }));
      return unchanged({ kind: 'accepted', receipts: this.receipts(batch, before) });
    }
    // A parcel has its names noted, and its key with it.
    const packed = this.#packing.pack(batch, names, here);
    if (packed !== undefined) return { answer: packed, changed: packed.kind === 'accepted' ? [vendor] : [] };
    this.#known.note(names);
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
    if (item.yields === 1) {
      this.#packing.unpackTouchedBy(namesOf({ items: [item_id] }));
      if (this.#sql.findItem(item_id, item)?.key !== item.key) return undefined;
    }
    const { lane } = item;
    this.#known.note(namesOf({ edits: [wish.newId] }));
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

function namesOfBatch({ vendor, subject, idempotencyKey, edits }: Acceptance): Names {
  const items = edits.map(({ id }) => id);
  return namesOf({ items, edits: idsOf(edits), key: { vendor, subject, key: idempotencyKey } });
}

function sizeOf(parcels: readonly Parcel[]): number {
  return parcels.reduce((sum, { edits }) => sum + edits, 0);
}
