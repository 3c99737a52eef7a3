import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Evidence } from './evidence.js';
import { killAtRandom } from './f01-kill-at-random.js';
import { killAtPoints } from './f02-kill-at-points.js';
import { syncBeforeAnswer } from './f03-sync-before-answer.js';
import { storageFaults } from './f04-storage-faults.js';
import { powerCut } from './f05-power-cut.js';
import { modelOfDelivery } from './f06-model.js';
import { interleavings } from './f07-interleavings.js';
import { faultyPortal } from './f08-faulty-portal.js';
import { malformedHttp } from './f09-malformed-http.js';
import { browserKilled } from './f10-browser-killed.js';
import { troubledTabs } from './f11-tabs.js';
import { killThreeProxies } from './f12-three-proxies.js';
import { overload } from './f13-overload.js';
import { sharedCredential } from './f17-shared-credential.js';
import { schedulesUnderFaults } from './f18-schedules.js';
import { negativeControls } from './f16-controls.js';
import { seededRandom } from './random.js';
import type { Findings, Scenario } from './scenario.js';

/** The scenarios in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  killAtRandom,
  killAtPoints,
  syncBeforeAnswer,
  storageFaults,
  powerCut,
  modelOfDelivery,
  interleavings,
  faultyPortal,
  malformedHttp,
  browserKilled,
  troubledTabs,
  killThreeProxies,
  overload,
  sharedCredential,
  schedulesUnderFaults,
  negativeControls,
];

export interface TrialOptions {
  readonly runs: number;
  readonly isQuick: boolean;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Runs one scenario in a separate folder, and searches its files for secrets (F15). */
export async function runScenario(scenario: Scenario, { seed, ...options }: TrialOptions): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), `inventory-${scenario.name.toLowerCase()}-`));
  const evidence = new Evidence(folder);
  const closing: (() => unknown)[] = [];
  try {
    const random = seededRandom(seed);
    const found = await scenario.run({ ...options, random, evidence, defer: (close) => closing.unshift(close) });
    await evidence.noteLast();
    for (const close of closing.splice(0)) await close();
    const secrets = evidence.findSecrets();
    return {
      counts: { ...found.counts, 'secrets looked for': evidence.canaries, 'secrets found': secrets.length },
      broken: [...found.broken, ...secrets],
    };
  } finally {
    for (const close of closing.splice(0)) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function reportOf({ counts, broken }: Findings): string {
  const line = Object.entries(counts)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
  return `${line}; ${String(broken.length)} broken promises`;
}
