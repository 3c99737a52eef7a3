import type { Receipt } from '../contract/widget.js';
import { toTimestamp } from '../domain/item.js';
import { ByteText } from './byte-text.js';
import { EDIT_ID, ID, type WrittenBatch } from './written-batch.js';

/**
 * `{"receipts":[…]}` as `JSON.stringify` writes it, in half the time: most receipts of a batch say the same five things,
 * and what they say alike is written once. A test holds the two together.
 *
 * @returns pieces that are to be put together as bytes: a text of 128 KiB takes V8 thirty times as long
 */
export function receiptsText(receipts: readonly Receipt[]): string[] {
  const pieces: string[] = [];
  let text = '{"receipts":[';
  let between = START;
  let [last, alike, alikeAndStart] = ['', '', ''];
  for (const receipt of receipts) {
    const { edit_id, id, seq, state, updated_at } = receipt;
    if (state !== 'received' || NEEDS_CARE.test(id) || fieldsOf(receipt) !== 5) return [JSON.stringify({ receipts })];
    if (updated_at !== last) {
      [last, alike] = [updated_at, `,"state":"received","updated_at":"${updated_at}"}`];
      // Each piece that is added costs, whatever its length.
      alikeAndStart = `${alike},${START}`;
    }
    // An edit id has nothing that JSON escapes.
    text += `${between}${edit_id}","id":"${id}","seq":${String(seq)}`;
    between = alikeAndStart;
    if (text.length < LONG) continue;
    pieces.push(text);
    text = '';
  }
  pieces.push(`${text}${alike}]}`);
  return pieces;
}

/**
 * The same of a batch whose edits are all new.
 *
 * @param number of the receipt of the first edit; the others follow
 * @param stamp of each, in milliseconds since the epoch
 */
export function receiptsOfNew(batch: WrittenBatch, number: number, stamp: number): Uint8Array<ArrayBuffer> {
  const { bytes, count } = batch;
  const alike = `,"state":"received","updated_at":"${toTimestamp(stamp)}"}`;
  const between = UTF8.encode(`${alike},${START}`);
  const ending = UTF8.encode(`${alike}]}`);
  let room = OPENING.length + count * (EACH + between.length);
  for (let at = 0; at < count; at += 1) {
    room += batch.to(at, EDIT_ID) - batch.from(at, EDIT_ID) + batch.to(at, ID) - batch.from(at, ID);
  }
  const text = new ByteText(room);
  text.add(OPENING);
  for (let at = 0; at < count; at += 1) {
    if (at > 0) text.addLong(between);
    text.add(bytes, batch.from(at, EDIT_ID), batch.to(at, EDIT_ID));
    text.add(THEN_ID);
    text.add(bytes, batch.from(at, ID), batch.to(at, ID));
    text.add(THEN_SEQ);
    text.addNumber(number + at);
  }
  text.addLong(ending);
  return text.written;
}

const UTF8 = new TextEncoder();
const START = '{"edit_id":"';
const OPENING = UTF8.encode(`{"receipts":[${START}`);
const THEN_ID = UTF8.encode('","id":"');
const THEN_SEQ = UTF8.encode('","seq":');
/** Of the safe integers, the longest has 16 digits. */
const EACH = THEN_ID.length + THEN_SEQ.length + 16;

const LONG = 64 * 1024;

/** Anything but visible ASCII without the quotation mark and the backslash: JSON may escape it. */
const NEEDS_CARE = /[^ !#-[\]-~]/;

function fieldsOf(receipt: Receipt): number {
  let fields = 0;
  for (const field in receipt) if (field !== '') fields += 1;
  return fields;
}
