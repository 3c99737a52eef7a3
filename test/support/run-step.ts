import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ENGINE_VARIABLE } from './find-engine.js';
import type { Check, Suite } from './steps.js';
import { COUNTS_FILE, readCounts } from './test-counts.js';
import type { TestCounts } from './test-counts.js';

// Node also applies this limit to a whole file. It is far above the time of any real test and only ends a wait for
// something that never happens.
const TEST_TIMEOUT_MS = 900_000;

const BROWSER_RUNNER = ['node_modules/@web/test-runner/dist/bin.js', '--config=test/support/web-test-runner.config.ts'];

/** The output for people: this process's own, or the descriptor of an open file. */
export type Output = 'inherit' | number;

export async function runCheck({ command: [program, ...words], name }: Check, output: Output): Promise<TestCounts> {
  const isPassed = await (program === 'npm'
    ? run(program, words, output)
    : run(process.execPath, [join('node_modules', program), ...words], output));
  return isPassed ? { passed: 1, failures: [] } : { passed: 0, failures: [`${name}: what it found stands above`] };
}

/**
 * Runs a suite. It counts as failed if it ended with an error although no test failed (a crash, a late error), and also if
 * it ran no test.
 */
export async function runSuite(
  { name, kind, engine, filesAtOnce }: Suite,
  files: readonly string[],
  countsFile: string,
  output: Output,
  browser?: string,
): Promise<TestCounts> {
  const words = ['--import', 'tsx', ...wordsFor(kind, files, countsFile, filesAtOnce)];
  const isPassed = await run(process.execPath, words, output, {
    [COUNTS_FILE]: countsFile,
    ...environmentOf(engine, browser),
  });
  const { passed, failures, files: fileTimes = [] } = readCounts(countsFile) ?? { passed: 0, failures: [] };
  const isSilent = failures.length === 0 && (!isPassed || passed === 0);
  return {
    passed,
    failures: isSilent ? [`${name} ended badly, though no test of it failed`] : failures,
    files: fileTimes,
  };
}

/** Runs the files, and again whenever one of them or something that they import changes, until Ctrl C. */
export function watchSuite({ kind, engine }: Suite, files: readonly string[], browser?: string): Promise<boolean> {
  const words =
    kind === 'browser'
      ? [...BROWSER_RUNNER, '--watch', '--files', ...files]
      : ['--import', './test/support/fixed-seed.ts', '--test', '--watch', ...files];
  return run(process.execPath, ['--import', 'tsx', ...words], 'inherit', environmentOf(engine, browser));
}

function wordsFor(kind: Suite['kind'], files: readonly string[], countsFile: string, filesAtOnce?: number): string[] {
  switch (kind) {
    case 'browser':
      return [...BROWSER_RUNNER, '--files', ...files];
    case 'node':
      return [
        '--import',
        './test/support/fixed-seed.ts',
        '--test',
        `--test-timeout=${TEST_TIMEOUT_MS}`,
        ...(filesAtOnce === undefined ? [] : [`--test-concurrency=${filesAtOnce}`]),
        '--test-reporter=spec',
        '--test-reporter-destination=stdout',
        '--test-reporter=./test/support/count-reporter.ts',
        `--test-reporter-destination=${countsFile}`,
        ...files,
      ];
  }
}

function environmentOf(engine: Suite['engine'], browser: string | undefined): Record<string, string> {
  return {
    ...(browser === undefined ? {} : { CHROME_PATH: browser }),
    ...(engine === undefined ? {} : { [ENGINE_VARIABLE]: engine }),
  };
}

async function run(
  program: string,
  words: readonly string[],
  output: Output,
  env: Record<string, string> = {},
): Promise<boolean> {
  const child = spawn(program, words, { stdio: ['ignore', output, output], env: { ...process.env, ...env } });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('exit', stop);
  return code === 0;
}
