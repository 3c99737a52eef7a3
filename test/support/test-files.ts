import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Suite } from './steps.js';

/** @returns the test files of a suite, all or only those at or below the given paths, in a fixed order */
export function testFiles(
  { folders, files = /./ }: Pick<Suite, 'folders' | 'files'>,
  paths: readonly string[],
): string[] {
  const wanted = paths.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
  return folders
    .map((folder) => `test/${folder}`)
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { encoding: 'utf8', recursive: true }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.ts') && files.test(file))
    .filter((file) => wanted.length === 0 || wanted.some((path) => file === path || file.startsWith(`${path}/`)))
    .sort();
}
