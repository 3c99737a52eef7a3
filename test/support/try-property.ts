import type { TestContext } from 'node:test';
import fc from 'fast-check';

export const RUNS_VARIABLE = 'PROPERTY_RUNS';
export const SEED_VARIABLE = 'PROPERTY_SEED';

// Properties use the same values in each run, because a test that fails only sometimes helps no developer. The fault
// campaign uses random values, and so does a run with the variable.
export const USUAL_SEED = 20261121;

/**
 * Checks a property as often as the test says, or as the environment does, because the fault campaign has more time than a
 * test. Reports how often it ran, because a requested count is not proof of a run.
 *
 * @throws with the counterexample, the seed and its path
 */
export async function tryProperty<Values>(
  t: TestContext,
  property: fc.IAsyncProperty<Values>,
  usual: { readonly numRuns: number; readonly examples?: Values[] },
): Promise<void> {
  const { [RUNS_VARIABLE]: runs, [SEED_VARIABLE]: seed } = process.env;
  const tried = await fc.check(property, {
    ...usual,
    ...(runs !== undefined && { numRuns: Number(runs) }),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
  t.diagnostic(`${String(tried.numRuns)} tries, seed ${String(tried.seed)}`);
  if (tried.failed) throw new Error(await fc.asyncDefaultReportMessage(tried), { cause: tried.errorInstance });
}
