import type { FilterOfItems, ItemIndex, Query, RowOrder } from './editor-types.js';
import { foldText } from './fold-text.js';
import { type Scheduler, immediateScheduler, STEP, idleScheduler, runInSlices } from '../browser/next-frame.js';
import { type ItemList, MANY } from './item-list.js';
import { FILTERS } from './row-state.js';
import { groupOf, sortedRows } from './view/sort.js';

/** Every row, in the host's order. */
export const EVERYTHING: Query = { text: '', filter: 'all', group: undefined, sort: 'given', isReversed: false };

/**
 * Enough rows to fill any screen. Once that many are found, further ones are rendered only at the end of the search.
 */
const SCREENFUL = 128;

/**
 * The rows to render, and their order.
 *
 * A row matches a text if each word of the text occurs in its name, id, group or note, in any order, without regard to
 * case and accents. The first slice of the search ends before `apply` returns, so that each key shows its first
 * screenful at once. The rest follows in slices, which the next key cancels. The result stays the same when rows
 * change, until the person searches again: no row moves away under a finger.
 */
export class ItemFilter implements FilterOfItems {
  readonly #table: ItemList;
  readonly #onChange: () => void;
  readonly #scheduler: Scheduler;
  readonly #unsubscribe: () => void;
  #query = EVERYTHING;
  #found: ItemIndex[] = [];
  #busy = false;
  #stale = false;
  /** The state of the table at the start of the search. */
  #searched = { complete: true, size: 0 };
  /** The folded texts by item index, created by the first search or by `prepare`. */
  #texts: (string | undefined)[] | undefined;
  #sorted:
    (Pick<Query, 'sort' | 'isReversed'> & { readonly size: number; readonly rows: readonly ItemIndex[] }) | undefined;
  #stopSearch: () => void = () => undefined;
  #stopPreparing: () => void = () => undefined;
  #edition: number;

  constructor(table: ItemList, onChange: () => void, scheduler: Scheduler = immediateScheduler) {
    this.#table = table;
    this.#onChange = onChange;
    this.#scheduler = scheduler;
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
    this.#stopSearch = runInSlices(this.#search(), this.#scheduler, onSlice, 'now');
  }

  /** Creates the folded texts in idle slices before the person searches. */
  prepare(scheduler: Scheduler = idleScheduler): void {
    if (this.#texts !== undefined || !this.#table.complete) return;
    this.#texts = [];
    this.#stopPreparing = runInSlices(this.#makeTexts(), scheduler, () => undefined);
  }

  /** Frees the folded texts, unless the query uses them. */
  release(): void {
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
    const matches = FILTERS[filter];
    const found: ItemIndex[] = (this.#found = []);
    for (let viewIndex = 0; viewIndex < order.length; viewIndex += 1) {
      const itemIndex = order.at(viewIndex) ?? -1;
      const row = this.#table.isRow(itemIndex) ? this.#table.at(itemIndex) : undefined;
      const isIn = group === undefined || groupOf(this.#table, itemIndex) === group;
      if (row !== undefined && isIn && matches(row) && this.#has(itemIndex, words)) found.push(itemIndex);
      if (viewIndex % STEP === STEP - 1) yield;
    }
  }

  *#sort({ sort, isReversed }: Query): Generator<void, readonly ItemIndex[]> {
    const { size } = this.#table;
    const rows = this.#sorted?.rows ?? (yield* sortedRows(this.#table, sort, isReversed));
    this.#sorted = { sort, isReversed, size, rows };
    return rows;
  }

  *#makeTexts(): Generator<void, void> {
    for (let itemIndex = 0; itemIndex < this.#table.size; itemIndex += 1) {
      if (this.#table.isRow(itemIndex)) this.#textAt(itemIndex);
      if (itemIndex % STEP === STEP - 1) yield;
    }
  }

  #has(itemIndex: ItemIndex, words: readonly string[]): boolean {
    if (words[0] === '') return true;
    const text = this.#textAt(itemIndex);
    return words.every((word) => text.includes(word));
  }

  #textAt(itemIndex: ItemIndex): string {
    const texts = (this.#texts ??= []);
    return (texts[itemIndex] ??= searchText(this.#table, itemIndex));
  }

  #onTable(changed: ItemIndex | undefined): void {
    const { edition, complete } = this.#table;
    const isEvery = isEverything(this.#query);
    // A search that began before the list was complete runs again, so that it covers all rows.
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
  #isAffected(changed: ItemIndex | undefined): boolean {
    const { text, filter, group, sort } = this.#query;
    if (this.#searched.complete && this.#searched.size < this.#table.size) return true;
    if (changed !== undefined) return filter !== 'all' || BY_VALUE.has(sort);
    return filter !== 'all' && text === '' && group === undefined && this.#table.counts[filter] !== this.#found.length;
  }
}

/** Orders that depend on a row's value or edit. */
const BY_VALUE: ReadonlySet<Query['sort']> = new Set(['value', 'state', 'changed-at']);

const PARTS = Object.keys(EVERYTHING) as readonly (keyof Query)[];

function isSame(one: Query, other: Query): boolean {
  return PARTS.every((part) => one[part] === other[part]);
}

/** Whether the query has no text, no filter and no order of its own. */
export function isEverything(query: Query): boolean {
  return isSame({ ...query, isReversed: false }, EVERYTHING);
}

/** The texts are joined with line breaks, which no word contains, so no word matches across two of them. */
function searchText(table: ItemList, itemIndex: ItemIndex): string {
  const { label, group, note } = table.facts(itemIndex) ?? {};
  return foldText([label, table.idAt(itemIndex), group, note].filter((text) => typeof text === 'string').join('\n'));
}
