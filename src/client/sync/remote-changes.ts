import type { ItemId } from '../../domain/item.js';
import type { ItemLedger } from '../model/item-state.js';
import type { StoreAudience } from '../model/subscriptions.js';

/** Changes that come together are told together. */
const TOGETHER_MS = 1_000;

export interface ChangesOptions {
  readonly ledger: ItemLedger;
  readonly audience: StoreAudience;
  /** Before that nothing is news. */
  readonly isComplete: () => boolean;
}

/**
 * Has it said politely, and once on a page, what somebody else has changed meanwhile: who sees it hears nothing of it else,
 * and who does not see it has no other way to know.
 */
export class ChangesByOthers {
  readonly #options: ChangesOptions;
  readonly #news = new Set<ItemId>();
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  start(): void {
    const { ledger, audience } = this.#options;
    this.stop();
    // What was so before is none.
    ledger.news.clear();
    audience.onItem = (id) => {
      this.#hear(id);
    };
  }

  stop(): void {
    this.#options.audience.onItem = undefined;
    this.#news.clear();
    clearTimeout(this.#due);
    this.#due = undefined;
  }

  #hear(id: ItemId): void {
    const { ledger, isComplete } = this.#options;
    // Below an edit of this page it is not seen yet.
    if (ledger.view(id).by === undefined || !ledger.news.delete(id)) return;
    if (!isComplete()) return;
    this.#news.add(id);
    this.#due ??= setTimeout(() => {
      this.#tell();
    }, TOGETHER_MS);
  }

  #tell(): void {
    const { audience, ledger } = this.#options;
    const heralds = [...audience.heralds];
    // An edit of this page may have come above it meanwhile, and what needs a decision is told of as that.
    const ids = [...this.#news].filter(
      (id) =>
        ledger.view(id).by !== undefined && !ledger.attention.has(id) && heralds.some((herald) => herald.shows(id)),
    );
    const [first] = ids;
    this.#news.clear();
    this.#due = undefined;
    if (first !== undefined) heralds.find((herald) => herald.shows(first))?.say(ledger.view(first), ids.length);
  }
}
