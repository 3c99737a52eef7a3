import type { EditId } from '../domain/edit.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import type { AcceptedEdit } from './outbox/accepted-edit.js';
import { textOf } from './runtime/read-body.js';
import { pieceOf, type Piece } from './byte-text.js';

/** Of each value of an edit, where it begins in the body and where it ends; both 0 where there is none. */
export const ID = 0;
export const EDIT_ID = 2;
export const CLICKED_AT = 4;
export const BASE = 6;
export const LABEL = 8;
export const AVAILABLE = 10;
export const FIELDS = 11;

export type WrittenField = typeof ID | typeof EDIT_ID | typeof CLICKED_AT | typeof BASE | typeof LABEL;

/** Text that is made from bytes at once: V8 makes one of 128 KiB out of pages of memory that are new each time. */
const MOST_OF_TEXT = 64 * 1024;

/**
 * A batch that lies in its body just as the page writes it: good, of edits with ids, with nothing that JSON escapes.
 *
 * Its edits are objects only once somebody asks for one. Most batches are new from end to end: what becomes of them is
 * written from the bytes that came, in a third of the time that it takes to make objects and to write those.
 */
export class WrittenBatch {
  readonly bytes: Uint8Array;
  /** The same. */
  readonly piece: Piece;
  readonly count: number;
  /** JSON of the inventory: what a digest is made of. */
  readonly text: Uint8Array;
  readonly sentAt: Timestamp | undefined;
  readonly hasOneTime: boolean;
  readonly #from: number;
  readonly #to: number;
  readonly #spans: Int32Array;
  #ids: readonly ItemId[] | undefined;
  #edits: readonly AcceptedEdit[] | undefined;

  constructor({ bytes, from, to, count, spans, sentAt, hasOneTime }: Scanned) {
    this.bytes = bytes;
    this.piece = pieceOf(bytes);
    this.count = count;
    this.text = bytes.subarray(from, to);
    this.#from = from;
    this.#to = to;
    this.sentAt = sentAt;
    this.hasOneTime = hasOneTime;
    this.#spans = spans;
  }

  /** What another thread can make the same batch of. */
  get scanned(): Scanned {
    const { bytes, count, sentAt, hasOneTime } = this;
    return { bytes, count, sentAt, hasOneTime, from: this.#from, to: this.#to, spans: this.#spans };
  }

  /** Itself: of the batches that are asked for (`AskedBatch`), only one that was read so has it. */
  get written(): this {
    return this;
  }

  ids(): readonly ItemId[] {
    return (this.#ids ??= Array.from({ length: this.count }, (_, at) => this.idOf(at)));
  }

  edits(): readonly AcceptedEdit[] {
    return (this.#edits ??= this.#read());
  }

  from(at: number, field: WrittenField): number {
    return this.#spans[at * FIELDS + field] ?? 0;
  }

  to(at: number, field: WrittenField): number {
    return this.#spans[at * FIELDS + field + 1] ?? 0;
  }

  isAvailable(at: number): boolean {
    return this.#spans[at * FIELDS + AVAILABLE] === 1;
  }

  idOf(at: number): ItemId {
    return this.#textOf(at, ID) as ItemId;
  }

  editIdOf(at: number): EditId {
    return this.#textOf(at, EDIT_ID) as EditId;
  }

  /** Of ASCII, as ids are here. */
  #textOf(at: number, field: typeof ID | typeof EDIT_ID): string {
    return textOf(this.bytes.subarray(this.from(at, field), this.to(at, field)));
  }

  #read(): AcceptedEdit[] {
    const edits: AcceptedEdit[] = [];
    let from = this.#beginningOf(0);
    for (let at = 1; at <= this.count; at += 1) {
      const next = at < this.count ? this.#beginningOf(at) : this.#to;
      if (at < this.count && next - from < MOST_OF_TEXT) continue;
      // Without the comma, or the bracket, that stands behind them.
      const piece = JSON.parse(`[${textOf(this.bytes.subarray(from, next - 1))}]`) as AcceptedEdit[];
      for (const edit of piece) edits.push(edit);
      from = next;
    }
    return edits;
  }

  #beginningOf(at: number): number {
    return this.from(at, ID) - '{"id":"'.length;
  }
}

/** What was found in the bytes of a body. */
export interface Scanned {
  readonly bytes: Uint8Array;
  /** Of the inventory, with its brackets. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly spans: Int32Array;
  readonly sentAt: Timestamp | undefined;
  /** Whether it is known that all edits say the same `updated_at`, byte by byte. */
  readonly hasOneTime: boolean;
}
