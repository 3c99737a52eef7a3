import { idleScheduler, runInSlices, type Scheduler, STEP } from '../../browser/next-frame.js';
import type { ItemIndex } from '../editor-types.js';
import { type ItemList, MANY } from '../item-list.js';
import { type Counts, countRow, noCounts, type RowState } from '../row-state.js';
import { groupKey, groupOf, isKeyBefore } from './sort.js';

/**
 * The groups of the items, with their members and counts. They are read in idle slices once all items are known, and
 * again when an item changes its group. The cost of a changed value does not depend on the size of its group.
 *
 * The index covers all items, not only those that match a filter, so that "3 of 5 available" is the same in every view.
 */
export class ItemGroups {
  /** In the sort order of the list. The items without a group come last, under an empty name. */
  names: readonly string[] = [];
  readonly #table: ItemList;
  readonly #onChange: () => void;
  readonly #scheduler: Scheduler;
  readonly #unsubscribe: () => void;
  #members: ReadonlyMap<string, readonly ItemIndex[]> = new Map();
  #nameAt: readonly (string | undefined)[] = [];
  readonly #counts = new Map<string, Counts>();
  /** The rows as they were counted, by item index. */
  readonly #counted: (RowState | undefined)[] = [];
  /** The list as it was when its groups were read. */
  #read = { edition: -1, size: -1 };
  #stopReading: () => void = () => undefined;

  /** @param onChange called when the groups have been read */
  constructor(table: ItemList, onChange: () => void, scheduler: Scheduler = idleScheduler) {
    this.#table = table;
    this.#onChange = onChange;
    this.#scheduler = scheduler;
    this.#unsubscribe = table.subscribe((changed) => {
      this.#onTable(changed);
    });
    this.#onTable(undefined);
  }

  /** Whether there is a choice: at least two groups with names. */
  get areSeveral(): boolean {
    return this.names.filter((name) => name !== '').length > 1;
  }

  /** The group of an item; `undefined` if it was not read yet. */
  nameAt(itemIndex: ItemIndex): string | undefined {
    return this.#nameAt[itemIndex];
  }

  getItemIndexes(name: string): readonly ItemIndex[] {
    return this.#members.get(name) ?? [];
  }

  countsOf(name: string): Counts {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const counts = noCounts();
    for (const itemIndex of this.getItemIndexes(name)) {
      const row = (this.#counted[itemIndex] = this.#table.at(itemIndex));
      if (row !== undefined) countRow(counts, row, 1);
    }
    this.#counts.set(name, counts);
    return counts;
  }

  close(): void {
    this.#stopReading();
    this.#unsubscribe();
  }

  #onTable(changed: ItemIndex | undefined): void {
    if (changed === undefined || changed === MANY) this.#counts.clear();
    else this.#recount(changed);
    const { complete, edition, size } = this.#table;
    if (!complete) return;
    const isRead = this.#read.edition === edition && this.#read.size === size;
    const isOther =
      changed !== undefined && changed !== MANY && groupOf(this.#table, changed) !== this.#nameAt[changed];
    if (isRead && !isOther) return;
    this.#read = { edition, size };
    this.#stopReading();
    this.#stopReading = runInSlices(this.#readAll(), this.#scheduler, (more) => {
      if (!more) this.#onChange();
    });
  }

  #recount(itemIndex: ItemIndex): void {
    const counts = this.#counts.get(this.#nameAt[itemIndex] ?? '');
    const [before, after] = [this.#counted[itemIndex], this.#table.at(itemIndex)];
    if (counts === undefined || before === after) return;
    this.#counted[itemIndex] = after;
    if (before !== undefined) countRow(counts, before, -1);
    if (after !== undefined) countRow(counts, after, 1);
  }

  *#readAll(): Generator<void, void> {
    const members = new Map<string, ItemIndex[]>();
    const nameAt: (string | undefined)[] = [];
    for (let itemIndex = 0; itemIndex < this.#table.size; itemIndex += 1) {
      const name = this.#table.isRow(itemIndex) ? groupOf(this.#table, itemIndex) : undefined;
      nameAt.push(name);
      if (name !== undefined) {
        const others = members.get(name);
        if (others === undefined) members.set(name, [itemIndex]);
        else others.push(itemIndex);
      }
      if (itemIndex % STEP === STEP - 1) yield;
    }
    this.#members = members;
    this.#nameAt = nameAt;
    this.#counts.clear();
    const keys = new Map([...members.keys()].map((name) => [name, groupKey(name)]));
    this.names = [...keys.keys()].sort((one, other) => (isKeyBefore(keys.get(one), keys.get(other)) ? -1 : 1));
  }
}
