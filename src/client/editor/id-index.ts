import type { ItemId } from '../../domain/item.js';
import type { Position } from './editor-types.js';

/** Fuller ones would be a longer way, emptier ones more bytes. */
const MOST_FULL = 0.85;

/**
 * Finds the position of an id in 3.6 bytes an item: a hash table of open addressing in two typed arrays, over up to 16
 * million ids that somebody else keeps. A `Map` would take about forty.
 *
 * A slot holds the position plus one in its low bits. What is left of three bytes is filled with bits of the hash, so that
 * strings are compared almost only where they are equal.
 */
export class IdIndex {
  readonly #idAt: (position: Position) => ItemId | undefined;
  #low = new Uint16Array();
  #high = new Uint8Array();
  /** All bits of a position. */
  #mask = 0;
  #size = 0;

  /** @param expected how many ids will come; more are welcome, and cost a pass over all of them now and then */
  constructor(expected: number, idAt: (position: Position) => ItemId | undefined) {
    this.#idAt = idAt;
    this.#grow(Math.ceil(expected / MOST_FULL) + 32);
  }

  find(id: ItemId): Position | undefined {
    const slot = this.#at(this.#slotOf(id, hash(id)));
    return slot === 0 ? undefined : (slot & this.#mask) - 1;
  }

  /** Of two positions with one id the lower one counts. @returns the position that does not, if there are two */
  add(position: Position, id: ItemId): Position | undefined {
    // A position has to fit below the mask, however few ids there are.
    while (this.#size > this.#low.length * MOST_FULL || position >= this.#mask) this.#grow(this.#low.length * 2);
    const code = hash(id);
    const at = this.#slotOf(id, code);
    const slot = this.#at(at);
    const known = (slot & this.#mask) - 1;
    if (slot === 0) this.#size += 1;
    else if (known <= position) return known === position ? undefined : position;
    const next = (code & ~this.#mask) | (position + 1);
    this.#low[at] = next;
    this.#high[at] = next >> 16;
    return slot === 0 ? undefined : known;
  }

  /** The slot of this id, or the free one where it belongs. */
  #slotOf(id: ItemId, code: number): number {
    const mask = this.#mask;
    const length = this.#low.length;
    for (let at = (code >>> 0) % length; ; at = (at || length) - 1) {
      const slot = this.#at(at);
      if (slot === 0) return at;
      // No bit above those of the position is another one.
      if (((slot ^ code) << 8) >>> 8 <= mask && this.#idAt((slot & mask) - 1) === id) return at;
    }
  }

  #at(at: number): number {
    return (this.#low[at] ?? 0) | ((this.#high[at] ?? 0) << 16);
  }

  #grow(length: number): void {
    const mask = this.#mask;
    const before = Uint32Array.from(this.#low, (_, at) => this.#at(at));
    this.#low = new Uint16Array(length);
    this.#high = new Uint8Array(length);
    this.#mask = (2 << (31 - Math.clz32(length))) - 1;
    this.#size = 0;
    for (const slot of before) {
      const position = (slot & mask) - 1;
      const id = this.#idAt(position);
      if (id !== undefined) this.add(position, id);
    }
  }
}

/** FNV-1a over UTF-16 code units. */
function hash(id: string): number {
  let code = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) code = Math.imul(code ^ id.charCodeAt(at), 0x01000193);
  return code;
}
