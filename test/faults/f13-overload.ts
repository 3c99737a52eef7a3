import Database from 'better-sqlite3';
import { setTimeout as wait } from 'node:timers/promises';
import { receipts } from '../../src/contract/widget.js';
import { parseUntrustedJson } from '../../src/proxy/runtime/untrusted-json.js';
import { MetricsWatch } from './metrics-watch.js';
import { LoadGenerator } from './load-generator.js';
import { goodRequest } from './good-request.js';
import { bytesOf } from './malformed-requests.js';
import { peakMemoryMiB } from './memory.js';
import { PortalOfRecord } from './portal-of-record.js';
import { HOST_ORIGIN, ProxyProcess } from './proxy-process.js';
import { exchange } from './raw-http.js';
import { dripping } from './slow-clients.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

const MOST_MEMORY_MIB = 256;
const NORMAL_P99_MS = 2_000;
const SLOW_CLIENTS = 500;
const TIMES_TOO_MUCH = 5;
const BATCH = 20;
/** The connections of one person who reads full pages without a pause. */
const READERS = 64;

/** The requests, and how the proxy answered them. */
interface Load {
  sent: number;
  accepted: string[];
  refused: number;
  late: number;
  cut: number;
  pages: number;
  readsRefused: number;
  readonly broken: string[];
}

export const overload: Scenario = {
  name: 'F13',
  title: 'five times the capacity of the proxy, 500 slow clients and 64 connections of reads, for this many seconds',
  runs: { full: 30, quick: 0 },
  async run({ runs: seconds, random, evidence, defer, say }: Trial): Promise<Findings> {
    const portal = await PortalOfRecord.open(evidence);
    defer(() => portal.close());
    const proxy = await ProxyProcess.at({ portalUrl: portal.url, clientSecret: portal.clientSecret }, evidence);
    defer(() => proxy.kill());
    await proxy.start();
    const port = Number(new URL(proxy.url).port);
    const load: Load = { sent: 0, accepted: [], refused: 0, late: 0, cut: 0, pages: 0, readsRefused: 0, broken: [] };

    // The capacity is what eight clients, which wait for their responses, send in two seconds.
    const before = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => ask(port, proxy, load, before + 2_000)));
    const capacity = load.accepted.length / BATCH / 2;
    say(`capacity: ${String(Math.round(capacity))} batches per second`);

    const slow = dripping(port, SLOW_CLIENTS, await proxy.tokenOf('slow'));
    defer(() => slow.close());
    const generator = new LoadGenerator({ proxies: [proxy], random, clients: 1, items: 10, pause: 100 });
    const normal = timed(generator);
    const watch = new MetricsWatch(proxy.metricsUrl, evidence, () => ({
      answered: load.accepted.length + generator.acknowledged.length,
      sent: load.sent * BATCH + generator.made.length,
    }));
    generator.start();
    watch.start();
    const end = performance.now() + seconds * 1000;
    const asking: Promise<void>[] = [];
    const reading = Promise.all(Array.from({ length: READERS }, () => readUntil(proxy, end, load)));
    const interval = 1000 / (capacity * TIMES_TOO_MUCH);
    for (let due = performance.now(); due < end; due += interval) {
      if (due > performance.now()) await wait(due - performance.now());
      asking.push(askOnce(port, proxy, load));
    }
    const peak = peakMemoryMiB(proxy.pid);
    await Promise.all([...asking, reading]);
    slow.close();
    await generator.stop();
    await watch.stop();
    const latency = normal();

    const { counts, broken } = await judge({ generator, portal, proxy, mayPark: () => false });
    const lost = await lostOf(proxy, load.accepted);
    await proxy.kill();
    const book = bookOf(evidence.path('inventory.sqlite'));
    const all = load.accepted.length + generator.acknowledged.length;
    // A batch without a response may have been accepted as well.
    const most = all + load.cut * BATCH;
    return {
      counts: {
        seconds,
        'batches per second as the only load': Math.round(capacity),
        'batches sent': load.sent,
        'edits accepted': load.accepted.length,
        'batches refused': load.refused,
        'batches that were sent too slowly': load.late,
        'batches cut': load.cut,
        'slow clients': slow.count,
        'pages read': load.pages,
        'reads refused': load.readsRefused,
        'ms p99 of a normal user': latency,
        'MiB at most': peak,
        'checks of the metrics': watch.checks,
        ...counts,
      },
      broken: [
        ...broken,
        ...load.broken,
        ...watch.broken,
        ...(book.accepted >= all && book.accepted <= most
          ? []
          : [`${String(all)} to ${String(most)} edits were accepted, and the database has ${String(book.accepted)}`]),
        ...(book.accepted === book.kept
          ? []
          : [`of ${String(book.accepted)} accepted edits ${String(book.kept)} are kept`]),
        ...(lost === 0 ? [] : [`${String(lost)} edits were accepted and are unknown`]),
        ...(latency < NORMAL_P99_MS ? [] : [`a normal user waits ${String(latency)} ms`]),
        ...(peak < MOST_MEMORY_MIB ? [] : [`the proxy took ${String(peak)} MiB`]),
      ],
    };
  },
};

async function ask(port: number, proxy: ProxyProcess, load: Load, until: number): Promise<void> {
  while (performance.now() < until) await askOnce(port, proxy, load);
}

async function askOnce(port: number, proxy: ProxyProcess, load: Load): Promise<void> {
  load.sent += 1;
  const ids = Array.from({ length: BATCH }, (_, at) => `load-${String((load.sent * BATCH + at) % 5000)}`);
  const bytes = bytesOf(goodRequest(ids, await proxy.tokenOf('many')));
  const { answers } = await exchange(port, bytes, `127.0.0.${String(2 + (load.sent % 200))}`, 60_000);
  const [answer] = answers;
  if (answer === undefined) load.cut += 1;
  else if (answer.status === 202)
    load.accepted.push(...receipts.parse(parseUntrustedJson(answer.body)).receipts.map(({ edit_id }) => edit_id));
  else if ((answer.status === 503 || answer.status === 429) && answer.headers.has('retry-after')) load.refused += 1;
  // This process is as busy as the proxy: a request that it takes more than ten seconds to send counts as a slow
  // client.
  else if (answer.status === 408) load.late += 1;
  else load.broken.push(`a good batch was answered with ${String(answer.status)}`);
}

async function readUntil(proxy: ProxyProcess, end: number, load: Load): Promise<void> {
  const headers = { Origin: HOST_ORIGIN, Authorization: `Bearer ${await proxy.tokenOf('reader')}` };
  while (performance.now() < end) {
    const answer = await fetch(`${proxy.url}/v1/inventory?limit=1000`, { headers });
    await answer.arrayBuffer();
    if (answer.status === 200) load.pages += 1;
    else if (answer.status === 429 && answer.headers.has('retry-after')) load.readsRefused += 1;
    else load.broken.push(`a read was answered with ${String(answer.status)}`);
    // A page waits longer after a refusal.
    if (answer.status !== 200) await wait(100);
  }
}

/** @returns the 99th percentile of the latency of a normal user */
function timed(generator: LoadGenerator): () => number {
  const started = new Map<string, number>();
  const waited: number[] = [];
  const watch = setInterval(() => {
    for (const { edit_id, receipt } of generator.made) {
      if (!started.has(edit_id)) started.set(edit_id, performance.now());
      else if (receipt !== undefined && !Number.isNaN(started.get(edit_id))) {
        waited.push(performance.now() - (started.get(edit_id) ?? 0));
        started.set(edit_id, NaN);
      }
    }
  }, 5);
  return () => {
    clearInterval(watch);
    return Math.round(waited.sort((a, b) => a - b)[Math.floor(waited.length * 0.99)] ?? 0);
  };
}

/** @returns how many of these edits the proxy has lost */
async function lostOf(proxy: ProxyProcess, editIds: readonly string[]): Promise<number> {
  let known = 0;
  for (let from = 0; from < editIds.length; from += 100) {
    const ids = editIds.slice(from, from + 100).join(',');
    const headers = { Origin: HOST_ORIGIN, Authorization: `Bearer ${await proxy.tokenOf('judge')}` };
    const answer = await fetch(`${proxy.url}/v1/receipts?ids=${ids}`, { headers });
    known += receipts.parse(await answer.json()).receipts.length;
  }
  return editIds.length - known;
}

/** The counts in the database: all accepted edits, and the sum of all states. */
function bookOf(database: string): { readonly accepted: number; readonly kept: number } {
  const file = new Database(database);
  try {
    const kept = 'sum(received + delivered + parked + superseded + discarded + pruned)';
    const row = file
      .prepare<[], { accepted: number; kept: number }>(
        `SELECT sum(last_number) AS accepted, ${kept} AS kept FROM vendor`,
      )
      .get();
    return row ?? { accepted: -1, kept: -1 };
  } finally {
    file.close();
  }
}
