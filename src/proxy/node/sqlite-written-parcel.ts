import { pieceOf, put, putByte, putPiece, viewOf } from '../byte-text.js';
import { BASE, CLICKED_AT, EDIT_ID, ID, LABEL, type WrittenBatch, type WrittenField } from '../written-batch.js';
import type { ParcelHead } from './sqlite-parcel-content.js';

/**
 * A row that says what `ParcelContent` says of a batch whose edits are all new, written from the bytes that the batch came
 * in. A test holds the two together.
 *
 * @param stamp of each edit
 * @returns what has to be used before the next is written
 */
export function writtenContent(head: ParcelHead, batch: WrittenBatch, stamp: number): Uint8Array {
  const { piece, count } = batch;
  const opening = pieceOf(JSON.stringify(head).slice(0, -1));
  const bytes = roomFor(opening.length + COLUMNS + piece.length + count * EACH);
  const text = viewOf(bytes);
  let to = putPiece(text, 0, opening);
  to = putPiece(text, to, EDIT_IDS);
  for (let at = 0; at < count; at += 1) {
    if (at > 0) to = putByte(text, to, COMMA);
    to = put(text, to, piece.view, batch.from(at, EDIT_ID), batch.to(at, EDIT_ID));
  }
  to = putPiece(text, to, ITEMS);
  to = putAll(text, to, batch, ID);
  to = putPiece(text, to, LABELS);
  to = putOneOrAll(text, to, batch, LABEL);
  to = putPiece(text, to, AVAILABLE);
  for (let at = 0; at < count; at += 1) to = putByte(text, to, batch.isAvailable(at) ? ONE : ZERO);
  to = putPiece(text, to, WAS);
  for (let at = 0; at < count; at += 1) to = putByte(text, to, UNKNOWN);
  to = putPiece(text, to, CLICKED);
  to = putOneOrAll(text, to, batch, CLICKED_AT);
  to = putPiece(text, to, BASES);
  to = putOneOrAll(text, to, batch, BASE);
  return bytes.subarray(0, putPiece(text, to, pieceOf(`,"stamps":${String(stamp)}}`)));
}

/** Of most batches, in the same place: V8 counts what is new, and looks through all memory for what is no longer used. */
let shared = new Uint8Array(0);
const MOST_SHARED = 64 * 1024;

function roomFor(bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes > MOST_SHARED) return new Uint8Array(bytes);
  if (shared.length < bytes) shared = new Uint8Array(MOST_SHARED);
  return shared;
}

const EDIT_IDS = pieceOf(',"edit_ids":"');
const ITEMS = pieceOf('","items":');
const LABELS = pieceOf(',"labels":');
const AVAILABLE = pieceOf(',"available":"');
const WAS = pieceOf('","was":"');
const CLICKED = pieceOf('","clicked_at":');
const BASES = pieceOf(',"bases":');
const NULL = pieceOf('null');
const COMMA = 0x2c;
const OPENING = 0x5b;
const CLOSING = 0x5d;
const ZERO = 0x30;
const ONE = 0x31;
const UNKNOWN = 0x2d;

/** What all the words above take together, and less than that. */
const COLUMNS = 200;
/** For each edit, what there is beside what it says: marks, digits, and three times `null`. */
const EACH = 30;

function putOneOrAll(text: DataView, at: number, batch: WrittenBatch, field: WrittenField): number {
  if ((field === CLICKED_AT && batch.hasOneTime) || isOne(batch, field)) return putValue(text, at, batch, 0, field);
  return putAll(text, at, batch, field);
}

function putAll(text: DataView, at: number, batch: WrittenBatch, field: WrittenField): number {
  let to = putByte(text, at, OPENING);
  for (let nth = 0; nth < batch.count; nth += 1) {
    if (nth > 0) to = putByte(text, to, COMMA);
    to = putValue(text, to, batch, nth, field);
  }
  return putByte(text, to, CLOSING);
}

/** With its quotation marks. */
function putValue(text: DataView, at: number, batch: WrittenBatch, nth: number, field: WrittenField): number {
  const to = batch.to(nth, field);
  return to === 0 ? putPiece(text, at, NULL) : put(text, at, batch.piece.view, batch.from(nth, field) - 1, to + 1);
}

/** Whether all edits say the same. */
function isOne(batch: WrittenBatch, field: WrittenField): boolean {
  const { bytes, count } = batch;
  const [from, to] = [batch.from(0, field), batch.to(0, field)];
  for (let at = 1; at < count; at += 1) {
    const other = batch.from(at, field);
    if (batch.to(at, field) - other !== to - from || (to === 0) !== (other === 0)) return false;
    for (let next = from; next < to; next += 1) if (bytes[next] !== bytes[other + next - from]) return false;
  }
  return true;
}
