import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PEERS = join(import.meta.dirname, '../peers');

/** The packages that we compare ourselves with, at the versions of their own lock file; installed when first needed. */
export function installPeers(): void {
  if (existsSync(join(PEERS, 'node_modules/.package-lock.json'))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('npm ci in test/peers failed');
}
