import { fieldErrors } from '../contract/field-errors.js';
import { editBatch, type EditBatch } from '../contract/widget.js';
import { Refusal } from './answers.js';
import { textOf } from './bounded-body.js';
import { isEditBatch, isPlainJson } from './edit-batch-check.js';
import { askedFor, BEFORE, isWrittenAsUsual, lengthBehind, type AskedEdits } from './inventory-text.js';

export interface ParsedBatch extends AskedEdits {
  readonly sentAt: EditBatch['sent_at'];
}

/** V8 makes a text of 128 KiB out of pages of memory that are new each time, which takes thirty times as long. */
const MOST_OF_TEXT = 96 * 1024;

/**
 * @param body of a request
 * @param mostOfText bytes of a body above which it is read in pieces
 * @throws {Refusal} where it is no JSON, no batch, or too many
 */
export function parseBatch(body: Uint8Array<ArrayBuffer>, maxEdits: number, mostOfText = MOST_OF_TEXT): ParsedBatch {
  if (body.length > mostOfText) {
    const parsed = parsedInPieces(body, mostOfText);
    if (parsed !== undefined && parsed.inventory.length <= maxEdits) return parsed;
  }
  let text: string;
  let json: unknown;
  try {
    text = textOf(body);
    json = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  // Counted before the schema looks at each edit: a caller learns the limit, not a thousand details.
  if (editsOf(json) > maxEdits) throw new Refusal('too_many_edits');
  const batch = checked(json, isPlainJson(text, body.length));
  return { ...askedFor(text, batch), sentAt: batch.sent_at };
}

function checked(json: unknown, isPlain: boolean): EditBatch {
  // A tenth of the time of the schema, which is asked for the words of a refusal.
  if (isEditBatch(json, isPlain)) return json;
  const batch = editBatch.safeParse(json);
  if (batch.success) return batch.data;
  throw new Refusal('invalid_body', fieldErrors(batch.error));
}

function editsOf(json: unknown): number {
  const inventory = typeof json === 'object' && json !== null && 'inventory' in json ? json.inventory : undefined;
  return Array.isArray(inventory) ? inventory.length : 0;
}

/**
 * A long body in pieces of some of its edits. Each piece is made a batch, and has to be written as `JSON.stringify` writes
 * it: then the whole is so as well, and says what its pieces say. A test holds the two together.
 *
 * @returns `undefined` for any other body
 */
function parsedInPieces(body: Uint8Array<ArrayBuffer>, most: number): ParsedBatch | undefined {
  const inventory: EditBatch['inventory'] = [];
  for (let from = 0; ;) {
    const to = endOfPiece(body, from, most);
    const piece = batchOf(body.subarray(from, to), from === 0, to === body.length);
    if (piece === undefined) return undefined;
    for (const edit of piece.inventory) inventory.push(edit);
    if (to === body.length) {
      return { inventory, text: body.subarray(BEFORE.length, to - lengthBehind(piece)), sentAt: piece.sent_at };
    }
    from = to + COMMA.length;
  }
}

function batchOf(piece: Uint8Array, isFirst: boolean, isLast: boolean): EditBatch | undefined {
  try {
    const text = textOf(piece);
    if (!isPlainJson(text, piece.length)) return undefined;
    const whole = `${isFirst ? '' : `${BEFORE}[`}${text}${isLast ? '' : ']}'}`;
    const json: unknown = JSON.parse(whole);
    return isEditBatch(json, true) && isWrittenAsUsual(whole, json) ? json : undefined;
  } catch {
    // Not here. What is wrong with it, if anything is, the whole of it tells.
    return undefined;
  }
}

const COMMA = ',';
const BETWEEN = COMMA.charCodeAt(0);
const OPENING = '{'.charCodeAt(0);
const CLOSING = '}'.charCodeAt(0);

/** Behind the last edit that ends in time, as far as its bytes tell; the end of the body where none does. */
function endOfPiece(body: Uint8Array, from: number, most: number): number {
  if (body.length - from <= most) return body.length;
  for (let at = body.lastIndexOf(OPENING, from + most); at > from; at = body.lastIndexOf(OPENING, at - 1)) {
    if (body[at - 1] === BETWEEN && body[at - 2] === CLOSING) return at - COMMA.length;
  }
  return body.length;
}
