import { hostItem, repairedItem, repairHostItem, toItemId } from '../../contract/host-items.js';
import type { ItemId } from '../../domain/item.js';
import type { HostItem, HostSource } from '../model/item-view.js';
import { accepts, faultOf } from '../schema.js';
import type { Position } from './editor-types.js';

/**
 * The host's entries, checked and read one by one when a row is asked for. Decoration that is out of shape is repaired or
 * dropped. An entry without a valid id or value and the second of a repeated id are left out.
 *
 * The array is copied and its entries are read once: Vue and Svelte change an array in place, and another item would come
 * to stand where a person saw and chose one.
 */
export class HostList implements HostSource {
  #entries: readonly unknown[];
  /** What was read of each entry. */
  #items: (HostItem | undefined)[] = [];
  readonly #index: Map<ItemId, Position>;
  readonly #onLeftOut: (position: Position) => void;
  #leftOut = new Set<Position>();
  /** The first of each kind is enough to find the mistake; the count says how often. */
  #bad = 0;
  #firstBad = '';
  #invalidCount = 0;
  #repeated = 0;
  /** An entry that was read has a picture. */
  hasPictures = false;
  #firstRepeated = '';
  /** What was changed of entries, by kind, until it is reported: once for each kind. */
  readonly #repairs = new Map<string, { count: number; readonly first: string }>();
  readonly #reported = new Set<string>();

  /**
   * @param index ids of all rows, to which those of the host are added
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

  /** Entries read so far that are no rows, without those that repeat an id. */
  get invalidCount(): number {
    return this.#invalidCount;
  }

  /**
   * Takes the host's next array.
   * @returns `false`: it has other items, or in another order, and nothing is taken
   */
  renew(entries: readonly unknown[]): boolean {
    if (entries.length !== this.length) return false;
    for (let position = 0; position < this.length; position += 1) {
      const before = this.#entries[position];
      // What was left out may be right now.
      const isOther = this.#leftOut.has(position) || idOf(entries[position]) !== this.idAt(position);
      if (before !== entries[position] && isOther) return false;
    }
    this.take([...entries], this.#leftOut);
    return true;
  }

  /** @param entries by position; where the host has none (any more), what names its id @param leftOut those */
  take(entries: readonly unknown[], leftOut: Set<Position>): void {
    this.#entries = entries;
    this.#items = [];
    this.hasPictures = false;
    if (leftOut !== this.#leftOut) this.#invalidCount = 0;
    this.#leftOut = leftOut;
  }

  /** Whether the host has an entry there that is not left out, read or not. */
  has(position: Position): boolean {
    return position >= 0 && position < this.length && !this.#leftOut.has(position);
  }

  /** Checks an entry for the first time. @returns whether it is a row */
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

  /** `undefined`: a bad entry. */
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
      // A blank label names nothing: the row is called by its id.
      label: entry.label?.trim() || undefined,
      group: entry.group ?? undefined,
      image: entry.image ?? undefined,
      note: entry.note ?? undefined,
    });
    this.#items[position] = item;
    this.hasPictures ||= item.image !== undefined;
    return item;
  }

  /** Finds entries that were read. @param listed the list's own value of the item */
  find(id: ItemId, listed: HostItem | undefined): HostItem | undefined {
    const position = this.#index.get(id) ?? -1;
    const item = this.has(position) ? this.itemAt(position) : undefined;
    return item === undefined || listed === undefined ? item : overList(item, listed);
  }

  /** What the builder of the page should know and was not told, once all is read. */
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

/** The id of an entry that may be of any shape, as its row would have it. */
export function idOf(entry: unknown): ItemId | undefined {
  return toItemId((entry as HostItem | null | undefined)?.id) as ItemId | undefined;
}

/** The list's value, shown as the host's page shows it. */
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
