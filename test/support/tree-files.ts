import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** The files that are or would be committed. A copy without git is walked, without what tools put there. */
export function treeFiles(): string[] {
  if (!existsSync('.git')) return walk('.');
  const git = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  return git.status === 0 ? git.stdout.split('\0').filter(isFile) : walk('.');
}

/** Git's list also has what was deleted since, and a linked folder. */
function isFile(path: string): boolean {
  return path !== '' && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_OURS.has(name))
    .flatMap((entry) => (entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)]));
}
