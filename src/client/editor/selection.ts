import type { ItemIndex, RowOrder, SelectionOfItems, ViewIndex } from './editor-types.js';
import type { ItemList } from './item-list.js';

/**
 * The rows that a person has selected: a set of rows, or all rows except a set, so that selecting everything includes
 * rows that are not read yet. Filtering and sorting do not deselect a row.
 */
export class ItemSelection implements SelectionOfItems {
  readonly #table: ItemList;
  readonly #unsubscribe: () => void;
  readonly #itemIndexes = new Set<ItemIndex>();
  /** Whether the set has the rows that are not selected. */
  #isInverted = false;
  /** The start of a range. It is an item index, because sorting puts another row at its view index. */
  #anchor: ItemIndex | undefined;
  #rangeEnd: ItemIndex | undefined;
  #sessionEpoch: number;

  constructor(table: ItemList) {
    this.#table = table;
    this.#sessionEpoch = table.sessionEpoch;
    let { size, complete } = table;
    this.#unsubscribe = table.subscribe((changed) => {
      // Rows that are added to a complete list are not part of "everything".
      for (; size < table.size; size += 1) if (complete && this.#isInverted) this.#itemIndexes.add(size);
      ({ complete } = table);
      if (changed !== undefined) return;
      if (this.#sessionEpoch !== table.sessionEpoch) this.clear();
      this.#sessionEpoch = table.sessionEpoch;
    });
  }

  get count(): number {
    return this.#isInverted ? this.#table.counts.all - this.#itemIndexes.size : this.#itemIndexes.size;
  }

  has(itemIndex: ItemIndex): boolean {
    return this.#itemIndexes.has(itemIndex) !== this.#isInverted;
  }

  state(order: RowOrder): 'none' | 'some' | 'all' {
    if (order.length === 0 || this.count === 0) return 'none';
    // For a list that shows all rows the count is enough.
    if (order.length === this.#table.counts.all) return this.count === order.length ? 'all' : 'some';
    const first = this.has(order.at(0) ?? -1);
    for (let viewIndex = 1; viewIndex < order.length; viewIndex += 1) {
      if (this.has(order.at(viewIndex) ?? -1) !== first) return 'some';
    }
    return first ? 'all' : 'none';
  }

  toggle(order: RowOrder, viewIndex: ViewIndex): void {
    const itemIndex = order.at(viewIndex);
    if (itemIndex === undefined || !this.#table.isRow(itemIndex)) return;
    this.#set(itemIndex, !this.has(itemIndex));
    this.#anchor = this.#rangeEnd = itemIndex;
  }

  extendTo(order: RowOrder, viewIndex: ViewIndex): void {
    const anchor = this.#anchor ?? -1;
    const start = findViewIndex(order, anchor);
    if (start < 0) {
      // Shift only adds: a row that is selected stays selected.
      if (!this.has(order.at(viewIndex) ?? -1)) this.toggle(order, viewIndex);
      return;
    }
    const isIn = this.has(anchor);
    // A range that is drawn again deselects the rows that it no longer covers. A range that deselects cannot restore
    // rows, because it does not know which were selected.
    const end = isIn ? findViewIndex(order, this.#rangeEnd ?? -1) : -1;
    if (end >= 0) this.#setRange(order, start, end, false);
    this.#setRange(order, start, viewIndex, isIn);
    this.#rangeEnd = order.at(viewIndex);
  }

  /** Selects all rows of the order, rendered or not. Without a filter this includes rows that are not read yet. */
  selectAll(order: RowOrder, isIn = true): void {
    this.#anchor = undefined;
    if (order.isEverything === true) {
      this.clear();
      this.#isInverted = isIn;
      return;
    }
    for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1) this.#set(order.at(viewIndex) ?? -1, isIn);
  }

  clear(): void {
    this.#itemIndexes.clear();
    this.#isInverted = false;
    this.#anchor = undefined;
  }

  rows(): ItemIndex[] {
    const rows: ItemIndex[] = [];
    for (let itemIndex = 0; itemIndex < this.#table.size; itemIndex += 1) {
      if (this.has(itemIndex) && this.#table.isRow(itemIndex)) rows.push(itemIndex);
    }
    return rows;
  }

  close(): void {
    this.#unsubscribe();
  }

  #setRange(order: RowOrder, from: ViewIndex, to: ViewIndex, isIn: boolean): void {
    for (let viewIndex = Math.min(from, to); viewIndex <= Math.max(from, to); viewIndex += 1) {
      const itemIndex = order.at(viewIndex);
      if (itemIndex !== undefined && this.#table.isRow(itemIndex)) this.#set(itemIndex, isIn);
    }
  }

  #set(itemIndex: ItemIndex, isIn: boolean): void {
    if (isIn === this.#isInverted) this.#itemIndexes.delete(itemIndex);
    else this.#itemIndexes.add(itemIndex);
  }
}

function findViewIndex(order: RowOrder, itemIndex: ItemIndex): ViewIndex {
  for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1)
    if (order.at(viewIndex) === itemIndex) return viewIndex;
  return -1;
}
