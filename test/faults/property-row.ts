import { resolve } from 'node:path';
import { RUNS_VARIABLE, SEED_VARIABLE } from '../support/try-property.js';
import { runChildTest } from './child-test.js';
import type { Findings, Trial } from './scenario.js';

const PATIENCE_MS = 6 * 60 * 60_000;
const MOST_LINES = 60;

/** Tries the property of each file as often as the trial says. */
export async function tryInChild(
  { runs, random, say }: Trial,
  files: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Findings> {
  const counts: Record<string, number> = {};
  const broken: string[] = [];
  for (const file of files) {
    const seed = random.below(2 ** 31);
    const environment = { ...more, [RUNS_VARIABLE]: String(runs), [SEED_VARIABLE]: String(seed) };
    const { passed, failed, output } = await runChildTest({
      tree: resolve('.'),
      file,
      environment,
      patience: PATIENCE_MS,
    });
    const tries = [...output.matchAll(/^ *# (\d+) tries/gm)].reduce((total, [, count]) => total + Number(count), 0);
    counts[`tries of ${file.replace(/^.*\/(.*)\.test\.ts$/, '$1')}`] = tries;
    say(`${file}: ${String(tries)} tries, seed ${String(seed)}`);
    if (failed > 0 || passed === 0)
      broken.push(`${file} failed:\n${output.split('\n').slice(0, MOST_LINES).join('\n')}`);
    else if (tries !== runs * passed) broken.push(`${file} tried ${String(tries)} times, not ${String(runs)}`);
  }
  return { counts, broken };
}
