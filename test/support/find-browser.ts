import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/**
 * The path of a Chromium that starts: `CHROME_PATH`, one on the PATH, or Debian's own, where we may install it. A name
 * proves nothing (Ubuntu's `chromium-browser` may only ask for a snap), so a candidate must tell its version.
 */
export function findBrowser(): string {
  const found = installedBrowser() ?? (canInstall() ? installBrowser() : undefined);
  if (found === undefined) {
    throw new Error('No browser found: install Chromium, or set CHROME_PATH to the path of one.');
  }
  return found;
}

function installedBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'] ?? '';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [named, ...candidates].find(tellsItsVersion);
}

function tellsItsVersion(path: string): boolean {
  return existsSync(path) && spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

function installBrowser(): string | undefined {
  process.stdout.write('No browser found: apt-get installs chromium.\n');
  return aptGet('update') && aptGet('install', '-y', 'chromium') ? installedBrowser() : undefined;
}

function aptGet(...words: string[]): boolean {
  // dpkg talks on stdout even when it is told to be quiet. What goes wrong comes by stderr and stays.
  const { status } = spawnSync('apt-get', ['-qq', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}
