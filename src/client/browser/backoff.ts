/** Exponential back-off with jitter over the upper half of each wait. It runs one timer at a time. */
export class BackOff {
  readonly #baseMs: number;
  readonly #capMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  /** @param baseMs the first wait @param capMs the longest wait, both in milliseconds */
  constructor(baseMs: number, capMs: number) {
    this.#baseMs = baseMs;
    this.#capMs = capMs;
  }

  /**
   * Calls back after the next wait, unless a call is already planned.
   *
   * @param minMs the shortest wait, such as the one that the proxy asked for
   */
  plan(callback: () => void, minMs = 0): void {
    if (this.#timer !== undefined) return;
    const maxMs = Math.min(this.#capMs, this.#baseMs * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    // At least half of the interval, because jitter down to zero would make a busy loop.
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        callback();
      },
      Math.max((maxMs * (1 + Math.random())) / 2, minMs),
    );
  }

  /** Call after a success: it cancels the planned call, and the next wait is the first one again. */
  reset(): void {
    this.#failures = 0;
    this.cancel();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
