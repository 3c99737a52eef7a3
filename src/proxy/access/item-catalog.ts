import type { CatalogItem } from '../../contract/widget.js';
import { compareIds, type ItemId } from '../../domain/item.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';
import { type IsIsolated, ListedIds } from './listed-ids.js';

/**
 * The operator's catalog of items: what the listing shows before any person has edited an item. It grants no permission. If
 * vendors share a delivery queue and each has a list, the lists decide which vendor owns an id. A vendor that is isolated
 * at the portal may use an id that other vendors use.
 *
 * The items are held in memory; the vendors whose lists name an id are stored in the outbox (`onRead`). If a list cannot be
 * read, the previous one stays in force. The listing waits for a vendor's first list only.
 */
export interface ItemCatalog {
  /** Whether each vendor has its own list. */
  readonly byVendor: boolean;
  /**
   * Resolves to the items ordered by id. Never rejects: a list that cannot be read is logged, and the previous one is used.
   *
   * @param isIsolated default: no vendor is isolated
   */
  itemsOf(vendor: string, isIsolated?: IsIsolated): Promise<readonly CatalogItem[]>;
  /** The owner of this id: the first vendor that is not isolated and whose list names it. */
  ownerOf(id: ItemId, isIsolated?: IsIsolated): string | undefined;
  /** Whether this process has read the list of this vendor. */
  isRead(vendor: string): boolean;
  /**
   * Reads the list of a vendor again unless it was read within the last `READ_AGAIN_MS`, because the operator may have
   * added an item to it.
   *
   * @returns whether the list was read
   */
  readAgain(vendor: string): Promise<boolean>;
  /**
   * Registers the listener that stores which ids a vendor's list names. It is called after each reading and before that
   * list takes effect. Its result names the owners of ids that several lists name, or that this list no longer names.
   */
  onRead(listener: ListListener): void;
  /** Marks each list as stale, so that the next caller that needs it reads it again. */
  reload(): void;
}

/** @returns the vendors whose lists name an id, the owner first */
export type ListListener = (vendor: string, ids: readonly ItemId[]) => Promise<ReadonlyMap<ItemId, readonly string[]>>;

/** A list as it was read. `version` is compared with the next reading, as an ETag is. */
export interface CatalogPage {
  readonly items: readonly CatalogItem[];
  readonly version?: string | undefined;
}

export interface ItemCatalogOptions {
  readonly byVendor: boolean;
  /**
   * @param version version of the list that is in memory
   * @returns `undefined` if the list has not changed since that version
   * @throws {Error} if there is no list; the message is for the operator
   */
  readonly read: (vendor: string, version: string | undefined) => Promise<CatalogPage | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}

export const REFRESH_MS = 5 * 60_000;
/** Pause after a list could not be read. */
export const RETRY_MS = 60_000;
/**
 * Shortest time between two readings for ids that a list does not name. Each reading is a call to the operator's source.
 */
export const READ_AGAIN_MS = 10_000;

/** Limit over all vendors. Beyond it, the list that was read longest ago is dropped and read again when it is needed. */
const MAX_ITEMS = 500_000;

/** The list of one vendor, or the one list of all vendors. Times are on the monotonic clock. */
interface List {
  items: readonly CatalogItem[];
  version: string | undefined;
  isRead: boolean;
  staleAt: number;
  triedAt: number;
  reading: Promise<void> | undefined;
}

export function createItemCatalog(options: ItemCatalogOptions): ItemCatalog {
  return new CachedItemCatalog(options);
}

class CachedItemCatalog implements ItemCatalog {
  readonly byVendor: boolean;
  readonly #options: ItemCatalogOptions;
  /** In order of reading: the list that was read last comes last. */
  readonly #lists = new Map<string, List>();
  readonly #owners = new ListedIds();
  #listener: ListListener = () => Promise.resolve(new Map());
  /** Number of items in all lists. */
  #size = 0;
  #reloads = 0;

  constructor(options: ItemCatalogOptions) {
    this.byVendor = options.byVendor;
    this.#options = options;
  }

  async itemsOf(vendor: string, isIsolated: IsIsolated = isolatesNone): Promise<readonly CatalogItem[]> {
    const list = this.#listOf(vendor);
    if (this.#options.clock.monotonic() >= list.staleAt) void this.#refresh(vendor, list, isIsolated);
    if (list.staleAt === -Infinity) await list.reading;
    if (!this.#owners.hasContested || isIsolated(vendor)) return list.items;
    const isOwn = ({ id }: CatalogItem): boolean => this.#owners.ownerOf(id, isIsolated) === vendor;
    return list.items.every(isOwn) ? list.items : list.items.filter(isOwn);
  }

  ownerOf(id: ItemId, isIsolated: IsIsolated = isolatesNone): string | undefined {
    return this.#owners.ownerOf(id, isIsolated);
  }

  isRead(vendor: string): boolean {
    return this.#lists.get(this.#keyOf(vendor))?.isRead === true;
  }

  async readAgain(vendor: string): Promise<boolean> {
    const list = this.#listOf(vendor);
    const isRecent = this.#options.clock.monotonic() - list.triedAt < READ_AGAIN_MS;
    if (list.reading === undefined && isRecent) return false;
    await this.#refresh(vendor, list, isolatesNone);
    return list.isRead;
  }

  onRead(listener: ListListener): void {
    this.#listener = listener;
  }

  reload(): void {
    this.#reloads += 1;
    const now = this.#options.clock.monotonic();
    for (const list of this.#lists.values()) list.staleAt = Math.min(list.staleAt, now);
  }

  #keyOf(vendor: string): string {
    return this.byVendor ? vendor : '';
  }

  #listOf(vendor: string): List {
    const key = this.#keyOf(vendor);
    const list = this.#lists.get(key) ?? {
      items: [],
      version: undefined,
      isRead: false,
      staleAt: -Infinity,
      triedAt: -Infinity,
      reading: undefined,
    };
    this.#lists.set(key, list);
    return list;
  }

  #refresh(vendor: string, list: List, isIsolated: IsIsolated): Promise<void> {
    list.reading ??= this.#read(this.#keyOf(vendor), list, isIsolated);
    return list.reading;
  }

  async #read(vendor: string, list: List, isIsolated: IsIsolated): Promise<void> {
    const { clock, log, read } = this.#options;
    const reloadsBefore = this.#reloads;
    let freshMs = REFRESH_MS;
    list.triedAt = clock.monotonic();
    try {
      const page = await read(vendor, list.version);
      if (page !== undefined) await this.#store(vendor, list, page, isIsolated);
      list.isRead = true;
    } catch (error) {
      log('error', 'items source cannot be read; the list before stays', {
        ...(this.byVendor && { vendor }),
        error: error instanceof Error ? error.message : String(error),
      });
      freshMs = RETRY_MS;
    } finally {
      list.reading = undefined;
    }
    // The operator's change may have come just before `reload` and after this reading began, so the list is stale at once.
    list.staleAt = clock.monotonic() + (this.#reloads === reloadsBefore ? freshMs : 0);
  }

  async #store(vendor: string, list: List, page: CatalogPage, isIsolated: IsIsolated): Promise<void> {
    const named = new Map<ItemId, CatalogItem>();
    for (const item of page.items) if (!named.has(item.id)) named.set(item.id, item);
    if (this.byVendor) await this.#storeOwners(vendor, list, named, isIsolated);
    this.#size -= list.items.length;
    list.items = [...named.values()].sort((a, b) => compareIds(a.id, b.id));
    list.version = page.version;
    this.#size += list.items.length;
    this.#lists.delete(vendor);
    this.#lists.set(vendor, list);
    this.#dropOldest(vendor);
  }

  async #storeOwners(
    vendor: string,
    before: List,
    named: ReadonlyMap<ItemId, CatalogItem>,
    isIsolated: IsIsolated,
  ): Promise<void> {
    const stored = await this.#listener(vendor, [...named.keys()]);
    for (const { id } of before.items) if (!named.has(id)) this.#owners.remove(id, vendor);
    for (const id of named.keys()) {
      const isContested = this.#owners.add(id, vendor) && !isIsolated(vendor);
      if (isContested && this.#owners.ownerOf(id, isIsolated) !== vendor)
        this.#options.log('warn', 'an item is in the lists of two vendors; the list that was read first has it', {
          vendor,
        });
    }
    for (const [id, vendors] of stored) this.#owners.set(id, vendors);
  }

  #dropOldest(newest: string): void {
    for (const [vendor, list] of this.#lists) {
      if (this.#size <= MAX_ITEMS || vendor === newest) break;
      this.#size -= list.items.length;
      for (const { id } of list.items) this.#owners.remove(id, vendor);
      list.items = [];
      this.#lists.delete(vendor);
    }
  }
}

function isolatesNone(): boolean {
  return false;
}
