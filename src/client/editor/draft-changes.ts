import { toTimestamp, type Timestamp } from '../../domain/item.js';
import type { ItemIndex } from './editor-types.js';
import type { ItemList } from './item-list.js';
import { isChanged, withDraft, type DraftChange } from './row-state.js';

/** The value that the person saw when they made the draft, and its `updated_at` in milliseconds since the epoch. */
export interface DraftBase {
  readonly base: boolean | undefined;
  readonly stamp: number;
}

/** A draft to set in a row, or to remove from it. */
export interface DraftRow {
  readonly itemIndex: ItemIndex;
  /** `undefined` removes the draft. */
  readonly wanted: boolean | undefined;
  /** Absent: the current value of the row. */
  readonly base?: DraftBase | undefined;
}

/**
 * The drafts in the rows of a list, each with its base: the value that the person saw. When another person changes that
 * value, the draft conflicts, and is not saved before the person has chosen one of the two values.
 */
export class DraftChanges {
  /** Called with the rows whose drafts changed. */
  onChange: (itemIndexes: readonly ItemIndex[]) => void = () => undefined;
  readonly #list: ItemList;
  readonly #unsubscribe: () => void;

  constructor(list: ItemList) {
    this.#list = list;
    this.#unsubscribe = list.subscribe((changed) => {
      if (changed !== undefined) this.#onRow(changed);
    });
  }

  /** The item indexes of drafts that differ from the store's value. */
  findItemIndexes(): ItemIndex[] {
    return this.#find((itemIndex) => {
      const row = this.#list.at(itemIndex);
      return row !== undefined && isChanged(row);
    });
  }

  set(rows: readonly DraftRow[]): void {
    for (const { itemIndex, wanted, base } of rows) {
      const row = this.#list.at(itemIndex);
      if (row !== undefined) this.#list.put(itemIndex, withDraft(row, wanted));
      if (base !== undefined) this.#rebase(itemIndex, base);
    }
    this.onChange(rows.map(({ itemIndex }) => itemIndex));
  }

  /** Removes all drafts, including those that equal the row's value. */
  clear(): void {
    const itemIndexes = this.#find((itemIndex) => this.#list.at(itemIndex)?.draft !== undefined);
    this.set(itemIndexes.map((itemIndex) => ({ itemIndex, wanted: undefined })));
  }

  /** Resolves a conflict in favour of the draft, whose base becomes the other value. */
  keep(itemIndex: ItemIndex): void {
    const row = this.#list.at(itemIndex);
    this.#update(itemIndex, { base: row?.value, seenAt: row?.updatedAt, isConflicting: false });
    this.onChange([itemIndex]);
  }

  baseOf(itemIndex: ItemIndex): DraftBase {
    const { base, seenAt } = this.#list.at(itemIndex)?.draft ?? {};
    return { base, stamp: toStamp(seenAt) };
  }

  close(): void {
    this.#unsubscribe();
  }

  #find(isWanted: (itemIndex: ItemIndex) => boolean): ItemIndex[] {
    const itemIndexes: ItemIndex[] = [];
    for (let itemIndex = 0; itemIndex < this.#list.size; itemIndex += 1)
      if (isWanted(itemIndex)) itemIndexes.push(itemIndex);
    return itemIndexes;
  }

  #onRow(itemIndex: ItemIndex): void {
    const row = this.#list.at(itemIndex);
    if (row?.draft === undefined) return;
    if (!isChanged(row)) {
      const { truth } = this.#list.store.view(row.id);
      // The proxy has this value. If the draft stayed, it would reappear with the next value and be saved over it.
      if (truth === 'received' || truth === 'on-portal') this.set([{ itemIndex, wanted: undefined }]);
      return;
    }
    // A listing that is still loading also has old values, so a value that equals the base is no change by another
    // person.
    if (!this.#list.complete && row.value === row.draft.base) this.#update(itemIndex, { seenAt: row.updatedAt });
    else this.#rebase(itemIndex, this.baseOf(itemIndex));
  }

  /**
   * The draft conflicts if the row has another value than its base, or if another person has set the same value again.
   */
  #rebase(itemIndex: ItemIndex, { base, stamp }: DraftBase): void {
    const row = this.#list.at(itemIndex);
    if (row === undefined || !isChanged(row)) return;
    const { value, updatedAt } = row;
    const isSetAgain = stamp !== toStamp(updatedAt) && this.#list.store.view(row.id).by !== undefined;
    const isConflicting = isSetAgain || (value !== undefined && value !== base);
    this.#update(itemIndex, { base, seenAt: toTimestamp(stamp), isConflicting });
  }

  #update(itemIndex: ItemIndex, change: Partial<DraftChange>): void {
    const row = this.#list.at(itemIndex);
    if (row?.draft !== undefined) this.#list.put(itemIndex, { ...row, draft: { ...row.draft, ...change } });
  }
}

/** A value without a time counts as the oldest. */
function toStamp(seenAt: Timestamp | undefined): number {
  return seenAt === undefined ? 1 : Date.parse(seenAt) || 1;
}
