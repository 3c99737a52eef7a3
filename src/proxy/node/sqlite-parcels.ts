import { HIGH_WATER } from '../high-water.js';
import { namesOf, type Names } from '../names.js';
import type { SqliteKnownNames } from './sqlite-known-names.js';
import { editIdsIn, type ParcelContent, type ParcelHead } from './sqlite-parcel-content.js';
import { ParcelLine, type Parcel } from './sqlite-parcel-line.js';
import { NameTable } from './sqlite-parcel-names.js';
import type { Statement, Statements } from './sqlite-statements.js';

/**
 * Parcels and the edits in them. Above it a batch is taken edit by edit, at a twelfth of the pace: the memory is bounded, and so
 * is a start.
 */
const MOST_PACKED = HIGH_WATER.mostWaiting;

interface Row {
  readonly id: number;
  readonly content: string;
}

/**
 * Parcels: batches that are on the disk in one row each, and not among the edits yet.
 *
 * An edit of its own touches a dozen trees of the file, which takes several times as long as all else that acceptance does
 * with it, and many pages for each sync. So a batch is judged, numbered and stamped, written down whole, and answered; its
 * edits and its key are unpacked afterwards (`sqlite-unpacking.ts`), many in a transaction, before anybody can tell the
 * difference: whoever reads what they would show, or writes what they touch, unpacks first.
 *
 * No two parcels of a vendor, or of a lane, name the same item, edit or key, nor does one name what a batch of that vendor or
 * lane accepted after it names: that batch unpacks it first. So it does not matter in which order they are unpacked, and what a parcel was judged by is still
 * so.
 *
 * What is kept in memory of a parcel is a hash of each of its names.
 */
export class SqliteParcels {
  readonly #insert: Statement<[string | Uint8Array]>;
  readonly #find: Statement<[number], Row>;
  readonly #remove: Statement<[number]>;
  readonly #all: Statement<[], Row>;
  readonly #known: SqliteKnownNames;
  readonly #line = new ParcelLine();
  readonly #names = new NameTable((id) => this.#line.has(id));
  /** The last number of the edits of each vendor. It stays until there are no parcels: the edits then have the same. */
  readonly #lastNumbers = new Map<string, number>();
  #isStale = true;

  constructor(database: Statements, known: SqliteKnownNames) {
    this.#known = known;
    this.#insert = database.prepare('INSERT INTO parcel (content) VALUES (CAST(? AS TEXT))');
    this.#find = database.prepare('SELECT id, content FROM parcel WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM parcel WHERE id = ?');
    this.#all = database.prepare('SELECT id, content FROM parcel ORDER BY id');
  }

  /** Whether there are any, as far as that is known without reading. */
  get mayBe(): boolean {
    return this.#isStale || this.#line.edits > 0;
  }

  /** Edits that are not unpacked. */
  get edits(): number {
    if (this.#isStale) this.#reload();
    return this.#line.edits;
  }

  /** What their rows take, about: in UTF-16 code units, or in bytes of UTF-8. */
  get size(): number {
    return this.edits === 0 ? 0 : this.#line.size;
  }

  /** The lanes that they will leave by. */
  get lanes(): string[] {
    return this.edits === 0 ? [] : [...this.#line.lanes];
  }

  /** When the oldest of them was accepted. */
  get oldest(): number | undefined {
    return this.edits === 0 ? undefined : this.#line.oldest?.acceptedAt;
  }

  hasRoomFor(edits: number): boolean {
    return this.edits + this.#line.parcels + edits < MOST_PACKED;
  }

  /** From 0 to 1. */
  get fullness(): number {
    return Math.min((this.edits + this.#line.parcels) / MOST_PACKED, 1);
  }

  /** A transaction was undone: what is there has to be read again. */
  forget(): void {
    this.#isStale = true;
  }

  /** @param content JSON of a `ParcelContent` with this head, or its bytes in UTF-8 */
  add(content: string | Uint8Array, head: ParcelHead, edits: number, names: Names): void {
    const id = Number(this.#insert.run(content).lastInsertRowid);
    this.#note({ id, size: content.length, edits }, head, names);
  }

  /** Takes a parcel out; `undefined` where it is gone already. */
  take(id: number): ParcelContent | undefined {
    const row = this.#find.get(id);
    if (row === undefined) return undefined;
    const content = JSON.parse(row.content) as ParcelContent;
    this.#remove.run(id);
    const parcel = this.#line.get(id);
    if (parcel !== undefined) this.#line.remove(parcel);
    if (this.#line.edits === 0) this.#clearNames();
    return content;
  }

  /** What has to be unpacked next. @param lane default: any */
  next(lane?: string): Parcel | undefined {
    return this.edits === 0 ? undefined : this.#line.next(lane);
  }

  editsIn(lane: string): number {
    return this.edits === 0 ? 0 : this.#line.editsIn(lane);
  }

  /** @param vendor `undefined`: anybody's */
  of(vendor: string | undefined): Parcel[] {
    if (this.edits === 0) return [];
    return vendor === undefined ? this.#line.all() : this.#line.of(vendor);
  }

  /** The last number that a packed edit of this vendor has; 0 where it has none. */
  lastNumberOf(vendor: string): number {
    return this.edits === 0 ? 0 : (this.#lastNumbers.get(vendor) ?? 0);
  }

  /** Those that have one of these names. @param of default: anybody's */
  touchedBy(names: Names, of: (parcel: Parcel) => boolean = () => true): Parcel[] {
    if (this.edits === 0) return [];
    return [...this.#names.find(names)].flatMap((id) => this.#line.get(id) ?? []).filter(of);
  }

  #reload(): void {
    this.#line.clear();
    this.#clearNames();
    for (const { id, content } of this.#all.all()) {
      const parsed = JSON.parse(content) as ParcelContent;
      this.#note({ id, size: content.length, edits: parsed.items.length }, parsed, namesIn(parsed));
    }
    this.#isStale = false;
  }

  #clearNames(): void {
    this.#names.clear();
    this.#lastNumbers.clear();
  }

  #note(row: Pick<Parcel, 'id' | 'size' | 'edits'>, head: ParcelHead, names: Names): void {
    const { vendor, lane, bulk, number, accepted_at } = head;
    this.#line.add({ ...row, vendor, lane, bulk, acceptedAt: accepted_at });
    this.#known.note(names);
    this.#names.add(names, row.id);
    this.#lastNumbers.set(vendor, Math.max(this.#lastNumbers.get(vendor) ?? 0, number + row.edits - 1));
  }
}

function namesIn(content: ParcelContent): Names {
  const { vendor, subject, key, items } = content;
  return namesOf({ items, edits: editIdsIn(content), key: key === null ? undefined : { vendor, subject, key } });
}
