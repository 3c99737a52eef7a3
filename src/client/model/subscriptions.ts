import type { ItemId } from '../../domain/item.js';
import type { ItemView } from './item-view.js';

/** `undefined`: the snapshot changed, not an item. */
export type StoreListener = (changed: ItemId | undefined) => void;

/** Says to who cannot see it what somebody else has changed. */
export interface Herald {
  readonly shows: (id: ItemId) => boolean;
  /** @param count how many items of this page: of several it is one herald that says it, with the first of them */
  readonly say: (first: ItemView, count: number) => void;
}

/** Who is told what. One of a thousand toggles hears of its own item only, so that a change costs the same with all of them. */
export class StoreAudience {
  /** By item; by `undefined` those of everything. */
  readonly #listeners = new Map<ItemId | undefined, Set<StoreListener>>();
  readonly heralds = new Set<Herald>();
  /** Hears of each item, and counts as nobody. */
  onItem: ((id: ItemId) => void) | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @param id only this item's changes and the snapshot's @returns whether it was still there, and takes it away */
  add(listener: StoreListener, id: ItemId | undefined): () => boolean {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners);
    // The same function may be given twice, and leaves once for each.
    const told: StoreListener = (changed) => {
      listener(changed);
    };
    listeners.add(told);
    this.#size += 1;
    return () => {
      if (!listeners.delete(told)) return false;
      this.#size -= 1;
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
      return true;
    };
  }

  tell(changed: ItemId | undefined): void {
    if (changed !== undefined) this.onItem?.(changed);
    const all = changed === undefined ? [...this.#listeners.keys()] : [undefined, changed];
    for (const id of all) for (const listener of this.#listeners.get(id) ?? []) listener(changed);
  }
}
