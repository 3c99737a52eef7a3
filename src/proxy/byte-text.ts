/** Bytes that are put into texts: four at a time, in a third of the time that one after the other takes. */
export interface Piece {
  readonly view: DataView;
  readonly length: number;
}

/** @param of bytes, or a text of which they are the UTF-8 */
export function pieceOf(of: Uint8Array | string): Piece {
  const bytes = typeof of === 'string' ? UTF8.encode(of) : of;
  return { view: viewOf(bytes), length: bytes.length };
}

export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * By hand: for so few bytes, to call what copies them takes longer than they do. No object keeps the place: V8 makes one piece
 * of a function as short as this and of who calls it.
 *
 * @param at where in the text
 * @returns where the text goes on
 * @throws {RangeError} where the text has no room for it
 */
export function put(text: DataView, at: number, view: DataView, from: number, to: number): number {
  let next = from;
  let then = at;
  for (; next + 4 <= to; next += 4, then += 4) text.setInt32(then, view.getInt32(next, true), true);
  for (; next < to; next += 1, then += 1) text.setInt8(then, view.getInt8(next));
  return then;
}

export function putPiece(text: DataView, at: number, { view, length }: Piece): number {
  return put(text, at, view, 0, length);
}

export function putByte(text: DataView, at: number, byte: number): number {
  text.setInt8(at, byte);
  return at + 1;
}

/** In digits. @param number a safe integer that is not negative */
export function putNumber(text: DataView, at: number, number: number): number {
  let end = at + 1;
  for (let power = 10; power <= number; power *= 10) end += 1;
  let rest = number;
  for (let then = end - 1; then >= at; then -= 1) {
    const digit = rest % 10;
    text.setInt8(then, ZERO + digit);
    rest = (rest - digit) / 10;
  }
  return end;
}

const UTF8 = new TextEncoder();
const ZERO = 0x30;
