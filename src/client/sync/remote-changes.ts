import type { ItemId } from '../../domain/item.js';
import type { ItemLedger } from '../model/item-state.js';
import type { Subscriptions } from '../model/subscriptions.js';

/** Changes within this time are announced together. */
const COLLECT_MS = 1_000;

export interface ChangesOptions {
  readonly ledger: ItemLedger;
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
  readonly #news = new Set<ItemId>();
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  start(): void {
    const { ledger, subscriptions } = this.#options;
    this.stop();
    // Changes from before the start are not announced.
    ledger.news.clear();
    subscriptions.onItem = (id) => {
      this.#collect(id);
    };
  }

  stop(): void {
    this.#options.subscriptions.onItem = undefined;
    this.#news.clear();
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  #collect(id: ItemId): void {
    const { ledger, isComplete } = this.#options;
    // An edit of this page hides the change for now.
    if (ledger.view(id).by === undefined || !ledger.news.delete(id)) return;
    if (!isComplete()) return;
    this.#news.add(id);
    this.#due ??= setTimeout(() => {
      this.#announce();
    }, COLLECT_MS);
  }

  #announce(): void {
    const { subscriptions, ledger } = this.#options;
    const announcers = [...subscriptions.announcers];
    // Leaves out items that an edit of this page hides by now, and items that need a decision, which has its own announcement.
    const ids = [...this.#news].filter(
      (id) =>
        ledger.view(id).by !== undefined &&
        !ledger.attention.has(id) &&
        announcers.some((announcer) => announcer.shows(id)),
    );
    const [first] = ids;
    this.#news.clear();
    this.#due = undefined;
    if (first !== undefined)
      announcers.find((announcer) => announcer.shows(first))?.announce(ledger.view(first), ids.length);
  }
}
