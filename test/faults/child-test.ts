import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface ChildTest {
  /** Folder of the tree. */
  readonly tree: string;
  /** Below the tree. */
  readonly file: string;
  /** As of `--test-name-pattern`. */
  readonly name?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

export interface ChildResult {
  readonly passed: number;
  readonly failed: number;
  /** Names of the tests, not of suites and files, that passed; of a browser, which names failures alone, none. */
  readonly green: readonly string[];
  /** Names of the tests, not of suites and files, that failed. */
  readonly red: readonly string[];
  readonly output: string;
}

/** Runs a test file in a process of its own, under the loader that `npm test` uses. */
export async function runChildTest({ tree, file, name, environment, timeoutMs }: ChildTest): Promise<ChildResult> {
  const pattern = name === undefined ? [] : [`--test-name-pattern=${name}`];
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', `--test-timeout=${String(timeoutMs)}`, '--test-reporter=tap', ...pattern, file],
    {
      cwd: tree,
      // Not the test context of this process: the child would report to it and not to us.
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

/** In TAP a file in which no test ran is a test that passed, by the name of the file. */
function greenTests(tap: string): string[] {
  return testsIn(tap, 'ok').map(({ name }) => name);
}

/** A test that failed by itself says so by `failureType`. */
function redTests(tap: string): string[] {
  const failures = testsIn(tap, 'not ok');
  return failures.filter(({ details }) => details.includes("failureType: 'testCodeFailure'")).map(({ name }) => name);
}

/** A suite says `type: 'suite'` below its line. */
function testsIn(tap: string, result: 'ok' | 'not ok'): { readonly name: string; readonly details: string }[] {
  const lines = tap.matchAll(new RegExp(`^ *${result} \\d+ - (.*)\\n((?: .*\\n)*?) *\\.\\.\\.$`, 'gm'));
  return [...lines].flatMap(([, name = '', details = '']) =>
    details.includes("type: 'test'") ? [{ name, details }] : [],
  );
}

/** Where a defence is switched off, each test of a file may wait in vain, one after the other. */
const WAIT_MS = 15_000;

/** Runs a whole file that needs a browser, through the runner that `npm test` uses. */
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
