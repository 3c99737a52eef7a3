/**
 * Two hashes of 32 bits for each name, one after the other. Together they are as good as no two names having the same, and
 * a wrong guess costs no more than a parcel that is unpacked too soon.
 */
export type Names = Int32Array;

/** What a batch names: its items, its edits, and the key that it came under. Each kind has names of its own. */
export interface Named {
  readonly items?: readonly string[];
  readonly edits?: readonly string[];
  readonly key?: { readonly vendor: string; readonly subject: string; readonly key: string } | undefined;
}

const OF_ITEM = 0x1b873593;
const OF_EDIT = 0x2545f491;
const OF_KEY = 0x3c6ef372;

export function namesOf({ items = [], edits = [], key }: Named): Names {
  const names = new Int32Array(2 * (items.length + edits.length + (key === undefined ? 0 : 1)));
  let at = 0;
  for (const item of items) at = hashInto(names, at, item, OF_ITEM);
  for (const edit of edits) at = hashInto(names, at, edit, OF_EDIT);
  // No part of it holds a line break: nobody's key is another's.
  if (key !== undefined) hashInto(names, at, `${key.key}\n${key.vendor}\n${key.subject}`, OF_KEY);
  return names;
}

/** FNV-1a and a second walk with another factor, each mixed at the end so that every bit counts (MurmurHash3, fmix32). */
function hashInto(names: Names, at: number, name: string, seed: number): number {
  let [one, other] = [0x811c9dc5 ^ seed, seed];
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other, 0x5bd1e995) + unit;
  }
  names[at] = mixed(one);
  names[at + 1] = mixed(other ^ name.length);
  return at + 2;
}

function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Of a slot: both hashes, and the number of the parcel; 0 where the slot is free. */
const WORDS = 3;
const LEAST_SLOTS = 1024;

/**
 * Which parcel has a name. A `Map` of as many names takes four times the memory and ten times the time.
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
      const parcel = this.#words[this.#slotOf(names[at] ?? 0, names[at + 1] ?? 0) + 2];
      if (this.#leads(parcel)) found.add(parcel);
    }
    return found;
  }

  /** Where this name is, or would be. */
  #slotOf(one: number, other: number): number {
    const words = this.#words;
    for (let slot = one & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * WORDS;
      if (words[at + 2] === 0 || (words[at] === one && words[at + 1] === other)) return at;
    }
  }

  #put(one: number, other: number, parcel: number): void {
    const at = this.#slotOf(one, other);
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
