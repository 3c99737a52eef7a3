import { tryInChild } from './property-row.js';
import type { Scenario } from './scenario.js';

/** So many tries of each. `npm test` runs the same files with fewer. */
export const interleavings: Scenario = {
  name: 'F7',
  title: 'any order of token renewals, and of leases',
  runs: { full: 1000, quick: 0 },
  run: (trial) =>
    tryInChild(trial, ['test/proxy/token-interleavings.test.ts', 'test/proxy/lease-interleavings.test.ts']),
};
