import { BitSet } from '../../domain/bit-set.js';
import type { Place, Position, RowOrder, SelectionOfItems } from './editor-types.js';
import type { ItemTable } from './item-table.js';

/**
 * Which rows a person has selected: a bit for each, and a flag that turns their meaning round, so that all of 100,000 are
 * selected without looking at one of them, and those that are still to be read with them. Filtering and sorting hide
 * selected rows, and forget none.
 */
export class ItemSelection implements SelectionOfItems {
  readonly #table: ItemTable;
  readonly #leave: () => void;
  readonly #bits = new BitSet();
  /** The bits then say what is not selected. */
  #isTurned = false;
  /** Where a range starts: a position, because a place is another row as soon as somebody sorts. */
  #anchor: Position | undefined;
  /** Where it ends now. */
  #reach: Position | undefined;
  #person: number;
  #version = 0;

  constructor(table: ItemTable) {
    this.#table = table;
    this.#person = table.person;
    let { size, complete } = table;
    this.#leave = table.subscribe((changed) => {
      // What comes when all was there nobody has chosen.
      for (; size < table.size; size += 1) if (complete) this.#bits.set(size, this.#isTurned);
      ({ complete } = table);
      if (changed !== undefined) return;
      if (this.#person !== table.person) this.clear();
      this.#person = table.person;
    });
  }

  get version(): number {
    return this.#version;
  }

  get count(): number {
    return this.#isTurned ? this.#table.counts.all - this.#bits.length : this.#bits.length;
  }

  has(position: Position): boolean {
    return this.#bits.has(position) !== this.#isTurned;
  }

  state(order: RowOrder): 'none' | 'some' | 'all' {
    if (order.length === 0 || this.count === 0) return 'none';
    // A list that shows everything is told by the count alone.
    if (order.length === this.#table.counts.all) return this.count === order.length ? 'all' : 'some';
    const first = this.has(order.at(0) ?? -1);
    for (let place = 1; place < order.length; place += 1) {
      if (this.has(order.at(place) ?? -1) !== first) return 'some';
    }
    return first ? 'all' : 'none';
  }

  toggle(order: RowOrder, place: Place): void {
    const position = order.at(place);
    if (position === undefined || !this.#table.isRow(position)) return;
    this.#set(position, !this.has(position));
    this.#anchor = this.#reach = position;
  }

  extendTo(order: RowOrder, place: Place): void {
    const anchor = this.#anchor ?? -1;
    const start = placeOf(order, anchor);
    if (start < 0) {
      // Shift adds: what is selected with all others stays so.
      if (!this.has(order.at(place) ?? -1)) this.toggle(order, place);
      return;
    }
    const isIn = this.has(anchor);
    // A range that is drawn anew lets go of what it no longer reaches. What it took away was not always selected before.
    const before = isIn ? placeOf(order, this.#reach ?? -1) : -1;
    if (before >= 0) this.#setRange(order, start, before, false);
    this.#setRange(order, start, place, isIn);
    this.#reach = order.at(place);
  }

  /** Selects all that match, also those that are not drawn; where nothing is filtered, also those that are to come. */
  selectAll(order: RowOrder, isIn = true): void {
    this.#anchor = undefined;
    if (order.isEverything === true) {
      this.clear();
      this.#isTurned = isIn;
      return;
    }
    for (let place = 0; place < order.length; place += 1) this.#set(order.at(place) ?? -1, isIn);
  }

  clear(): void {
    this.#version += 1;
    this.#bits.clear();
    this.#isTurned = false;
    this.#anchor = undefined;
  }

  rows(): Uint32Array {
    const rows = (this.#isTurned ? this.#bits.othersBelow(this.#table.size) : this.#bits).list();
    const { bits } = this.#table.states;
    let count = 0;
    for (let at = 0; at < rows.length; at += 1) {
      const position = rows[at] ?? 0;
      if (bits[position] !== 0 || this.#table.isRow(position)) rows[count++] = position;
    }
    return rows.subarray(0, count);
  }

  close(): void {
    this.#leave();
  }

  #setRange(order: RowOrder, from: Place, to: Place, isIn: boolean): void {
    for (let at = Math.min(from, to); at <= Math.max(from, to); at += 1) {
      const position = order.at(at);
      if (position !== undefined && this.#table.isRow(position)) this.#set(position, isIn);
    }
  }

  #set(position: Position, isIn: boolean): void {
    this.#version += 1;
    this.#bits.set(position, isIn !== this.#isTurned);
  }
}

function placeOf(order: RowOrder, position: Position): Place {
  for (let place = 0; place < order.length; place += 1) if (order.at(place) === position) return place;
  return -1;
}
