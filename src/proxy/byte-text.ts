/** Text that is put together from bytes. It has to have room for all of it from the start. */
export class ByteText {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param room bytes; or where it may stand, for whoever has no need of it once the next is written there */
  constructor(room: number | Uint8Array<ArrayBuffer>) {
    this.#bytes = typeof room === 'number' ? new Uint8Array(room) : room;
  }

  /** @throws {RangeError} where there was not room for all of it */
  get written(): Uint8Array<ArrayBuffer> {
    if (this.#length > this.#bytes.length) throw new RangeError('a text is longer than was made room for');
    return this.#bytes.subarray(0, this.#length);
  }

  /** By hand: to set so few bytes takes longer than they do. */
  add(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const text = this.#bytes;
    let at = this.#length;
    for (let next = from; next < to; next += 1, at += 1) text[at] = bytes[next] ?? 0;
    this.#length = at;
  }

  /** Of some dozens of bytes and more, all of them. */
  addLong(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  addByte(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** @param number a safe integer that is not negative */
  addNumber(number: number): void {
    let digits = 1;
    for (let power = 10; power <= number; power *= 10) digits += 1;
    let rest = number;
    for (let at = this.#length + digits - 1; at >= this.#length; at -= 1) {
      const digit = rest % 10;
      this.#bytes[at] = ZERO + digit;
      rest = (rest - digit) / 10;
    }
    this.#length += digits;
  }
}

const ZERO = 0x30;
