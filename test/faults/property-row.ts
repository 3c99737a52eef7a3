import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { RUNS_VARIABLE, SEED_VARIABLE } from '../support/try-property.js';
import { runChildTest } from './child-test.js';
import type { Findings, Trial } from './scenario.js';

const TIMEOUT_MS = 6 * 60 * 60_000;
const MOST_LINES = 60;

/**
 * Tries the property of each file as often as the trial requires, at most `portion` times in a process, because a test
 * keeps its memory until its end, and its result would come only after hours.
 */
export async function tryInChild(
  { runs, random, say }: Trial,
  files: readonly string[],
  {
    portion = runs,
    ...more
  }: { readonly portion?: number; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<Findings> {
  const counts: Record<string, number> = {};
  const broken: string[] = [];
  for (const file of files) {
    const name = `tries of ${file.replace(/^.*\/(.*)\.test\.ts$/, '$1')}`;
    for (let left = runs; left > 0; left -= portion) {
      const wanted = Math.min(left, portion);
      const seed = random.below(2 ** 31);
      const environment = { ...more.environment, [RUNS_VARIABLE]: String(wanted), [SEED_VARIABLE]: String(seed) };
      const { passed, failed, output } = await runChildTest({
        tree: resolve('.'),
        file,
        environment,
        timeoutMs: TIMEOUT_MS,
      });
      const tries = [...output.matchAll(/^ *# (\d+) tries/gm)].reduce((total, [, count]) => total + Number(count), 0);
      counts[name] = (counts[name] ?? 0) + tries;
      say(`${file}: ${String(tries)} tries, seed ${String(seed)}`);
      if (failed > 0 || passed === 0)
        broken.push(`${file} failed:\n${output.split('\n').slice(0, MOST_LINES).join('\n')}`);
      else if (tries !== wanted * passed) broken.push(`${file} tried ${String(tries)} times, not ${String(wanted)}`);
    }
  }
  return { counts, broken };
}

/** Like `tryInChild`, for properties that need a browser, with the runner that `npm test` uses. */
export async function tryInBrowser({ runs, random, say }: Trial, files: readonly string[]): Promise<Findings> {
  const counts: Record<string, number> = {};
  const broken: string[] = [];
  for (const file of files) {
    const seed = random.below(2 ** 31);
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/run.ts', file], {
      env: { ...process.env, [RUNS_VARIABLE]: String(runs), [SEED_VARIABLE]: String(seed) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const tries = [...output.matchAll(/(\d+) tries, seed/g)].reduce((total, [, count]) => total + Number(count), 0);
    counts[`tries of ${file.replace(/^.*\/(.*)\.test\.ts$/, '$1')}`] = tries;
    say(`${file}: ${String(tries)} tries, seed ${String(seed)}`);
    if (!/^[1-9]\d* passed, 0 failed$/m.test(output)) broken.push(`${file} failed:\n${output}`);
    else if (tries !== runs) broken.push(`${file} tried ${String(tries)} times, not ${String(runs)}`);
  }
  return { counts, broken };
}
