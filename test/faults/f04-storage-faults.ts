import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator } from './load-generator.js';
import { EarlyAnswers } from './early-answers.js';
import { UnknownOutcomes } from './needless-duplicates.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { STORAGE_FAULTS, tracedFor, whenItFails, type StorageFault } from './storage-faults.js';
import { strace, straceIsMissing, tracedBy } from './strace.js';
import { readTrace } from './trace.js';
import { judge } from './verdict.js';
import { fillDisk } from './full-disk.js';

/** The longest run with faults, in milliseconds. */
const LONGEST_LIFE_MS = 700;
/** The number of faults that count in one run, because a disk that keeps failing fails often. */
const COUNTED_IN_A_LIFE = 10;
const LINES_OF_A_LIFE = 1e9;

export const storageFaults: Scenario = {
  name: 'F4',
  title: 'storage faults, this many of each of 8 kinds',
  runs: { full: 200, quick: 0 },
  async run(trial: Trial): Promise<Findings> {
    const missing = straceIsMissing();
    if (missing !== undefined) return { counts: { faults: 0 }, broken: [missing] };
    const counts: Record<string, number> = {};
    const broken: string[] = [];
    const ways = [
      ...STORAGE_FAULTS.map((fault) => ({ name: fault.name, fail: () => failBy(fault, trial) })),
      { name: 'a full disk', fail: () => fillDisk(trial) },
    ];
    for (const { name: way, fail } of ways) {
      const found = await fail();
      for (const [name, count] of Object.entries(found.counts)) counts[name] = (counts[name] ?? 0) + count;
      broken.push(...found.broken.map((sentence) => `${way}: ${sentence}`));
      const line = Object.entries(found.counts).map(([name, count]) => `${String(count)} ${name}`);
      trial.say(`${way}: ${line.join(', ')}`);
    }
    return { counts, broken };
  },
};

async function failBy(fault: StorageFault, { runs, random, evidence, defer }: Trial): Promise<Findings> {
  const name = fault.name.replaceAll(' ', '-');
  const portal = await PortalOfRecord.open(evidence);
  defer(() => portal.close());
  const database = evidence.path(`${name}.sqlite`);
  const trace = evidence.secretPath(`${name}.trace`);
  const environment = { DATABASE_URL: `file:${database}`, UV_USE_IO_URING: '0' };
  const proxy = await ProxyProcess.at(
    { name, portalUrl: portal.url, clientSecret: portal.clientSecret, environment },
    evidence,
  );
  defer(() => proxy.kill());
  const generator = new LoadGenerator({ proxies: [proxy], random, clients: 4, items: 30, pause: 10 });
  generator.start();

  const answers = new EarlyAnswers(database);
  const counts = { faults: 0, lives: 0, 'refused starts': 0, 'ends of its own': 0, 'recoveries without a restart': 0 };
  const broken: string[] = [];
  const unknown = new UnknownOutcomes();
  unknown.listen(portal);
  let isHeard: () => void = () => undefined;
  let counted = 0;
  while (counted < runs) {
    const wrapper = strace({
      output: trace,
      calls: tracedFor(fault),
      paths: (fault.files ?? []).map((end) => database + end),
      inject: [`${fault.calls.join(',')}:${fault.outcome}:when=${whenItFails(fault.within, random)}`],
    });
    const life = unknown.begin();
    const refusal = await proxy.start([], wrapper).then(() => undefined, String);
    isHeard();
    if (refusal === undefined) await wait(random.below(LONGEST_LIFE_MS));
    const ended = !proxy.isAlive;
    if (!ended) process.kill(tracedBy(proxy.pid), random.pick(['SIGKILL', 'SIGTERM'] as const));
    const code = await proxy.gone();
    counts['refused starts'] += refusal === undefined ? 0 : 1;
    counts['ends of its own'] += refusal === undefined && ended ? 1 : 0;
    if (ended && (typeof code !== 'number' || code === 0)) broken.push(`it ended with ${String(code)}, unheard`);
    if (refusal !== undefined && !/ended with \d+: .*sqlite/s.test(refusal)) broken.push(`it said only: ${refusal}`);

    const calls = readTrace(readFileSync(trace), counts.lives * LINES_OF_A_LIFE + 1);
    rmSync(trace);
    const injected = calls.filter(({ isInjected }) => isInjected);
    // Each fault may have prevented that the outcome of a call was stored.
    isHeard = () => {
      life(injected.length);
    };
    const lastAnswer = fault.files === undefined ? answers.read(calls) : -1;
    counts['recoveries without a restart'] += lastAnswer > (injected.at(-1)?.began ?? Infinity) ? 1 : 0;
    counts.faults += injected.length;
    counts.lives += 1;
    counted += Math.min(injected.length, COUNTED_IN_A_LIFE);
    if (counts.lives > runs * 10) throw new Error(`${fault.name} does not happen: ${String(counts.faults)} times`);
  }

  await proxy.start();
  isHeard();
  await generator.stop();
  const found = await judge({ generator, portal, proxy, unknown });
  proxy.signal('SIGTERM');
  await proxy.gone();
  return {
    counts: {
      ...counts,
      'requests put off': generator.putOff,
      ...found.counts,
      'answers before the sync': answers.early.length,
    },
    broken: [...broken, ...answers.early, ...found.broken],
  };
}
