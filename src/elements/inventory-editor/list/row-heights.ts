import type { Place, Position } from '../../../client/editor/editor-types.js';

/**
 * How high the rows of a list are: all as high as the style sheet says, except those that were measured to be higher, because
 * their reason or their name has more lines. A row that nobody has seen yet counts as one of the usual height.
 */
export class RowHeights {
  /** The usual height, a guess until the first layout: drawing at once, and once more if it was wrong, is cheaper than asking. */
  usualPx = 60;
  readonly #extras = new Map<Place, { readonly extra: number; readonly position: Position }>();
  /** The same in the order of the list, with the sum of all up to and with each. */
  #sorted: { readonly place: Place; readonly sum: number }[] | undefined;

  /**
   * @param position of the item that stands in the place
   * @returns by how many pixels it is higher than was known
   */
  measure(place: Place, position: Position, heightPx: number): number {
    const before = this.#extras.get(place)?.extra ?? 0;
    const extra = Math.max(0, heightPx - this.usualPx);
    // A browser rounds to a fraction of a pixel.
    if (Math.abs(extra - before) < 0.5) return 0;
    if (extra === 0) this.#extras.delete(place);
    else this.#extras.set(place, { extra, position });
    this.#sorted = undefined;
    return extra - before;
  }

  /** Forgets what was measured of the others. @param isSame whether the item still stands in the place */
  keep(isSame: (place: Place, position: Position) => boolean): void {
    for (const [place, { position }] of this.#extras) {
      if (isSame(place, position)) continue;
      this.#extras.delete(place);
      this.#sorted = undefined;
    }
  }

  /** How many pixels the rows before a place have besides their usual heights. */
  extraBefore(place: Place): number {
    return this.#last((entry) => entry.place < place);
  }

  startOf(place: Place): number {
    return place * this.usualPx + this.extraBefore(place);
  }

  /** @param px from the beginning of the list @returns the place of the row there */
  placeAt(px: number): Place {
    let [low, high] = [0, Math.ceil(px / this.usualPx)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.startOf(middle) <= px) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The sum of the last entry for which this holds; it holds for all entries before it. */
  #last(holds: (entry: { readonly place: Place }) => boolean): number {
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

  #sort(): { readonly place: Place; readonly sum: number }[] {
    let sum = 0;
    return [...this.#extras]
      .sort(([one], [other]) => one - other)
      .map(([place, { extra }]) => ({ place, sum: (sum += extra) }));
  }
}
