import type { Position } from './editor-model.js';
import { foldText } from './fold-text.js';
import { STEP } from './idle-work.js';
import type { ItemTable } from './item-table.js';

/** Texts of a step of rows in one string: a search goes through it at the speed of memory. */
interface Chunk {
  readonly text: string;
  /** Where each row's text ends. */
  readonly ends: Uint32Array;
}

/** No id has these, a label's own become blanks, and no needle contains one: nothing is found across two texts. */
const END_OF_LABEL = '\t';
const END_OF_ROW = '\n';

/**
 * The folded labels and ids of all rows, made before they are first searched, or then. A chunk in which the last needle was not
 * found is not looked at again for a longer one.
 */
export class SearchTexts {
  readonly #table: ItemTable;
  readonly #chunks: (Chunk | undefined)[] = [];
  #needle = '';
  /** Chunks without the last needle, by number. */
  #misses = new Set<number>();

  constructor(table: ItemTable) {
    this.#table = table;
  }

  /** Every search starts with this. @param needle folded, and not empty */
  seek(needle: string): void {
    if (!needle.includes(this.#needle)) this.#misses = new Set();
    this.#needle = needle;
  }

  /** Before anybody asks. */
  *makeAll(): Generator<void, void> {
    for (let first = 0; first < this.#table.size; first += STEP) {
      this.#chunks[first / STEP] ??= this.#make(first);
      yield;
    }
  }

  /** Visits the rows of one chunk that have the needle. @param first the chunk's first position */
  find(first: Position, visit: (position: Position) => void): void {
    const number = first / STEP;
    if (this.#misses.has(number)) return;
    const { text, ends } = (this.#chunks[number] ??= this.#make(first));
    let row = 0;
    let at = text.indexOf(this.#needle);
    if (at < 0) this.#misses.add(number);
    while (at >= 0) {
      while ((ends[row] ?? Infinity) <= at) row += 1;
      visit(first + row);
      at = text.indexOf(this.#needle, ends[row]);
    }
  }

  /** The row says something else now. */
  forget(position: Position): void {
    const number = Math.floor(position / STEP);
    this.#chunks[number] = undefined;
    this.#misses.delete(number);
  }

  #make(first: Position): Chunk {
    const last = Math.min(first + STEP, this.#table.size);
    let rows = '';
    for (let position = first; position < last; position += 1) rows += this.#row(position) + END_OF_ROW;
    const text = foldText(rows);
    const ends = new Uint32Array(last - first);
    // Folding changes lengths, and keeps every end of a row.
    for (let row = 0, end = 0; row < ends.length; row += 1) ends[row] = end = text.indexOf(END_OF_ROW, end) + 1;
    return { text, ends };
  }

  #row(position: Position): string {
    const id = this.#table.isRow(position) ? this.#table.idAt(position) : undefined;
    if (id === undefined) return '';
    const label: unknown = this.#table.facts(position)?.label;
    if (typeof label !== 'string') return id;
    const isPlain = !label.includes(END_OF_LABEL) && !label.includes(END_OF_ROW);
    return (isPlain ? label : label.replace(/[\t\n]/g, ' ')) + END_OF_LABEL + id;
  }
}
