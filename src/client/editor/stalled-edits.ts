import type { ItemId } from '../../domain/item.js';
import type { InventoryStore } from '../store/inventory-store.js';

/**
 * Items with an edit that the portal does not take now, by the proxy's word. One that a newer edit has come above is none
 * that the portal has taken, and neither is one that the proxy is just trying again: it is held until it is settled.
 */
export class HeldEdits {
  readonly #store: InventoryStore;
  readonly #ids = new Set<ItemId>();
  readonly #leave: () => void;
  /** Why the last one was held, by its code. */
  reason: string | undefined;
  /** The last one that was settled is on the portal, and was not refused or taken back. */
  hasReached = false;

  constructor(store: InventoryStore) {
    this.#store = store;
    for (const id of store.openIds) this.#look(id);
    this.#leave = store.subscribe((id) => {
      if (id !== undefined) this.#look(id);
    });
  }

  get count(): number {
    return this.#ids.size;
  }

  close(): void {
    this.#leave();
  }

  #look(id: ItemId): void {
    const { truth, writing, delayed, reason } = this.#store.view(id);
    if (writing === true || truth === 'on-device') return;
    if (truth !== 'received') {
      if (this.#ids.delete(id)) this.hasReached = truth === 'on-portal';
    } else if (delayed === true) {
      this.#ids.add(id);
      this.reason = reason;
    }
  }
}
