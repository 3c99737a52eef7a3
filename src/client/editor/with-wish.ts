import { isChanged, NONE, type Code } from '../../domain/stand.js';
import { ALL_OF_WISH, BASE_SHIFT, MET, VALUE, WISH_SHIFT, type Bits } from './item-bits.js';

/** The same item with another wish; one that equals the value is none, and so is one for what is no row any more. */
export function withWish(bits: Bits, wish: Code): Bits {
  const bare = bits & ~ALL_OF_WISH;
  if (bits === 0 || wish === NONE || wish === (bits & VALUE)) return bare;
  // A wish that is only turned round still stands on what the person saw when it was made.
  const base = isChanged(bits) ? bits & ((VALUE << BASE_SHIFT) | MET) : (bits & VALUE) << BASE_SHIFT;
  return bare | (wish << WISH_SHIFT) | base;
}

/** The same item with another ground of its wish, which somebody has spoken on since or not. */
export function withGround(bits: Bits, base: Code, met: boolean): Bits {
  return (bits & ~(MET | (VALUE << BASE_SHIFT))) | (base << BASE_SHIFT) | (met ? MET : 0);
}
