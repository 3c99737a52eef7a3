import { toTimestamp, type ItemId } from '../../domain/item.js';
import type { Receipt } from '../../contract/widget.js';
import { judge, type Judgement, type NewEdit } from '../acceptance.js';
import type { Acceptance } from '../outbox.js';
import { INTERACTIVE_EDITS } from '../sending-order.js';
import type { AcceptanceStatements } from './sqlite-acceptance-statements.js';
import { itemFacts, turnsFrom, type SqliteAppending } from './sqlite-appending.js';
import type { SqliteBook } from './sqlite-book.js';
import type { SqliteLine } from './sqlite-line.js';
import type { Names, PackedEdit, Parcel, ParcelContent, SqliteParcels } from './sqlite-parcels.js';

export type Refused = Extract<Judgement, { kind: 'refused' }>['why'];

export interface PackingParts {
  readonly sql: AcceptanceStatements;
  readonly parcels: SqliteParcels;
  readonly appending: SqliteAppending;
  readonly book: SqliteBook;
  readonly line: SqliteLine;
  /** The least edits that make a parcel. */
  readonly from: number;
}

/** Bulk batches into parcels, and edits out of them (`sqlite-parcels.ts`). Runs inside a transaction. */
export class SqlitePacking {
  readonly #parts: PackingParts;

  constructor(parts: PackingParts) {
    this.#parts = parts;
  }

  /** @returns `undefined` where each edit has to be looked at: there are few, some came before, or one is in conflict */
  pack(batch: Acceptance, names: Names): readonly Receipt[] | Refused | undefined {
    const { sql, parcels, book, from } = this.#parts;
    const { vendor, edits } = batch;
    if (edits.length < from || !parcels.hasRoomFor(edits.length)) return undefined;
    if (sql.knowsAnyEdit.get(JSON.stringify(edits.map((edit) => edit.edit_id)), vendor) !== undefined) return undefined;
    const rows = sql.findItems.all(JSON.stringify(edits.map(({ id }) => id)));
    const items = new Map(rows.map((row) => [row.id, row]));
    const judgement = judge(batch, {
      earlier: [],
      items: edits.map(({ id }) => itemFacts(items.get(id))),
      knowsBase: (at, base) => sql.knowsStamp.get(items.get(edits[at]?.id as ItemId)?.key ?? 0, base) !== undefined,
    });
    if (judgement.kind === 'refused') return judgement.why;
    if (judgement.edits.some(({ state }) => state === 'conflict')) return undefined;
    const number = Math.max(book.lastOf(vendor).number, parcels.lastNumberOf(vendor)) + 1;
    const content: ParcelContent = {
      vendor,
      subject: batch.subject,
      name: batch.name ?? null,
      lane: batch.lane,
      bulk: edits.length > INTERACTIVE_EDITS ? 1 : 0,
      seq: book.take(edits.length),
      number,
      accepted_at: batch.now,
      edits: judgement.edits.map(packed),
    };
    parcels.add(content, names);
    return receiptsOf(judgement.edits, number);
  }

  unpackTouchedBy(names: Names): void {
    for (const parcel of this.#parts.parcels.touchedBy(names)) this.unpack(parcel);
  }

  unpackAllOf(vendor: string | undefined): void {
    for (const parcel of this.#parts.parcels.of(vendor)) this.unpack(parcel);
  }

  unpack({ id }: Parcel): void {
    const { parcels, book, line } = this.#parts;
    const content = parcels.take(id);
    if (content === undefined) return;
    const { vendor, lane, bulk } = content;
    const { revision } = book.lastOf(vendor);
    const turn = turnsFrom(() => line.newcomer(lane, bulk, vendor));
    content.edits.forEach((edit, at) => {
      this.#append(content, edit, at, revision + 1 + at, turn);
    });
  }

  #append(content: ParcelContent, edit: PackedEdit, at: number, revision: number, turn: () => number): void {
    const { sql, appending } = this.#parts;
    const { vendor, subject, name, lane, bulk, seq, number, accepted_at } = content;
    const [edit_id, item_id, label, available, was, clicked_at, base, stamp] = edit;
    appending.append(sql.findItem.get(item_id), turn, {
      seq: seq + at,
      number: number + at,
      revision,
      vendor,
      subject,
      name,
      edit_id,
      item_id,
      label,
      lane,
      bulk,
      available,
      was,
      clicked_at,
      base,
      stamp,
      accepted_at,
      retry_of: null,
      state: 'received',
      reason: null,
    });
  }
}

function packed({ edit, stamp, was }: NewEdit): PackedEdit {
  const { edit_id, id, label = null, available, updated_at, base = null } = edit;
  return [edit_id, id, label, available ? 1 : 0, was === undefined ? null : was ? 1 : 0, updated_at, base, stamp];
}

function receiptsOf(edits: readonly NewEdit[], first: number): Receipt[] {
  // Most of a batch have one stamp, and writing a time takes longer than the rest of a receipt.
  let [last, updated_at] = [NaN, toTimestamp(0)];
  return edits.map(({ edit, stamp }, at) => {
    if (stamp !== last) [last, updated_at] = [stamp, toTimestamp(stamp)];
    return { edit_id: edit.edit_id, id: edit.id, seq: first + at, state: 'received', updated_at };
  });
}
