import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @returns the paths at which programs of these names may be, those of the first name first */
export function onPath(names: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

export function tellsItsVersion(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 120_000 }).status === 0;
}

/** Whether this process may install Debian's packages. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

export function aptInstall(...packages: readonly string[]): boolean {
  process.stdout.write(`apt-get installs ${packages.join(' ')}.\n`);
  return aptGet('update') && aptGet('install', '-y', ...packages);
}

function aptGet(...words: string[]): boolean {
  // dpkg writes to stdout even in quiet mode. Errors go to stderr, which stays visible.
  const { status } = spawnSync('apt-get', ['-qq', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
