import type { Position } from '../../../client/editor/editor-types.js';

/**
 * How high the lines of a list are: all as high as the style sheet says, except those that were measured to be higher, because a
 * reason or a name has more lines, or lower, because they are headings between tiles. A line that was not drawn yet counts as one
 * of the usual height.
 */
export class RowHeights {
  /** The usual height, a guess until the first layout: drawing at once, and once more if it was wrong, is cheaper than asking. */
  defaultPx = 60;
  readonly #extras = new Map<number, { readonly extra: number; readonly position: Position }>();
  /** The same in the order of the list, with the sum of all up to and with each, and by how much some of them are lower. */
  #sorted: Sums[] | undefined;

  /**
   * @param position of the first item on the line
   * @returns by how many pixels it is higher than was known; less than 0: lower
   */
  measure(line: number, position: Position, heightPx: number): number {
    const before = this.#extras.get(line)?.extra ?? 0;
    const extra = heightPx - this.defaultPx;
    // A browser rounds to a fraction of a pixel.
    if (Math.abs(extra - before) < 0.5) return 0;
    if (Math.abs(extra) < 0.5) this.#extras.delete(line);
    else this.#extras.set(line, { extra, position });
    this.#sorted = undefined;
    return extra - before;
  }

  /** Forgets the other measurements. @param isSame whether the line still begins with the item */
  retain(isSame: (line: number, position: Position) => boolean): void {
    for (const [line, { position }] of this.#extras) {
      if (isSame(line, position)) continue;
      this.#extras.delete(line);
      this.#sorted = undefined;
    }
  }

  /** How many pixels the lines before this one have besides their usual heights. */
  extraBefore(line: number): number {
    return this.#last((entry) => entry.line < line);
  }

  startOf(line: number): number {
    return line * this.defaultPx + this.extraBefore(line);
  }

  /** @param px from the beginning of the list @returns the line there */
  lineAt(px: number): number {
    const lower = (this.#sorted ??= this.#sort()).at(-1)?.lower ?? 0;
    let [low, high] = [0, Math.ceil((px + lower) / this.defaultPx)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.startOf(middle) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The sum of the last line for which this holds; it holds for all lines before it. */
  #last(holds: (entry: { readonly line: number }) => boolean): number {
    const sorted = (this.#sorted ??= this.#sort());
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const entry = sorted[middle];
      if (entry !== undefined && holds(entry)) low = middle + 1;
      else high = middle;
    }
    return sorted[low - 1]?.sum ?? 0;
  }

  #sort(): Sums[] {
    let [sum, lower] = [0, 0];
    return [...this.#extras]
      .sort(([one], [other]) => one - other)
      .map(([line, { extra }]) => ({ line, sum: (sum += extra), lower: (lower -= Math.min(0, extra)) }));
  }
}

interface Sums {
  readonly line: number;
  readonly sum: number;
  readonly lower: number;
}
