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
  readonly patience: number;
}

export interface ChildResult {
  readonly passed: number;
  readonly failed: number;
  /** Names of the tests, not of suites and files, that failed. */
  readonly red: readonly string[];
  readonly output: string;
}

/** Runs a test file in a process of its own, under the loader that `npm test` uses. */
export async function runChildTest({ tree, file, name, environment, patience }: ChildTest): Promise<ChildResult> {
  const pattern = name === undefined ? [] : [`--test-name-pattern=${name}`];
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--test', `--test-timeout=${String(patience)}`, '--test-reporter=tap', ...pattern, file],
    {
      cwd: tree,
      // Not the test context of this process: the child would report to it and not to us.
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patience + 10_000,
      killSignal: 'SIGKILL',
    },
  );
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail'), red: redTests(output), output: output + errors };
}

/** In TAP a suite says `type: 'suite'` below its line, and a test that failed says so by `failureType`. */
function redTests(tap: string): string[] {
  const failures = tap.matchAll(/^ *not ok \d+ - (.*)\n((?: .*\n)*?) *\.\.\.$/gm);
  return [...failures].flatMap(([, name = '', details = '']) =>
    details.includes("type: 'test'") && details.includes("failureType: 'testCodeFailure'") ? [name] : [],
  );
}

/** Runs a whole file that needs a browser, through the runner that `npm test` uses. */
export async function runBrowserTest({ tree, file, patience }: Omit<ChildTest, 'name'>): Promise<ChildResult> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/run.ts', file], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [, passed = '0', failed = '0'] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  const red = [...output.matchAll(/^ *❌ (?:.* > )?(.*)$/gm)].map(([, name = '']) => name);
  return { passed: Number(passed), failed: Number(failed), red, output: output + errors };
}
