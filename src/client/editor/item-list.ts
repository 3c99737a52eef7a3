import type { ItemId } from '../../domain/item.js';
import { type Scheduler, STEP, createAfterPaintScheduler, runInSlices } from '../browser/next-frame.js';
import type { HostItem, ItemView } from '../model/item-view.js';
import { isProvisional } from '../storage/queue-owner.js';
import type { EditorStore, ItemIndex, ItemRow, RowOrder, TableListener, TableOfItems } from './editor-types.js';
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

/** The number of rows that are read at once for the first screen, and the length of a list that is read as a whole. */
const FIRST = 20;
const MAX_ITEMS_AT_ONCE = 64;

/** Passed to listeners in place of an item index: the values of many rows changed, but not their order. */
export const MANY: ItemIndex = -1;

/**
 * All items of the editor by item index: the host's entries in the host's order, then the items that only the store
 * knows.
 *
 * A row is a frozen object (`row-state.ts`) that is created on its first use. The other rows are created in idle
 * slices, so the first rows appear at once in a list of any length. From then on, the cost of a store notification does
 * not depend on the number of items. The list deliberately does not filter, sort, select or save.
 */
export class ItemList implements TableOfItems {
  readonly store: EditorStore;
  readonly counts: Counts = noCounts();
  readonly #scheduler: Scheduler;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<TableListener>();
  readonly #rows: (RowState | undefined)[] = [];
  readonly #index = new Map<ItemId, ItemIndex>();
  readonly #host: HostList;
  /** Ids of items that are not in the host's array. */
  readonly #extras: ItemId[] = [];
  readonly #unsubscribe: () => void;
  readonly #removeHost: () => void;
  #stopReading: () => void = () => undefined;
  #owner: string;
  #sessionEpoch = 0;
  #edition = 0;
  /** All item indexes in the order of the host's latest array; `undefined` if that is their ascending order. */
  #hostOrder: readonly ItemIndex[] | undefined;
  #order: readonly ItemIndex[] | undefined;
  /** Whether some item indexes have no row. Otherwise the rows need no array for their order. */
  #hasHoles = false;
  #hostIsRead = false;
  #isRead = false;
  /** The store reported a new id while the known ids were being read, so they are read once more. */
  #isReadingAgain = false;

  constructor(
    store: EditorStore,
    entries: readonly unknown[],
    warn: (message: string) => void,
    scheduler = createAfterPaintScheduler(),
  ) {
    this.store = store;
    this.#warn = warn;
    this.#scheduler = scheduler;
    this.#host = new HostList(entries, this.#index, (itemIndex) => void this.#leaveOut(itemIndex));
    this.#owner = store.snapshot.owner;
    // A short list is complete at its first rendering.
    const reading = this.#readAll();
    if (reading.next().done !== true) this.#read(reading);
    this.#removeHost = store.addHostItems(this.#host);
    this.#unsubscribe = store.subscribe((id) => void this.#onStore(id));
  }

  get complete(): boolean {
    return this.#isRead && this.store.snapshot.complete;
  }

  /** Whether all items that this page knows are read. It does not depend on the proxy. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Changes when another person signs in, so that a draft of one person never passes to the next. */
  get sessionEpoch(): number {
    return this.#sessionEpoch;
  }

  /** Changes when all rows may have changed: for another person, or another array of the host. */
  get edition(): number {
    return this.#edition;
  }

  /** The number of item indexes, including those without a row. */
  get size(): number {
    return this.#host.length + this.#extras.length;
  }

  /** The number of the host's entries that are left out because their id or value is invalid. */
  get leftOutCount(): number {
    return this.#host.invalidCount;
  }

  /** Whether a row that was read has a picture. Rows without one then leave room for it. */
  get hasPictures(): boolean {
    return this.#host.hasPictures;
  }

  get order(): RowOrder {
    const { size } = this;
    if (!this.#hasHoles)
      return {
        isEverything: true,
        length: size,
        at: (viewIndex) => (viewIndex >= 0 && viewIndex < size ? viewIndex : undefined),
      };
    const rows = (this.#order ??= Array.from({ length: size }, (_, at) => this.#hostOrder?.[at] ?? at).filter(
      (itemIndex) => this.#rows[itemIndex] !== undefined || this.#host.has(itemIndex),
    ));
    return { isEverything: true, length: rows.length, at: (viewIndex) => rows[viewIndex] };
  }

  subscribe(listener: TableListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** @param changed see `TableListener` */
  notify(changed: ItemIndex | undefined): void {
    for (const listener of this.#listeners) listener(changed);
  }

  /** The data of one row for rendering. */
  row(itemIndex: ItemIndex): ItemRow | undefined {
    const row = this.isRow(itemIndex) ? this.at(itemIndex) : undefined;
    if (row === undefined) return undefined;
    const { id, value, draft } = row;
    const isConflicting = draft?.isConflicting === true && isChanged(row) && value !== undefined;
    return {
      itemIndex,
      view: this.store.view(id),
      draft: isChanged(row) ? draft?.available : undefined,
      conflict: isConflicting ? { base: draft.base, mine: draft.available, theirs: value } : undefined,
      canEdit: this.store.canEdit(id),
    };
  }

  /** The state of a row; `undefined` if it was not read yet, or the item index has no row. */
  at(itemIndex: ItemIndex): RowState | undefined {
    return this.#rows[itemIndex];
  }

  put(itemIndex: ItemIndex, next: RowState | undefined): void {
    const before = this.#rows[itemIndex];
    if (before === next) return;
    this.#rows[itemIndex] = next && Object.freeze(next);
    if (before !== undefined) countRow(this.counts, before, -1);
    if (next !== undefined) countRow(this.counts, next, 1);
    if ((before === undefined) !== (next === undefined)) this.#order = undefined;
  }

  /** Whether the item index has a row. Reads the host's entry if it was not read yet. */
  isRow(itemIndex: ItemIndex): boolean {
    if (this.#rows[itemIndex] !== undefined) return true;
    if (!this.#host.has(itemIndex)) return false;
    if (this.#host.read(itemIndex)) this.put(itemIndex, this.#hostRow(itemIndex));
    else this.#leaveOut(itemIndex);
    return this.#host.has(itemIndex);
  }

  idAt(itemIndex: ItemIndex): ItemId | undefined {
    return this.#rows[itemIndex]?.id ?? this.#extras[itemIndex - this.#host.length] ?? this.#host.idAt(itemIndex);
  }

  /** The texts and times of a row that was read. */
  facts(itemIndex: ItemIndex): HostItem | ItemView | undefined {
    const row = this.#rows[itemIndex];
    return row?.isKnown === true ? this.store.view(row.id) : this.#host.itemAt(itemIndex);
  }

  findItemIndex(id: ItemId): ItemIndex | undefined {
    return this.#index.get(id);
  }

  /**
   * Returns the index of an item. An item that neither the host nor the proxy knows gets a row at the end, without a
   * value.
   */
  add(id: ItemId): ItemIndex {
    const itemIndex = this.findItemIndex(id) ?? this.#append(id);
    if (!this.isRow(itemIndex)) this.put(itemIndex, hostRow(id, undefined, undefined));
    return itemIndex;
  }

  /** Replaces the host's array. Drafts, history and selection stay. @returns `false` if the array has other items */
  renew(entries: readonly unknown[]): boolean {
    if (!this.#host.renew(entries)) return false;
    this.#rereadHost();
    return true;
  }

  /**
   * Replaces the host's array by one with other items, for `other-items.ts`.
   *
   * @param entries by item index
   * @param leftOut item indexes without an entry of the host
   * @param gone item indexes that lose their row
   * @param hostOrder all item indexes in the host's order
   */
  replaceEntries(
    entries: unknown[],
    leftOut: Set<ItemIndex>,
    gone: readonly ItemIndex[],
    hostOrder: readonly ItemIndex[],
  ): void {
    this.#host.replaceEntries(entries, leftOut);
    this.#extras.length = 0;
    this.#hostOrder = hostOrder;
    this.#hasHoles = true;
    this.#order = undefined;
    this.#rereadHost(gone);
  }

  close(): void {
    this.#stopReading();
    this.#unsubscribe();
    this.#removeHost();
  }

  #leaveOut(itemIndex: ItemIndex): void {
    this.put(itemIndex, undefined);
    this.#hasHoles = true;
    this.#order = undefined;
  }

  #read(job: Iterator<void>): void {
    this.#stopReading();
    this.#stopReading = runInSlices(job, this.#scheduler, () => void this.notify(undefined));
  }

  #rereadHost(gone: readonly ItemIndex[] = []): void {
    // Each row keeps its value until it is read again: a draft that is made in between would conflict with a reset row.
    this.store.addHostItems(this.#host);
    for (const itemIndex of gone) this.#leaveOut(itemIndex);
    this.#read(this.#readAll());
    this.notify(undefined);
  }

  *#readAll(): Generator<void, void> {
    for (let itemIndex = 0; itemIndex < this.#host.length; itemIndex += 1) {
      if (this.isRow(itemIndex)) this.#rereadRow(itemIndex);
      if ((itemIndex === FIRST && this.#host.length > MAX_ITEMS_AT_ONCE) || itemIndex % STEP === STEP - 1) yield;
    }
    // Changed only now, because an earlier search would have found texts of the previous array.
    if (this.#hostIsRead) this.#edition += 1;
    this.#host.complaints().forEach(this.#warn);
    this.#hostIsRead = true;
    this.store.addHostItems(this.#host);
    yield* this.#readKnown();
  }

  /** Updates a row after the host's array was replaced. */
  #rereadRow(itemIndex: ItemIndex): void {
    const row = this.#rows[itemIndex];
    if (row?.isKnown === true) this.put(itemIndex, withView(row, this.store.view(row.id)));
    else if (row !== undefined) {
      const { value, updatedAt } = this.#hostRow(itemIndex) ?? row;
      if (value !== row.value || updatedAt !== row.updatedAt)
        this.put(itemIndex, { ...withHostValue(row, value), updatedAt });
    }
  }

  *#readKnown(): Generator<void, void> {
    let read = 0;
    do {
      this.#isReadingAgain = false;
      for (const id of this.store.knownIds) {
        this.#refresh(this.findItemIndex(id) ?? this.#append(id), id);
        if (++read % STEP === 0) yield;
      }
    } while (this.#isReadingAgain);
    this.#isRead = true;
  }

  #onStore(id: ItemId | undefined): void {
    const { owner } = this.store.snapshot;
    if (owner !== this.#owner) {
      // Drafts from before the person was known belong to that person.
      if (!isProvisional(this.#owner)) this.#reset();
      this.#owner = owner;
      this.#isRead = false;
      if (this.#hostIsRead) this.#read(this.#readKnown());
    }
    if (id === undefined) {
      this.notify(undefined);
      return;
    }
    const known = this.findItemIndex(id);
    const isNew = known === undefined || this.#rows[known] === undefined;
    const isKnown = this.store.knownIds.has(id);
    // An id that only the host's page knows may be in another list of the page, so it gets no row here.
    if (isNew && !(isKnown && this.#isRead)) {
      this.#isReadingAgain = true;
      return;
    }
    const itemIndex = known ?? this.#append(id);
    if (isKnown) this.#refresh(itemIndex, id);
    else this.#rereadRow(itemIndex);
    this.notify(itemIndex);
    if (isNew) this.notify(undefined);
  }

  #hostRow(itemIndex: ItemIndex): RowState | undefined {
    const item = this.#host.itemAt(itemIndex);
    return item && hostRow(item.id, item.available, item.updated_at);
  }

  /** Resets all rows to the host's values, without drafts, because another person has signed in. */
  #reset(): void {
    this.#sessionEpoch += 1;
    this.#edition += 1;
    this.#rows.forEach((row, itemIndex) => {
      if (row === undefined) return;
      if (this.#host.has(itemIndex)) this.put(itemIndex, this.#hostRow(itemIndex));
      else this.#leaveOut(itemIndex);
    });
  }

  #refresh(itemIndex: ItemIndex, id: ItemId): void {
    this.put(itemIndex, withView(this.#rows[itemIndex], this.store.view(id)));
  }

  /** Adds an item index, which gets its row when it is refreshed. */
  #append(id: ItemId): ItemIndex {
    const itemIndex = this.#host.length + this.#extras.push(id) - 1;
    this.#index.set(id, itemIndex);
    return itemIndex;
  }
}

/** Resolves when every entry of the list was read. */
export function whenRead(list: ItemList): Promise<void> {
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
