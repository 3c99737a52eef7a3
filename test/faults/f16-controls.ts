import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runBrowserTest, runChildTest, type ChildResult } from './child-test.js';
import type { Control } from './control.js';
import { CONTROLS } from './controls.js';
import type { Findings, Scenario, Trial } from './scenario.js';

const TREE = ['src', 'test', 'package.json', 'tsconfig.json'];
const TIMEOUT_MS = 180_000;
const BROWSER_TIMEOUT_MS = 1_000_000;

/**
 * A test that never fails proves nothing: each defence is disabled in a copy of the repository, and the named test
 * has to fail, after it has passed in the same copy.
 */
export const negativeControls: Scenario = {
  name: 'F16',
  title: 'each disabled defence makes its test fail',
  runs: { full: CONTROLS.length, quick: 3 },
  async run({ runs, evidence, say }: Trial): Promise<Findings> {
    const tree = evidence.path('tree');
    for (const name of TREE) cpSync(name, join(tree, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
    const broken: string[] = [];
    const red: Control[] = [];
    for (const control of CONTROLS.slice(0, runs)) {
      const wrong = await switchOff(control, tree);
      say(`${control.defence}: ${wrong === undefined ? 'its test is red' : wrong}`);
      if (wrong === undefined) red.push(control);
      else broken.push(`${control.defence}: ${wrong}`);
    }
    return {
      counts: { 'disabled defences': Math.min(runs, CONTROLS.length), 'failed tests': red.length },
      broken,
    };
  },
};

/**
 * @returns a sentence about what is wrong with the control or the test, or `undefined` if the test fails as it should
 */
async function switchOff({ file, text, broken, test }: Control, tree: string): Promise<string | undefined> {
  const path = join(tree, file);
  const whole = readFileSync(path, 'utf8');
  const places = whole.split(text).length - 1;
  if (places !== 1) return `its text occurs ${String(places)} times in ${file}: correct the control`;
  const before = await run(test, tree);
  const hasRun = test.isInBrowser === true ? before.passed > 0 : before.green.includes(test.name);
  if (before.failed > 0 || !hasRun) return `its test did not pass before:\n${before.output}`;
  try {
    writeFileSync(
      path,
      whole.replace(text, () => broken),
    );
    const after = await run(test, tree);
    // A contract runs on each store, one of which may have another defence. A browser test file runs as a whole.
    const isNoticed = after.red.includes(test.name);
    if (isNoticed && (test.isInBrowser === true || new Set(after.red).size === 1)) return undefined;
    return after.failed === 0 ? `not detected: ${test.file} passes` : `another failure:\n${after.output}`;
  } finally {
    writeFileSync(path, whole);
  }
}

function run({ file, name, isInBrowser }: Control['test'], tree: string): Promise<ChildResult> {
  if (isInBrowser === true) return runBrowserTest({ tree, file, timeoutMs: BROWSER_TIMEOUT_MS });
  return runChildTest({ tree, file, name: escaped(name), timeoutMs: TIMEOUT_MS });
}

/** Escapes a text for a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
