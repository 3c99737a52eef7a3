import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from './support/find-browser.js';
import { provideEngine } from './support/find-engine.js';
import { runCheck, runSuite, watchSuite, type Output } from './support/run-step.js';
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

const SUITES = STEPS.filter((step) => step.kind !== 'check');
const LONGEST_FAILURE = 2000;
const SLOWEST_FILES = 10;
const STEPS_AT_ONCE = 2;

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
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
  const unknownPaths = paths.filter((path) => !SUITES.some((suite) => testFiles(suite, [path]).length > 0));
  if (unknownPaths.length > 0 || steps.length === 0) {
    const reason =
      unknownPaths.length > 0
        ? `There is no test at ${unknownPaths.join(', ')}: name a file that ends in .test.ts, or a folder with some, from the root of the repository.`
        : `None of these tests is in ${options.only.join(', ')}.`;
    process.stderr.write(`${reason}\n\n${HELP}`);
    return 2;
  }
  if (options.watch) return watch(steps, paths);

  const { passed, failures } = await runSteps(steps, paths, scratch);
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  return failures.length > 0 || passed === 0 ? 1 : 0;
}

async function watch(steps: readonly Step[], paths: readonly string[]): Promise<number> {
  const [suite, ...others] = steps.filter((step) => step.kind !== 'check');
  if (suite === undefined || others.length > 0 || paths.length === 0) {
    process.stderr.write(`--watch needs tests of one step: name files or folders of it.\n\n${HELP}`);
    return 2;
  }
  const browser = suite.opensBrowser ? findBrowser() : undefined;
  return (await watchSuite(suite, testFiles(suite, paths), browser)) ? 0 : 1;
}

function chosenSteps(names: readonly string[], paths: readonly string[]): Step[] {
  const named = STEPS.filter((step) => names.length === 0 || names.includes(step.name));
  if (paths.length === 0) return named;
  const suites = named.filter((step) => step.kind !== 'check' && testFiles(step, paths).length > 0);
  // Who names a file wants to know soon whether it passes; in the other engines when they name those, too.
  return suites.filter((step) => names.length > 0 || step.kind === 'check' || step.engine === undefined);
}

/** Two steps run at once: each waits for pages, processes and disks for much of its time. */
async function runSteps(steps: readonly Step[], paths: readonly string[], scratch: string): Promise<TestCounts> {
  const total = { passed: 0, failures: [] as string[], files: [] as FileTime[] };
  const results = new Map<string, Promise<Result>>();
  const places = steps.length > 1 ? STEPS_AT_ONCE : 1;
  const running = new Set<Promise<unknown>>();

  for (const step of steps) {
    if (running.size >= places) await Promise.race(running);
    const needs = [...results].filter(([name]) => step.needs?.includes(name)).map(([, result]) => result);
    const result = runStep(step, needs, paths, scratch, places === 1);
    const place = result.finally(() => running.delete(place));
    results.set(step.name, result);
    running.add(place);
  }

  const ended = await Promise.all(results.values());
  for (const { name, counts } of ended) {
    total.passed += counts.passed;
    total.failures.push(...counts.failures);
    total.files.push(...(counts.files ?? []).map(({ file, seconds }) => ({ file: `${file} (${name})`, seconds })));
  }
  const absent = ended.filter(({ isAbsent }) => isAbsent).map(({ name }) => name);
  const failed = ended.filter(({ isOk }) => !isOk).map(({ name }) => name);
  if (absent.length > 0) heading(`Not run, because the engine is not here: ${absent.join(', ')}`);
  if (failed.length > 0) heading(`Look at ${failed.join(', ')}`);
  if (total.files.length > SLOWEST_FILES) tellSlowest(total.files);
  // A run is too long to look for them in it, and where it is kept, often its end alone is.
  for (const failure of total.failures) process.stdout.write(`\n✖ ${failure.slice(0, LONGEST_FAILURE)}\n`);
  return total;
}

interface Result {
  readonly name: string;
  readonly counts: TestCounts;
  readonly isOk: boolean;
  readonly isAbsent?: boolean;
}

async function runStep(
  step: Step,
  needs: readonly Promise<Result>[],
  paths: readonly string[],
  scratch: string,
  isAlone: boolean,
): Promise<Result> {
  const { name, title } = step;
  const none: TestCounts = { passed: 0, failures: [] };
  const failed = (await Promise.all(needs)).find(({ isOk }) => !isOk);
  if (failed !== undefined) {
    heading(`${name} is not run, because ${failed.name} failed`);
    return { name, counts: none, isOk: false };
  }
  const reason = step.kind === 'browser' && step.engine !== undefined ? provideEngine(step.engine) : undefined;
  if (reason !== undefined) {
    heading(`${name} is NOT RUN. To have it, ${reason}.`);
    return { name, counts: none, isOk: true, isAbsent: true };
  }

  heading(`${name}: ${title}`);
  const start = performance.now();
  // Where two steps run at once, each shows its output in one piece when it ends.
  const log = join(scratch, `${name}.log`);
  const output: Output = isAlone ? 'inherit' : openSync(log, 'w');
  const counts = step.kind === 'check' ? await runCheck(step, output) : await runTests(step, paths, scratch, output);
  if (output !== 'inherit') {
    closeSync(output);
    process.stdout.write(`\n${readFileSync(log, 'utf8')}`);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  heading(`${name}: ${counts.passed} passed, ${counts.failures.length} failed in ${seconds} s`);
  return { name, counts, isOk: counts.failures.length === 0 };
}

function tellSlowest(files: readonly FileTime[]): void {
  heading('The slowest test files');
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
}

async function runTests(suite: Suite, paths: readonly string[], scratch: string, output: Output): Promise<TestCounts> {
  const files = testFiles(suite, paths);
  if (files.length === 0) return cannotRun(`There is no test in test/{${suite.folders.join(',')}}.`);

  let browser: string | undefined;
  try {
    browser = suite.opensBrowser ? findBrowser() : undefined;
  } catch (error) {
    return cannotRun(error instanceof Error ? error.message : String(error));
  }
  return runSuite(suite, files, join(scratch, suite.name), output, browser);
}

function cannotRun(reason: string): TestCounts {
  return { passed: 0, failures: [reason] };
}

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}
