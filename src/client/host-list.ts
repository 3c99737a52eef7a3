import { accepts } from '../contract/checks.js';
import { hostItemCheck } from '../contract/host-item-check.js';
import type { ItemId } from '../domain/item.js';
import type { Position } from './editor-model.js';
import type { HostSource } from './item-ledger.js';
import type { IdIndex } from './id-index.js';
import type { HostItem } from './item-view.js';

const GOOD = 1;
const LEFT_OUT = 2;

/**
 * The host's array, kept as it is: never copied, never changed, and read entry by entry when somebody asks. A bad entry
 * and the second of a repeated id are left out.
 */
export class HostList implements HostSource {
  #entries: readonly unknown[];
  readonly #index: IdIndex;
  readonly #onLeftOut: (position: Position) => void;
  readonly #read: Uint8Array;
  /** The first of each kind is enough to find the mistake; the count says how often. */
  #bad = 0;
  #firstBad = '';
  #repeated = 0;
  #firstRepeated = '';

  /** @param onLeftOut for an entry that was good until an earlier one turned out to have its id */
  constructor(entries: readonly unknown[], index: IdIndex, onLeftOut: (position: Position) => void) {
    this.#entries = entries;
    this.#index = index;
    this.#onLeftOut = onLeftOut;
    this.#read = new Uint8Array(entries.length);
  }

  /**
   * Takes the host's next array. Only ids are compared at once: all else is checked when it is drawn.
   * @returns `false`: it has other items, or in another order, and nothing is taken
   */
  renew(entries: readonly unknown[]): boolean {
    if (entries.length !== this.length) return false;
    for (let position = 0; position < this.length; position += 1) {
      const [before, now] = [this.#entries[position], entries[position]];
      // What was left out may be right now.
      if (before !== now && (this.isLeftOut(position) || idOf(now) !== idOf(before))) return false;
    }
    this.#entries = entries;
    return true;
  }

  get length(): number {
    return this.#read.length;
  }

  has(position: Position): boolean {
    return position >= 0 && position < this.length;
  }

  /** Not where nobody has looked yet. */
  isLeftOut(position: Position): boolean {
    return this.#read[position] === LEFT_OUT;
  }

  /** Checks an entry, once. @returns whether it is a row */
  read(position: Position): boolean {
    const entry = this.#entries[position];
    if (this.#read[position] !== 0) return this.#read[position] === GOOD;
    this.#read[position] = LEFT_OUT;
    if (!accepts(hostItemCheck, entry)) {
      if (this.#bad++ === 0) this.#firstBad = `items[${String(position)}]${hostItemCheck(entry) ?? ''}`;
      return false;
    }
    const loser = this.#index.add(position, entry.id);
    if (loser !== undefined && this.#repeated++ === 0) this.#firstRepeated = entry.id;
    if (loser === position) return false;
    this.#read[position] = GOOD;
    if (loser !== undefined) {
      this.#read[loser] = LEFT_OUT;
      this.#onLeftOut(loser);
    }
    return true;
  }

  /** The id of an entry that was read. */
  idAt(position: Position): ItemId | undefined {
    return idOf(this.#entries[position]);
  }

  /** An entry that was read, as the host has it now: for a look at one field at a time. */
  entry(position: Position): { readonly [Field in keyof HostItem]?: unknown } | undefined {
    return this.#entries[position] ?? undefined;
  }

  item(position: Position): HostItem | undefined {
    if (!this.read(position)) return undefined;
    const entry = this.#entries[position];
    // The host may have put something else there since.
    if (!accepts(hostItemCheck, entry)) return undefined;
    const { id, available, updated_at, label, group, image, note } = entry;
    return {
      id,
      available: available ?? undefined,
      updated_at: updated_at ?? undefined,
      label: label ?? undefined,
      group: group ?? undefined,
      image: image ?? undefined,
      note: note ?? undefined,
    };
  }

  /** Knows the entries that were read. */
  find(id: ItemId): HostItem | undefined {
    const position = this.#index.find(id);
    return position === undefined || position >= this.length ? undefined : this.item(position);
  }

  /** What the builder of the page should know, once all is read. */
  get complaints(): string[] {
    const found: string[] = [];
    if (this.#bad > 0) found.push(`${String(this.#bad)} of its items are left out. The first: ${this.#firstBad}`);
    if (this.#repeated > 0) {
      found.push(
        `the first of each repeated id counts; ${String(this.#repeated)} are left out: ${this.#firstRepeated}`,
      );
    }
    return found;
  }
}

function idOf(entry: unknown): ItemId | undefined {
  return (entry as HostItem | null | undefined)?.id;
}
