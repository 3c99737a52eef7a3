import type { ItemId } from '../../domain/item.js';
import type { ItemView } from './item-view.js';

/** @param changed the item that changed; `undefined` if the snapshot changed */
export type StoreListener = (changed: ItemId | undefined) => void;

/** Announces changes by other people to people who use a screen reader. */
export interface ChangeAnnouncer {
  readonly shows: (id: ItemId) => boolean;
  /** @param count how many items of this page changed: one announcer reports them all, and names the first */
  readonly announce: (first: ItemView, count: number) => void;
}

/** The listeners of a store. A toggle listens to its own item only, so a change costs the same with a thousand toggles. */
export class Subscriptions {
  /** By item; the key `undefined` has the listeners to all changes. */
  readonly #listeners = new Map<ItemId | undefined, Set<StoreListener>>();
  readonly announcers = new Set<ChangeAnnouncer>();
  /** Called for every item change; not counted as a listener. */
  onItem: ((id: ItemId) => void) | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * @param id limits the listener to changes of this item and of the snapshot
   * @returns a function that removes the listener, and returns whether it was still there
   */
  add(listener: StoreListener, id: ItemId | undefined): () => boolean {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners);
    // A wrapper, because the same function may be added twice and is then removed once for each.
    const added: StoreListener = (changed) => {
      listener(changed);
    };
    listeners.add(added);
    this.#size += 1;
    return () => {
      if (!listeners.delete(added)) return false;
      this.#size -= 1;
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
      return true;
    };
  }

  notify(changed: ItemId | undefined): void {
    if (changed !== undefined) this.onItem?.(changed);
    const all = changed === undefined ? [...this.#listeners.keys()] : [undefined, changed];
    for (const id of all) for (const listener of this.#listeners.get(id) ?? []) listener(changed);
  }
}
