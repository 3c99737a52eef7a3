import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ChildTest {
  /** The root folder of the copy of the repository. */
  readonly tree: string;
  /** The path of the test file, relative to that folder. */
  readonly file: string;
  /** A pattern as for `--test-name-pattern`. */
  readonly name?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly timeoutMs: number;
}

export interface ChildResult {
  readonly passed: number;
  readonly failed: number;
  /**
   * The names of the passed tests, without suites and files. It is empty for a browser run, which names only failures.
   */
  readonly green: readonly string[];
  /** The names of the failed tests, without suites and files. */
  readonly red: readonly string[];
  readonly output: string;
}

/** Runs a test file in a child process, with the loader that `npm test` uses. */
export async function runChildTest({ tree, file, name, environment, timeoutMs }: ChildTest): Promise<ChildResult> {
  const pattern = name === undefined ? [] : [`--test-name-pattern=${name}`];
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', `--test-timeout=${String(timeoutMs)}`, '--test-reporter=tap', ...pattern, file],
    {
      cwd: tree,
      // With the test context of this process, the child would report to the runner instead of its standard output.
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs + 10_000,
      killSignal: 'SIGKILL',
    },
  );
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return {
    passed: count('pass'),
    failed: count('fail'),
    green: greenTests(output),
    red: redTests(output),
    output: output + errors,
  };
}

/** In TAP, a file without a test that ran is a passed test with the name of the file. */
function greenTests(tap: string): string[] {
  return testsIn(tap, 'ok').map(({ name }) => name);
}

/** The `failureType` tells whether a test itself failed, or one of its subtests. */
function redTests(tap: string): string[] {
  const failures = testsIn(tap, 'not ok');
  return failures.filter(({ details }) => details.includes("failureType: 'testCodeFailure'")).map(({ name }) => name);
}

/** A suite has `type: 'suite'` below its line. */
function testsIn(tap: string, result: 'ok' | 'not ok'): { readonly name: string; readonly details: string }[] {
  const lines = tap.matchAll(new RegExp(`^ *${result} \\d+ - (.*)\\n((?: .*\\n)*?) *\\.\\.\\.$`, 'gm'));
  return [...lines].flatMap(([, name = '', details = '']) =>
    details.includes("type: 'test'") ? [{ name, details }] : [],
  );
}

/** Without a defence, each test of a file may run into its timeout, one after the other. */
const WAIT_MS = 15_000;

/** Runs a whole browser test file with the runner that `npm test` uses. */
export async function runBrowserTest({ tree, file, timeoutMs }: Omit<ChildTest, 'name'>): Promise<ChildResult> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/run.ts', file], {
    cwd: tree,
    env: { ...process.env, TEST_WAIT_MS: String(WAIT_MS) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  const red = [...output.matchAll(/^ *❌ (?:.* > )?(.*)$/gm)].map(([, name = '']) => name);
  return { passed: Number(passed), failed: Number(failed), green: [], red, output: output + errors };
}
