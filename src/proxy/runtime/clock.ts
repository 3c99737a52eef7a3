/** The clocks and the timer, passed as an argument so that tests pass days in milliseconds. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. It may step, so it is only for timestamps that people and the portal read. */
  wall(): number;
  /** Milliseconds on a clock that never goes back, for every lifetime and back-off. */
  monotonic(): number;
  /**
   * Milliseconds since the machine started, its sleep included. The monotonic clock leaves sleep out and the wall clock
   * does not, so without the uptime a sleep looks like a wall clock that was set.
   */
  uptime?(): number;
  /** Calls back once after `milliseconds`. @returns a function that cancels the timer */
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
 * Milliseconds since the epoch that start at the wall clock's time and advance with the monotonic clock. Waits and leases
 * use it: a wall clock that steps by a day must neither hold an edit for a day nor end a lease early.
 */
export function createMonotonicClock(clock: Clock): () => number {
  const offset = clock.wall() - clock.monotonic();
  return () => Math.floor(offset + clock.monotonic());
}

/**
 * The earlier of the wall clock and the monotonic one, so that a wall clock that was ahead for a while ends nothing early.
 */
export function createEarliestClock(clock: Clock): () => number {
  const monotonicNow = createMonotonicClock(clock);
  return () => Math.min(clock.wall(), monotonicNow());
}
