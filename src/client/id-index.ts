import type { ItemId } from '../domain/item.js';
import type { Position } from './editor-model.js';

/** Longer ways through the slots cost more than the bytes that emptier ones would. */
const MOST_FULL = 0.8;

/**
 * Finds the position of an id in 5 to 10 bytes an item: a hash table of open addressing in one typed array, over ids that
 * somebody else keeps. A `Map` would take about forty.
 *
 * A slot holds the position plus one in its low bits. What is left of the hash fills the high bits, so that strings are
 * compared almost only where they are equal.
 */
export class IdIndex {
  readonly #idAt: (position: Position) => ItemId | undefined;
  #slots: Uint32Array;
  #mask: number;
  #size = 0;

  /** @param expected how many ids will come; more are welcome, and cost a pass over all of them now and then */
  constructor(expected: number, idAt: (position: Position) => ItemId | undefined) {
    this.#idAt = idAt;
    this.#slots = new Uint32Array(slotsFor(expected));
    this.#mask = this.#slots.length - 1;
  }

  find(id: ItemId): Position | undefined {
    const slot = this.#slots[this.#slotOf(id, hash(id))] ?? 0;
    return slot === 0 ? undefined : (slot & this.#mask) - 1;
  }

  /** Of two positions with one id the lower one counts. @returns the position that does not, if there are two */
  add(position: Position, id: ItemId): Position | undefined {
    // A position has to fit below the mask, however few ids there are.
    while (this.#size + 1 > this.#slots.length * MOST_FULL || position >= this.#mask) this.#grow();
    const code = hash(id);
    const at = this.#slotOf(id, code);
    const slot = this.#slots[at] ?? 0;
    const known = (slot & this.#mask) - 1;
    if (slot === 0) this.#size += 1;
    else if (known <= position) return known === position ? undefined : position;
    this.#slots[at] = (code & ~this.#mask) | (position + 1);
    return slot === 0 ? undefined : known;
  }

  /** The slot of this id, or the free one where it belongs. */
  #slotOf(id: ItemId, code: number): number {
    const mask = this.#mask;
    let at = code & mask;
    for (;;) {
      const slot = this.#slots[at] ?? 0;
      if (slot === 0) return at;
      if (((slot ^ code) & ~mask) === 0 && this.#idAt((slot & mask) - 1) === id) return at;
      at = (at + 1) & mask;
    }
  }

  #grow(): void {
    const before = this.#slots;
    const mask = this.#mask;
    this.#slots = new Uint32Array(before.length * 2);
    this.#mask = this.#slots.length - 1;
    this.#size = 0;
    for (const slot of before) {
      const position = (slot & mask) - 1;
      const id = slot === 0 ? undefined : this.#idAt(position);
      if (id !== undefined) this.add(position, id);
    }
  }
}

function slotsFor(expected: number): number {
  let slots = 64;
  while (expected > slots * MOST_FULL) slots *= 2;
  return slots;
}

/** FNV-1a over UTF-16 code units, stirred once more so that ids that only count up do not crowd. */
function hash(id: string): number {
  let code = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) code = Math.imul(code ^ id.charCodeAt(at), 0x01000193);
  code = Math.imul(code ^ (code >>> 15), 0x2c1b3c6d);
  return code ^ (code >>> 13);
}
