import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator } from './load-generator.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Trial } from './scenario.js';
import { DISK_AND_SOCKETS, strace, tracedBy } from './strace.js';
import { readTrace, type SystemCall } from './trace.js';
import { judge } from './verdict.js';

export type Life =
  /** The run ends when this many batches are answered and all edits are settled. */
  | { readonly answers: number; readonly end: 'stop' | 'crash' }
  /** The run ends by an injection of strace, with requests in flight, which are repeated in the next run. */
  | { readonly inject: readonly string[] };

export interface Recording {
  readonly calls: readonly SystemCall[];
  readonly database: string;
  /** The verdict over all runs. */
  readonly findings: Findings;
}

export interface LivesOptions {
  /** The name of the files. */
  readonly name: string;
  readonly lives: readonly Life[];
  /** Arguments for Node. */
  readonly node?: readonly string[];
}

const LONGEST_LIFE_MS = 60_000;
/** The size of a bulk batch, which needs more than one page of the file. */
const BULK = 80;

/** A run that is killed between the write of the log and its sync. */
export const KILLED_IN_A_SYNC: Life = { inject: ['fsync,fdatasync:signal=SIGKILL:when=30'] };

/** A run that is killed after syncs have failed for some time. */
export const KILLED_AFTER_FAILED_SYNCS: Life = {
  inject: ['fsync,fdatasync:error=EIO:when=30+', 'writev:signal=SIGKILL:when=80'],
};

/** Records several runs of the built proxy on one database under strace, with the load generator. */
export async function recordLives(
  { evidence, random, defer }: Trial,
  { name, lives, node = [] }: LivesOptions,
): Promise<Recording> {
  const portal = await PortalOfRecord.open(evidence);
  defer(() => portal.close());
  const database = evidence.path(`${name}.sqlite`);
  // The trace is in the folder of secrets, because it contains all bytes of the sockets.
  const trace = evidence.secretPath(`${name}.trace`);
  const proxy = await ProxyProcess.at(
    {
      name,
      portalUrl: portal.url,
      clientSecret: portal.clientSecret,
      environment: { DATABASE_URL: `file:${database}`, UV_USE_IO_URING: '0' },
    },
    evidence,
  );
  defer(() => proxy.kill());
  const generator = new LoadGenerator({ proxies: [proxy], random, clients: 6, items: 30, bulk: BULK });
  let findings: Findings = { counts: {}, broken: [] };
  let atWork = false;
  for (const life of lives) {
    const inject = 'inject' in life ? life.inject : [];
    await proxy.start(node, strace({ output: trace, calls: DISK_AND_SOCKETS, inject }));
    if (!atWork) generator.start();
    atWork = 'inject' in life;
    if ('inject' in life) {
      const end = await Promise.race([proxy.gone(), wait(LONGEST_LIFE_MS, 'still alive', { ref: false })]);
      if (end !== 'SIGKILL') throw new Error(`strace should have killed the proxy: ${String(end)}`);
      continue;
    }
    const target = generator.answered + life.answers;
    while (generator.answered < target) await wait(20);
    await generator.stop();
    // All edits are settled, so that no write is interrupted: a trace does not show the effect of an interrupted call.
    findings = await judge({ generator, portal, proxy });
    if (life.end === 'stop') proxy.signal('SIGTERM');
    else process.kill(tracedBy(proxy.pid), 'SIGKILL');
    await proxy.gone();
  }
  const calls = readTrace(readFileSync(trace));
  rmSync(trace);
  return { calls, database, findings };
}
