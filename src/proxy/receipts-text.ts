import type { Receipt } from '../contract/widget.js';
import { toTimestamp } from '../domain/item.js';
import { pieceOf, put, putNumber, putPiece, viewOf, type Piece } from './byte-text.js';
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
  const { count } = batch;
  const alike = `,"state":"received","updated_at":"${toTimestamp(stamp)}"}`;
  const between = pieceOf(`${alike},${START}`);
  // Of the rest no receipt takes more than what a batch has of its edit, with the longest number.
  const bytes = new Uint8Array(OPENING.length + batch.bytes.length + count * (between.length + LONGEST_NUMBER));
  const text = viewOf(bytes);
  const to = putReceipts(text, putPiece(text, 0, OPENING), batch, between, number);
  return bytes.subarray(0, putPiece(text, to, pieceOf(`${alike}]}`)));
}

/** A function of its own: of a longer one and all that it calls V8 would not make one piece of code. */
function putReceipts(text: DataView, at: number, batch: WrittenBatch, between: Piece, number: number): number {
  const { count, piece } = batch;
  const { view } = piece;
  let to = at;
  for (let nth = 0; nth < count; nth += 1) {
    if (nth > 0) to = put(text, to, between.view, 0, between.length);
    to = put(text, to, view, batch.from(nth, EDIT_ID), batch.to(nth, EDIT_ID));
    to = put(text, to, THEN_ID.view, 0, THEN_ID.length);
    to = put(text, to, view, batch.from(nth, ID), batch.to(nth, ID));
    to = put(text, to, THEN_SEQ.view, 0, THEN_SEQ.length);
    to = putNumber(text, to, number + nth);
  }
  return to;
}

const START = '{"edit_id":"';
const OPENING = pieceOf(`{"receipts":[${START}`);
const THEN_ID = pieceOf('","id":"');
const THEN_SEQ = pieceOf('","seq":');
/** Of the safe integers. */
const LONGEST_NUMBER = 16;

const LONG = 64 * 1024;

/** Anything but visible ASCII without the quotation mark and the backslash: JSON may escape it. */
const NEEDS_CARE = /[^ !#-[\]-~]/;

function fieldsOf(receipt: Receipt): number {
  let fields = 0;
  for (const field in receipt) if (field !== '') fields += 1;
  return fields;
}
