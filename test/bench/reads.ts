import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Benchmark, Finding } from './benchmark.js';
import { fill } from './outbox-load.js';
import { openProxyFixture, ORIGIN, type ProxyFixture } from './proxy-fixture.js';
import { statusOf, type LoadOrder, type LoadReport } from './reads-load.js';

/** The items of eight vendors, so that the listing of each has several full pages. */
const ITEMS = 40_000;
const CONNECTIONS = [64, 512] as const;
const SECONDS = 10;
const PAUSE_MS = 50;
const MAX_P99_MS = 2_000;
const MAX_MIB = 256;
/** No server listens on the discard port (RFC 863). */
const DEAD_PORTAL = 'http://127.0.0.1:9';

interface Call {
  readonly port: number;
  readonly token: string;
  readonly agent: Agent;
}

/** The latency of an edit of another vendor while one token reads on many connections, and the memory of the proxy. */
export const reads: Benchmark = {
  name: 'reads',
  title: 'a post of one vendor while another reads on many connections, compared with its limits',
  async run() {
    const findings: Finding[] = [];
    for (const connections of CONNECTIONS) findings.push(...(await measure(connections)));
    return findings;
  },
};

async function measure(connections: number): Promise<Finding[]> {
  const fixture = await openProxyFixture({
    portalUrl: DEAD_PORTAL,
    async before(database) {
      const outbox = openSqliteOutbox(database);
      await fill(outbox, ITEMS);
      await outbox.close();
    },
  });
  try {
    const { p99, answered, refused, mebibytes } = await generateLoad(fixture, connections);
    const figures = `${String(answered)} pages read, ${String(refused)} refused`;
    const what = `beside ${String(connections)} connections of reads`;
    return [
      {
        what: `99th percentile of a post ${what}`,
        ratio: p99 / MAX_P99_MS,
        target: { atMost: 1 },
        figures: `${p99.toFixed(0)} ms; ${figures}`,
      },
      {
        what: `resident memory ${what}`,
        ratio: mebibytes / MAX_MIB,
        target: { atMost: 1 },
        figures: `${mebibytes.toFixed(0)} MiB at most`,
      },
    ];
  } finally {
    await fixture.end();
  }
}

async function generateLoad({ proxy, tokens }: ProxyFixture, connections: number) {
  const { port } = proxy;
  const [, reader = '', writer = ''] = await tokens(3);
  const child = fork(join(import.meta.dirname, 'reads-load.ts'), { execArgv: ['--import', 'tsx'] });
  const order: LoadOrder = { port, origin: ORIGIN, token: reader, connections, seconds: SECONDS };
  child.send(order);
  let report: LoadReport | undefined;
  child.once('message', (sent: LoadReport) => (report = sent));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let made = 0; report === undefined; made += 1) {
    if (child.exitCode !== null) throw new Error('the load generator ended without a report');
    const started = performance.now();
    const status = await post({ port, token: writer, agent }, made);
    if (status !== 202) throw new Error(`a post was answered with ${String(status)}`);
    times.push(performance.now() - started);
    await wait(PAUSE_MS);
  }
  agent.destroy();
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity;
  return { p99, ...report, mebibytes: peakMebibytes(proxy.pid) };
}

function post({ port, token, agent }: Call, made: number): Promise<number | undefined> {
  const id = `cabin-${String(made)}`;
  const body = JSON.stringify({ inventory: [{ id, available: true, updated_at: new Date().toISOString() }] });
  const headers = {
    Origin: ORIGIN,
    Authorization: `Bearer ${token}`,
    'X-Requested-With': 'inventory-widget',
    'Content-Type': 'application/json',
    'Idempotency-Key': `key-of-${id}`,
    'Content-Length': String(body.length),
  };
  return statusOf(request({ port, agent, method: 'POST', path: '/v1/inventory', headers }), body);
}

/** The peak memory of a process, as Linux counts it. */
function peakMebibytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1024;
}
