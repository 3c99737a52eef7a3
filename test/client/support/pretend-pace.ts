import type { Scheduler } from '../../../src/client/browser/next-frame.js';

/** Time that passes only by work that a test counts, and tasks that run when the test says so. */
export class PretendPace implements Scheduler {
  readonly #tasks: (() => void)[] = [];
  /** Milliseconds: whoever counts the work adds to it. */
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

  /** Runs everything, and what that leads to. @returns how long each task took */
  runAll(): number[] {
    const took: number[] = [];
    for (let start = this.time; this.runOne(); start = this.time) took.push(this.time - start);
    return took;
  }
}
