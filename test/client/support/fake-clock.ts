import { afterThisTest } from './clean-up.js';

/** The time-outs of a call, and of the search for the cause of a failed call. */
const REQUEST_TIMEOUTS_MS = [15_000, 5_000];

interface Timer {
  readonly dueAt: number;
  readonly milliseconds: number;
  readonly callback: () => void;
}

/** A clock that only the test moves. While it is active, wait with promises: `waitUntil` needs real timers. */
export class FakeClock {
  readonly #timers = new Map<number, Timer>();
  readonly #waiters: { most: number; resolve: () => void }[] = [];
  #now = 0;
  #last = 0;

  /** Resolves once a timer of at most this many milliseconds is set. */
  untilSet(most: number): Promise<void> {
    if (this.waits.some((wait) => wait <= most)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push({ most, resolve });
    });
  }

  /** The milliseconds of each pending timer. Request time-outs are left out, because they may belong to an earlier test. */
  get waits(): number[] {
    const timers = [...this.#timers.values()].filter(({ milliseconds }) => !REQUEST_TIMEOUTS_MS.includes(milliseconds));
    return timers.map(({ dueAt }) => dueAt - this.#now);
  }

  set(callback: () => void, milliseconds = 0): number {
    this.#last += 1;
    this.#timers.set(this.#last, { dueAt: this.#now + milliseconds, milliseconds, callback });
    for (const { most, resolve } of this.#waiters) if (milliseconds <= most) resolve();
    return this.#last;
  }

  clear(timer: number | undefined): void {
    if (timer !== undefined) this.#timers.delete(timer);
  }

  /** Moves the time and runs the timers that become due, in their order. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].filter(([, { dueAt }]) => dueAt <= end).sort((a, b) => a[1].dueAt - b[1].dueAt);
      if (next === undefined) break;
      const [timer, { dueAt, callback }] = next;
      this.#timers.delete(timer);
      this.#now = dueAt;
      callback();
    }
    this.#now = end;
  }
}

export function fakeClock(): FakeClock {
  const clock = new FakeClock();
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  Object.assign(globalThis, {
    setTimeout: clock.set.bind(clock),
    clearTimeout: clock.clear.bind(clock),
  });
  afterThisTest(() => {
    Object.assign(globalThis, real);
  });
  return clock;
}
