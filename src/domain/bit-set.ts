/** Small whole numbers, each once, in their order: a list of some, or a set of very many. */
export type Numbers = BitSet | Uint32Array;

/**
 * A set of whole numbers in one bit each. Filling it, copying it or counting it looks at words, not at numbers. As long as
 * nothing was added it takes no room.
 */
export class BitSet {
  #words: Uint32Array;
  #length: number;

  /** @param words the number `n` is bit `n % 32` of word `n / 32` @param length how many bits are set */
  constructor(words = new Uint32Array(), length = 0) {
    this.#words = words;
    this.#length = length;
  }

  /** How many numbers are in it. */
  get length(): number {
    return this.#length;
  }

  has(number: number): boolean {
    return (((this.#words[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
  }

  set(number: number, isIn: boolean): void {
    if (this.has(number) === isIn) return;
    const at = number >>> 5;
    if (at >= this.#words.length) this.#grow(at * 2 + 1);
    this.#words[at] = (this.#words[at] ?? 0) ^ (1 << (number & 31));
    this.#length += isIn ? 1 : -1;
  }

  /** Adds all of them; sets of bits word by word. */
  addAll(numbers: Numbers): void {
    if (!(numbers instanceof BitSet)) {
      for (const number of numbers) this.set(number, true);
      return;
    }
    this.#grow(numbers.#words.length);
    // Two thousand words in a loop take a browser that has never run it longer than a picture has.
    if (this.#length === 0) {
      this.#words.set(numbers.#words);
      this.#length = numbers.#length;
      return;
    }
    let length = 0;
    for (let word = 0; word < this.#words.length; word += 1) {
      const bits = (this.#words[word] ?? 0) | (numbers.#words[word] ?? 0);
      this.#words[word] = bits;
      length += countBits(bits);
    }
    this.#length = length;
  }

  clear(): void {
    this.#words.fill(0);
    this.#length = 0;
  }

  /** The numbers below the limit that are not in it. */
  othersBelow(limit: number): BitSet {
    const words = new Uint32Array((limit >>> 5) + 1);
    const others = new BitSet(words);
    for (let word = 0; word < words.length; word += 1) {
      // A shift by 32 is none, and the last word may be cut.
      const isWhole = word * 32 + 32 <= limit;
      const bits = ~(this.#words[word] ?? 0) & (isWhole ? -1 : (1 << (limit & 31)) - 1);
      words[word] = bits;
      others.#length += countBits(bits);
    }
    return others;
  }

  /**
   * Calls nothing for each: of a hundred thousand, that takes ten times as long when it is done for the first time.
   * @param most how many, from the first one on
   */
  list(most = this.#length): Uint32Array {
    const list = new Uint32Array(Math.min(most, this.#length));
    const words = this.#words;
    for (let word = 0, at = 0; word < words.length && at < list.length; word += 1) {
      for (let bits = words[word] ?? 0; bits !== 0 && at < list.length; bits &= bits - 1) {
        list[at++] = word * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
    return list;
  }

  #grow(words: number): void {
    if (words <= this.#words.length) return;
    const few = this.#words;
    this.#words = new Uint32Array(words);
    this.#words.set(few);
  }

  /** The same numbers in as few bytes as they need. */
  packed(): Numbers {
    return this.#length > this.#words.length ? this : this.list();
  }
}

export function listOf(numbers: Numbers): Uint32Array {
  return numbers instanceof BitSet ? numbers.list() : numbers;
}

/** Pairs, then fours, then bytes, which one multiplication adds up. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
