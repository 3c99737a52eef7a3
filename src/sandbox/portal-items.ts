import type { PortalItem } from '../contract/portal.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import type { RequestResult } from './journal.js';
import { problem } from './responses.js';

export interface StoredValue {
  readonly available: boolean;
  readonly updated_at: Timestamp;
}

/** One item as two kinds of portal would store it. */
export interface StoredItem {
  readonly id: ItemId;
  /** The value in a portal where the last update to arrive wins. */
  readonly by_arrival: StoredValue;
  /** The value in a portal where the newest `updated_at` wins. On a tie the first to arrive stays. */
  readonly by_updated_at: StoredValue;
  /** How often the item was applied, resends included. */
  readonly updates: number;
}

/**
 * The items of the portal, stored both by arrival and by `updated_at`. The portal's document does not say which of the two
 * decides, so a proxy that is right for only one of them shows as a difference. On equal timestamps the first update
 * deliberately stays: two values with one timestamp are a fault of the sender and must show as a difference, too. There is
 * no limit, because a test would mistake a dropped item for one that the portal never received.
 */
export class StoredItems {
  readonly #items = new Map<ItemId, StoredItem>();
  /** Updates that the portal has accepted and not applied yet, in the order of their arrival. */
  #queue: { readonly item: PortalItem; readonly at: number }[] = [];

  /** Applies the item at the first call of {@link applyDue} at or after that time. */
  applyLater(item: PortalItem, at: number): void {
    this.#queue.push({ item, at });
  }

  applyDue(now: number): void {
    const due = this.#queue.filter(({ at }) => at <= now);
    this.#queue = this.#queue.filter(({ at }) => at > now);
    for (const { item } of due) this.apply(item);
  }

  apply({ id, available, updated_at }: PortalItem): void {
    const value: StoredValue = { available, updated_at };
    const stored = this.#items.get(id);
    const isNewest = stored === undefined || isLater(updated_at, stored.by_updated_at.updated_at);
    this.#items.set(id, {
      id,
      by_arrival: value,
      by_updated_at: isNewest ? value : stored.by_updated_at,
      updates: (stored?.updates ?? 0) + 1,
    });
  }

  /** @returns all items, in the order of their first update */
  list(): StoredItem[] {
    return [...this.#items.values()];
  }
}

// Compares text and not dates, because a fraction may be finer than a millisecond. Up to the seconds, all timestamps have
// the same length.
function isLater(a: Timestamp, b: Timestamp): boolean {
  return toSortable(a) > toSortable(b);
}

function toSortable(timestamp: Timestamp): string {
  const [seconds = '', fraction = ''] = timestamp.slice(0, -1).split('.');
  return `${seconds}.${fraction.replace(/0+$/, '')}`;
}

/**
 * Limits beyond which the oldest keys are dropped. An update under a dropped key is applied again, which sets the same
 * values.
 */
const MAX_KEYS = 10_000;
const MAX_CHARACTERS = 50_000_000;

interface Applied {
  readonly content: string;
  readonly response: Response;
}

/**
 * Responses to applied updates by idempotency key, for the variants that require one. A repeated update gets the same
 * response and changes nothing. Keys belong to the client, not to a path.
 */
export class IdempotencyKeys {
  readonly #applied = new Map<string, Applied>();
  #characters = 0;

  once(key: string, inventory: readonly PortalItem[], apply: () => RequestResult): RequestResult {
    const content = JSON.stringify(inventory);
    const first = this.#applied.get(key);
    if (first?.content === content) return { response: first.response.clone(), facts: { repeated: true } };
    if (first !== undefined) {
      return { response: problem(422, 'This name was that of another update. Nothing was applied.'), facts: {} };
    }
    const result = apply();
    // A rejected update is not recorded, because its client may send it again under the same key.
    const { applied, accepted, refused } = result.facts;
    if ((applied === true || accepted === true) && refused === undefined) {
      this.#record(key, content, result.response);
    }
    return result;
  }

  #record(key: string, content: string, response: Response): void {
    this.#applied.set(key, { content, response: response.clone() });
    this.#characters += content.length;
    for (const [oldest, { content: oldestContent }] of this.#applied) {
      if (this.#applied.size <= MAX_KEYS && this.#characters <= MAX_CHARACTERS) break;
      this.#applied.delete(oldest);
      this.#characters -= oldestContent.length;
    }
  }
}
