import type { FilterName, FilterOfItems, Position, RowOrder, SortName } from './editor-types.js';
import { foldText } from './fold-text.js';
import { rightAway, STEP, whenIdle, workOff, type Pace } from '../browser/idle-work.js';
import { FILTERS } from './item-filters.js';
import { sortedRows } from './sort.js';
import type { ItemTable } from './item-table.js';
import { MANY } from './row-audience.js';
import { SearchTexts } from './search-texts.js';

/** What a person wants to see. `text` is folded. */
interface Wanted {
  readonly text: string;
  readonly filter: FilterName;
  readonly sort: SortName;
}

/** Rows that fill every screen. */
const SCREENS = 128;

const EVERYTHING: Wanted = { text: '', filter: 'all', sort: 'given' };

/**
 * Which rows are drawn, and in which order: searched, filtered and sorted into typed arrays of positions.
 *
 * The first slice of the work is done on return, so that a key shows its first screenful at once; the rest follows in
 * slices that a next key drops. What is found stays as it is when rows change, until the person asks again: no row jumps
 * away below a finger.
 */
export class ItemFilter implements FilterOfItems {
  readonly #table: ItemTable;
  readonly #onChange: () => void;
  readonly #pace: Pace;
  readonly #leave: () => void;
  #wanted = EVERYTHING;
  #found = new Uint32Array(0);
  #count = 0;
  #shown: Uint32Array | undefined;
  #busy = false;
  #stale = false;
  /** Whether the table had everything when it was looked through. */
  #sawAll = true;
  #texts: SearchTexts | undefined;
  #sorted: { readonly sort: SortName; readonly size: number; readonly rows: Uint32Array } | undefined;
  #dropWork: () => void = () => undefined;
  #dropPreparing: () => void = () => undefined;
  #edition: number;

  constructor(table: ItemTable, onChange: () => void, pace: Pace = rightAway) {
    this.#table = table;
    this.#onChange = onChange;
    this.#pace = pace;
    this.#edition = table.edition;
    this.#leave = table.subscribe((changed) => {
      this.#onTable(changed);
    });
  }

  get order(): RowOrder {
    if (isEverything(this.#wanted)) return this.#table.order;
    return (this.#shown ??= this.#found.subarray(0, this.#count));
  }

  get busy(): boolean {
    return this.#busy;
  }

  get stale(): boolean {
    return this.#stale;
  }

  apply({ text = '', filter = 'all', sort = 'given' }: Partial<Wanted>): void {
    const before = this.#wanted;
    this.#wanted = { text: foldText(text).replace(/\s+/g, ' ').trim(), filter, sort };
    const isRepeated = before.text === this.#wanted.text && before.filter === filter && before.sort === sort;
    if (isRepeated || sort !== this.#sorted?.sort || this.#table.size !== this.#sorted.size) this.#sorted = undefined;
    if (this.#wanted.text !== '') this.#texts ??= new SearchTexts(this.#table);
    this.#dropWork();
    this.#dropPreparing();
    this.#stale = false;
    this.#sawAll = this.#table.complete;
    this.#busy = !isEverything(this.#wanted);
    if (!this.#busy) return;
    let told = -1;
    const onSlice = (more: boolean): void => {
      this.#busy = more;
      // Beyond the first screens nobody sees it grow.
      if (more && told >= SCREENS) return;
      told = this.#count;
      this.#onChange();
    };
    this.#dropWork = workOff(this.#lookThrough(), this.#pace, onSlice, 'now');
  }

  /** A person is about to search: the texts are made while there is nothing else to do. */
  prepare(pace: Pace = whenIdle): void {
    if (this.#texts !== undefined || !this.#table.complete) return;
    this.#texts = new SearchTexts(this.#table);
    this.#dropPreparing = workOff(this.#texts.makeAll(), pace, () => undefined);
  }

  /** Nobody searches any more. */
  rest(): void {
    if (this.#wanted.text !== '') return;
    this.#dropPreparing();
    this.#texts = undefined;
  }

  close(): void {
    this.#dropWork();
    this.#dropPreparing();
    this.#leave();
  }

  *#lookThrough(): Generator<void, void> {
    const { text, filter, sort } = this.#wanted;
    const texts = text === '' ? undefined : this.#texts;
    texts?.seek(text);
    // As long as the host's list is as it was, its order is that of the positions.
    const inOrder = sort === 'given' && this.#table.order.isEverything ? undefined : yield* this.#sort(sort);
    const { size } = this.#table;
    const found = new Uint32Array(size);
    let count = 0;
    this.#show(inOrder === undefined ? found : new Uint32Array(size), 0);
    for (let first = 0; first < size; first += STEP) {
      let end = texts?.find(first, found, count) ?? count;
      if (texts === undefined) for (let at = first; at < Math.min(first + STEP, size); at += 1) found[end++] = at;
      count = this.#keep(found, count, end, size, filter);
      if (inOrder === undefined) this.#show(found, count);
      yield;
    }
    if (inOrder === undefined) return;
    const hits = new Uint8Array(size);
    for (let at = 0; at < count; at += 1) hits[found[at] ?? 0] = 1;
    yield;
    for (let walked = 0; walked < inOrder.length; walked += 1) {
      const position = inOrder[walked] ?? 0;
      if (hits[position] === 1) {
        this.#found[this.#count] = position;
        this.#show(this.#found, this.#count + 1);
      }
      if (walked % (4 * STEP) === 0) yield;
    }
  }

  /**
   * Calls nothing for a row that is read: on a first key those calls would take longer than all else. A function of its own,
   * because a browser makes one that ends again and again fast, and a generator late.
   *
   * @returns where what is kept ends
   */
  #keep(found: Uint32Array, start: number, end: number, size: number, filter: FilterName): number {
    const { states } = this.#table;
    const { bits } = states;
    const keeps = filter === 'all' ? undefined : FILTERS[filter];
    let count = start;
    for (let at = start; at < end; at += 1) {
      const position = found[at] ?? 0;
      // A row that came in since the search began is found by the next one.
      if (position >= size) continue;
      let row = bits[position] ?? 0;
      if (row === 0 && this.#table.isRow(position)) row = states.at(position);
      if (row !== 0 && keeps?.(row) !== false) found[count++] = position;
    }
    return count;
  }

  #show(found: Uint32Array<ArrayBuffer>, count: number): void {
    this.#found = found;
    this.#count = count;
    this.#shown = undefined;
  }

  *#sort(sort: SortName): Generator<void, Uint32Array> {
    const { size } = this.#table;
    const rows = this.#sorted?.rows ?? (yield* sortedRows(this.#table, sort));
    this.#sorted = { sort, size, rows };
    return rows;
  }

  #onTable(changed: Position | undefined): void {
    const { edition, complete } = this.#table;
    const isEvery = isEverything(this.#wanted);
    // Rows that came in while the person was looking are no change that could surprise anybody.
    if (this.#edition !== edition || (!isEvery && !this.#sawAll && complete)) {
      this.#edition = edition;
      this.#texts = undefined;
      this.#sorted = undefined;
      this.apply(this.#wanted);
      return;
    }
    if (changed !== undefined && changed !== MANY) this.#texts?.forget(changed);
    if (!isEvery && !this.#stale && !this.#busy && this.#isTouched(changed)) {
      this.#stale = true;
      this.#onChange();
    }
  }

  /** Whether what changed may be found no more, or only now, or elsewhere. */
  #isTouched(changed: Position | undefined): boolean {
    const { text, filter, sort } = this.#wanted;
    // A row that came in since stands nowhere yet.
    if (this.#sawAll && this.#found.length < this.#table.size) return true;
    if (changed !== undefined) return filter !== 'all' || sort === 'state' || sort === 'changed-at';
    return filter !== 'all' && text === '' && this.#table.counts[filter] !== this.#count;
  }
}

function isEverything({ text, filter, sort }: Wanted): boolean {
  return text === '' && filter === 'all' && sort === 'given';
}
