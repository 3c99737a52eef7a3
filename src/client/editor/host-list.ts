import { hostItem } from '../../contract/host-items.js';
import type { ItemId } from '../../domain/item.js';
import type { Position } from './editor-types.js';
import type { IdIndex } from './id-index.js';
import type { HostItem, HostSource } from '../model/item-view.js';
import { accepts, faultOf } from '../schema.js';

/**
 * The host's entries, kept as they are: never copied, never changed, and read one by one when somebody asks. A bad entry
 * and the second of a repeated id are left out.
 *
 * Where each was read it stays. Vue and Svelte change an array in place, and another item would come to stand where a
 * person has seen and chosen one.
 */
export class HostList implements HostSource {
  length: number;
  #entries: readonly unknown[];
  #read: unknown[];
  readonly #index: IdIndex;
  readonly #onLeftOut: (position: Position) => void;
  /** Few, or a page that its builder will mend. */
  #leftOut: Set<Position> = new Set();
  /** The first of each kind is enough to find the mistake; the count says how often. */
  #bad = 0;
  #firstBad = '';
  #repeated = 0;
  #firstRepeated = '';

  /** @param onLeftOut for an entry that was good until an earlier one turned out to have its id */
  constructor(entries: readonly unknown[], index: IdIndex, onLeftOut: (position: Position) => void) {
    this.length = entries.length;
    this.#entries = entries;
    this.#read = new Array<unknown>(entries.length);
    this.#index = index;
    this.#onLeftOut = onLeftOut;
  }

  /**
   * Takes the host's next array. Only ids are compared at once: all else is checked when it is drawn.
   * @returns `false`: it has other items, or in another order, and nothing is taken
   */
  renew(entries: readonly unknown[]): boolean {
    if (entries.length !== this.length) return false;
    const read = new Array<unknown>(this.length);
    for (let position = 0; position < this.length; position += 1) {
      const before = this.#at(position);
      const now = entries[position];
      read[position] = now;
      // What was left out may be right now.
      if (before !== now && (this.#leftOut.has(position) || idOf(now) !== idOf(before))) return false;
    }
    this.take(read, this.#leftOut);
    return true;
  }

  /** @param entries by their positions; where the host has none (any more), what names its id @param leftOut those */
  take(entries: unknown[], leftOut: Set<Position>): void {
    this.#entries = this.#read = entries;
    this.#leftOut = leftOut;
    this.length = entries.length;
  }

  /** Also where nobody has looked yet. */
  has(position: Position): boolean {
    return position >= 0 && position < this.length && !this.#leftOut.has(position);
  }

  /** Checks an entry that nobody has read. @returns whether it is a row */
  read(position: Position): boolean {
    const entry = this.#at(position);
    this.#read[position] = entry;
    if (!accepts(hostItem, entry)) {
      if (this.#bad++ === 0) this.#firstBad = `items[${String(position)}]${faultOf(hostItem, entry) ?? ''}`;
      this.#leftOut.add(position);
      return false;
    }
    const loser = this.#index.add(position, entry.id);
    if (loser === undefined) return true;
    if (this.#repeated++ === 0) this.#firstRepeated = entry.id;
    this.#leftOut.add(loser);
    if (loser === position) return false;
    this.#onLeftOut(loser);
    return true;
  }

  /** The id of an entry that was read. */
  idAt(position: Position): ItemId | undefined {
    return idOf(this.#at(position));
  }

  /** An entry that was read, as the host has it now: for a look at one field at a time. */
  entry(position: Position): { readonly [Field in keyof HostItem]?: unknown } | undefined {
    return this.#at(position) ?? undefined;
  }

  /** Knows the entries that were read. @param listed the list's own value of the item */
  find(id: ItemId, listed: HostItem | undefined): HostItem | undefined {
    const position = this.#index.find(id) ?? -1;
    const entry = this.#at(position);
    // The host may have put something else there since.
    if (!this.has(position) || !accepts(hostItem, entry)) return undefined;
    const { available, updated_at, label, group, image, note } = entry;
    const host = {
      id: entry.id,
      available: available ?? undefined,
      updated_at: updated_at ?? undefined,
      // Of blanks alone it names nothing: its row and switch are called by the id.
      label: label?.trim() || undefined,
      group: group ?? undefined,
      image: image ?? undefined,
      note: note ?? undefined,
    };
    return listed === undefined ? host : overList(host, listed);
  }

  /** What the builder of the page should know and has not been told, once all is read. */
  complaints(): string[] {
    const found: string[] = [];
    if (this.#bad > 0) found.push(`${String(this.#bad)} of its items are left out. The first: ${this.#firstBad}`);
    if (this.#repeated > 0) {
      found.push(
        `the first of each repeated id counts; ${String(this.#repeated)} are left out: ${this.#firstRepeated}`,
      );
    }
    this.#bad = this.#repeated = 0;
    return found;
  }

  #at(position: Position): unknown {
    return this.#read[position] ?? this.#entries[position];
  }
}

function idOf(entry: unknown): ItemId | undefined {
  return (entry as HostItem | null | undefined)?.id;
}

/** The list's value, shown as the host's page shows it. */
export function overList(host: HostItem, listed: HostItem): HostItem {
  const { available, updated_at } = listed.available === undefined ? host : listed;
  return { ...host, available, updated_at, label: host.label ?? listed.label, group: host.group ?? listed.group };
}
