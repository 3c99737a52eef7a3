import type { ItemIndex } from '../../../client/editor/editor-types.js';

/**
 * The heights of the lines of a list. All have the default height of the style sheet, except lines that were measured: a
 * reason or a name with more lines of text makes a line higher, and a heading between tiles is lower. A line that was not
 * rendered yet counts with the default height.
 */
export class RowHeights {
  /**
   * The default height, a guess until the first layout: rendering at once, and again if the guess was wrong, is cheaper
   * than measuring.
   */
  defaultPx = 60;
  readonly #extras = new Map<number, { readonly extra: number; readonly itemIndex: ItemIndex }>();
  /** The same in the order of the list: for each line the sum of the extras up to it, and the sum of those below zero. */
  #sorted: Sums[] | undefined;

  /**
   * @param itemIndex of the first item on the line
   * @returns by how many pixels the line is higher than was known; below 0 if it is lower
   */
  measure(line: number, itemIndex: ItemIndex, heightPx: number): number {
    const before = this.#extras.get(line)?.extra ?? 0;
    const extra = heightPx - this.defaultPx;
    // Browsers round heights to a fraction of a pixel.
    if (Math.abs(extra - before) < 0.5) return 0;
    if (Math.abs(extra) < 0.5) this.#extras.delete(line);
    else this.#extras.set(line, { extra, itemIndex });
    this.#sorted = undefined;
    return extra - before;
  }

  /** Drops measurements. @param isSame whether the line still begins with the item; otherwise its measurement is dropped */
  retain(isSame: (line: number, itemIndex: ItemIndex) => boolean): void {
    for (const [line, { itemIndex }] of this.#extras) {
      if (isSame(line, itemIndex)) continue;
      this.#extras.delete(line);
      this.#sorted = undefined;
    }
  }

  /** The sum of the differences from the default height, in pixels, of all lines before this one. */
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

  /** The sum at the last line that fulfils the condition. All lines before it fulfil it too. */
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
