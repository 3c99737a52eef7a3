import type { KnownItem } from '../../contract/widget.js';
import { compareIds, type ItemId } from '../../domain/item.js';
import type { Clock } from '../runtime/clock.js';
import type { Log } from '../runtime/log.js';

/**
 * The operator's list of items: what the listing shows before anybody has edited anything. It grants no right. Where vendors
 * share a lane, a list by vendor says whose an id is, so that nobody else can be the first to use it. Who is kept apart may
 * have an id that others have, and is in nobody's way.
 *
 * It is kept in memory and never in the outbox, which holds what people did. A list that cannot be read leaves the one
 * before in force. The listing waits for a vendor's first list and for no later one.
 */
export interface ItemCatalog {
  /**
   * In the order of ids. Never throws: a list that cannot be read is a line in the log, and the one before.
   *
   * @param separates default: nobody is kept apart
   */
  itemsOf(vendor: string, separates?: IsIsolated): Promise<readonly KnownItem[]>;
  /** The vendor whose list names this id: the first read, so far, of those who are not kept apart. */
  ownerOf(id: ItemId, separates?: IsIsolated): string | undefined;
  /** What was read is read again by whoever needs it next. */
  reload(): void;
}

/** Whether a vendor's ids never meet those of others at the portal (`PortalLanes.separates`). It changes with settings. */
export type IsIsolated = (vendor: string) => boolean;

/** A list as it was read. `version` tells it from the next one. */
export interface CatalogPage {
  readonly items: readonly KnownItem[];
  readonly version?: string | undefined;
}

export interface ItemCatalogOptions {
  /** Whether each vendor has a list of their own. */
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

/** Over all vendors; whose list was read longest ago goes first, and is read again when it is asked for. */
const MAX_ITEMS = 500_000;

interface List {
  items: readonly KnownItem[];
  version: string | undefined;
  staleAt: number;
  reading: Promise<void> | undefined;
}

export function createItemCatalog({ byVendor, read, clock, log }: ItemCatalogOptions): ItemCatalog {
  const lists = new Map<string, List>();
  /** Of each id whose list names it; mostly it is one. The first read stands first. */
  const owners = new Map<ItemId, string | readonly string[]>();
  /** Ids that several name. */
  let contested = 0;
  let kept = 0;
  let reloads = 0;

  async function refresh(vendor: string, list: List, separates: IsIsolated): Promise<void> {
    const reloadsBefore = reloads;
    let freshMs = REFRESH_MS;
    try {
      const found = await read(vendor, list.version);
      if (found !== undefined) take(vendor, list, found, separates);
    } catch (error) {
      log('error', 'items source cannot be read; the list before stays', {
        ...(byVendor && { vendor }),
        error: error instanceof Error ? error.message : String(error),
      });
      freshMs = RETRY_MS;
    } finally {
      list.reading = undefined;
    }
    // What the operator changed before they said so may have come too late for this reading.
    list.staleAt = clock.monotonic() + (reloads === reloadsBefore ? freshMs : 0);
  }

  function take(vendor: string, list: List, { items, version }: CatalogPage, separates: IsIsolated): void {
    const own = new Map<ItemId, KnownItem>();
    for (const item of items) if (!own.has(item.id)) own.set(item.id, item);
    // What stays in it keeps its place: reading a list again makes nobody else the first.
    kept -= list.items.length;
    for (const { id } of list.items) if (!own.has(id)) strike(id, vendor);
    list.items = [...own.values()].sort((a, b) => compareIds(a.id, b.id));
    list.version = version;
    if (byVendor) for (const id of own.keys()) name(id, vendor, separates);
    // The newest stands last.
    lists.delete(vendor);
    lists.set(vendor, list);
    kept += list.items.length;
    for (const [other, old] of lists) {
      if (kept <= MAX_ITEMS || other === vendor) break;
      drop(other, old);
      lists.delete(other);
    }
  }

  function name(id: ItemId, vendor: string, separates: IsIsolated): void {
    const before = owners.get(id);
    if ([before].flat().includes(vendor)) return;
    owners.set(id, before === undefined ? vendor : [before, vendor].flat());
    if (typeof before === 'string') contested += 1;
    if (before === undefined || separates(vendor) || ownerOf(id, separates) === vendor) return;
    log('warn', 'an item stands in the lists of two vendors; the first to be read has it', { vendor });
  }

  function drop(vendor: string, list: List): void {
    kept -= list.items.length;
    for (const { id } of list.items) strike(id, vendor);
    list.items = [];
  }

  function strike(id: ItemId, vendor: string): void {
    const named = owners.get(id);
    if (named === vendor) owners.delete(id);
    if (named === undefined || typeof named === 'string') return;
    const left = named.filter((owner) => owner !== vendor);
    const [first] = left;
    if (first === undefined || left.length > 1) owners.set(id, left);
    else {
      owners.set(id, first);
      contested -= 1;
    }
  }

  function ownerOf(id: ItemId, separates: IsIsolated = nobody): string | undefined {
    const named = owners.get(id);
    if (typeof named === 'string') return separates(named) ? undefined : named;
    return named?.find((vendor) => !separates(vendor));
  }

  return {
    async itemsOf(vendor, separates = nobody) {
      const of = byVendor ? vendor : '';
      const known = lists.get(of);
      const list = known ?? { items: [], version: undefined, staleAt: -Infinity, reading: undefined };
      lists.set(of, list);
      if (clock.monotonic() >= list.staleAt) list.reading ??= refresh(of, list, separates);
      if (list.staleAt === -Infinity) await list.reading;
      if (contested === 0 || separates(vendor)) return list.items;
      const isOwn = ({ id }: KnownItem): boolean => ownerOf(id, separates) === vendor;
      return list.items.every(isOwn) ? list.items : list.items.filter(isOwn);
    },
    ownerOf,
    reload() {
      reloads += 1;
      for (const list of lists.values()) list.staleAt = Math.min(list.staleAt, clock.monotonic());
    },
  };
}

function nobody(): boolean {
  return false;
}
