import type { UpdateOutcome } from '../../src/proxy/portal/outcome.js';

/** @returns the outcome without the details of the response that only the operator's log has */
export function meaningOf({ response, ...outcome }: UpdateOutcome): UpdateOutcome {
  if (outcome.kind !== 'held') return outcome;
  const { failure, ...meaning } = outcome;
  return meaning;
}
