import type { Evidence } from './evidence.js';
import type { Random } from './random.js';

/**
 * One scenario of the campaign: a kind of fault, how often it occurs, and the findings. The counts are printed, so that
 * a run without faults is not mistaken for one that survived them.
 */
export interface Scenario {
  /** A name such as "F1". */
  readonly name: string;
  readonly title: string;
  /** The number of faults in the full campaign, and in the quick part in `npm test`. */
  readonly runs: { readonly full: number; readonly quick: number };
  run(trial: Trial): Promise<Findings>;
}

export interface Trial {
  readonly runs: number;
  readonly isQuick: boolean;
  readonly random: Random;
  readonly evidence: Evidence;
  /** Adds a cleanup that runs after the trial. The newest cleanup runs first. */
  defer(close: () => unknown): void;
  /** Prints a progress line. */
  say(line: string): void;
}

export interface Findings {
  /** The counts for the report: kills, acknowledged edits, duplicates … */
  readonly counts: Readonly<Record<string, number>>;
  /** A sentence for each violated guarantee. It is empty if nothing was lost. */
  readonly broken: readonly string[];
}
