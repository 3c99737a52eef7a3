import { isChanged, type Code } from '../domain/stand.js';
import type { FilterName, Position } from './editor-model.js';
import { BASE_SHIFT, FILTER_NAMES, FILTERS, MET, VALUE, withWish, type Bits } from './item-bits.js';

/** The bits of all items, and how many rows each filter would keep: counted as they change, never by looking at all. */
export class ItemStates {
  readonly counts = Object.fromEntries(FILTER_NAMES.map((name) => [name, 0])) as Record<FilterName, number>;
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
    for (const name of FILTER_NAMES) {
      this.counts[name] += Number(FILTERS[name](bits)) - Number(FILTERS[name](before));
    }
  }

  /** Writes a wish that is not saved, or takes it back. One step may write all items, so nothing else is counted. */
  wish(position: Position, wish: Code): void {
    const bits = this.at(position);
    const next = withWish(bits, wish);
    this.#bits[position] = next;
    this.counts.changed += Number(isChanged(next)) - Number(isChanged(bits));
  }

  /** Says which value a wish stands on, and whether somebody else has spoken since. */
  ground(position: Position, base: Code, met: boolean): void {
    const bits = this.at(position) & ~(MET | (VALUE << BASE_SHIFT));
    this.#bits[position] = bits | (base << BASE_SHIFT) | (met ? MET : 0);
  }

  clear(): void {
    this.#bits.fill(0);
    for (const name of FILTER_NAMES) this.counts[name] = 0;
  }
}
