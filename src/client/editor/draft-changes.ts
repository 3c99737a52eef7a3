import { toTimestamp, type Timestamp } from '../../domain/item.js';
import type { Position } from './editor-types.js';
import type { ItemList } from './item-list.js';
import { isChanged, withDraft, type DraftChange } from './row-state.js';

/** The value that a person saw when the draft was made, and when that was made, in milliseconds since the epoch. */
export interface DraftBase {
  readonly base: boolean | undefined;
  readonly stamp: number;
}

/** One row of a draft, to be set. */
export interface DraftRow {
  readonly position: Position;
  /** `undefined`: it has no draft any more. */
  readonly wanted: boolean | undefined;
  /** Absent: the value of now. */
  readonly base?: DraftBase | undefined;
}

/**
 * The drafts in the rows of a list, each with the value that it is based on. When another person changes that value, the
 * draft has met the change, and is not saved before the person has chosen one of the two.
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

  /** Takes all drafts away, also those that want what the row has. */
  clear(): void {
    const positions = this.#find((position) => this.#list.at(position)?.draft !== undefined);
    this.set(positions.map((position) => ({ position, wanted: undefined })));
  }

  /** The person has seen the other value and keeps the draft. */
  keep(position: Position): void {
    const row = this.#list.at(position);
    this.#update(position, { base: row?.value, seenAt: row?.updatedAt, met: false });
    this.onChange([position]);
  }

  baseOf(position: Position): DraftBase {
    const { base, seenAt } = this.#list.at(position)?.draft ?? {};
    return { base, stamp: stampOf(seenAt) };
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
      // It came true: kept, it would come back with the next value of the store, and be saved over that.
      if (truth === 'received' || truth === 'on-portal') this.set([{ position, wanted: undefined }]);
      return;
    }
    // While the proxy's listing comes in, it names old values too: the one that the person saw is no news.
    if (!this.#list.complete && row.value === row.draft.base) this.#update(position, { seenAt: row.updatedAt });
    else this.#rebase(position, this.baseOf(position));
  }

  /** A draft has met a change where the value is another one, or was set again by a person who is known. */
  #rebase(position: Position, { base, stamp }: DraftBase): void {
    const row = this.#list.at(position);
    if (row === undefined || !isChanged(row)) return;
    const { value, updatedAt } = row;
    const isSetAgain = stamp !== stampOf(updatedAt) && this.#list.store.view(row.id).by !== undefined;
    const met = isSetAgain || (value !== undefined && value !== base);
    this.#update(position, { base, seenAt: toTimestamp(stamp), met });
  }

  #update(position: Position, change: Partial<DraftChange>): void {
    const row = this.#list.at(position);
    if (row?.draft !== undefined) this.#list.put(position, { ...row, draft: { ...row.draft, ...change } });
  }
}

/** A value without a time is the oldest of all. */
function stampOf(seenAt: Timestamp | undefined): number {
  return seenAt === undefined ? 1 : Date.parse(seenAt) || 1;
}
