import type { Names } from '../names.js';

const LEAST_SLOTS = 1024;
/** A megabyte: what is written all over the place stays in the processor's cache. */
const MOST_SLOTS = 2 ** 17;
/** As many as there is room for names in all parcels that there may be, and some more. */
const MANY_CHUNKS = 32;

/**
 * Which parcels have a name. A `Map` of as many names takes eight times the memory and ten times the time.
 *
 * Two parcels with the same name, or with two whose hashes are the same, both stay.
 *
 * Names are not taken out: those of a parcel that is gone lead nowhere. They lie in chunks that are never moved, because to
 * move them takes longer than to add them; a chunk goes when all its parcels are gone. Where a few hold many chunks, what
 * leads somewhere moves together.
 */
export class NameTable {
  readonly #isThere: (parcel: number) => boolean;
  #chunks: Chunk[] = [];
  #slots = LEAST_SLOTS;
  #mostChunks = MANY_CHUNKS;

  /** @param isThere whether the parcel of this number is not unpacked yet */
  constructor(isThere: (parcel: number) => boolean) {
    this.#isThere = isThere;
  }

  clear(): void {
    this.#chunks = [];
    this.#slots = LEAST_SLOTS;
    this.#mostChunks = MANY_CHUNKS;
  }

  /** @param parcel from 1 */
  add(names: Names, parcel: number): void {
    for (let at = 0; at < names.length;) at = this.#withRoom().putSome(names, at, parcel);
  }

  /** The parcels, of those that are there, that have one of these names. */
  find(names: Names): Set<number> {
    const found = new Set<number>();
    for (const chunk of this.#chunks) {
      chunk.find(names, (parcel) => {
        if (this.#isThere(parcel)) found.add(parcel);
      });
    }
    return found;
  }

  /** The last chunk, or a new one where that is full. */
  #withRoom(): Chunk {
    const last = this.#chunks.at(-1);
    if (last?.isFull === false) return last;
    this.#makeRoom();
    const next = new Chunk(this.#slots);
    this.#chunks.push(next);
    this.#slots = Math.min(2 * this.#slots, MOST_SLOTS);
    return next;
  }

  #makeRoom(): void {
    this.#chunks = this.#chunks.filter((chunk) => chunk.parcels.some(this.#isThere));
    if (this.#chunks.length < this.#mostChunks) return;
    const old = this.#chunks;
    this.#chunks = [];
    // However many it comes to: not again before that.
    this.#mostChunks = Infinity;
    for (const chunk of old) {
      chunk.forEach((one, other, parcel) => {
        if (this.#isThere(parcel)) this.#withRoom().put(one, other, parcel);
      });
    }
    this.#mostChunks = Math.max(MANY_CHUNKS, 2 * this.#chunks.length);
  }
}

/** Of a slot: the first hash, and half of the second beside the parcel's place among those of the chunk; 0 where it is free. */
const WORDS = 2;
const MOST_PARCELS = 2 ** 16 - 1;

class Chunk {
  /** Each once, and in the order in which they came, unless they take turns. */
  readonly parcels: number[] = [];
  readonly #words: Int32Array;
  readonly #mask: number;
  #free: number;

  constructor(slots: number) {
    this.#words = new Int32Array(WORDS * slots);
    this.#mask = slots - 1;
    // Fuller, a search for what is not there takes long.
    this.#free = (slots >>> 2) * 3;
  }

  get isFull(): boolean {
    return this.#free === 0 || this.parcels.length === MOST_PARCELS;
  }

  /**
   * As many as there is room for.
   *
   * @param from the first of those that are still to come
   * @returns the first of those that found no room
   */
  putSome(names: Names, from: number, parcel: number): number {
    const to = Math.min(names.length, from + 2 * this.#free);
    const place = this.#placeOf(parcel);
    for (let at = from; at < to; at += 2) this.#putAt(names[at] ?? 0, names[at + 1] ?? 0, place);
    this.#free -= (to - from) / 2;
    return to;
  }

  put(one: number, other: number, parcel: number): void {
    this.#putAt(one, other, this.#placeOf(parcel));
    this.#free -= 1;
  }

  find(names: Names, found: (parcel: number) => void): void {
    const words = this.#words;
    const mask = this.#mask;
    for (let at = 0; at < names.length; at += 2) {
      const one = names[at] ?? 0;
      const other = (names[at + 1] ?? 0) & HALF;
      for (let slot = one & mask; words[slot * WORDS + 1] !== 0; slot = (slot + 1) & mask) {
        const word = words[slot * WORDS + 1] ?? 0;
        if (words[slot * WORDS] === one && (word & HALF) === other) found(this.#parcelOf(word));
      }
    }
  }

  forEach(tell: (one: number, other: number, parcel: number) => void): void {
    const words = this.#words;
    for (let at = 0; at < words.length; at += WORDS) {
      const word = words[at + 1] ?? 0;
      if (word !== 0) tell(words[at] ?? 0, word, this.#parcelOf(word));
    }
  }

  /** From 1 on. */
  #placeOf(parcel: number): number {
    if (this.parcels.at(-1) !== parcel) this.parcels.push(parcel);
    return this.parcels.length;
  }

  #putAt(one: number, other: number, place: number): void {
    const words = this.#words;
    const mask = this.#mask;
    let slot = one & mask;
    while (words[slot * WORDS + 1] !== 0) slot = (slot + 1) & mask;
    words[slot * WORDS] = one;
    words[slot * WORDS + 1] = (other & HALF) | place;
  }

  #parcelOf(word: number): number {
    return this.parcels[(word & ~HALF) - 1] ?? 0;
  }
}

const HALF = ~MOST_PARCELS;
