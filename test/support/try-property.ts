import type { TestContext } from 'node:test';
import fc from 'fast-check';

export const RUNS_VARIABLE = 'PROPERTY_RUNS';
export const SEED_VARIABLE = 'PROPERTY_SEED';

// A test that fails tomorrow and not today helps nobody: properties see the same values each time. The fault campaign
// rolls the dice, and so does whoever sets the variable.
export const USUAL_SEED = 20261121;

/**
 * Tries a property as often as the test says, or as the environment does: the fault campaign has more time than a test.
 * Says how often it was, because a count that was asked for is not a count that was run.
 *
 * @throws with the counterexample, the seed and the path to it
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
