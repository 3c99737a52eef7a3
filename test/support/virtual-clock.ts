import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/proxy/clock.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

// Delivery needs some dozen turns of the event loop from one sleep to the next. Who needs more has gone home.
const PATIENCE_TURNS = 2_000;
// Real time, for work that is handed to other threads, as signatures are.
const PATIENCE_MS = 10_000;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Time that passes only when a test says so. */
export class VirtualClock implements Clock {
  #elapsed = 0;
  #wallOffset: number;
  readonly #sleepers = new Set<Sleeper>();

  /** @param wall milliseconds since the epoch at the start */
  constructor(wall: number = Date.UTC(2026, 10, 21, 8, 30)) {
    this.#wallOffset = wall;
  }

  wall(): number {
    return this.#wallOffset + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(milliseconds: number, callback: () => void): () => void {
    // A real timer takes a longer time for none at all.
    if (!(milliseconds <= LONGEST_TIMER_MS)) throw new RangeError(`no timer waits ${milliseconds} ms`);
    const sleeper = { at: this.#elapsed + milliseconds, wake: callback };
    this.#sleepers.add(sleeper);
    return () => {
      this.#sleepers.delete(sleeper);
    };
  }

  /** Somebody sets the wall clock, as NTP does. No sleeper notices. */
  setWallBy(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** Lets time pass. Whoever wakes up works until they sleep again or go home, so that nobody oversleeps. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    for (;;) {
      for (let turns = 0; this.#sleepers.size === 0 && turns < PATIENCE_TURNS; turns += 1) await nextTurn();
      const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#elapsed = Math.max(this.#elapsed, next.at);
      this.#sleepers.delete(next);
      next.wake();
    }
    this.#elapsed = end;
  }

  /** Lets time pass for what only looks at the clock and never sleeps by it. */
  jump(milliseconds: number): void {
    this.#elapsed += milliseconds;
  }

  /** Resolves when the work of this moment is done: all that is left is somebody who sleeps. */
  async everybodySleeps(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (this.#sleepers.size === 0) {
      if (performance.now() > end) throw new Error('Nobody sleeps by this clock.');
      await nextTurn();
    }
  }
}
