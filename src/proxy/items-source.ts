import type { KnownItem } from '../contract/widget.js';
import { compareIds, type ItemId } from '../domain/item.js';
import type { Clock } from './clock.js';
import type { Log } from './log.js';

/**
 * The operator's list of items: what the listing shows before anybody has edited anything. It grants no right. A list by
 * vendor says whose an id is, so that nobody else can be the first to use it.
 *
 * It is kept in memory and never in the outbox, which holds what people did. A list that cannot be read leaves the one
 * before in force. The listing waits for a vendor's first list and for no later one.
 */
export interface ItemsSource {
  /** In the order of ids. Never throws: a list that cannot be read is a line in the log, and the one before. */
  itemsOf(vendor: string): Promise<readonly KnownItem[]>;
  /** The vendor whose list names this id, among those read so far. */
  ownerOf(id: ItemId): string | undefined;
  /** What was read is read again by whoever needs it next. */
  reload(): void;
}

/** A list as it was read. `version` tells it from the next one. */
export interface ReadList {
  readonly items: readonly KnownItem[];
  readonly version?: string | undefined;
}

export interface ItemsSourceOptions {
  /** Whether each vendor has a list of their own. */
  readonly byVendor: boolean;
  /**
   * @param version of what is known
   * @returns `undefined` where that is still what the source says
   * @throws {Error} when there is no list, with a message for the operator
   */
  readonly read: (vendor: string, version: string | undefined) => Promise<ReadList | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

export const REFRESH_MS = 5 * 60_000;
/** After a list could not be read. */
export const RETRY_MS = 60_000;

/** Over all vendors; whose list was read longest ago goes first, and is read again when it is asked for. */
const MOST_ITEMS = 500_000;

interface List {
  items: readonly KnownItem[];
  version: string | undefined;
  staleAt: number;
  reading: Promise<void> | undefined;
}

export function createItemsSource({ byVendor, read, clock, log }: ItemsSourceOptions): ItemsSource {
  const lists = new Map<string, List>();
  const owners = new Map<ItemId, string>();
  let kept = 0;

  async function refresh(vendor: string, list: List): Promise<void> {
    try {
      const found = await read(vendor, list.version);
      if (found !== undefined) take(vendor, list, found);
      list.staleAt = clock.monotonic() + REFRESH_MS;
    } catch (error) {
      log('error', 'items source cannot be read; the list before stays', {
        ...(byVendor && { vendor }),
        error: error instanceof Error ? error.message : String(error),
      });
      list.staleAt = clock.monotonic() + RETRY_MS;
    } finally {
      list.reading = undefined;
    }
  }

  function take(vendor: string, list: List, { items, version }: ReadList): void {
    drop(vendor, list);
    const own = new Map<ItemId, KnownItem>();
    for (const item of items) {
      if (own.has(item.id)) continue;
      const owner = owners.get(item.id);
      if (owner === undefined) own.set(item.id, item);
      else log('warn', 'an item stands in the lists of two vendors; the first to be read has it', { vendor });
    }
    list.items = [...own.values()].sort((a, b) => compareIds(a.id, b.id));
    list.version = version;
    if (byVendor) for (const id of own.keys()) owners.set(id, vendor);
    // The newest stands last.
    lists.delete(vendor);
    lists.set(vendor, list);
    kept += list.items.length;
    for (const [other, old] of lists) {
      if (kept <= MOST_ITEMS || other === vendor) break;
      drop(other, old);
      lists.delete(other);
    }
  }

  function drop(vendor: string, list: List): void {
    kept -= list.items.length;
    for (const { id } of list.items) if (owners.get(id) === vendor) owners.delete(id);
    list.items = [];
  }

  return {
    async itemsOf(vendor) {
      const name = byVendor ? vendor : '';
      const known = lists.get(name);
      const list = known ?? { items: [], version: undefined, staleAt: -Infinity, reading: undefined };
      lists.set(name, list);
      if (clock.monotonic() >= list.staleAt) list.reading ??= refresh(name, list);
      if (list.staleAt === -Infinity) await list.reading;
      return list.items;
    },
    ownerOf: (id) => owners.get(id),
    reload() {
      for (const list of lists.values()) list.staleAt = Math.min(list.staleAt, clock.monotonic());
    },
  };
}
