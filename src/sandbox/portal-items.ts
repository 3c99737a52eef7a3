import type { PortalItem } from '../contract/portal.js';
import type { ItemId, Timestamp } from '../domain/item.js';
import type { RequestResult } from './journal.js';
import { problem } from './responses.js';

export interface StoredValue {
  readonly available: boolean;
  readonly updated_at: Timestamp;
}

/** One item as two kinds of portal would hold it. */
export interface StoredItem {
  readonly id: ItemId;
  /** Of a portal where the last word to arrive wins. */
  readonly by_arrival: StoredValue;
  /** Of a portal where the newest `updated_at` wins. On a tie the first to arrive stays. */
  readonly by_updated_at: StoredValue;
  /** How often the item was applied, resends included. */
  readonly updates: number;
}

/**
 * What the portal holds, both ways, because its document does not say which way it goes: a proxy that is right only for
 * one of them shows as a difference. The tie is decided against arrival on purpose: two values under one
 * stamp are a fault of the sender and must not look alike.
 * No bound: a portal that forgets an item would be lying about it.
 */
export class StoredItems {
  readonly #items = new Map<ItemId, StoredItem>();

  apply({ id, available, updated_at }: PortalItem): void {
    const value: StoredValue = { available, updated_at };
    const held = this.#items.get(id);
    const newest = held === undefined || isLater(updated_at, held.by_updated_at.updated_at);
    this.#items.set(id, {
      id,
      by_arrival: value,
      by_updated_at: newest ? value : held.by_updated_at,
      updates: (held?.updates ?? 0) + 1,
    });
  }

  /** In the order in which the portal first heard of them. */
  list(): StoredItem[] {
    return [...this.#items.values()];
  }
}

// As text, not as Date: a fraction may be finer than a millisecond. Up to the seconds all timestamps are equally wide.
function isLater(one: Timestamp, other: Timestamp): boolean {
  return sortable(one) > sortable(other);
}

function sortable(timestamp: Timestamp): string {
  const [seconds = '', fraction = ''] = timestamp.slice(0, -1).split('.');
  return `${seconds}.${fraction.replace(/0+$/, '')}`;
}

/** The oldest are forgotten, and would be applied again: values are absolute, so that changes nothing but the journal. */
const MOST_NAMES = 10_000;
const MOST_LETTERS = 50_000_000;

interface Applied {
  readonly content: string;
  readonly response: Response;
}

/**
 * Updates that were applied under a name, where this portal wants one: the same one again is answered alike, and changes nothing.
 * A name is the client's, whatever the path.
 */
export class IdempotencyKeys {
  readonly #applied = new Map<string, Applied>();
  #letters = 0;

  once(name: string, inventory: readonly PortalItem[], apply: () => RequestResult): RequestResult {
    const content = JSON.stringify(inventory);
    const before = this.#applied.get(name);
    if (before?.content === content) return { response: before.response.clone(), facts: { repeated: true } };
    if (before !== undefined) {
      return { response: problem(422, 'This name was that of another update. Nothing was applied.'), facts: {} };
    }
    const verdict = apply();
    // What was refused may come again.
    if (verdict.facts.applied === true && verdict.facts.refused === undefined)
      this.#keep(name, content, verdict.response);
    return verdict;
  }

  #keep(name: string, content: string, response: Response): void {
    this.#applied.set(name, { content, response: response.clone() });
    this.#letters += content.length;
    for (const [oldest, { content: of }] of this.#applied) {
      if (this.#applied.size <= MOST_NAMES && this.#letters <= MOST_LETTERS) break;
      this.#applied.delete(oldest);
      this.#letters -= of.length;
    }
  }
}
