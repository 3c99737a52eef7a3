import { idleScheduler, runInSlices, type Scheduler, STEP } from '../../browser/next-frame.js';
import type { Position } from '../editor-types.js';
import { type ItemList, MANY } from '../item-list.js';
import { type Counts, countRow, noCounts, type RowState } from '../row-state.js';
import { groupKey, groupOf, isKeyBefore } from './sort.js';

/**
 * The groups of the items, and which items each of them has. They are read in idle slices once every item is known, and again
 * when an item has another group. The counts of a group follow the values of its items: one that changes costs the same in a
 * group of any size.
 *
 * The index is of all items and not of those that a filter leaves: "3 of 5 available" is the same sentence in every view.
 */
export class ItemGroups {
  /** In the order in which the list sorts them. The items without a group are the last one, with an empty name. */
  names: readonly string[] = [];
  readonly #table: ItemList;
  readonly #onChange: () => void;
  readonly #pace: Scheduler;
  readonly #unsubscribe: () => void;
  #members: ReadonlyMap<string, readonly Position[]> = new Map();
  #nameAt: readonly (string | undefined)[] = [];
  readonly #counts = new Map<string, Counts>();
  /** The rows as they are counted, by position. */
  readonly #counted: (RowState | undefined)[] = [];
  /** The list as it was when its groups were read. */
  #read = { edition: -1, size: -1 };
  #stopReading: () => void = () => undefined;

  /** @param onChange called when the groups have been read */
  constructor(table: ItemList, onChange: () => void, pace: Scheduler = idleScheduler) {
    this.#table = table;
    this.#onChange = onChange;
    this.#pace = pace;
    this.#unsubscribe = table.subscribe((changed) => {
      this.#onTable(changed);
    });
    this.#onTable(undefined);
  }

  /** There is something to choose between: two groups that have names. */
  get areSeveral(): boolean {
    return this.names.filter((name) => name !== '').length > 1;
  }

  /** The group of an item; `undefined`: it has not been read. */
  nameAt(position: Position): string | undefined {
    return this.#nameAt[position];
  }

  positionsOf(name: string): readonly Position[] {
    return this.#members.get(name) ?? [];
  }

  countsOf(name: string): Counts {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const counts = noCounts();
    for (const position of this.positionsOf(name)) {
      const row = (this.#counted[position] = this.#table.at(position));
      if (row !== undefined) countRow(counts, row, 1);
    }
    this.#counts.set(name, counts);
    return counts;
  }

  close(): void {
    this.#stopReading();
    this.#unsubscribe();
  }

  #onTable(changed: Position | undefined): void {
    if (changed === undefined || changed === MANY) this.#counts.clear();
    else this.#countAgain(changed);
    const { complete, edition, size } = this.#table;
    if (!complete) return;
    const isRead = this.#read.edition === edition && this.#read.size === size;
    const isOther =
      changed !== undefined && changed !== MANY && groupOf(this.#table, changed) !== this.#nameAt[changed];
    if (isRead && !isOther) return;
    this.#read = { edition, size };
    this.#stopReading();
    this.#stopReading = runInSlices(this.#readAll(), this.#pace, (more) => {
      if (!more) this.#onChange();
    });
  }

  #countAgain(position: Position): void {
    const counts = this.#counts.get(this.#nameAt[position] ?? '');
    const [before, after] = [this.#counted[position], this.#table.at(position)];
    if (counts === undefined || before === after) return;
    this.#counted[position] = after;
    if (before !== undefined) countRow(counts, before, -1);
    if (after !== undefined) countRow(counts, after, 1);
  }

  *#readAll(): Generator<void, void> {
    const members = new Map<string, Position[]>();
    const nameAt: (string | undefined)[] = [];
    for (let position = 0; position < this.#table.size; position += 1) {
      const name = this.#table.isRow(position) ? groupOf(this.#table, position) : undefined;
      nameAt.push(name);
      if (name !== undefined) {
        const others = members.get(name);
        if (others === undefined) members.set(name, [position]);
        else others.push(position);
      }
      if (position % STEP === STEP - 1) yield;
    }
    this.#members = members;
    this.#nameAt = nameAt;
    this.#counts.clear();
    const keys = new Map([...members.keys()].map((name) => [name, groupKey(name)]));
    this.names = [...keys.keys()].sort((one, other) => (isKeyBefore(keys.get(one), keys.get(other)) ? -1 : 1));
  }
}
