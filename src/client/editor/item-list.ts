import type { ItemId } from '../../domain/item.js';
import { type Scheduler, STEP, createAfterPaintScheduler, runInSlices } from '../browser/next-frame.js';
import type { HostItem, ItemView } from '../model/item-view.js';
import { isProvisional } from '../storage/queue-owner.js';
import type { EditorStore, ItemRow, Position, RowOrder, TableListener, TableOfItems } from './editor-types.js';
import { HostList } from './host-list.js';
import {
  countRow,
  type Counts,
  hostRow,
  isChanged,
  noCounts,
  type RowState,
  withHostValue,
  withView,
} from './row-state.js';

/** Rows that are read at once, because a person waits for the first screen; or the length of a list that is read whole. */
const FIRST = 20;
const FEW = 64;

/** Instead of a position: values of many rows changed, and not their order. */
export const MANY: Position = -1;

/**
 * All items of the editor, by position: the host's entries in the host's order, then what only the store knows.
 *
 * A row is a frozen object (`row-state.ts`), made when it is asked for first; the rest is read in idle slices, so that the
 * first rows are there at once whatever the number of items. From then on each notification of the store costs the same at
 * any size. The list deliberately does not filter, sort, select or save.
 */
export class ItemList implements TableOfItems {
  readonly store: EditorStore;
  readonly counts: Counts = noCounts();
  readonly #pace: Scheduler;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<TableListener>();
  readonly #rows: (RowState | undefined)[] = [];
  readonly #index = new Map<ItemId, Position>();
  readonly #host: HostList;
  /** Ids that the host's array does not have. */
  readonly #extras: ItemId[] = [];
  readonly #unsubscribe: () => void;
  readonly #removeHost: () => void;
  #stopReading: () => void = () => undefined;
  #owner: string;
  #person = 0;
  #edition = 0;
  /** All positions, in the order that the host gave them later; `undefined`: in their own order. */
  #hostOrder: readonly Position[] | undefined;
  #order: readonly Position[] | undefined;
  /** Some positions are no rows: a list without such positions needs no order of its own. */
  #hasHoles = false;
  #hostIsRead = false;
  #isRead = false;
  /** The store told of an unknown id while the known ones were being read: they are read once more. */
  #isReadingAgain = false;

  constructor(
    store: EditorStore,
    entries: readonly unknown[],
    warn: (message: string) => void,
    pace = createAfterPaintScheduler(),
  ) {
    this.store = store;
    this.#warn = warn;
    this.#pace = pace;
    this.#host = new HostList(entries, this.#index, (position) => void this.#leaveOut(position));
    this.#owner = store.snapshot.owner;
    // A short list is complete when it is drawn first.
    const reading = this.#readAll();
    if (reading.next().done !== true) this.#read(reading);
    this.#removeHost = store.addHostItems(this.#host);
    this.#unsubscribe = store.subscribe((id) => void this.#onStore(id));
  }

  get complete(): boolean {
    return this.#isRead && this.store.snapshot.complete;
  }

  /** Everything that this page knows is read, whether the proxy can be reached or not. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Another number for each person: no draft of one is ever the next one's. */
  get person(): number {
    return this.#person;
  }

  /** Another number when everything may have changed: another person, or another array of the host. */
  get edition(): number {
    return this.#edition;
  }

  /** How many positions there are, with those that are no rows. */
  get size(): number {
    return this.#host.length + this.#extras.length;
  }

  /** Entries of the host that are left out because their id or value is invalid. */
  get leftOutCount(): number {
    return this.#host.invalidCount;
  }

  /** Of the rows that have been read: those without a picture leave room for one. */
  get hasPictures(): boolean {
    return this.#host.hasPictures;
  }

  get order(): RowOrder {
    const { size } = this;
    if (!this.#hasHoles)
      return { isEverything: true, length: size, at: (place) => (place >= 0 && place < size ? place : undefined) };
    const rows = (this.#order ??= Array.from({ length: size }, (_, at) => this.#hostOrder?.[at] ?? at).filter(
      (position) => this.#rows[position] !== undefined || this.#host.has(position),
    ));
    return { isEverything: true, length: rows.length, at: (place) => rows[place] };
  }

  subscribe(listener: TableListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param changed `undefined`: the order or all rows, too */
  tell(changed: Position | undefined): void {
    for (const listener of this.#listeners) listener(changed);
  }

  /** What is drawn of one item. */
  row(position: Position): ItemRow | undefined {
    const row = this.isRow(position) ? this.at(position) : undefined;
    if (row === undefined) return undefined;
    const { id, value, draft } = row;
    const hasMet = draft?.met === true && isChanged(row) && value !== undefined;
    return {
      position,
      view: this.store.view(id),
      draft: isChanged(row) ? draft?.available : undefined,
      met: hasMet ? { base: draft.base, mine: draft.available, theirs: value } : undefined,
      mayEdit: this.store.mayEdit(id),
    };
  }

  /** What was read of a row; `undefined`: nothing yet, or it is none. */
  at(position: Position): RowState | undefined {
    return this.#rows[position];
  }

  put(position: Position, next: RowState | undefined): void {
    const before = this.#rows[position];
    if (before === next) return;
    this.#rows[position] = next && Object.freeze(next);
    if (before !== undefined) countRow(this.counts, before, -1);
    if (next !== undefined) countRow(this.counts, next, 1);
    if ((before === undefined) !== (next === undefined)) this.#order = undefined;
  }

  /** Reads the entry of the host unless that was done. */
  isRow(position: Position): boolean {
    if (this.#rows[position] !== undefined) return true;
    if (!this.#host.has(position)) return false;
    if (this.#host.read(position)) this.put(position, this.#hostRow(position));
    else this.#leaveOut(position);
    return this.#host.has(position);
  }

  idAt(position: Position): ItemId | undefined {
    return this.#rows[position]?.id ?? this.#extras[position - this.#host.length] ?? this.#host.idAt(position);
  }

  /** Texts and times of a row that was read. */
  facts(position: Position): HostItem | ItemView | undefined {
    const row = this.#rows[position];
    return row?.isKnown === true ? this.store.view(row.id) : this.#host.itemAt(position);
  }

  positionOf(id: ItemId): Position | undefined {
    return this.#index.get(id);
  }

  /** The row of an item. An item that neither the host nor the proxy has named gets one at the end, without a value. */
  add(id: ItemId): Position {
    const position = this.positionOf(id) ?? this.#append(id);
    if (!this.isRow(position)) this.put(position, hostRow(id, undefined, undefined));
    return position;
  }

  /** Takes the host's next array, and keeps all that a person did. @returns `false`: it has other items */
  renew(entries: readonly unknown[]): boolean {
    if (!this.#host.renew(entries)) return false;
    this.#readAnew();
    return true;
  }

  /** For `other-items.ts`: what the host has now, by position, what is no row any more, and the order of them all. */
  take(entries: unknown[], leftOut: Set<Position>, gone: readonly Position[], hostOrder: readonly Position[]): void {
    this.#host.take(entries, leftOut);
    this.#extras.length = 0;
    this.#hostOrder = hostOrder;
    this.#hasHoles = true;
    this.#order = undefined;
    this.#readAnew(gone);
  }

  close(): void {
    this.#stopReading();
    this.#unsubscribe();
    this.#removeHost();
  }

  #leaveOut(position: Position): void {
    this.put(position, undefined);
    this.#hasHoles = true;
    this.#order = undefined;
  }

  #read(job: Iterator<void>): void {
    this.#stopReading();
    this.#stopReading = runInSlices(job, this.#pace, () => void this.tell(undefined));
  }

  #readAnew(gone: readonly Position[] = []): void {
    // Nothing is taken back before: a draft made in between would take that for another person's change.
    this.store.addHostItems(this.#host);
    for (const position of gone) this.#leaveOut(position);
    this.#read(this.#readAll());
    this.tell(undefined);
  }

  *#readAll(): Generator<void, void> {
    for (let position = 0; position < this.#host.length; position += 1) {
      if (this.isRow(position)) this.#readAgain(position);
      if ((position === FIRST && this.#host.length > FEW) || position % STEP === STEP - 1) yield;
    }
    // Only now: a search before this point would have found what an earlier array said.
    if (this.#hostIsRead) this.#edition += 1;
    this.#host.complaints().forEach(this.#warn);
    this.#hostIsRead = true;
    this.store.addHostItems(this.#host);
    yield* this.#readKnown();
  }

  /** The host may have given another value for it. */
  #readAgain(position: Position): void {
    const row = this.#rows[position];
    if (row?.isKnown === true) this.put(position, withView(row, this.store.view(row.id)));
    else if (row !== undefined) {
      const { value, updatedAt } = this.#hostRow(position) ?? row;
      if (value !== row.value || updatedAt !== row.updatedAt)
        this.put(position, { ...withHostValue(row, value), updatedAt });
    }
  }

  *#readKnown(): Generator<void, void> {
    let read = 0;
    do {
      this.#isReadingAgain = false;
      for (const id of this.store.knownIds) {
        this.#refresh(this.positionOf(id) ?? this.#append(id), id);
        if (++read % STEP === 0) yield;
      }
    } while (this.#isReadingAgain);
    this.#isRead = true;
  }

  #onStore(id: ItemId | undefined): void {
    const { owner } = this.store.snapshot;
    if (owner !== this.#owner) {
      // What this tab did before it knew its person was that person's work.
      if (!isProvisional(this.#owner)) this.#forget();
      this.#owner = owner;
      this.#isRead = false;
      if (this.#hostIsRead) this.#read(this.#readKnown());
    }
    if (id === undefined) {
      this.tell(undefined);
      return;
    }
    const known = this.positionOf(id);
    const isNew = known === undefined || this.#rows[known] === undefined;
    const isKnown = this.store.knownIds.has(id);
    // An id that only the host's page knows may be in another list of the page, and is no row here.
    if (isNew && !(isKnown && this.#isRead)) {
      this.#isReadingAgain = true;
      return;
    }
    const position = known ?? this.#append(id);
    if (isKnown) this.#refresh(position, id);
    else this.#readAgain(position);
    this.tell(position);
    if (isNew) this.tell(undefined);
  }

  #hostRow(position: Position): RowState | undefined {
    const item = this.#host.itemAt(position);
    return item && hostRow(item.id, item.available, item.updated_at);
  }

  /** Another person is here: only what the host's page says stays, and no draft. */
  #forget(): void {
    this.#person += 1;
    this.#edition += 1;
    this.#rows.forEach((row, position) => {
      if (row === undefined) return;
      if (this.#host.has(position)) this.put(position, this.#hostRow(position));
      else this.#leaveOut(position);
    });
  }

  #refresh(position: Position, id: ItemId): void {
    this.put(position, withView(this.#rows[position], this.store.view(id)));
  }

  /** It becomes a row when it is refreshed. */
  #append(id: ItemId): Position {
    const position = this.#host.length + this.#extras.push(id) - 1;
    this.#index.set(id, position);
    return position;
  }
}

/** Resolves when every entry of the list was read. */
export function untilRead(list: ItemList): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!list.isRead) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = list.subscribe(check);
    check();
  });
}
