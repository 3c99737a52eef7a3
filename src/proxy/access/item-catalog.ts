import type { KnownItem } from '../../contract/widget.js';
import { compareIds, type ItemId } from '../../domain/item.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';

/**
 * The operator's list of items: what the listing shows before any person has edited an item. It grants no right. Where
 * vendors share a lane and each has a list, the lists decide whose an id is. A vendor that the portal keeps apart may use an
 * id that other vendors use.
 *
 * The items are held in memory; which vendor's list names an id is stored in the outbox (`onRead`). A list that cannot be
 * read leaves the one before in force. The listing waits for a vendor's first list and for no later one.
 */
export interface ItemCatalog {
  /** Whether each vendor has a list of its own. */
  readonly byVendor: boolean;
  /**
   * In the order of ids. Never throws: a list that cannot be read is a line in the log, and the one before.
   *
   * @param isIsolated default: no vendor is kept apart
   */
  itemsOf(vendor: string, isIsolated?: IsIsolated): Promise<readonly KnownItem[]>;
  /** The vendor whose list names this id: the first of those that are not kept apart. */
  ownerOf(id: ItemId, isIsolated?: IsIsolated): string | undefined;
  /** Whether the list of this vendor has been read by this process. */
  isRead(vendor: string): boolean;
  /**
   * Reads the list of a vendor again, unless it was read in the last seconds: the operator may have added an item to it.
   *
   * @returns whether it was read
   */
  readAgain(vendor: string): Promise<boolean>;
  /**
   * Calls the listener with each list by vendor that was read, before the list counts as read. Its answer says whose the ids
   * are that several lists name, or that this one names no more.
   */
  onRead(listener: ListListener): void;
  /** Each list is read again by the next caller that needs it. */
  reload(): void;
}

/** Whether a vendor's ids never meet those of others at the portal (`PortalCredentials.isIsolated`). It changes with settings. */
export type IsIsolated = (vendor: string) => boolean;

/** @returns the vendors whose lists name an id, the first one first */
export type ListListener = (vendor: string, ids: readonly ItemId[]) => Promise<ReadonlyMap<ItemId, readonly string[]>>;

/** A list as it was read. `version` tells it from the next one. */
export interface CatalogPage {
  readonly items: readonly KnownItem[];
  readonly version?: string | undefined;
}

export interface ItemCatalogOptions {
  readonly byVendor: boolean;
  /**
   * @param version of what is known
   * @returns `undefined` where that is still what the source says
   * @throws {Error} when there is no list, with a message for the operator
   */
  readonly read: (vendor: string, version: string | undefined) => Promise<CatalogPage | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

export const REFRESH_MS = 5 * 60_000;
/** After a list could not be read. */
export const RETRY_MS = 60_000;
/** Between two readings for ids that a list does not name. Each of them is a call to the operator's source. */
export const READ_AGAIN_MS = 10_000;

/** Over all vendors. The list that was read longest ago is dropped first, and is read again when it is needed. */
const MAX_ITEMS = 500_000;

interface List {
  items: readonly KnownItem[];
  version: string | undefined;
  isRead: boolean;
  staleAt: number;
  triedAt: number;
  reading: Promise<void> | undefined;
}

export function createItemCatalog({ byVendor, read, clock, log }: ItemCatalogOptions): ItemCatalog {
  const lists = new Map<string, List>();
  const owners = new ListedIds();
  let listener: ListListener = () => Promise.resolve(new Map());
  let items = 0;
  let reloads = 0;

  function listOf(vendor: string): List {
    const key = byVendor ? vendor : '';
    const list = lists.get(key) ?? {
      items: [],
      version: undefined,
      isRead: false,
      staleAt: -Infinity,
      triedAt: -Infinity,
      reading: undefined,
    };
    lists.set(key, list);
    return list;
  }

  function refresh(vendor: string, list: List, isIsolated: IsIsolated): Promise<void> {
    list.reading ??= readList(byVendor ? vendor : '', list, isIsolated);
    return list.reading;
  }

  async function readList(vendor: string, list: List, isIsolated: IsIsolated): Promise<void> {
    const reloadsBefore = reloads;
    let freshMs = REFRESH_MS;
    list.triedAt = clock.monotonic();
    try {
      const page = await read(vendor, list.version);
      if (page !== undefined) await store(vendor, list, page, isIsolated);
      list.isRead = true;
    } catch (error) {
      log('error', 'items source cannot be read; the list before stays', {
        ...(byVendor && { vendor }),
        error: error instanceof Error ? error.message : String(error),
      });
      freshMs = RETRY_MS;
    } finally {
      list.reading = undefined;
    }
    // A change of the operator just before `reload` may have come too late for this reading.
    list.staleAt = clock.monotonic() + (reloads === reloadsBefore ? freshMs : 0);
  }

  async function store(vendor: string, list: List, page: CatalogPage, isIsolated: IsIsolated): Promise<void> {
    const named = new Map<ItemId, KnownItem>();
    for (const item of page.items) if (!named.has(item.id)) named.set(item.id, item);
    if (byVendor) {
      const stored = await listener(vendor, [...named.keys()]);
      for (const { id } of list.items) if (!named.has(id)) owners.remove(id, vendor);
      for (const id of named.keys()) {
        if (owners.add(id, vendor) && !isIsolated(vendor) && owners.ownerOf(id, isIsolated) !== vendor) {
          log('warn', 'an item is in the lists of two vendors; the list that was read first has it', { vendor });
        }
      }
      for (const [id, vendors] of stored) owners.set(id, vendors);
    }
    items -= list.items.length;
    list.items = [...named.values()].sort((a, b) => compareIds(a.id, b.id));
    list.version = page.version;
    items += list.items.length;
    // The newest comes last.
    lists.delete(vendor);
    lists.set(vendor, list);
    dropOldest(vendor);
  }

  function dropOldest(newest: string): void {
    for (const [vendor, list] of lists) {
      if (items <= MAX_ITEMS || vendor === newest) break;
      items -= list.items.length;
      for (const { id } of list.items) owners.remove(id, vendor);
      list.items = [];
      lists.delete(vendor);
    }
  }

  return {
    byVendor,
    async itemsOf(vendor, isIsolated = none) {
      const list = listOf(vendor);
      if (clock.monotonic() >= list.staleAt) void refresh(vendor, list, isIsolated);
      if (list.staleAt === -Infinity) await list.reading;
      if (!owners.hasContested || isIsolated(vendor)) return list.items;
      const isOwn = ({ id }: KnownItem): boolean => owners.ownerOf(id, isIsolated) === vendor;
      return list.items.every(isOwn) ? list.items : list.items.filter(isOwn);
    },
    ownerOf: (id, isIsolated = none) => owners.ownerOf(id, isIsolated),
    isRead: (vendor) => lists.get(byVendor ? vendor : '')?.isRead === true,
    async readAgain(vendor) {
      const list = listOf(vendor);
      if (list.reading === undefined && clock.monotonic() - list.triedAt < READ_AGAIN_MS) return false;
      await refresh(vendor, list, none);
      return list.isRead;
    },
    onRead(added) {
      listener = added;
    },
    reload() {
      reloads += 1;
      for (const list of lists.values()) list.staleAt = Math.min(list.staleAt, clock.monotonic());
    },
  };
}

/** Of each id the vendors whose lists name it; mostly that is one. */
class ListedIds {
  readonly #vendors = new Map<ItemId, string | readonly string[]>();
  #contested = 0;

  /** Whether several lists name an id. */
  get hasContested(): boolean {
    return this.#contested > 0;
  }

  /** @returns whether another list names it already */
  add(id: ItemId, vendor: string): boolean {
    const before = this.#vendors.get(id);
    if (before === undefined) this.#vendors.set(id, vendor);
    if (before === undefined || before === vendor) return false;
    const vendors = this.#of(id);
    if (!vendors.includes(vendor)) this.set(id, [...vendors, vendor]);
    return !vendors.includes(vendor);
  }

  remove(id: ItemId, vendor: string): void {
    const before = this.#vendors.get(id);
    if (before === vendor) this.#vendors.delete(id);
    else if (before !== undefined)
      this.set(
        id,
        this.#of(id).filter((other) => other !== vendor),
      );
  }

  set(id: ItemId, vendors: readonly string[]): void {
    if (this.#of(id).length > 1) this.#contested -= 1;
    if (vendors.length > 1) this.#contested += 1;
    const [first] = vendors;
    if (first === undefined) this.#vendors.delete(id);
    else this.#vendors.set(id, vendors.length === 1 ? first : vendors);
  }

  ownerOf(id: ItemId, isIsolated: IsIsolated): string | undefined {
    const vendors = this.#vendors.get(id);
    if (typeof vendors === 'string') return isIsolated(vendors) ? undefined : vendors;
    return vendors?.find((vendor) => !isIsolated(vendor));
  }

  #of(id: ItemId): readonly string[] {
    const vendors = this.#vendors.get(id);
    return typeof vendors === 'string' ? [vendors] : (vendors ?? []);
  }
}

function none(): boolean {
  return false;
}
