/** Pseudo-random numbers: the same seed gives the same sequence. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number;
  /** An integer from 0 to below `bound`. */
  below(bound: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32 (Tommy Ettinger, public domain). 32 bits of state suffice to choose times. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { next, below, pick: (from) => from[below(from.length)]! };
}
