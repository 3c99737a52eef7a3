import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator } from './load-generator.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Trial } from './scenario.js';
import { judge } from './verdict.js';

/** Twice the free space that the proxy requires, plus space for a log. */
const DISK_BYTES = 192 * 1024 * 1024;
const MOST_LEFT_BYTES = 256 * 1024;
const MOST_FULL_MS = 600;
/** The time limit for the proxy to accept the next edit by itself after the disk has space again. */
const RECOVERY_MS = 60_000;
const BLOCK = Buffer.alloc(1024 * 1024);

/**
 * A separate disk that is filled to the last byte again and again, faster than the proxy checks its free space. On it,
 * writes fail in the middle of a page, as on real disks.
 */
export async function fillDisk({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
  const folder = evidence.path('small-disk');
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(DISK_BYTES)}`, 'tmpfs', folder]);
  if (mounted.status !== 0) {
    say('a full disk: not run, because only root may mount a small disk');
    return { counts: { 'full disks not run': runs }, broken: [] };
  }
  defer(() => spawnSync('umount', [folder]));
  const portal = await PortalOfRecord.open(evidence);
  defer(() => portal.close());
  const proxy = await ProxyProcess.at(
    {
      name: 'full-disk',
      portalUrl: portal.url,
      clientSecret: portal.clientSecret,
      environment: { DATABASE_URL: `file:${join(folder, 'inventory.sqlite')}` },
    },
    evidence,
  );
  defer(() => proxy.kill());
  const generator = new LoadGenerator({ proxies: [proxy], random, clients: 4, items: 30 });
  await proxy.start();
  generator.start();

  const ballast = join(folder, 'ballast');
  const counts = { faults: 0, 'refused starts': 0, 'ends of its own': 0, 'recoveries without a restart': 0 };
  const broken: string[] = [];
  for (; counts.faults < runs && broken.length === 0; counts.faults += 1) {
    fill(folder, ballast, random.below(MOST_LEFT_BYTES));
    await wait(random.below(MOST_FULL_MS));
    const end = random.pick([undefined, undefined, 'SIGKILL', 'SIGTERM'] as const);
    if (end !== undefined) {
      proxy.signal(end);
      await proxy.gone();
      const refusal = await proxy.start().then(() => undefined, String);
      if (refusal !== undefined && !/ended with [1-9]\d*: .*sqlite/s.test(refusal))
        broken.push(`it said only: ${refusal}`);
      counts['refused starts'] += refusal === undefined ? 0 : 1;
    }
    const wasAlive = proxy.isAlive;
    if (end === undefined && !wasAlive) counts['ends of its own'] += 1;
    rmSync(ballast);
    if (!wasAlive) await proxy.start();
    if (!(await takesMore(generator)))
      broken.push(`took nothing in for ${String(RECOVERY_MS)} ms after it had room again`);
    else counts['recoveries without a restart'] += wasAlive ? 1 : 0;
  }

  if (broken.length > 0) return { counts, broken };
  await generator.stop();
  const found = await judge({ generator, portal, proxy });
  proxy.signal('SIGTERM');
  await proxy.gone();
  return { counts: { ...counts, 'requests put off': generator.putOff, ...found.counts }, broken: found.broken };
}

function fill(folder: string, path: string, left: number): void {
  const file = openSync(path, 'w');
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder);
      const more = Math.min(bavail * bsize - left, BLOCK.length);
      if (more <= 0) return;
      writeSync(file, BLOCK, 0, more);
    }
  } catch (error) {
    // The proxy took the last bytes.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

async function takesMore(generator: LoadGenerator): Promise<boolean> {
  const before = generator.acknowledged.length;
  const deadline = Date.now() + RECOVERY_MS;
  while (generator.acknowledged.length === before) {
    if (Date.now() > deadline) return false;
    await wait(20);
  }
  return true;
}
