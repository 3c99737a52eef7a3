import type { ItemId, Timestamp } from '../domain/item.js';
import type { ItemLedger } from './item-ledger.js';
import type { StoreAudience } from './store-audience.js';

/** Changes that come together are told together. */
const TOGETHER_MS = 1_000;
/** A change that is told once may be heard of again: when the portal has it, too. */
const MOST_TOLD = 1_000;

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
  readonly #told = new Map<ItemId, Timestamp>();
  readonly #news = new Set<ItemId>();
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  start(): void {
    const { ledger, audience } = this.#options;
    this.stop();
    this.#told.clear();
    // What is on its way already is no news when it arrives.
    for (const id of ledger.open) this.#isNew(id);
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
    // What needs a decision is told of as that.
    if (!this.#isNew(id) || !isComplete() || ledger.attention.has(id)) return;
    this.#news.add(id);
    this.#due ??= setTimeout(() => {
      this.#tell();
    }, TOGETHER_MS);
  }

  #isNew(id: ItemId): boolean {
    const { by, updated_at } = this.#options.ledger.view(id);
    if (by === undefined || updated_at === undefined || this.#told.get(id) === updated_at) return false;
    if (this.#told.size >= MOST_TOLD) this.#told.clear();
    this.#told.set(id, updated_at);
    return true;
  }

  #tell(): void {
    const { audience, ledger } = this.#options;
    const heralds = [...audience.heralds];
    const ids = [...this.#news].filter((id) => heralds.some((herald) => herald.shows(id)));
    const [first] = ids;
    this.#news.clear();
    this.#due = undefined;
    if (first !== undefined) heralds.find((herald) => herald.shows(first))?.say(ledger.view(first), ids.length);
  }
}
