/** Waits that double, with full jitter, until something good happens. One timer at a time. */
export class BackOff {
  readonly #baseMs: number;
  readonly #capMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  /** @param baseMs the first wait @param capMs the longest, both in milliseconds */
  constructor(baseMs: number, capMs: number) {
    this.#baseMs = baseMs;
    this.#capMs = capMs;
  }

  /**
   * Calls back after a while, unless a call is already planned.
   * @param leastMs not before
   */
  plan(callback: () => void, leastMs = 0): void {
    if (this.#timer !== undefined) return;
    const most = Math.min(this.#capMs, this.#baseMs * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    // At least half of it: a wait of nothing is a loop.
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        callback();
      },
      Math.max((most * (1 + Math.random())) / 2, leastMs),
    );
  }

  /** It worked: the next wait is short again. */
  reset(): void {
    this.#failures = 0;
    this.cancel();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
