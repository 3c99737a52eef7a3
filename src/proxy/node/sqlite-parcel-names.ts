import type { Names } from '../names.js';

/** Of a slot: both hashes, and the number of the parcel; 0 where the slot is free. */
const WORDS = 3;
const LEAST_SLOTS = 1024;

/**
 * Which parcels have a name. A `Map` of as many names takes four times the memory and ten times the time.
 *
 * Two parcels with the same name, or with two whose hashes are the same, both stay.
 *
 * Names are not taken out: those of a parcel that is gone lead nowhere, and their slots are used again. When too few are
 * left, what leads somewhere moves to a table of the right size.
 */
export class NameTable {
  readonly #isThere: (parcel: number) => boolean;
  #words = new Int32Array(LEAST_SLOTS * WORDS);
  #mask = LEAST_SLOTS - 1;
  #used = 0;

  /** @param isThere whether the parcel of this number is not unpacked yet */
  constructor(isThere: (parcel: number) => boolean) {
    this.#isThere = isThere;
  }

  clear(): void {
    if (this.#used === 0) return;
    this.#resize(LEAST_SLOTS);
  }

  /** @param parcel from 1 */
  add(names: Names, parcel: number): void {
    for (let at = 0; at < names.length; at += 2) {
      if (this.#used > this.#mask >>> 1) this.#makeRoom();
      this.#put(names[at] ?? 0, names[at + 1] ?? 0, parcel);
    }
  }

  /** The parcels, of those that are there, that have one of these names. */
  find(names: Names): Set<number> {
    const found = new Set<number>();
    for (let at = 0; at < names.length; at += 2) {
      const [one = 0, other = 0, words] = [names[at], names[at + 1], this.#words];
      for (let slot = one & this.#mask; words[slot * WORDS + 2] !== 0; slot = (slot + 1) & this.#mask) {
        const parcel = words[slot * WORDS + 2];
        if (words[slot * WORDS] === one && words[slot * WORDS + 1] === other && this.#leads(parcel)) found.add(parcel);
      }
    }
    return found;
  }

  /** Where this name of this parcel is, or would be. */
  #slotOf(one: number, other: number, parcel: number): number {
    const words = this.#words;
    for (let slot = one & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * WORDS;
      const held = words[at + 2] ?? 0;
      if (held === 0) return at;
      if (words[at] === one && words[at + 1] === other && (held === parcel || !this.#leads(held))) return at;
    }
  }

  #put(one: number, other: number, parcel: number): void {
    const at = this.#slotOf(one, other, parcel);
    if (this.#words[at + 2] === 0) this.#used += 1;
    this.#words[at] = one;
    this.#words[at + 1] = other;
    this.#words[at + 2] = parcel;
  }

  #makeRoom(): void {
    const old = this.#words;
    const live = new Int32Array(WORDS * this.#used);
    let words = 0;
    for (let at = 0; at < old.length; at += WORDS) {
      if (!this.#leads(old[at + 2])) continue;
      for (let word = 0; word < WORDS; word += 1) live[words + word] = old[at + word] ?? 0;
      words += WORDS;
    }
    let slots = LEAST_SLOTS;
    while (slots * WORDS < 4 * words) slots *= 2;
    this.#resize(slots);
    for (let at = 0; at < words; at += WORDS) this.#put(live[at] ?? 0, live[at + 1] ?? 0, live[at + 2] ?? 0);
  }

  #leads(parcel: number | undefined): parcel is number {
    return parcel !== undefined && parcel !== 0 && this.#isThere(parcel);
  }

  #resize(slots: number): void {
    this.#words = new Int32Array(slots * WORDS);
    this.#mask = slots - 1;
    this.#used = 0;
  }
}
