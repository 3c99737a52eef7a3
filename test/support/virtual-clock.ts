import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/proxy/runtime/clock.js';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

// Work in memory and in SQLite needs some dozen turns of the event loop; what needs more has ended, or never will.
const PATIENCE_TURNS = 200;

/** Time that passes only when a test says so. */
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
   * @param restTurns patience where nothing went out: whoever woke up has most likely found nothing to do. Less makes days
   *   pass sooner, and whoever is slow wakes up late
   */
  constructor(wall: number = Date.UTC(2026, 10, 21, 8, 30), restTurns = PATIENCE_TURNS) {
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

  /** What a wall clock that nobody sets would say. */
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

  /** Somebody sets the wall clock, as NTP does. No sleeper notices. */
  setWallBy(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** The machine sleeps: nothing that runs notices but by the wall clock, which goes on. */
  sleep(milliseconds: number): void {
    this.#wallOffset += milliseconds;
    this.#slept += milliseconds;
  }

  /** Lets time pass. Whoever wakes up works until they sleep again or go home, so that nobody oversleeps. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    this.stir();
    for (;;) {
      await this.#quiet();
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

  /** Something has happened that others may follow up, such as a call. */
  stir(): void {
    this.#stirred = true;
  }

  /** Work that takes real time, such as a digest: no virtual time passes until it is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy += 1;
    this.stir();
    try {
      return await work;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Lets time pass, millisecond by millisecond, until this has come. @throws when it has not within the time */
  async passUntil<T>(work: Promise<T>, milliseconds: number): Promise<T> {
    let hasCome = false;
    const ended = work.finally(() => (hasCome = true));
    for (let passed = 0; !hasCome; passed += 1) {
      if (passed > milliseconds) throw new Error(`it has not come within ${milliseconds} ms`);
      await this.pass(1);
    }
    return ended;
  }

  /** Resolves when the work of this moment is done: all that is left is somebody who sleeps. */
  async everybodySleeps(): Promise<void> {
    this.stir();
    await this.#quiet();
    if (this.#sleepers.size === 0) throw new Error('Nobody sleeps by this clock.');
  }

  /** Resolves once so many sleep by this clock, whatever real time they need until they do. */
  async asleep(sleepers: number): Promise<void> {
    while (this.#sleepers.size < sleepers) await nextTurn();
  }

  // By callbacks: a promise a turn was most of the time that days of weather took.
  async #quiet(): Promise<void> {
    await new Promise<void>((rest) => {
      let turns = 0;
      const turn = (): void => {
        if (this.#busy > 0) turns = 0;
        else if (turns >= (this.#stirred ? PATIENCE_TURNS : this.#restTurns)) {
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
