import { MAX_LABEL_LENGTH } from '../contract/limits.js';
import { MAX_EDIT_ID_LENGTH } from '../domain/edit.js';
import { isTimestamp, MAX_ITEM_ID_LENGTH, type Timestamp } from '../domain/item.js';
import { textOf } from './runtime/read-body.js';
import { viewOf } from './byte-text.js';
import { wordOf, type Word } from './byte-word.js';
import { isInEditId } from './routes/edit-id.js';
import { isUsualTime, USUAL_TIME_LENGTH } from './usual-time.js';
import { AVAILABLE, BASE, CLICKED_AT, EDIT_ID, FIELDS, ID, LABEL, WrittenBatch } from './written-batch.js';

/**
 * Reads what the schema `editBatch` would take and `JSON.stringify` would write so, byte by byte. A test holds them together.
 *
 * @param most edits
 * @returns `undefined` for any other body: what it says, and what is wrong with it, others find out
 */
export function readWrittenBatch(body: Uint8Array<ArrayBuffer>, most: number): WrittenBatch | undefined {
  const scan = new Scan(body);
  if (!scan.takes(INVENTORY)) return undefined;
  const room = Math.min(most, Math.floor(body.length / SHORTEST));
  const spans = new Int32Array(FIELDS * room);
  let count = 0;
  do {
    if (count === room || !scan.takesEdit(spans, count * FIELDS)) return undefined;
    count += 1;
  } while (scan.takesByte(COMMA));
  const [from, to] = [INVENTORY.length - 1, scan.at + 1];
  let sentAt: Timestamp | undefined;
  if (scan.takes(SENT_AT)) {
    const since = scan.at;
    if (!scan.takesTime()) return undefined;
    sentAt = textIn(body, since, scan.at) as Timestamp;
    if (!scan.takesByte(QUOTE)) return undefined;
  } else if (!scan.takesByte(END_OF_LIST)) return undefined;
  if (!scan.takesByte(END) || scan.at !== body.length) return undefined;
  return new WrittenBatch({
    bytes: body,
    from,
    to,
    count,
    spans,
    sentAt,
    hasOneTime: scan.repeatedTimes === count - 1,
  });
}

const INVENTORY = wordOf('{"inventory":[');
const FIRST = wordOf('{"id":"');
const THEN_AVAILABLE = wordOf('","available":');
const TRUE = wordOf('true');
const FALSE = wordOf('false');
const THEN_CLICKED_AT = wordOf(',"updated_at":"');
const THEN_BASE = wordOf('","base":"');
const THEN_EDIT_ID = wordOf('","edit_id":"');
const THEN_LABEL = wordOf('","label":"');
const SENT_AT = wordOf('],"sent_at":"');

/** Of an edit with a usual time and no base, from the id to the edit id. */
const MIDDLE_OF_TRUE =
  THEN_AVAILABLE.length + TRUE.length + THEN_CLICKED_AT.length + USUAL_TIME_LENGTH + THEN_EDIT_ID.length;
const MIDDLE_OF_FALSE = MIDDLE_OF_TRUE + FALSE.length - TRUE.length;

/** Of an edit, and less than that. */
const SHORTEST = FIRST.length + THEN_AVAILABLE.length + THEN_CLICKED_AT.length + THEN_EDIT_ID.length;

const QUOTE = 0x22;
const LETTER_T = 0x74;
const COMMA = 0x2c;
const END_OF_LIST = 0x5d;
const END = 0x7d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TILDE = 0x7e;
const MOST_OF_TIME = 30;

class Scan {
  at = 0;
  /** Of how many edits the time is one that an edit before has; of all but the first only where all have the same. */
  repeatedTimes = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #length: number;
  /** Where the value began that was taken last. */
  #from = 0;
  /** Where {@link #takesMiddle} last took one of a usual time and no base. */
  #middleOfTrue: number | undefined;
  #middleOfFalse: number | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#length = bytes.length;
  }

  takes({ fours, length }: Word): boolean {
    const view = this.#view;
    const from = this.at;
    const to = from + length;
    if (to > this.#length) return false;
    const last = fours.length - 1;
    for (let nth = 0; nth < last; nth += 1) if (view.getInt32(from + 4 * nth) !== fours[nth]) return false;
    if (view.getInt32(to - 4) !== fours[last]) return false;
    this.at = to;
    return true;
  }

  takesByte(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  takesEdit(spans: Int32Array, to: number): boolean {
    if (!this.takes(FIRST) || !this.#takesId()) return false;
    this.#note(spans, to + ID);
    if (!this.#takesMiddleAgain(spans, to) && !this.#takesMiddle(spans, to)) return false;
    if (!this.#takesEditId()) return false;
    this.#note(spans, to + EDIT_ID);
    if (this.takes(THEN_LABEL)) {
      if (!this.#takesLabel()) return false;
      this.#note(spans, to + LABEL);
    }
    return this.takesByte(QUOTE) && this.takesByte(END);
  }

  /** From the id to the edit id. */
  #takesMiddle(spans: Int32Array, to: number): boolean {
    const from = this.at;
    if (!this.takes(THEN_AVAILABLE)) return false;
    const isAvailable = this.takes(TRUE);
    if (!isAvailable && !this.takes(FALSE)) return false;
    spans[to + AVAILABLE] = isAvailable ? 1 : 0;
    if (!this.takes(THEN_CLICKED_AT)) return false;
    const before = to - FIELDS + CLICKED_AT;
    if (this.#takesTimeAgain(spans[before], spans[before + 1])) this.repeatedTimes += 1;
    else if (!this.takesTime()) return false;
    this.#note(spans, to + CLICKED_AT);
    if (this.takes(THEN_BASE)) {
      if (!this.takesTime()) return false;
      this.#note(spans, to + BASE);
    }
    if (!this.takes(THEN_EDIT_ID)) return false;
    if (this.at - from !== (isAvailable ? MIDDLE_OF_TRUE : MIDDLE_OF_FALSE)) return true;
    if (isAvailable) this.#middleOfTrue = from;
    else this.#middleOfFalse = from;
    return true;
  }

  /** The same as stood there in an edit before, its time included: most edits of a batch were made in one moment. */
  #takesMiddleAgain(spans: Int32Array, to: number): boolean {
    const view = this.#view;
    const from = this.at;
    const isAvailable = this.#bytes[from + THEN_AVAILABLE.length] === LETTER_T;
    const earlier = isAvailable ? this.#middleOfTrue : this.#middleOfFalse;
    const length = isAvailable ? MIDDLE_OF_TRUE : MIDDLE_OF_FALSE;
    const last = length - 4;
    if (earlier === undefined || from + length > this.#length) return false;
    for (let at = 0; at < last; at += 4) if (view.getInt32(from + at) !== view.getInt32(earlier + at)) return false;
    if (view.getInt32(from + last) !== view.getInt32(earlier + last)) return false;
    spans[to + AVAILABLE] = isAvailable ? 1 : 0;
    const end = from + length - THEN_EDIT_ID.length;
    spans[to + CLICKED_AT] = end - USUAL_TIME_LENGTH;
    spans[to + CLICKED_AT + 1] = end;
    this.repeatedTimes += 1;
    this.at = from + length;
    return true;
  }

  takesTime(): boolean {
    const bytes = this.#bytes;
    const from = (this.#from = this.at);
    if (isUsualTime(bytes, from)) {
      this.at = from + USUAL_TIME_LENGTH;
      return true;
    }
    const to = bytes.indexOf(QUOTE, from);
    if (to < 0 || to - from > MOST_OF_TIME || !isTimestamp(textIn(bytes, from, to))) return false;
    this.at = to;
    return true;
  }

  /** The usual time that stands there: most edits of a batch were made in one moment. */
  #takesTimeAgain(earlier = 0, end = 0): boolean {
    const view = this.#view;
    const from = this.at;
    const to = from + USUAL_TIME_LENGTH;
    if (end - earlier !== USUAL_TIME_LENGTH || to > this.#length) return false;
    for (let at = 0; at < USUAL_TIME_LENGTH; at += 4)
      if (view.getInt32(from + at) !== view.getInt32(earlier + at)) return false;
    this.#from = from;
    this.at = to;
    return true;
  }

  #note(spans: Int32Array, place: number): void {
    spans[place] = this.#from;
    spans[place + 1] = this.at;
  }

  /** Of visible ASCII and spaces alone, as nearly every id is. */
  #takesId(): boolean {
    const bytes = this.#bytes;
    let at = (this.#from = this.at);
    for (let byte = bytes[at] ?? 0; byte !== QUOTE; byte = bytes[(at += 1)] ?? 0) {
      if (byte < SPACE || byte > TILDE || byte === BACKSLASH) return false;
    }
    this.at = at;
    return at > this.#from && at - this.#from <= MAX_ITEM_ID_LENGTH;
  }

  #takesEditId(): boolean {
    const bytes = this.#bytes;
    let at = (this.#from = this.at);
    // Behind the end there is a zero, which is in none.
    while (isInEditId(bytes[at]) && isInEditId(bytes[at + 1]) && isInEditId(bytes[at + 2]) && isInEditId(bytes[at + 3]))
      at += 4;
    while (isInEditId(bytes[at])) at += 1;
    this.at = at;
    return bytes[at] === QUOTE && at > this.#from && at - this.#from <= MAX_EDIT_ID_LENGTH;
  }

  #takesLabel(): boolean {
    const bytes = this.#bytes;
    let at = (this.#from = this.at);
    let isAscii = true;
    for (let byte = bytes[at] ?? 0; byte !== QUOTE; byte = bytes[(at += 1)] ?? 0) {
      if (byte < SPACE || byte === BACKSLASH) return false;
      isAscii &&= byte <= TILDE;
    }
    this.at = at;
    const length = isAscii ? at - this.#from : textIn(bytes, this.#from, at)?.length;
    return length !== undefined && length <= MAX_LABEL_LENGTH;
  }
}

/**
 * What stands behind a quotation mark; `undefined` where that is not UTF-8. It is read with the mark: a text that begins with
 * a BOM loses it.
 */
function textIn(bytes: Uint8Array, from: number, to: number): string | undefined {
  try {
    return textOf(bytes.subarray(from - 1, to)).slice(1);
  } catch {
    return undefined;
  }
}
