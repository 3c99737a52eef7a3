import type { FilterOfItems, Position, Query, RowOrder } from './editor-types.js';
import { foldText } from './fold-text.js';
import { type Scheduler, immediateScheduler, STEP, idleScheduler, runInSlices } from '../browser/next-frame.js';
import { type ItemList, MANY } from './item-list.js';
import { FILTERS } from './row-state.js';
import { groupOf, sortedRows } from './view/sort.js';

/** Every row, in the host's order. */
export const EVERYTHING: Query = { text: '', filter: 'all', group: undefined, sort: 'given', isReversed: false };

/** Rows that fill every screen: only their growth is worth a drawing. */
const SCREENFUL = 128;

/**
 * Which rows are drawn, and in which order.
 *
 * A row matches a text when each word of the text occurs in its name, id, group or note, in any order, without regard to case
 * and accents. The first slice of the work is done when `apply` returns, so that a key shows its first screenful at once; the
 * rest follows in slices, which the next key drops. What is found stays as it is when rows change, until the person asks
 * again: no row moves away below a finger.
 */
export class ItemFilter implements FilterOfItems {
  readonly #table: ItemList;
  readonly #onChange: () => void;
  readonly #pace: Scheduler;
  readonly #unsubscribe: () => void;
  #query = EVERYTHING;
  #found: Position[] = [];
  #busy = false;
  #stale = false;
  /** The table as it was when the search began. */
  #searched = { complete: true, size: 0 };
  /** The folded texts by position, made at the first search or before it. */
  #texts: (string | undefined)[] | undefined;
  #sorted:
    (Pick<Query, 'sort' | 'isReversed'> & { readonly size: number; readonly rows: readonly Position[] }) | undefined;
  #stopSearch: () => void = () => undefined;
  #stopPreparing: () => void = () => undefined;
  #edition: number;

  constructor(table: ItemList, onChange: () => void, pace: Scheduler = immediateScheduler) {
    this.#table = table;
    this.#onChange = onChange;
    this.#pace = pace;
    this.#edition = table.edition;
    this.#unsubscribe = table.subscribe((changed) => {
      this.#onTable(changed);
    });
  }

  get order(): RowOrder {
    return isEverything(this.#query) ? this.#table.order : this.#found;
  }

  get busy(): boolean {
    return this.#busy;
  }

  get stale(): boolean {
    return this.#stale;
  }

  apply(wanted: Partial<Query>): void {
    const before = this.#query;
    const query = { ...EVERYTHING, ...wanted };
    this.#query = { ...query, text: foldText(query.text).replace(/\s+/g, ' ').trim() };
    const { complete, size } = this.#table;
    const isSorted = this.#sorted?.sort === query.sort && this.#sorted.isReversed === query.isReversed;
    if (isSame(before, this.#query) || !isSorted || this.#sorted?.size !== size) this.#sorted = undefined;
    this.#stopSearch();
    this.#stopPreparing();
    this.#stale = false;
    this.#searched = { complete, size };
    this.#busy = !isEverything(this.#query);
    if (!this.#busy) return;
    let drawn = -1;
    const onSlice = (more: boolean): void => {
      this.#busy = more;
      if (more && drawn >= SCREENFUL) return;
      drawn = this.#found.length;
      this.#onChange();
    };
    this.#stopSearch = runInSlices(this.#search(), this.#pace, onSlice, 'now');
  }

  /** A person is about to search: the texts are made while there is nothing else to do. */
  prepare(pace: Scheduler = idleScheduler): void {
    if (this.#texts !== undefined || !this.#table.complete) return;
    this.#texts = [];
    this.#stopPreparing = runInSlices(this.#makeTexts(), pace, () => undefined);
  }

  /** Nobody searches any more. */
  rest(): void {
    if (this.#query.text !== '') return;
    this.#stopPreparing();
    this.#texts = undefined;
  }

  close(): void {
    this.#stopSearch();
    this.#stopPreparing();
    this.#unsubscribe();
  }

  *#search(): Generator<void, void> {
    const { text, filter, group, sort } = this.#query;
    const order = sort === 'given' ? this.#table.order : yield* this.#sort(this.#query);
    const words = text.split(' ');
    const keeps = FILTERS[filter];
    const found: Position[] = (this.#found = []);
    for (let place = 0; place < order.length; place += 1) {
      const position = order.at(place) ?? -1;
      const row = this.#table.isRow(position) ? this.#table.at(position) : undefined;
      const isIn = group === undefined || groupOf(this.#table, position) === group;
      if (row !== undefined && isIn && keeps(row) && this.#has(position, words)) found.push(position);
      if (place % STEP === STEP - 1) yield;
    }
  }

  *#sort({ sort, isReversed }: Query): Generator<void, readonly Position[]> {
    const { size } = this.#table;
    const rows = this.#sorted?.rows ?? (yield* sortedRows(this.#table, sort, isReversed));
    this.#sorted = { sort, isReversed, size, rows };
    return rows;
  }

  *#makeTexts(): Generator<void, void> {
    for (let position = 0; position < this.#table.size; position += 1) {
      if (this.#table.isRow(position)) this.#textAt(position);
      if (position % STEP === STEP - 1) yield;
    }
  }

  #has(position: Position, words: readonly string[]): boolean {
    if (words[0] === '') return true;
    const text = this.#textAt(position);
    return words.every((word) => text.includes(word));
  }

  #textAt(position: Position): string {
    const texts = (this.#texts ??= []);
    return (texts[position] ??= searchText(this.#table, position));
  }

  #onTable(changed: Position | undefined): void {
    const { edition, complete } = this.#table;
    const isEvery = isEverything(this.#query);
    // Rows that came in while the person was searching surprise nobody: they are searched, too.
    if (this.#edition !== edition || (!isEvery && !this.#searched.complete && complete)) {
      this.#edition = edition;
      this.#texts = undefined;
      this.#sorted = undefined;
      this.apply(this.#query);
      return;
    }
    if (changed !== undefined && changed !== MANY) delete this.#texts?.[changed];
    if (!isEvery && !this.#stale && !this.#busy && this.#isAffected(changed)) {
      this.#stale = true;
      this.#onChange();
    }
  }

  /** Whether the same query might now find other rows, or find them in another order. */
  #isAffected(changed: Position | undefined): boolean {
    const { text, filter, group, sort } = this.#query;
    if (this.#searched.complete && this.#searched.size < this.#table.size) return true;
    if (changed !== undefined) return filter !== 'all' || BY_VALUE.has(sort);
    return filter !== 'all' && text === '' && group === undefined && this.#table.counts[filter] !== this.#found.length;
  }
}

/** Orders in which a row has another place when its value or its edit changes. */
const BY_VALUE: ReadonlySet<Query['sort']> = new Set(['value', 'state', 'changed-at']);

const PARTS = Object.keys(EVERYTHING) as readonly (keyof Query)[];

function isSame(one: Query, other: Query): boolean {
  return PARTS.every((part) => one[part] === other[part]);
}

/** Nothing is searched for, filtered or sorted. */
export function isEverything(query: Query): boolean {
  return isSame({ ...query, isReversed: false }, EVERYTHING);
}

/** No word has a line break, so that no word is found across two of the texts. */
function searchText(table: ItemList, position: Position): string {
  const { label, group, note } = table.facts(position) ?? {};
  return foldText([label, table.idAt(position), group, note].filter((text) => typeof text === 'string').join('\n'));
}
