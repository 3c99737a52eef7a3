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
  sinceBoot?(): number;
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
