import type { EditId } from '../../domain/edit.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import type { Statement, Statements } from './sqlite-statements.js';

/**
 * Parcels: bulk batches that are on the disk in one row each, and not among the edits yet.
 *
 * An edit of its own touches a dozen trees of the file, which takes twenty times as long as all else that acceptance does
 * with it. So a bulk batch is judged, numbered and stamped, written down whole, and answered; its edits are unpacked
 * afterwards (`sqlite-unpacking.ts`), before anybody can tell the difference: whoever reads what they would show, or writes
 * what they touch, unpacks first.
 *
 * No two parcels name the same item, edit or key, nor does a parcel name one that a batch accepted after it names: that
 * batch unpacks it first. So it does not matter in which order they are unpacked, and what a parcel was judged by is still
 * so.
 *
 * What is kept in memory of a parcel is a hash of each of its ids. Two ids with the same hash unpack a parcel too soon,
 * and do no other harm.
 */
export interface Parcel {
  readonly id: number;
  readonly vendor: string;
  readonly acceptedAt: number;
}

/** As it stands in its row. */
export interface ParcelContent {
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly lane: string;
  readonly bulk: 0 | 1;
  /** Of the first edit; the others follow. */
  readonly seq: number;
  readonly number: number;
  readonly accepted_at: number;
  readonly edits: readonly PackedEdit[];
}

export type PackedEdit = readonly [
  edit_id: EditId,
  item: ItemId,
  label: string | null,
  available: 0 | 1,
  was: 0 | 1 | null,
  clicked_at: Timestamp,
  base: string | null,
  stamp: number,
];

/** Hashes of the items and the edits that a batch names. */
export interface Names {
  readonly items: readonly number[];
  readonly edits: readonly number[];
}

/** Above it a bulk batch is taken as a small one is: the memory for the hashes is bounded, and so is a start. */
const MOST_EDITS = 500_000;

interface Row {
  readonly id: number;
  readonly content: string;
}

export class SqliteParcels {
  readonly #insert: Statement<[string]>;
  readonly #find: Statement<[number], Row>;
  readonly #remove: Statement<[number]>;
  readonly #all: Statement<[], Row>;
  /** In the order of acceptance. */
  readonly #parcels = new Map<number, Parcel>();
  readonly #byItem = new Map<number, Parcel>();
  readonly #byEdit = new Map<number, Parcel>();
  /** The last number of the edits of each vendor. It stays until there are no parcels: the edits then have the same. */
  readonly #lastNumbers = new Map<string, number>();
  #edits = 0;
  #isStale = true;

  constructor(database: Statements) {
    this.#insert = database.prepare('INSERT INTO parcel (content) VALUES (?)');
    this.#find = database.prepare('SELECT id, content FROM parcel WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM parcel WHERE id = ?');
    this.#all = database.prepare('SELECT id, content FROM parcel ORDER BY id');
  }

  /** Whether there are any, as far as that is known without reading. */
  get mayBe(): boolean {
    return this.#isStale || this.#edits > 0;
  }

  /** Edits that are not unpacked. */
  get edits(): number {
    if (this.#isStale) this.#reload();
    return this.#edits;
  }

  /** When the oldest of them was accepted. */
  get oldest(): number | undefined {
    return this.next()?.acceptedAt;
  }

  hasRoomFor(edits: number): boolean {
    return this.edits + edits <= MOST_EDITS;
  }

  /** A transaction was undone: what is there has to be read again. */
  forget(): void {
    this.#isStale = true;
  }

  /** @param names of its items and edits */
  add(content: ParcelContent, names: Names): void {
    this.#note(Number(this.#insert.run(JSON.stringify(content)).lastInsertRowid), content, names);
  }

  /** Takes a parcel out; `undefined` where it is gone already. */
  take(id: number): ParcelContent | undefined {
    const row = this.#find.get(id);
    if (row === undefined) return undefined;
    const content = JSON.parse(row.content) as ParcelContent;
    this.#remove.run(id);
    this.#parcels.delete(id);
    this.#edits -= content.edits.length;
    const { items, edits } = namesIn(content);
    for (const item of items) this.#byItem.delete(item);
    for (const edit of edits) this.#byEdit.delete(edit);
    if (this.#edits === 0) this.#lastNumbers.clear();
    return content;
  }

  /** The oldest. */
  next(): Parcel | undefined {
    return this.edits === 0 ? undefined : this.#parcels.values().next().value;
  }

  /** @param vendor `undefined`: anybody's */
  of(vendor: string | undefined): Parcel[] {
    if (this.edits === 0) return [];
    return [...this.#parcels.values()].filter((parcel) => vendor === undefined || parcel.vendor === vendor);
  }

  /** The last number that a packed edit of this vendor has; 0 where it has none. */
  lastNumberOf(vendor: string): number {
    return this.edits === 0 ? 0 : (this.#lastNumbers.get(vendor) ?? 0);
  }

  /** Those that name one of these items or edits. */
  touchedBy({ items, edits }: Names): Set<Parcel> {
    const touched = new Set<Parcel>();
    if (this.edits === 0) return touched;
    for (const item of items) noteFound(this.#byItem, item, touched);
    for (const edit of edits) noteFound(this.#byEdit, edit, touched);
    return touched;
  }

  #reload(): void {
    const rows = this.#all.all();
    this.#parcels.clear();
    this.#byItem.clear();
    this.#byEdit.clear();
    this.#lastNumbers.clear();
    this.#edits = 0;
    for (const row of rows) {
      const content = JSON.parse(row.content) as ParcelContent;
      this.#note(row.id, content, namesIn(content));
    }
    this.#isStale = false;
  }

  #note(id: number, { vendor, number, accepted_at: acceptedAt, edits }: ParcelContent, names: Names): void {
    const parcel: Parcel = { id, vendor, acceptedAt };
    this.#parcels.set(id, parcel);
    this.#lastNumbers.set(vendor, number + edits.length - 1);
    this.#edits += edits.length;
    for (const item of names.items) this.#byItem.set(item, parcel);
    for (const edit of names.edits) this.#byEdit.set(edit, parcel);
  }
}

/** @param items none where they do not matter, as `edits` */
export function namesOf(items: readonly ItemId[], edits: readonly EditId[]): Names {
  return { items: items.map(hashOf), edits: edits.map(hashOf) };
}

function namesIn({ edits }: ParcelContent): Names {
  return { items: edits.map(([, item]) => hashOf(item)), edits: edits.map(([editId]) => hashOf(editId)) };
}

function noteFound(parcels: ReadonlyMap<number, Parcel>, name: number, touched: Set<Parcel>): void {
  const parcel = parcels.get(name);
  if (parcel !== undefined) touched.add(parcel);
}

/** FNV-1a, in the 30 bits that an engine keeps without an object of their own. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 2;
}
