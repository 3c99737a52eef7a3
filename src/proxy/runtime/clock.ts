/** Time as an argument, so that tests live through days in milliseconds. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May step; only for stamps that people and the portal read. */
  wall(): number;
  /** Milliseconds that never go back; for every lifetime and back-off. */
  monotonic(): number;
  /**
   * Milliseconds since the machine started, in which its sleep counts, as it does on the wall clock and not on the monotonic
   * one. Without it a sleep cannot be told from a wall clock that was set.
   */
  uptime?(): number;
  /** Calls back once after `milliseconds`; the answer cancels. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Milliseconds since the epoch as they were at the start, and steady from then on. Waits and leases are kept on it: a wall
 * clock that steps by a day must neither hold an edit for a day nor end a lease early.
 */
export function createSteadyClock(clock: Clock): () => number {
  const ahead = clock.wall() - clock.monotonic();
  return () => Math.floor(ahead + clock.monotonic());
}

/** The earlier of the wall clock and the steady one: nothing ends too early because the wall clock was ahead for a while. */
export function createEarliestClock(clock: Clock): () => number {
  const steady = createSteadyClock(clock);
  return () => Math.min(clock.wall(), steady());
}
