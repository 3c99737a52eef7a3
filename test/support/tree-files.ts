import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** The files that are committed or would be. In a copy without git, all files except those that tools create. */
export function treeFiles(): string[] {
  if (!existsSync('.git')) return walk('.');
  const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  return git.status === 0 ? git.stdout.split('\0').filter(isFile) : walk('.');
}

/** Git also lists deleted files, and a linked folder. */
function isFile(path: string): boolean {
  return path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]));
}
