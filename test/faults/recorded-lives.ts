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
  /** Ends when so many batches are answered and all is at rest. */
  | { readonly answers: number; readonly end: 'stop' | 'crash' }
  /** Ends by what strace does to it, with requests under way that the next life hears again. */
  | { readonly inject: readonly string[] };

export interface Recording {
  readonly calls: readonly SystemCall[];
  readonly database: string;
  /** The generator's judgement over the whole run. */
  readonly findings: Findings;
}

export interface LivesOptions {
  /** Of the files that it leaves. */
  readonly name: string;
  readonly lives: readonly Life[];
  /** Words for Node. */
  readonly node?: readonly string[];
}

const LONGEST_LIFE_MS = 60_000;
/** Edits of a batch that no hand makes: more pages of the file than one. */
const BULK = 80;

/** Killed after the log was written and before its sync. */
export const KILLED_IN_A_SYNC: Life = { inject: ['fsync,fdatasync:signal=SIGKILL:when=30'] };

/** Killed when for some time no sync has worked. */
export const KILLED_AFTER_FAILED_SYNCS: Life = {
  inject: ['fsync,fdatasync:error=EIO:when=30+', 'writev:signal=SIGKILL:when=80'],
};

/** Some lives of the built proxy on one database under strace, with vendors at work. */
export async function recordLives(
  { evidence, random, defer }: Trial,
  { name, lives, node = [] }: LivesOptions,
): Promise<Recording> {
  const portal = await PortalOfRecord.open(evidence);
  defer(() => portal.close());
  const database = evidence.path(`${name}.sqlite`);
  // Where secrets may lie: it holds all that went through the sockets.
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
    // At rest, so that no write is cut in two: what a call that was killed has done, no trace tells.
    findings = await judge({ generator, portal, proxy });
    if (life.end === 'stop') proxy.signal('SIGTERM');
    else process.kill(tracedBy(proxy.pid), 'SIGKILL');
    await proxy.gone();
  }
  const calls = readTrace(readFileSync(trace));
  rmSync(trace);
  return { calls, database, findings };
}
