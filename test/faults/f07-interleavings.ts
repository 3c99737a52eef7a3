import { tryInBrowser, tryInChild } from './property-row.js';
import type { Scenario } from './scenario.js';

/** `npm test` runs the same files with fewer tries. */
export const interleavings: Scenario = {
  name: 'F7',
  title: 'any interleaving of token renewals, of leases, and of tabs',
  runs: { full: 1000, quick: 0 },
  async run(trial) {
    const server = await tryInChild(trial, [
      'test/proxy/portal/token-interleavings.test.ts',
      'test/proxy/delivery/lease-interleavings.test.ts',
    ]);
    const tabs = await tryInBrowser(trial, [
      'test/client/sync/tab-interleavings.test.ts',
      'test/client/queue/queue-model.test.ts',
    ]);
    return { counts: { ...server.counts, ...tabs.counts }, broken: [...server.broken, ...tabs.broken] };
  },
};
