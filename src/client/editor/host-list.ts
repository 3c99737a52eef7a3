import { hostItem, repairedItem, repairHostItem, toItemId } from '../../contract/host-items.js';
import type { ItemId } from '../../domain/item.js';
import type { HostItem, HostSource } from '../model/item-view.js';
import { accepts, faultOf } from '../schema.js';
import type { ItemIndex } from './editor-types.js';

/**
 * The host's entries. Each one is validated when its row is first requested. Invalid display fields are repaired or
 * dropped. Entries without a valid id or value are left out, and so are entries that repeat an id.
 *
 * The array is copied and its entries are read once: Vue and Svelte change an array in place, which would put another
 * item at the index at which a person saw and chose one.
 */
export class HostList implements HostSource {
  #entries: readonly unknown[];
  /** The validated items by item index. */
  #items: (HostItem | undefined)[] = [];
  readonly #index: Map<ItemId, ItemIndex>;
  readonly #onLeftOut: (itemIndex: ItemIndex) => void;
  #leftOut = new Set<ItemIndex>();
  /** Invalid entries that were not reported yet: how many, and where the first one is. */
  #bad = 0;
  #firstBad = '';
  #invalidCount = 0;
  #repeated = 0;
  /** Whether an entry that was read has a picture. */
  hasPictures = false;
  #firstRepeated = '';
  /** Repairs that were not reported yet, by kind. Each kind is reported once. */
  readonly #repairs = new Map<string, { count: number; readonly first: string }>();
  readonly #reported = new Set<string>();

  /**
   * @param index the ids of all rows, to which those of the host are added
   * @param onLeftOut called for a row whose id turns out to belong to an earlier entry
   */
  constructor(entries: readonly unknown[], index: Map<ItemId, ItemIndex>, onLeftOut: (itemIndex: ItemIndex) => void) {
    this.#entries = [...entries];
    this.#index = index;
    this.#onLeftOut = onLeftOut;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** The number of invalid entries so far, without those that repeat an id. */
  get invalidCount(): number {
    return this.#invalidCount;
  }

  /**
   * Replaces the host's array.
   * @returns `false` if it has other items or another order; then nothing is replaced
   */
  renew(entries: readonly unknown[]): boolean {
    if (entries.length !== this.length) return false;
    for (let itemIndex = 0; itemIndex < this.length; itemIndex += 1) {
      const before = this.#entries[itemIndex];
      // An entry that was left out may be valid now.
      const isOther = this.#leftOut.has(itemIndex) || idOf(entries[itemIndex]) !== this.idAt(itemIndex);
      if (before !== entries[itemIndex] && isOther) return false;
    }
    this.replaceEntries([...entries], this.#leftOut);
    return true;
  }

  /**
   * @param entries by item index; an item without an entry of the host has an object with its id
   * @param leftOut the item indexes of these items
   */
  replaceEntries(entries: readonly unknown[], leftOut: Set<ItemIndex>): void {
    this.#entries = entries;
    this.#items = [];
    this.hasPictures = false;
    if (leftOut !== this.#leftOut) this.#invalidCount = 0;
    this.#leftOut = leftOut;
  }

  /** Whether the host has an entry at this index that is not left out, read or not. */
  has(itemIndex: ItemIndex): boolean {
    return itemIndex >= 0 && itemIndex < this.length && !this.#leftOut.has(itemIndex);
  }

  /** Validates an entry for the first time. @returns whether it gets a row */
  read(itemIndex: ItemIndex): boolean {
    const item = this.itemAt(itemIndex);
    if (item === undefined) {
      const fault = faultOf(hostItem, this.#entries[itemIndex]) ?? '';
      if (this.#bad++ === 0) this.#firstBad = `items[${String(itemIndex)}]${fault}`;
      this.#leftOut.add(itemIndex);
      this.#invalidCount += 1;
      return false;
    }
    const other = this.#index.get(item.id);
    if (other === undefined || itemIndex < other) this.#index.set(item.id, itemIndex);
    if (other === undefined || other === itemIndex) return true;
    const loser = Math.max(other, itemIndex);
    if (this.#repeated++ === 0) this.#firstRepeated = item.id;
    this.#leftOut.add(loser);
    if (loser === other) this.#onLeftOut(loser);
    return loser === other;
  }

  idAt(itemIndex: ItemIndex): ItemId | undefined {
    return this.#items[itemIndex]?.id ?? idOf(this.#entries[itemIndex]);
  }

  /** @returns `undefined` for an invalid entry */
  itemAt(itemIndex: ItemIndex): HostItem | undefined {
    const known = this.#items[itemIndex];
    if (known !== undefined) return known;
    const repairs: [field: string, change: string][] = [];
    const entry = repairHostItem(this.#entries[itemIndex], (...repair) => repairs.push(repair));
    if (!accepts(repairedItem, entry)) return undefined;
    for (const [field, change] of repairs) this.#noteRepair(itemIndex, field, change);
    const item = Object.freeze({
      id: entry.id,
      available: entry.available ?? undefined,
      updated_at: entry.updated_at ?? undefined,
      // A blank label counts as absent, so that the row shows its id.
      label: entry.label?.trim() || undefined,
      group: entry.group ?? undefined,
      image: entry.image ?? undefined,
      note: entry.note ?? undefined,
    });
    this.#items[itemIndex] = item;
    this.hasPictures ||= item.image !== undefined;
    return item;
  }

  /** Finds an entry that was read. @param listed the item in the proxy's listing */
  find(id: ItemId, listed: HostItem | undefined): HostItem | undefined {
    const itemIndex = this.#index.get(id) ?? -1;
    const item = this.has(itemIndex) ? this.itemAt(itemIndex) : undefined;
    return item === undefined || listed === undefined ? item : overList(item, listed);
  }

  /** Warnings for the developer of the page that were not reported yet. */
  complaints(): string[] {
    const found: string[] = [];
    if (this.#bad > 0) found.push(`${String(this.#bad)} of its items are left out. The first: ${this.#firstBad}`);
    if (this.#repeated > 0) {
      found.push(
        `the first of each repeated id counts; ${String(this.#repeated)} are left out: ${this.#firstRepeated}`,
      );
    }
    for (const [change, { count, first }] of this.#repairs) {
      this.#reported.add(change);
      found.push(`${String(count)} of its items stay with a field that is ${change}. The first: ${first}`);
    }
    this.#repairs.clear();
    this.#bad = this.#repeated = 0;
    return found;
  }

  #noteRepair(itemIndex: ItemIndex, field: string, change: string): void {
    if (this.#reported.has(change)) return;
    const known = this.#repairs.get(change) ?? { count: 0, first: `items[${String(itemIndex)}]/${field}` };
    known.count += 1;
    this.#repairs.set(change, known);
  }
}

/** The id of an entry of any shape, in the form that its row has. */
export function idOf(entry: unknown): ItemId | undefined {
  return toItemId((entry as HostItem | null | undefined)?.id) as ItemId | undefined;
}

/** The value of the listing, if it has one, with the display fields of the host's page. */
export function overList(host: HostItem, listed: HostItem): HostItem {
  const { available, updated_at, on_portal } = listed.available === undefined ? host : listed;
  return {
    ...host,
    available,
    updated_at,
    on_portal,
    label: host.label ?? listed.label,
    group: host.group ?? listed.group,
  };
}
