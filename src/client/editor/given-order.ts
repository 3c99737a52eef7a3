import type { Position, RowOrder } from './editor-types.js';

/** The host's order, then what only the store knows, without the positions that are no rows. */
export class GivenOrder {
  /** Bad entries, repeated ids, and what the store has forgotten. */
  #holes = 0;
  #compact: Uint32Array | undefined;
  #moved: Uint32Array | undefined;

  /**
   * @param positions how many more, or fewer
   * @param moved all positions there are, in the order that the host has given since
   */
  leaveOut(positions = 1, moved = this.#moved): void {
    this.#holes += positions;
    this.#moved = moved;
    this.#compact = undefined;
  }

  rows(size: number, isHole: (position: Position) => boolean): RowOrder {
    // The usual list has no hole, and its order takes no bytes.
    if (this.#holes === 0)
      return { length: size, isEverything: true, at: (place) => (place < size ? place : undefined) };
    this.#compact ??= Uint32Array.from({ length: size }, (_, at) => this.#moved?.[at] ?? at).filter(
      (position) => !isHole(position),
    );
    return this.#compact;
  }
}
