import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../support/find-browser.js';
import { runSuite } from '../support/run-step.js';
import { testFiles } from '../support/test-files.js';

/**
 * `npm run hosts`: small hosts in React, Vue, Svelte and Next, and pages with Turbo and htmx. They get the packages as
 * npm packs them, in a folder outside of this repository, so that they cannot use its files. Their types are checked in
 * the strictest mode, and then they are tested in a browser. It is no part of `npm test`, because it installs the
 * frameworks.
 */
const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['vendor-inventory-widget', 'vendor-inventory-proxy', 'vendor-inventory-session'];
const SUITE = { kind: 'node', name: 'hosts', title: 'hosts in a browser', folders: ['hosts'], filesAtOnce: 1 } as const;

const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-hosts-'));
const packed = join(folder, 'packed');

/** Each returns whether it succeeded. */
const STEPS: readonly (readonly [title: string, run: () => boolean])[] = [
  ['packs the packages', () => PACKAGES.every(pack)],
  ['installs the frameworks', () => npm('ci')],
  ['installs the packages', () => npm('install', '--no-save', ...globSync('*.tgz', { cwd: packed }).map(inPacked))],
  ['checks the types of the hosts', () => npm('run', '--silent', 'types')],
  ['checks the types of the packages', () => npm('run', '--silent', 'packages')],
  ['builds the hosts', () => npm('run', '--silent', 'build')],
];

process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
process.chdir(ROOT);
process.env['HOSTS_FOLDER'] = folder;
process.env['NEXT_TELEMETRY_DISABLED'] = '1';
process.exitCode = await main(process.argv.slice(2));

/** @param paths test files. Default: all. */
async function main(paths: readonly string[]): Promise<number> {
  cpSync(join(import.meta.dirname, 'apps'), folder, { recursive: true });
  mkdirSync(packed);
  const failed = STEPS.find(([title, run]) => {
    process.stdout.write(`${title} …\n`);
    return !run();
  });
  const { passed, failures } =
    failed === undefined
      ? await runSuite(SUITE, testFiles(SUITE, paths), join(folder, 'counts'), 'inherit', findBrowser())
      : { passed: 0, failures: [failed[0]] };
  process.stdout.write(`\n${String(passed)} passed, ${String(failures.length)} failed\n`);
  return failures.length === 0 ? 0 : 1;
}

/** Packs a package as the release does. */
function pack(name: string): boolean {
  const staged = join(packed, name);
  return (
    succeeds(ROOT, process.execPath, '.ci/stage-package.js', staged, name) &&
    succeeds(packed, 'npm', 'pack', '--silent', staged)
  );
}

function inPacked(name: string): string {
  return join(packed, name);
}

function npm(...words: readonly string[]): boolean {
  return succeeds(folder, 'npm', '--no-audit', '--no-fund', '--loglevel=error', ...words);
}

function succeeds(cwd: string, program: string, ...words: readonly string[]): boolean {
  return spawnSync(program, words, { cwd, stdio: 'inherit' }).status === 0;
}
