import { codeOf, type Code } from '../../domain/stand.js';
import type { ItemId } from '../../domain/item.js';
import type { EditorStore, ItemCounts, ItemRow, Position, RowOrder, TableOfItems } from './editor-types.js';
import { isProvisional } from '../storage/queue-owner.js';
import { GivenOrder } from './given-order.js';
import { HostList } from './host-list.js';
import { IdIndex } from './id-index.js';
import { isChoice } from '../model/item-view.js';
import { KNOWN, LIVE, withHostValue, withView } from './item-bits.js';
import { itemRow } from './item-row.js';
import { ItemStates } from './item-states.js';
import { workOff, STEP, whenSeen, type Pace } from '../browser/idle-work.js';
import { RowAudience } from './row-audience.js';

/** As many are read at once, for a person waits for the first screen; or a list that is not much longer. */
const FIRST = 20;
const FEW = 64;

/**
 * All items of the editor, by position: the host's entries in the host's order, then what only the store knows.
 *
 * The first rows are there at once, whatever the number of items, because a row is read when it is asked for. The rest is
 * read in idle slices, and from then on each notification of the store costs the same at any size. Labels and times are
 * not kept: the host's array and the store have them. It deliberately does not filter, sort, select or save.
 */
export class ItemTable extends RowAudience implements TableOfItems {
  readonly store: EditorStore;
  readonly states: ItemStates;
  readonly #pace: Pace;
  readonly #warn: (message: string) => void;
  readonly #index: IdIndex;
  readonly #host: HostList;
  /** Ids that the host's array does not have. */
  readonly #extras: ItemId[] = [];
  readonly #leave: () => void;
  readonly #takeBack: () => void;
  #dropWork: () => void = () => undefined;
  #owner: string;
  #person = 0;
  #edition = 0;
  readonly #given = new GivenOrder();
  #hostIsRead = false;
  #complete = false;
  /** The store has told of an id that is no row while the known ones were being read: perhaps that it forgot it. */
  #toldMore = false;

  constructor(store: EditorStore, entries: readonly unknown[], warn: (message: string) => void, pace = whenSeen()) {
    super();
    this.store = store;
    this.#warn = warn;
    this.#pace = pace;
    this.states = new ItemStates(entries.length);
    this.#index = new IdIndex(entries.length, (position) => this.idAt(position));
    this.#host = new HostList(entries, this.#index, this.#leaveOut);
    this.#owner = store.snapshot.owner;
    // First: a short list is complete when it is drawn first, and unread entries say nothing of what was drawn before it.
    const reading = this.#readAll();
    if (reading.next().done !== true) this.#work(reading);
    this.#takeBack = store.addHostItems(this.#host);
    this.#leave = store.subscribe((id) => void this.#onStore(id));
  }

  get counts(): ItemCounts {
    return this.states.counts;
  }

  get complete(): boolean {
    return this.#complete && this.store.snapshot.complete;
  }

  /** Everything that this page has been told of is read, whether the proxy can be reached or not. */
  get isRead(): boolean {
    return this.#complete;
  }

  /** Counts people: no wish of one is ever the next one's. */
  get person(): number {
    return this.#person;
  }

  /** Another number when everything may have changed: another person, or another array of the host. */
  get edition(): number {
    return this.#edition;
  }

  /** Positions, with those that are no rows. */
  get size(): number {
    return this.#host.length + this.#extras.length;
  }

  get order(): RowOrder {
    return this.#given.rows(this.size, (position) => this.states.at(position) === 0 && !this.#host.has(position));
  }

  row(position: Position): ItemRow | undefined {
    const id = this.isRow(position) ? this.idAt(position) : undefined;
    return id === undefined ? undefined : itemRow(this.store, position, id, this.states.at(position));
  }

  /** Takes the host's next array, and keeps all that a person did. @returns `false`: it has other items */
  renew(entries: readonly unknown[]): boolean {
    if (!this.#host.renew(entries)) return false;
    this.#readAnew();
    return true;
  }

  /** For `other-items.ts`: what the host has now, by positions, what is no row any more, and the order of them all. */
  take(entries: unknown[], leftOut: Set<Position>, gone: readonly Position[], order: Uint32Array): void {
    this.#host.take(entries, leftOut);
    this.#extras.length = 0;
    this.#given.leaveOut(Infinity, order);
    this.#readAnew(gone);
  }

  /** Reads the entry if nobody has yet. */
  isRow(position: Position): boolean {
    if (this.states.at(position) !== 0) return true;
    if (!this.#host.has(position)) return false;
    if (this.#host.read(position)) this.states.put(position, LIVE | this.#codeAt(position));
    else this.#given.leaveOut();
    return this.#host.has(position);
  }

  /** The id at a position that was read. No index is below 0: it would be looked up as a name, for each row of a search. */
  idAt(position: Position): ItemId | undefined {
    return position < this.#host.length ? this.#host.idAt(position) : this.#extras[position - this.#host.length];
  }

  /** Texts and times of a row, not checked where only the host has spoken: no object is made for it. */
  facts(position: Position): { readonly [Fact in keyof ItemRow['view']]?: unknown } | undefined {
    if ((this.states.at(position) & KNOWN) === 0) return this.#host.entry(position);
    const id = this.idAt(position);
    return id && this.store.view(id);
  }

  positionOf(id: ItemId): Position | undefined {
    return this.#index.find(id);
  }

  close(): void {
    this.#dropWork();
    this.#leave();
    this.#takeBack();
  }

  readonly #leaveOut = (position: Position): void => {
    this.states.put(position, 0);
    this.#given.leaveOut();
  };

  #work(job: Iterator<void>): void {
    this.#dropWork();
    this.#dropWork = workOff(job, this.#pace, () => void this.tell(undefined));
  }

  #readAnew(gone?: readonly Position[]): void {
    // Nothing is taken back before: a wish made meanwhile would take that for somebody's word.
    this.store.addHostItems(this.#host);
    // Not before: that the host says nothing of them any more is told as news of them.
    gone?.forEach(this.#leaveOut);
    this.#work(this.#readAll());
    this.tell(undefined);
  }

  *#readAll(): Generator<void, void> {
    for (let position = 0; position < this.#host.length; position += 1) {
      if (this.isRow(position)) this.#readAgain(position);
      if ((position === FIRST && this.#host.length > FEW) || position % STEP === STEP - 1) yield;
    }
    // Only now: who looked earlier would have found what an array before this one said.
    if (this.#hostIsRead) this.#edition += 1;
    this.#host.complaints().forEach(this.#warn);
    this.#hostIsRead = true;
    this.store.addHostItems(this.#host);
    yield* this.#readKnown();
  }

  /** The host may have given another value for it. */
  #readAgain(position: Position): void {
    const [bits, id] = [this.states.at(position), this.idAt(position)];
    if ((bits & KNOWN) === 0) this.states.put(position, withHostValue(bits, this.#codeAt(position)));
    else if (id !== undefined) this.#refresh(position, id);
  }

  *#readKnown(): Generator<void, void> {
    let read = 0;
    do {
      this.#toldMore = false;
      for (const id of this.store.knownIds) {
        this.#refresh(this.positionOf(id) ?? this.#append(id), id);
        if (++read % STEP === 0) yield;
      }
    } while (this.#toldMore);
    this.#complete = true;
  }

  #onStore(id: ItemId | undefined): void {
    const { owner } = this.store.snapshot;
    if (owner !== this.#owner) {
      // What this tab did before it knew who is here was that person's work.
      if (!isProvisional(this.#owner)) this.#forget();
      this.#owner = owner;
      this.#complete = false;
      if (this.#hostIsRead) this.#work(this.#readKnown());
    }
    if (id === undefined) return void this.tell(undefined);
    const known = this.positionOf(id);
    const isNew = known === undefined || this.states.at(known) === 0;
    // Only the host's page speaks of it: perhaps in another list, whose items are no rows here.
    const isKnown = this.store.knownIds.has(id);
    if (isNew && !(isKnown && this.#complete)) return void (this.#toldMore = true);
    const position = known ?? this.#append(id);
    if (isKnown) this.#refresh(position, id);
    else this.#readAgain(position);
    this.tell(position);
    // A row more, and not only another value in one that is there.
    if (isNew) this.tell(undefined);
  }

  #codeAt(position: Position): Code {
    return codeOf(this.#host.entry(position)?.available);
  }

  /** Another person is here: nothing but what the host's page says stays, and no wish. */
  #forget(): void {
    const rows = this.states.bits;
    this.#person += 1;
    this.#edition += 1;
    this.states.clear();
    rows.forEach((bits, position) => {
      if (bits === 0) return;
      if (this.#host.has(position)) this.states.put(position, LIVE | this.#codeAt(position));
      else this.#given.leaveOut();
    });
  }

  #refresh(position: Position, id: ItemId): void {
    const bits = this.states.at(position);
    // Only one that was appended, or forgotten: the index finds no entry of the host that is left out.
    if (bits === 0) this.#given.leaveOut(-1);
    const view = this.store.view(id);
    this.states.put(position, withView(bits, view, isChoice(view)));
  }

  /** A hole until it is written. */
  #append(id: ItemId): Position {
    const position = this.#host.length + this.#extras.push(id) - 1;
    this.#index.add(position, id);
    this.#given.leaveOut();
    return position;
  }
}
