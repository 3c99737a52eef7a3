import type { Clock } from './clock.js';

/**
 * Milliseconds since the epoch as they were at the start, and steady from then on. Waits and leases are kept on it: a wall
 * clock that steps by a day must neither hold an edit for a day nor end a lease early.
 */
export function steadyNow(clock: Clock): () => number {
  const ahead = clock.wall() - clock.monotonic();
  return () => Math.floor(ahead + clock.monotonic());
}
