import { toTimestamp } from '../../domain/item.js';
import type { Receipt } from '../../contract/widget.js';
import { judge, type Judgement, type NewEdit } from '../acceptance.js';
import type { Names } from '../names.js';
import type { Acceptance, Accepted } from '../outbox.js';
import type { AcceptanceStatements, ItemRow } from './sqlite-acceptance-statements.js';
import { nodeDigest } from './node-digest.js';
import { itemFacts } from './outbox-rows.js';
import { turnsFrom, type SqliteAppending } from './sqlite-appending.js';
import type { SqliteBook } from './sqlite-book.js';
import type { SqliteKnownNames } from './sqlite-known-names.js';
import type { SqliteLine } from './sqlite-line.js';
import { contentOf, editsIn, inventoryText } from './sqlite-parcel-content.js';
import type { Parcel } from './sqlite-parcel-line.js';
import type { SqliteParcels } from './sqlite-parcels.js';

export type Refused = Extract<Judgement, { kind: 'refused' }>['why'];

export interface PackingParts {
  readonly sql: AcceptanceStatements;
  readonly known: SqliteKnownNames;
  readonly parcels: SqliteParcels;
  readonly appending: SqliteAppending;
  readonly book: SqliteBook;
  readonly line: SqliteLine;
  /** The least edits that make a parcel. */
  readonly from: number;
}

/** Batches into parcels, and edits out of them (`sqlite-parcels.ts`). Runs inside a transaction. */
export class SqlitePacking {
  readonly #parts: PackingParts;

  constructor(parts: PackingParts) {
    this.#parts = parts;
  }

  /**
   * @param here which of the names may be in the file: first those of the items, then those of the edits
   * @returns `undefined` where each edit has to be looked at: there are few, some came before, or one is in conflict
   */
  pack(batch: Acceptance, names: Names, here: readonly number[]): Accepted | undefined {
    const { sql, parcels, book, from } = this.#parts;
    const { vendor } = batch;
    const count = batch.edits.length;
    if (count < from || !parcels.hasRoomFor(count)) return undefined;
    if (this.#knowsAnyOf(batch, here)) return undefined;
    const items = this.#itemsOf(batch, here);
    const judgement = judge(batch, {
      earlier: [],
      items: items.map(itemFacts),
      knowsBase: (at, base) => sql.knowsStamp.get(items[at]?.key ?? 0, base) !== undefined,
    });
    if (judgement.kind === 'refused') return judgement.why;
    if (judgement.edits.some(({ state }) => state === 'conflict')) return undefined;
    const first = book.take(vendor, count);
    const content = contentOf(batch, judgement.edits, first);
    parcels.add(JSON.stringify(content), content, count, names);
    return { kind: 'accepted', receipts: receiptsOf(judgement.edits, first.number) };
  }

  /** @param of default: anybody's */
  unpackTouchedBy(names: Names, of?: (parcel: Parcel) => boolean): void {
    for (const parcel of this.#parts.parcels.touchedBy(names, of)) this.unpack(parcel);
  }

  unpackAllOf(vendor: string | undefined): void {
    for (const parcel of this.#parts.parcels.of(vendor)) this.unpack(parcel);
  }

  unpack({ id }: Parcel): void {
    const { sql, appending, parcels, book, line } = this.#parts;
    const content = parcels.take(id);
    if (content === undefined) return;
    const { vendor, subject, name, lane, bulk, seq, number, accepted_at, key, digest, edit_ids } = content;
    const revision = book.lastRevisionOf(vendor);
    const turn = turnsFrom(() => line.newcomer(lane, bulk, vendor));
    const edits = editsIn(content);
    edits.forEach((edit, at) => {
      appending.append(sql.findItem(edit.item_id, content), turn, {
        seq: seq + at,
        number: number + at,
        revision: revision + 1 + at,
        vendor,
        subject,
        name,
        ...edit,
        lane,
        bulk,
        accepted_at,
        retry_of: null,
        state: 'received',
        reason: null,
      });
    });
    if (key === null) return;
    sql.insertKey.run(vendor, subject, key, digest ?? nodeDigest(inventoryText(edits)), edit_ids, accepted_at);
  }

  #knowsAnyOf(batch: Acceptance, here: readonly number[]): boolean {
    const { sql } = this.#parts;
    const { vendor } = batch;
    const count = batch.edits.length;
    const theirs = here.filter((nth) => nth >= count && nth < 2 * count).map((nth) => nth - count);
    const some = theirs.flatMap((at) => batch.edits[at]?.edit_id ?? []);
    const [only] = some;
    if (only === undefined) return false;
    if (some.length === 1) return sql.knowsEdit.get(only, vendor) !== undefined;
    return sql.knowsAnyEdit.get(JSON.stringify(some), vendor) !== undefined;
  }

  /** At the place of its edit each item that is there; none where none is. */
  #itemsOf(batch: Acceptance, here: readonly number[]): (ItemRow | undefined)[] {
    const { sql } = this.#parts;
    const { vendor, lane } = batch;
    const count = batch.edits.length;
    const some = here.filter((nth) => nth < count).flatMap((at) => batch.edits[at]?.id ?? []);
    const [only] = some;
    if (only === undefined) return [];
    if (some.length === 1) {
      const row = sql.findItem(only, batch);
      return row === undefined ? [] : batch.edits.map(({ id }) => (id === only ? row : undefined));
    }
    const found = new Map(sql.findHolders.all(JSON.stringify(some), lane).map((row) => [row.id, row]));
    const others = some.filter((id) => !found.has(id));
    if (others.length > 0) for (const row of sql.findOwns.all(JSON.stringify(others), vendor)) found.set(row.id, row);
    return found.size === 0 ? [] : batch.edits.map(({ id }) => found.get(id));
  }
}

/** Most of a batch, and of the batches of a moment, have one stamp, and writing a time takes longer than the rest of a receipt. */
let [lastStamp, lastTime] = [0, toTimestamp(0)];

function receiptsOf(edits: readonly NewEdit[], first: number): Receipt[] {
  return edits.map(({ edit, stamp }, at) => {
    if (stamp !== lastStamp) [lastStamp, lastTime] = [stamp, toTimestamp(stamp)];
    return { edit_id: edit.edit_id, id: edit.id, seq: first + at, state: 'received', updated_at: lastTime };
  });
}
