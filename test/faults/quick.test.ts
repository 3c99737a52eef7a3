import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportOf, runScenario, SCENARIOS } from './campaign.js';

// The seed is fixed, so that a failure can be reproduced. The full campaign uses random seeds.
const SEED = 20261121;

describe('the quick part of the fault campaign', () => {
  for (const scenario of SCENARIOS.filter(({ runs }) => runs.quick > 0)) {
    it(`${scenario.name} loses no edit: ${scenario.title}`, async (t) => {
      const findings = await runScenario(scenario, {
        runs: scenario.runs.quick,
        isQuick: true,
        seed: SEED,
        say: (line) => t.diagnostic(line),
      });

      t.diagnostic(reportOf(findings));
      assert.deepEqual(findings.broken, []);
    });
  }
});
