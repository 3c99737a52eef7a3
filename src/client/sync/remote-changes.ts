import type { ItemId } from '../../domain/item.js';
import type { ItemStates } from '../model/item-state.js';
import type { Subscriptions } from '../model/subscriptions.js';

/** Changes within this time are announced together. */
const COLLECT_MS = 1_000;

export interface ChangesOptions {
  readonly itemStates: ItemStates;
  readonly subscriptions: Subscriptions;
  /** Whether the first listing was loaded. Rows of that listing are not announced. */
  readonly isComplete: () => boolean;
}

/**
 * Announces changes by other people, once for a page, in a polite live region: a person who does not see the screen has no
 * other way to notice them.
 */
export class RemoteChanges {
  readonly #options: ChangesOptions;
  readonly #changedIds = new Set<ItemId>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  start(): void {
    const { itemStates, subscriptions } = this.#options;
    this.stop();
    // Changes from before the start are not announced.
    itemStates.changedByOthers.clear();
    subscriptions.onItem = (id) => {
      this.#collect(id);
    };
  }

  stop(): void {
    this.#options.subscriptions.onItem = undefined;
    this.#changedIds.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #collect(id: ItemId): void {
    const { itemStates, isComplete } = this.#options;
    // An edit of this page hides the change for now.
    if (itemStates.view(id).by === undefined || !itemStates.changedByOthers.delete(id)) return;
    if (!isComplete()) return;
    this.#changedIds.add(id);
    this.#timer ??= setTimeout(() => {
      this.#announce();
    }, COLLECT_MS);
  }

  #announce(): void {
    const { subscriptions, itemStates } = this.#options;
    const announcers = [...subscriptions.announcers];
    // Leaves out items that an edit of this page hides by now, and items that need a decision, which has its own announcement.
    const ids = [...this.#changedIds].filter(
      (id) =>
        itemStates.view(id).by !== undefined &&
        !itemStates.attention.has(id) &&
        announcers.some((announcer) => announcer.shows(id)),
    );
    const [first] = ids;
    this.#changedIds.clear();
    this.#timer = undefined;
    if (first !== undefined)
      announcers.find((announcer) => announcer.shows(first))?.announce(itemStates.view(first), ids.length);
  }
}
