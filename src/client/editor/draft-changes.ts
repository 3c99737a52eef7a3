import { toTimestamp, type Timestamp } from '../../domain/item.js';
import type { Position } from './editor-types.js';
import type { ItemList } from './item-list.js';
import { isChanged, withDraft, type DraftChange } from './row-state.js';

/** The value that the person saw when they made the draft, and its `updated_at` in milliseconds since the epoch. */
export interface DraftBase {
  readonly base: boolean | undefined;
  readonly stamp: number;
}

/** A draft to set in a row, or to remove from it. */
export interface DraftRow {
  readonly position: Position;
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
  onChange: (positions: readonly Position[]) => void = () => undefined;
  readonly #list: ItemList;
  readonly #unsubscribe: () => void;

  constructor(list: ItemList) {
    this.#list = list;
    this.#unsubscribe = list.subscribe((changed) => {
      if (changed !== undefined) this.#onRow(changed);
    });
  }

  /** Positions of drafts that differ from the store's value. */
  positions(): Position[] {
    return this.#find((position) => {
      const row = this.#list.at(position);
      return row !== undefined && isChanged(row);
    });
  }

  set(rows: readonly DraftRow[]): void {
    for (const { position, wanted, base } of rows) {
      const row = this.#list.at(position);
      if (row !== undefined) this.#list.put(position, withDraft(row, wanted));
      if (base !== undefined) this.#rebase(position, base);
    }
    this.onChange(rows.map(({ position }) => position));
  }

  /** Removes all drafts, including those that equal the row's value. */
  clear(): void {
    const positions = this.#find((position) => this.#list.at(position)?.draft !== undefined);
    this.set(positions.map((position) => ({ position, wanted: undefined })));
  }

  /** Resolves a conflict in favour of the draft, whose base becomes the other value. */
  keep(position: Position): void {
    const row = this.#list.at(position);
    this.#update(position, { base: row?.value, seenAt: row?.updatedAt, isConflicting: false });
    this.onChange([position]);
  }

  baseOf(position: Position): DraftBase {
    const { base, seenAt } = this.#list.at(position)?.draft ?? {};
    return { base, stamp: toStamp(seenAt) };
  }

  close(): void {
    this.#unsubscribe();
  }

  #find(isWanted: (position: Position) => boolean): Position[] {
    const positions: Position[] = [];
    for (let position = 0; position < this.#list.size; position += 1) if (isWanted(position)) positions.push(position);
    return positions;
  }

  #onRow(position: Position): void {
    const row = this.#list.at(position);
    if (row?.draft === undefined) return;
    if (!isChanged(row)) {
      const { truth } = this.#list.store.view(row.id);
      // The proxy has this value. If the draft stayed, it would reappear with the next value and be saved over it.
      if (truth === 'received' || truth === 'on-portal') this.set([{ position, wanted: undefined }]);
      return;
    }
    // A listing that is still loading also has old values, so a value that equals the base is no change by another
    // person.
    if (!this.#list.complete && row.value === row.draft.base) this.#update(position, { seenAt: row.updatedAt });
    else this.#rebase(position, this.baseOf(position));
  }

  /**
   * The draft conflicts if the row has another value than its base, or if another person has set the same value again.
   */
  #rebase(position: Position, { base, stamp }: DraftBase): void {
    const row = this.#list.at(position);
    if (row === undefined || !isChanged(row)) return;
    const { value, updatedAt } = row;
    const isSetAgain = stamp !== toStamp(updatedAt) && this.#list.store.view(row.id).by !== undefined;
    const isConflicting = isSetAgain || (value !== undefined && value !== base);
    this.#update(position, { base, seenAt: toTimestamp(stamp), isConflicting });
  }

  #update(position: Position, change: Partial<DraftChange>): void {
    const row = this.#list.at(position);
    if (row?.draft !== undefined) this.#list.put(position, { ...row, draft: { ...row.draft, ...change } });
  }
}

/** A value without a time counts as the oldest. */
function toStamp(seenAt: Timestamp | undefined): number {
  return seenAt === undefined ? 1 : Date.parse(seenAt) || 1;
}
