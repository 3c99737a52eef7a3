import type { Position } from './editor-types.js';
import { foldText } from './fold-text.js';
import { STEP } from '../browser/idle-work.js';
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

/** A label with white space that is drawn as one blank, and is none, has some of these. */
const MAY_NOT_BE_PLAIN = /[\0-\x1f\xa0-\uffff]|  /;

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

  /**
   * Adds the rows of one chunk that have the needle.
   * @param first the chunk's first position
   * @param count how many are found before @returns how many are found then
   */
  find(first: Position, found: Uint32Array, count: number): number {
    const number = first / STEP;
    if (this.#misses.has(number)) return count;
    const { text, ends } = (this.#chunks[number] ??= this.#make(first));
    const needle = this.#needle;
    let row = 0;
    let next = count;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, ends[row])) {
      while ((ends[row] ?? Infinity) <= at) row += 1;
      found[next++] = first + row;
    }
    if (next === count) this.#misses.add(number);
    return next;
  }

  /** The row says something else now. */
  forget(position: Position): void {
    const number = (position / STEP) | 0;
    this.#chunks[number] = undefined;
    this.#misses.delete(number);
  }

  #make(first: Position): Chunk {
    const ends = new Uint32Array(Math.min(STEP, this.#table.size - first));
    let rows = '';
    for (let row = 0; row < ends.length; row += 1) {
      rows += this.#row(first + row) + END_OF_ROW;
      ends[row] = rows.length;
    }
    const text = foldText(rows);
    // Folding keeps every end of a row, and changes lengths where not all is ASCII.
    if (/[\u0080-\uffff]/.test(rows)) {
      for (let row = 0, end = 0; row < ends.length; row += 1) ends[row] = end = text.indexOf(END_OF_ROW, end) + 1;
    }
    return { text, ends };
  }

  #row(position: Position): string {
    const id = this.#table.isRow(position) ? this.#table.idAt(position) : undefined;
    if (id === undefined) return '';
    const label: unknown = this.#table.facts(position)?.label;
    if (typeof label !== 'string') return id;
    return (MAY_NOT_BE_PLAIN.test(label) ? label.replace(/\s+/g, ' ') : label) + END_OF_LABEL + id;
  }
}
