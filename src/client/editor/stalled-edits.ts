import type { ItemId } from '../../domain/item.js';
import type { InventoryStore } from '../store/inventory-store.js';

/**
 * The items whose edit the proxy reports as delayed. An item stays until its edit is settled: a newer edit of the item
 * and another delivery attempt do not remove it.
 */
export class StalledEdits {
  readonly #store: InventoryStore;
  readonly #ids = new Set<ItemId>();
  readonly #unsubscribe: () => void;
  /** The reason code of the item that was added last. */
  reason: string | undefined;
  /** Whether the item that was removed last is on the portal, and was not refused or withdrawn. */
  hasLastArrived = false;

  constructor(store: InventoryStore) {
    this.#store = store;
    for (const id of store.openIds) this.#update(id);
    this.#unsubscribe = store.subscribe((id) => {
      if (id !== undefined) this.#update(id);
    });
  }

  get count(): number {
    return this.#ids.size;
  }

  close(): void {
    this.#unsubscribe();
  }

  #update(id: ItemId): void {
    const { truth, writing, delayed, reason } = this.#store.view(id);
    if (writing === true || truth === 'on-device') return;
    if (truth !== 'received') {
      if (this.#ids.delete(id)) this.hasLastArrived = truth === 'on-portal';
    } else if (delayed === true) {
      this.#ids.add(id);
      this.reason = reason;
    }
  }
}
