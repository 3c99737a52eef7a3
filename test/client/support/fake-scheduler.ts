import type { Scheduler } from '../../../src/client/browser/next-frame.js';

/** A scheduler whose time passes only with the work that a test counts, and whose tasks the test runs. */
export class FakeScheduler implements Scheduler {
  readonly #tasks: (() => void)[] = [];
  /** Milliseconds. The code that counts the work adds to it. */
  time = 0;

  readonly now = (): number => this.time;

  readonly later = (work: () => void): void => {
    this.#tasks.push(work);
  };

  /** Runs one task. @returns whether there was one */
  runOne(): boolean {
    const task = this.#tasks.shift();
    task?.();
    return task !== undefined;
  }

  /** Runs all tasks, including those that they add. @returns the time of each task */
  runAll(): number[] {
    const took: number[] = [];
    for (let start = this.time; this.runOne(); start = this.time) took.push(this.time - start);
    return took;
  }
}
