import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run mutants`: StrykerJS puts one small fault after the other into the rules of a part, and runs the tests of that
 * part. A fault that no test notices is a missing test or needless code. Apart from `npm test`, because it takes long.
 */
interface Part {
  readonly name: string;
  readonly mutate: readonly string[];
  /** Run in Node, each test file against the faults that it reaches. */
  readonly tests?: readonly string[];
  /** Run in a browser, all of them against each fault. */
  readonly browserTests?: readonly string[];
}

const PARTS: readonly Part[] = [
  {
    name: 'domain',
    mutate: ['src/domain/*.ts'],
    tests: ['test/domain/*.test.ts', 'test/contract/*.test.ts'],
  },
  {
    name: 'policy',
    mutate: ['src/proxy/delivery/policy.ts'],
    tests: ['test/proxy/delivery/{lane-policy,refusal-streak}.test.ts'],
  },
  {
    name: 'tokens',
    mutate: ['src/proxy/portal/token-cache.ts'],
    tests: ['test/proxy/portal/token-{cache,interleavings}.test.ts'],
  },
  {
    name: 'sessions',
    mutate: ['src/proxy/access/{embed-token,permissions,session-scope}.ts'],
    tests: [
      'test/proxy/access/{embed-token,embed-token-keys,explained-refusals,permissions}.test.ts',
      'test/proxy/access/{remote-keys,session-cache,session-scope,sign-embed-token}.test.ts',
    ],
  },
  {
    name: 'queue',
    mutate: ['src/client/queue/{batches,edit-queue,handover,rejected-batch}.ts'],
    browserTests: [
      'test/client/queue/edit-queue.test.ts',
      'test/client/queue/handover.test.ts',
      'test/client/queue/known-rows.test.ts',
      'test/client/queue/queue-promises.test.ts',
    ],
  },
  {
    name: 'drafts',
    mutate: ['src/client/editor/draft*.ts'],
    browserTests: ['test/client/editor/draft.test.ts', 'test/client/editor/draft-keeper.test.ts'],
  },
];

/** The share of faults in percent that the tests of a part must notice. */
const LEAST_SCORE = 90;

const HELP = `npm run mutants                           all parts
npm run mutants -- --only domain          one part
npm run mutants -- --only domain --mutate src/domain/item.ts
                                          one file of it, or a range of lines as in src/domain/item.ts:40-48

Parts: ${PARTS.map(({ name }) => name).join(', ')}
`;

const TOOL = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');

process.chdir(join(import.meta.dirname, '../..'));
process.exitCode = main(process.argv.slice(2));

function main(args: string[]): number {
  const { values: options } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      mutate: { type: 'string', multiple: true },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = options.only.filter((name) => !PARTS.some((part) => part.name === name));
  const isUnclear = unknown.length > 0 || (options.mutate !== undefined && options.only.length !== 1);
  if (options.help || isUnclear) {
    process.stdout.write(HELP);
    return isUnclear ? 2 : 0;
  }
  installTool();
  const chosen = PARTS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const weak = chosen.filter((part) => !isStrong({ ...part, mutate: options.mutate ?? part.mutate }));
  process.stdout.write(`\n${String(chosen.length - weak.length)} passed, ${String(weak.length)} failed\n`);
  return weak.length > 0 ? 1 : 0;
}

function isStrong({ name, mutate, tests = [], browserTests = [] }: Part): boolean {
  process.stdout.write(`\n== ${name}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-mutants-'));
  const file = join(folder, 'stryker.config.json');
  const config = {
    ...(tests.length > 0 ? inNode(tests) : inBrowser(browserTests)),
    mutate,
    ignorePatterns: ['dist', 'test/{hosts,mutants,peers}'],
    tempDirName: join(folder, 'sandbox'),
    // A fault may be one of types alone: the tests run without a check of types.
    disableTypeChecks: true,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false },
    thresholds: { high: 95, low: LEAST_SCORE, break: LEAST_SCORE },
  };
  writeFileSync(file, JSON.stringify(config));
  try {
    return spawnSync(process.execPath, [TOOL, 'run', file], { stdio: 'inherit' }).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inNode(tests: readonly string[]): object {
  return {
    testRunner: 'tap',
    tap: {
      testFiles: tests,
      nodeArgs: ['--import', 'tsx', '-r', '{{hookFile}}', '--test-reporter=tap', '{{testFile}}'],
    },
  };
}

/** The page learns from the configuration of the browser tests which fault is in force. */
function inBrowser(tests: readonly string[]): object {
  return {
    testRunner: 'command',
    commandRunner: { command: `npm test -- ${tests.join(' ')}` },
  };
}

function installTool(): void {
  if (existsSync(TOOL)) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('npm ci in test/mutants failed');
}
