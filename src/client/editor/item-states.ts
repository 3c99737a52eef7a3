import type { Position } from './editor-types.js';
import { count, noCounts, type Bits } from './item-bits.js';

type ManyBits = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** The bits of all items, by position, and the counts that they come to. */
export interface StatesOfAll {
  readonly bits: ManyBits;
  readonly counts: ReturnType<typeof noCounts>;
}

/** The bits of all items, and how many rows each filter would keep: counted as they change, never by looking at all. */
export class ItemStates {
  readonly counts = noCounts();
  /** Eight of each until there is a draft, which most visits never make. */
  #bits: ManyBits;
  #version = 0;

  /** @param expected how many positions will come; more are welcome */
  constructor(expected: number) {
    this.#bits = new Uint8Array(expected + 64);
  }

  /** Another number as soon as anything is another. */
  get version(): number {
    return this.#version;
  }

  /** Replaced now and then: ask anew after each task. */
  get bits(): Readonly<ManyBits> {
    return this.#bits;
  }

  at(position: Position): Bits {
    return this.#bits[position] ?? 0;
  }

  put(position: Position, bits: Bits): void {
    const before = this.at(position);
    if (before === bits) return;
    this.#bits[position] = bits;
    // Too few of them, or too narrow.
    if (this.at(position) !== bits) {
      const few = this.#bits;
      this.#bits = new Uint16Array(Math.max(position * 2, few.length));
      this.#bits.set(few);
      this.#bits[position] = bits;
    }
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

  /** Those that were there stay as they are, with whoever has them. */
  clear(): void {
    this.take({ bits: new Uint16Array(this.#bits.length), counts: noCounts() });
  }
}
