import type { Evidence } from './evidence.js';
import type { Random } from './random.js';

/**
 * One row of the campaign: what goes wrong, how often, and what was seen. What it counts is printed; what must be zero is
 * named, so that a run which lost nothing because nothing happened is told from one that did.
 */
export interface Scenario {
  /** As in "F1". */
  readonly name: string;
  readonly title: string;
  /** How many faults: of the full campaign, and of the quick one in `npm test`. */
  readonly runs: { readonly full: number; readonly quick: number };
  run(trial: Trial): Promise<Findings>;
}

export interface Trial {
  readonly runs: number;
  readonly isQuick: boolean;
  readonly random: Random;
  readonly evidence: Evidence;
  /** Runs when the trial is over, the newest first. */
  defer(close: () => unknown): void;
  /** A line for the person who waits. */
  say(line: string): void;
}

export interface Findings {
  /** What happened, for the report: kills, acknowledged, duplicates ... */
  readonly counts: Readonly<Record<string, number>>;
  /** Each a sentence about one broken promise. Empty: nothing was lost. */
  readonly broken: readonly string[];
}
