import type { UpdateOutcome } from '../../src/proxy/portal/outcome.js';

/** What follows from an outcome: without what only the operator's log has of an answer. */
export function meaningOf({ response, ...outcome }: UpdateOutcome): UpdateOutcome {
  if (outcome.kind !== 'held') return outcome;
  const { failure, ...meaning } = outcome;
  return meaning;
}
