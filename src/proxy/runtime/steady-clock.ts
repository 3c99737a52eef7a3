import type { Clock } from './clock.js';

/**
 * Milliseconds since the epoch as they were at the start, and steady from then on. Waits and leases are kept on it: a wall
 * clock that steps by a day must neither hold an edit for a day nor end a lease early.
 */
export function steadyNow(clock: Clock): () => number {
  const ahead = clock.wall() - clock.monotonic();
  return () => Math.floor(ahead + clock.monotonic());
}

/** The earlier of the wall clock and the steady one: nothing ends too early because the wall clock was ahead for a while. */
export function earliestNow(clock: Clock): () => number {
  const steady = steadyNow(clock);
  return () => Math.min(clock.wall(), steady());
}
