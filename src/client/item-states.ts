import type { Position } from './editor-model.js';
import { count, noCounts, type Bits } from './item-bits.js';

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

  clear(): void {
    this.#bits.fill(0);
    Object.assign(this.counts, noCounts());
  }
}
