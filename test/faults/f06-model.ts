import { existsSync } from 'node:fs';
import { tryInChild } from './property-row.js';
import type { Scenario } from './scenario.js';

/**
 * Linux keeps files of this folder in memory. This scenario has no power cuts (F3 to F5 have), and syncs would take
 * half of the time.
 */
const MEMORY = '/dev/shm';

/** `npm test` runs the same file with fewer tries, each with an hour or two of network faults. */
export const modelOfDelivery: Scenario = {
  name: 'F6',
  title: 'delivery in virtual time, against 24 to 72 hours of network faults, crashes and clocks',
  runs: { full: 2000, quick: 0 },
  run: (trial) =>
    tryInChild(trial, ['test/proxy/delivery/delivery-model.test.ts'], {
      portion: 50,
      environment: { WEATHER_HOURS: '24-72', ...(existsSync(MEMORY) && { TMPDIR: MEMORY }) },
    }),
};
