import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/proxy/runtime/clock.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

// Work in memory and in SQLite needs at most two dozen turns of the event loop. Work that takes longer runs in `during`.
const QUIET_TURNS = 60;

/** A clock whose time passes only when a test says so. */
export class VirtualClock implements Clock {
  #elapsed = 0;
  #wallOffset: number;
  readonly #start: number;
  #slept = 0;
  #busy = 0;
  #stirred = true;
  readonly #sleepers = new Set<Sleeper>();

  readonly #restTurns: number;

  /**
   * @param wall milliseconds since the epoch at the start
   * @param restTurns turns of the event loop to wait if no call was sent, because the woken code has most likely found
   *   nothing to do. With fewer turns, days pass faster, but slow work wakes up late
   */
  constructor(wall: number = Date.UTC(2026, 10, 21, 8, 30), restTurns = QUIET_TURNS) {
    this.#wallOffset = wall;
    this.#start = wall;
    this.#restTurns = restTurns;
  }

  wall(): number {
    return this.#wallOffset + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** The time of a wall clock that is never set. */
  trueTime(): number {
    return this.#start + this.uptime();
  }

  uptime(): number {
    return this.#elapsed + this.#slept;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const sleeper = { at: this.#elapsed + milliseconds, wake: callback };
    this.#sleepers.add(sleeper);
    return () => {
      this.#sleepers.delete(sleeper);
    };
  }

  /** Sets the wall clock, as NTP does. Sleeping code does not notice. */
  setWallBy(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** The machine is suspended: the wall clock and the uptime go on, but the monotonic clock does not. */
  sleep(milliseconds: number): void {
    this.#wallOffset += milliseconds;
    this.#slept += milliseconds;
  }

  /** Lets time pass. Code that wakes up runs until it sleeps again or ends, before any later sleeper wakes up. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    this.stir();
    do await this.#quiet();
    while (this.#wakeNext(end));
    this.#elapsed = end;
  }

  /** Lets time pass for code that only reads the clock and never sleeps. */
  jump(milliseconds: number): void {
    this.#elapsed += milliseconds;
  }

  /** Records an event that other work may follow, such as a call. */
  stir(): void {
    this.#stirred = true;
  }

  /** Runs work that takes real time, such as a digest. No virtual time passes until it is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy += 1;
    this.stir();
    try {
      return await work;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Lets time pass until this work is done. @throws if it is not done within the time */
  async passUntil<T>(work: Promise<T>, milliseconds: number): Promise<T> {
    const end = this.#elapsed + milliseconds;
    let isDone = false;
    const ended = work.finally(() => (isDone = true));
    this.stir();
    for (;;) {
      await this.#quiet();
      if (isDone) return ended;
      if (!this.#wakeNext(end)) throw new Error(`it is not done within ${milliseconds} ms`);
    }
  }

  /** Resolves when all present work is done and only sleepers are left. */
  async everybodySleeps(): Promise<void> {
    this.stir();
    await this.#quiet();
    if (this.#sleepers.size === 0) throw new Error('Nothing sleeps by this clock.');
  }

  /** Resolves once this many sleepers exist, regardless of the real time that this takes. */
  async asleep(sleepers: number): Promise<void> {
    while (this.#sleepers.size < sleepers) await nextTurn();
  }

  /** Lets time pass to the earliest sleeper and wakes it. @returns false if none wakes before the end */
  #wakeNext(end: number): boolean {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (next === undefined || sleeper.at < next.at) next = sleeper;
    if (next === undefined || next.at > end) return false;
    this.#elapsed = Math.max(this.#elapsed, next.at);
    this.#sleepers.delete(next);
    next.wake();
    return true;
  }

  // Uses callbacks, because a promise for each turn took most of the time of the tests in which days pass.
  async #quiet(): Promise<void> {
    await new Promise<void>((rest) => {
      let turns = 0;
      const turn = (): void => {
        if (this.#busy > 0) turns = 0;
        else if (turns >= (this.#stirred ? QUIET_TURNS : this.#restTurns)) {
          rest();
          return;
        }
        turns += 1;
        setImmediate(turn);
      };
      turn();
    });
    this.#stirred = false;
  }
}
