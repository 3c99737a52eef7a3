import { ByteText } from '../byte-text.js';
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
  const { bytes, count } = batch;
  const opening = UTF8.encode(JSON.stringify(head).slice(0, -1));
  const text = new ByteText(roomFor(opening.length + COLUMNS + bytes.length + count * EACH));
  text.add(opening);
  text.add(EDIT_IDS);
  for (let at = 0; at < count; at += 1) {
    if (at > 0) text.addByte(COMMA);
    text.add(bytes, batch.from(at, EDIT_ID), batch.to(at, EDIT_ID));
  }
  text.add(ITEMS);
  addAll(text, batch, ID);
  text.add(LABELS);
  addOneOrAll(text, batch, LABEL);
  text.add(AVAILABLE);
  for (let at = 0; at < count; at += 1) text.addByte(batch.isAvailable(at) ? ONE : ZERO);
  text.add(WAS);
  for (let at = 0; at < count; at += 1) text.addByte(UNKNOWN);
  text.add(CLICKED);
  addOneOrAll(text, batch, CLICKED_AT);
  text.add(BASES);
  addOneOrAll(text, batch, BASE);
  text.add(UTF8.encode(`,"stamps":${String(stamp)}}`));
  return text.written;
}

/** Of most batches, in the same place: V8 counts what is new, and looks through all memory for what is no longer used. */
let shared = new Uint8Array(0);
const MOST_SHARED = 64 * 1024;

function roomFor(bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes > MOST_SHARED) return new Uint8Array(bytes);
  if (shared.length < bytes) shared = new Uint8Array(MOST_SHARED);
  return shared;
}

const UTF8 = new TextEncoder();
const EDIT_IDS = UTF8.encode(',"edit_ids":"');
const ITEMS = UTF8.encode('","items":');
const LABELS = UTF8.encode(',"labels":');
const AVAILABLE = UTF8.encode(',"available":"');
const WAS = UTF8.encode('","was":"');
const CLICKED = UTF8.encode('","clicked_at":');
const BASES = UTF8.encode(',"bases":');
const NULL = UTF8.encode('null');
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

function addOneOrAll(text: ByteText, batch: WrittenBatch, field: WrittenField): void {
  if ((field === CLICKED_AT && batch.hasOneTime) || isOne(batch, field)) addValue(text, batch, 0, field);
  else addAll(text, batch, field);
}

function addAll(text: ByteText, batch: WrittenBatch, field: WrittenField): void {
  text.addByte(OPENING);
  for (let at = 0; at < batch.count; at += 1) {
    if (at > 0) text.addByte(COMMA);
    addValue(text, batch, at, field);
  }
  text.addByte(CLOSING);
}

/** With its quotation marks. */
function addValue(text: ByteText, batch: WrittenBatch, at: number, field: WrittenField): void {
  const to = batch.to(at, field);
  if (to === 0) text.add(NULL);
  else text.add(batch.bytes, batch.from(at, field) - 1, to + 1);
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
