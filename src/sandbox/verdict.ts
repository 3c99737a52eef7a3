import type { Faults } from './faults.js';
import type { RequestFacts } from './journal.js';

/** What the portal does about a request: the answer, and what the journal is told of it. */
export interface Verdict {
  readonly response: Response;
  readonly facts: Partial<RequestFacts>;
  /** Called when the answer is out, or nobody is left to hear it. */
  readonly onAnswered?: (() => void) | undefined;
}

/**
 * A request that has come completely. What was seen is recorded even where a fault keeps the portal from deciding: a
 * test of an outage wants to know what was tried.
 */
export interface Reception {
  readonly seen: Partial<RequestFacts>;
  /** Acts and answers, without awaiting anything: two updates can never be applied interleaved. */
  readonly decide: (faults: Faults) => Verdict;
}
