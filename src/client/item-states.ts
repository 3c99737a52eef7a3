import type { Numbers } from '../domain/bit-set.js';
import type { Position } from './editor-model.js';
import { count, KINDS, noCounts, type Bits } from './item-bits.js';

/** The bits of all items, and how many rows each filter would keep: counted as they change, never by looking at all. */
export class ItemStates {
  readonly counts = noCounts();
  #bits: Uint16Array;

  /** @param expected how many positions will come; more are welcome */
  constructor(expected: number) {
    this.#bits = new Uint16Array(expected + 64);
  }

  /** Replaced when it grows: ask anew after each task. */
  get bits(): Readonly<Uint16Array> {
    return this.#bits;
  }

  at(position: Position): Bits {
    return this.#bits[position] ?? 0;
  }

  put(position: Position, bits: Bits): void {
    const before = this.at(position);
    if (before === bits) return;
    if (position >= this.#bits.length) {
      const few = this.#bits;
      this.#bits = new Uint16Array(position * 2);
      this.#bits.set(few);
    }
    this.#bits[position] = bits;
    count(this.counts, before, -1);
    count(this.counts, bits, 1);
  }

  /**
   * Changes many rows in one pass. What becomes of a row depends on its bits alone: it is found out and counted once for
   * all rows that have the same.
   */
  change(rows: Numbers, next: (bits: Bits) => Bits): void {
    const after = new Int32Array(KINDS).fill(-1);
    const rowsOf = new Uint32Array(KINDS);
    rows.forEach((position) => {
      const before = this.at(position);
      let now = after[before] ?? 0;
      if (now < 0) now = after[before] = next(before);
      rowsOf[before] = (rowsOf[before] ?? 0) + 1;
      this.#bits[position] = now;
    });
    rowsOf.forEach((length, before) => {
      if (length === 0) return;
      count(this.counts, before, -length);
      count(this.counts, after[before] ?? 0, length);
    });
  }

  clear(): void {
    this.#bits.fill(0);
    Object.assign(this.counts, noCounts());
  }
}
