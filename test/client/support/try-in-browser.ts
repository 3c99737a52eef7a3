import fc from 'fast-check';

interface Wanted {
  readonly PROPERTY_RUNS?: number;
  readonly PROPERTY_SEED?: number;
}

/**
 * Checks a property as often as the test says, or as the fault campaign does, which has more time. Reports how often it
 * ran, because a requested count is not proof of a run.
 *
 * @throws with the counterexample, the seed and its path
 */
export async function tryInBrowser<Values>(property: fc.IAsyncProperty<Values>, usualRuns: number): Promise<void> {
  const { PROPERTY_RUNS: runs, PROPERTY_SEED: seed } = globalThis as Wanted;
  const tried = await fc.check(property, { numRuns: runs ?? usualRuns, ...(seed !== undefined && { seed }) });
  if (runs !== undefined) console.log(`${String(tried.numRuns)} tries, seed ${String(tried.seed)}`);
  if (tried.failed) throw new Error(await fc.asyncDefaultReportMessage(tried), { cause: tried.errorInstance });
}
