import { hostItem, repairedItem, repairHostItem, toItemId } from '../../contract/host-items.js';
import type { ItemId } from '../../domain/item.js';
import type { HostItem, HostSource } from '../model/item-view.js';
import { accepts, faultOf } from '../schema.js';
import type { Position } from './editor-types.js';

/**
 * The host's entries. Each one is validated when its row is first requested. Invalid display fields are repaired or
 * dropped. Entries without a valid id or value are left out, and so are entries that repeat an id.
 *
 * The array is copied and its entries are read once: Vue and Svelte change an array in place, which would put another
 * item at the position where a person saw and chose one.
 */
export class HostList implements HostSource {
  #entries: readonly unknown[];
  /** The validated items by position. */
  #items: (HostItem | undefined)[] = [];
  readonly #index: Map<ItemId, Position>;
  readonly #onLeftOut: (position: Position) => void;
  #leftOut = new Set<Position>();
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
  constructor(entries: readonly unknown[], index: Map<ItemId, Position>, onLeftOut: (position: Position) => void) {
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
    for (let position = 0; position < this.length; position += 1) {
      const before = this.#entries[position];
      // An entry that was left out may be valid now.
      const isOther = this.#leftOut.has(position) || idOf(entries[position]) !== this.idAt(position);
      if (before !== entries[position] && isOther) return false;
    }
    this.replaceEntries([...entries], this.#leftOut);
    return true;
  }

  /**
   * @param entries by position; an item without an entry of the host has an object with its id
   * @param leftOut the positions of these items
   */
  replaceEntries(entries: readonly unknown[], leftOut: Set<Position>): void {
    this.#entries = entries;
    this.#items = [];
    this.hasPictures = false;
    if (leftOut !== this.#leftOut) this.#invalidCount = 0;
    this.#leftOut = leftOut;
  }

  /** Whether the host has an entry at this position that is not left out, read or not. */
  has(position: Position): boolean {
    return position >= 0 && position < this.length && !this.#leftOut.has(position);
  }

  /** Validates an entry for the first time. @returns whether it gets a row */
  read(position: Position): boolean {
    const item = this.itemAt(position);
    if (item === undefined) {
      const fault = faultOf(hostItem, this.#entries[position]) ?? '';
      if (this.#bad++ === 0) this.#firstBad = `items[${String(position)}]${fault}`;
      this.#leftOut.add(position);
      this.#invalidCount += 1;
      return false;
    }
    const other = this.#index.get(item.id);
    if (other === undefined || position < other) this.#index.set(item.id, position);
    if (other === undefined || other === position) return true;
    const loser = Math.max(other, position);
    if (this.#repeated++ === 0) this.#firstRepeated = item.id;
    this.#leftOut.add(loser);
    if (loser === other) this.#onLeftOut(loser);
    return loser === other;
  }

  idAt(position: Position): ItemId | undefined {
    return this.#items[position]?.id ?? idOf(this.#entries[position]);
  }

  /** @returns `undefined` for an invalid entry */
  itemAt(position: Position): HostItem | undefined {
    const known = this.#items[position];
    if (known !== undefined) return known;
    const repairs: [field: string, change: string][] = [];
    const entry = repairHostItem(this.#entries[position], (...repair) => repairs.push(repair));
    if (!accepts(repairedItem, entry)) return undefined;
    for (const [field, change] of repairs) this.#noteRepair(position, field, change);
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
    this.#items[position] = item;
    this.hasPictures ||= item.image !== undefined;
    return item;
  }

  /** Finds an entry that was read. @param listed the item in the proxy's listing */
  find(id: ItemId, listed: HostItem | undefined): HostItem | undefined {
    const position = this.#index.get(id) ?? -1;
    const item = this.has(position) ? this.itemAt(position) : undefined;
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

  #noteRepair(position: Position, field: string, change: string): void {
    if (this.#reported.has(change)) return;
    const known = this.#repairs.get(change) ?? { count: 0, first: `items[${String(position)}]/${field}` };
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
