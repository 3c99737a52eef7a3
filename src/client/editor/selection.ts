import type { Place, Position, RowOrder, SelectionOfItems } from './editor-types.js';
import type { ItemList } from './item-list.js';

/**
 * The rows that a person has selected: a set of rows, or all rows except a set, so that selecting everything includes
 * rows that are not read yet. Filtering and sorting do not deselect a row.
 */
export class ItemSelection implements SelectionOfItems {
  readonly #table: ItemList;
  readonly #unsubscribe: () => void;
  readonly #positions = new Set<Position>();
  /** Whether the set has the rows that are not selected. */
  #isInverted = false;
  /** The start of a range. It is a position, because sorting puts another row at its place. */
  #anchor: Position | undefined;
  #rangeEnd: Position | undefined;
  #sessionEpoch: number;

  constructor(table: ItemList) {
    this.#table = table;
    this.#sessionEpoch = table.sessionEpoch;
    let { size, complete } = table;
    this.#unsubscribe = table.subscribe((changed) => {
      // Rows that are added to a complete list are not part of "everything".
      for (; size < table.size; size += 1) if (complete && this.#isInverted) this.#positions.add(size);
      ({ complete } = table);
      if (changed !== undefined) return;
      if (this.#sessionEpoch !== table.sessionEpoch) this.clear();
      this.#sessionEpoch = table.sessionEpoch;
    });
  }

  get count(): number {
    return this.#isInverted ? this.#table.counts.all - this.#positions.size : this.#positions.size;
  }

  has(position: Position): boolean {
    return this.#positions.has(position) !== this.#isInverted;
  }

  state(order: RowOrder): 'none' | 'some' | 'all' {
    if (order.length === 0 || this.count === 0) return 'none';
    // For a list that shows all rows the count is enough.
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
    this.#anchor = this.#rangeEnd = position;
  }

  extendTo(order: RowOrder, place: Place): void {
    const anchor = this.#anchor ?? -1;
    const start = findPlace(order, anchor);
    if (start < 0) {
      // Shift only adds: a row that is selected stays selected.
      if (!this.has(order.at(place) ?? -1)) this.toggle(order, place);
      return;
    }
    const isIn = this.has(anchor);
    // A range that is drawn again deselects the rows that it no longer covers. A range that deselects cannot restore
    // rows, because it does not know which were selected.
    const end = isIn ? findPlace(order, this.#rangeEnd ?? -1) : -1;
    if (end >= 0) this.#setRange(order, start, end, false);
    this.#setRange(order, start, place, isIn);
    this.#rangeEnd = order.at(place);
  }

  /** Selects all rows of the order, rendered or not. Without a filter this includes rows that are not read yet. */
  selectAll(order: RowOrder, isIn = true): void {
    this.#anchor = undefined;
    if (order.isEverything === true) {
      this.clear();
      this.#isInverted = isIn;
      return;
    }
    for (let place = 0; place < order.length; place += 1) this.#set(order.at(place) ?? -1, isIn);
  }

  clear(): void {
    this.#positions.clear();
    this.#isInverted = false;
    this.#anchor = undefined;
  }

  rows(): Position[] {
    const rows: Position[] = [];
    for (let position = 0; position < this.#table.size; position += 1) {
      if (this.has(position) && this.#table.isRow(position)) rows.push(position);
    }
    return rows;
  }

  close(): void {
    this.#unsubscribe();
  }

  #setRange(order: RowOrder, from: Place, to: Place, isIn: boolean): void {
    for (let place = Math.min(from, to); place <= Math.max(from, to); place += 1) {
      const position = order.at(place);
      if (position !== undefined && this.#table.isRow(position)) this.#set(position, isIn);
    }
  }

  #set(position: Position, isIn: boolean): void {
    if (isIn === this.#isInverted) this.#positions.delete(position);
    else this.#positions.add(position);
  }
}

function findPlace(order: RowOrder, position: Position): Place {
  for (let place = 0; place < order.length; place += 1) if (order.at(place) === position) return place;
  return -1;
}
