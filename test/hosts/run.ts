import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run hosts`: compiles small hosts in React, Preact, Solid, Vue and Svelte against the package as it is published, as
 * strictly as a compiler goes. Apart from `npm test`, because it installs the frameworks.
 */
const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(import.meta.dirname, 'types');

const folder = mkdtempSync(join(tmpdir(), 'vendor-inventory-hosts-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
cpSync(EXAMPLES, folder, { recursive: true });

const staged = join(folder, 'staged');
const steps: readonly (readonly [title: string, program: string, ...words: string[]])[] = [
  ['installs the frameworks', 'npm', 'ci', '--no-audit', '--no-fund', '--silent'],
  ['lays the package out', process.execPath, join(ROOT, '.ci/stage-package.js'), staged],
  [
    'installs the package',
    'npm',
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--silent',
    '--install-links',
    staged,
  ],
  ['compiles the hosts', process.execPath, join(ROOT, 'node_modules/typescript/lib/tsc.js'), '-p', folder],
];
for (const [title, program, ...words] of steps) {
  process.stdout.write(`${title} …\n`);
  const cwd = program === process.execPath && words[0]?.endsWith('stage-package.js') === true ? ROOT : folder;
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' });
  if (status === 0) continue;
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
}
process.stdout.write('1 passed, 0 failed\n');
