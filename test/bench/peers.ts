import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PEERS = join(import.meta.dirname, '../peers');

/** Installs the packages for the comparison at the versions of their lock file, when they are needed first. */
export function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules/.package-lock.json'))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('npm ci in test/peers failed');
}
