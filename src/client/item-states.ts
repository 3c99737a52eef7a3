import type { Position } from './editor-model.js';
import { count, noCounts, type Bits } from './item-bits.js';

/** The bits of all items, by position, and the counts that they come to. */
export interface StatesOfAll {
  readonly bits: Uint16Array<ArrayBuffer>;
  readonly counts: ReturnType<typeof noCounts>;
}

/** The bits of all items, and how many rows each filter would keep: counted as they change, never by looking at all. */
export class ItemStates {
  readonly counts = noCounts();
  #bits: Uint16Array<ArrayBuffer>;
  #version = 0;

  /** @param expected how many positions will come; more are welcome */
  constructor(expected: number) {
    this.#bits = new Uint16Array(expected + 64);
  }

  /** Another number as soon as anything is another. */
  get version(): number {
    return this.#version;
  }

  /** Replaced now and then: ask anew after each task. */
  get bits(): Readonly<Uint16Array<ArrayBuffer>> {
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
    this.#version += 1;
    count(this.counts, before, -1);
    count(this.counts, bits, 1);
  }

  /** All of them are others now; the bits are not to be used elsewhere any more. */
  take({ bits, counts }: StatesOfAll): void {
    this.#bits = bits;
    this.#version += 1;
    Object.assign(this.counts, counts);
  }

  clear(): void {
    this.take({ bits: new Uint16Array(this.#bits.length), counts: noCounts() });
  }
}
