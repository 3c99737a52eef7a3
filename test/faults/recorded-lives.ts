import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Crowd } from './crowd.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Trial } from './scenario.js';
import { DISK_AND_SOCKETS, strace, tracedBy } from './strace.js';
import { readTrace, type SystemCall } from './trace.js';
import { judge } from './verdict.js';

export interface Life {
  /** How many edits are acknowledged in it, at least. */
  readonly edits: number;
  readonly end: 'stop' | 'crash';
}

export interface Recording {
  readonly calls: readonly SystemCall[];
  readonly database: string;
  /** The crowd's judgement over the whole run. */
  readonly findings: Findings;
}

export interface LivesOptions {
  /** Of the files that it leaves. */
  readonly name: string;
  readonly lives: readonly Life[];
  /** Words for Node. */
  readonly node?: readonly string[];
}

/** Some lives of the built proxy on one database under strace, with vendors at work. */
export async function recordLives(
  { evidence, random, defer }: Trial,
  { name, lives, node }: LivesOptions,
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
      wrapper: strace({ output: trace, calls: DISK_AND_SOCKETS }),
      ...(node !== undefined && { node }),
    },
    evidence,
  );
  defer(() => proxy.kill());
  const crowd = new Crowd({ proxies: [proxy], random, clients: 6, items: 30 });
  let findings: Findings = { counts: {}, broken: [] };
  for (const { edits, end } of lives) {
    await proxy.start();
    const target = crowd.acknowledged.length + edits;
    crowd.start();
    while (crowd.acknowledged.length < target) await wait(20);
    await crowd.stop();
    // At rest, so that no call is cut in two: what a call that was killed has done, no trace tells.
    findings = await judge({ crowd, portal, proxy });
    if (end === 'stop') proxy.signal('SIGTERM');
    else process.kill(tracedBy(proxy.pid), 'SIGKILL');
    await proxy.gone();
  }
  const calls = readTrace(readFileSync(trace));
  rmSync(trace);
  return { calls, database, findings };
}
