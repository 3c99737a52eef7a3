import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from './support/find-browser.js';
import { provideEngine } from './support/find-engine.js';
import { runCheck, runSuite, watchSuite } from './support/run-step.js';
import { STEPS } from './support/steps.js';
import type { Step, Suite } from './support/steps.js';
import type { FileTime, TestCounts } from './support/test-counts.js';
import { testFiles } from './support/test-files.js';

const HELP = `npm test                                          all steps
npm test -- --only lint --only architecture              some of them
npm test -- test/proxy test/domain/item-id.test.ts   the tests in these folders and files
npm test -- --watch test/domain/item-id.test.ts      the same, again after each change

Steps:
${STEPS.map(({ name, title }) => `  ${name.padEnd(10)}${title}`).join('\n')}
`;

const LONGEST_FAILURE = 2000;
const SLOWEST_FILES = 10;

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = main(process.argv.slice(2));

function main(args: string[]): number {
  const { values: options, positionals: paths } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  });
  const unknown = options.only.filter((name) => !STEPS.some((step) => step.name === name));

  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  // node:test reads our reporter without a loader, so it needs a Node that reads TypeScript.
  if (!process.features.typescript || unknown.length > 0) {
    const reason =
      unknown.length > 0 ? `There is no step ${unknown.join(', ')}.` : `Node ${process.version} is too old.`;
    process.stderr.write(`${reason}\n\n${HELP}`);
    return 2;
  }

  const scratch = mkdtempSync(join(tmpdir(), 'inventory-test-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  const steps = chosenSteps(options.only, paths);
  if (options.watch) return watch(steps, paths);

  const { passed, failures } = runSteps(steps, paths, scratch);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  return failures.length > 0 || passed === 0 ? 1 : 0;
}

function watch(steps: readonly Step[], paths: readonly string[]): number {
  const [suite, ...others] = steps.filter((step) => step.kind !== 'check');
  if (suite === undefined || others.length > 0 || paths.length === 0) {
    process.stderr.write(`--watch needs tests of one step: name files or folders of it.\n\n${HELP}`);
    return 2;
  }
  return watchSuite(suite, testFiles(suite, paths), suite.opensBrowser ? findBrowser() : undefined) ? 0 : 1;
}

function chosenSteps(names: readonly string[], paths: readonly string[]): Step[] {
  const named = STEPS.filter((step) => names.length === 0 || names.includes(step.name));
  if (paths.length === 0) return named;
  const suites = named.filter((step) => step.kind !== 'check' && testFiles(step, paths).length > 0);
  // Who names a file wants to know soon whether it passes; in the other engines when they name those, too.
  return suites.filter((step) => names.length > 0 || step.kind === 'check' || step.engine === undefined);
}

function runSteps(steps: readonly Step[], paths: readonly string[], scratch: string): TestCounts {
  const total = { passed: 0, failures: [] as string[], files: [] as FileTime[] };
  const missing = new Set<string>();
  const absent: string[] = [];

  for (const step of steps) {
    const need = step.needs?.find((name) => missing.has(name));
    if (need !== undefined) {
      missing.add(step.name);
      heading(`${step.name} is not run, because ${need} failed`);
      continue;
    }

    heading(`${step.name}: ${step.title}`);
    const reason = step.kind === 'browser' && step.engine !== undefined ? provideEngine(step.engine) : undefined;
    if (reason !== undefined) {
      absent.push(step.name);
      process.stdout.write(`${step.name} is NOT RUN. To have it, ${reason}.\n`);
      continue;
    }

    const start = performance.now();
    const { passed, failures, files = [] } = step.kind === 'check' ? runCheck(step) : runTests(step, paths, scratch);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    heading(`${step.name}: ${passed} passed, ${failures.length} failed in ${seconds} s`);

    total.passed += passed;
    total.failures.push(...failures);
    total.files.push(...files.map(({ file, seconds }) => ({ file: `${file} (${step.name})`, seconds })));
    if (failures.length > 0) missing.add(step.name);
  }
  if (absent.length > 0) heading(`Not run, because the engine is not here: ${absent.join(', ')}`);
  if (missing.size > 0) heading(`Look at ${[...missing].join(', ')}`);
  if (total.files.length > SLOWEST_FILES) tellSlowest(total.files);
  // A run is too long to look for them in it, and where it is kept, often its end alone is.
  for (const failure of total.failures) process.stdout.write(`\n✖ ${failure.slice(0, LONGEST_FAILURE)}\n`);
  return total;
}

function tellSlowest(files: readonly FileTime[]): void {
  heading('The slowest test files');
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
}

function runTests(suite: Suite, paths: readonly string[], scratch: string): TestCounts {
  const files = testFiles(suite, paths);
  if (files.length === 0) return cannotRun(`There is no test in test/{${suite.folders.join(',')}}.`);

  let browser: string | undefined;
  try {
    browser = suite.opensBrowser ? findBrowser() : undefined;
  } catch (error) {
    return cannotRun(error instanceof Error ? error.message : String(error));
  }
  return runSuite(suite, files, join(scratch, suite.name), browser);
}

function cannotRun(reason: string): TestCounts {
  return { passed: 0, failures: [reason] };
}

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}
