import { BitSet } from '../../domain/bit-set.js';
import type { Position } from './editor-types.js';
import { STEP } from '../browser/idle-work.js';

/**
 * By position: when the value was made that a wish stands on, in milliseconds since the epoch. 0: not noted yet. Forgetting
 * many looks at words of bits, not at rows.
 */
export class WishStamps {
  readonly #expected: number;
  readonly #forgotten = new BitSet();
  #stamps = new Float64Array(0);

  constructor(expected: number) {
    this.#expected = expected;
  }

  at(position: Position): number {
    return this.#forgotten.has(position) ? 0 : (this.#stamps[position] ?? 0);
  }

  put(position: Position, stamp: number): void {
    if (position >= this.#stamps.length) {
      const few = this.#stamps;
      this.#stamps = new Float64Array(Math.max(this.#expected, position) + STEP);
      this.#stamps.set(few);
    }
    this.#forgotten.set(position, false);
    this.#stamps[position] = stamp;
  }

  forget(positions: BitSet): void {
    this.#forgotten.addAll(positions);
  }
}
