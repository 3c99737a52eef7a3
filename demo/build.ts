import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The first half of `npm start`: builds what the demo needs and reports it. It skips the build if no source has changed
 * since the last one.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
/** An empty file whose time is that of the last successful build. */
const STAMP = join(root, 'dist/.built-for-start');
const SOURCES = ['src', 'demo', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'];
const NEEDED = ['dist/widget/widget.js', 'dist/proxy/node/cli/bin.js', 'dist/demo/page.js'].map((path) =>
  join(root, path),
);

const STEPS: readonly (readonly [title: string, program: string, ...words: string[]])[] = [
  ['the elements, the proxy and the page', 'typescript/bin/tsc', '-b', 'src', 'src/proxy/node', 'demo/page', 'demo'],
  ['the script that pages load', 'vite/bin/vite.js', 'build', '--logLevel', 'warn'],
];

function newestChange(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  // Removing a file changes the time of its folder.
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

function isBuilt(): boolean {
  if (![STAMP, ...NEEDED].every((path) => existsSync(path))) return false;
  const builtAt = statSync(STAMP).mtimeMs;
  return SOURCES.every((source) => newestChange(join(root, source)) <= builtAt);
}

if (isBuilt()) {
  process.stdout.write('Nothing has changed since the last build.\n');
} else {
  const began = performance.now();
  // The time of the start: a file that changes during the build is newer, so the next start builds it.
  const startedAt = Date.now();
  for (const [at, [title, program, ...words]] of STEPS.entries()) {
    process.stdout.write(`Building ${title} (${String(at + 1)} of ${String(STEPS.length)}) …\n`);
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...words], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (status === 0) continue;
    process.stderr.write(`${stdout}\nThe build failed: the lines above say why.\n`);
    process.exit(1);
  }
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt / 1000, startedAt / 1000);
  process.stdout.write(`Built in ${((performance.now() - began) / 1000).toFixed(0)} s.\n`);
}
