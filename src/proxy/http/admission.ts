import { Refusal } from './problem-response.js';

/** Batches that may be on their way to the disk at once: a fraction of a second's work. */
export const MOST_AT_ONCE = 128;

/**
 * Lets so many in at once and turns the others away at once, with a word on when to come again. Without it a process that
 * is asked for more than it can do answers nobody in time: each commit takes longer, and more wait for the next one.
 */
export class Admission {
  readonly #most: number;
  #inside = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws {Refusal} when the house is full */
  async admit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#most) throw new Refusal('overloaded', undefined, { 'Retry-After': '1' });
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
    }
  }
}
