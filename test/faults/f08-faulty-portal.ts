import { readFileSync } from 'node:fs';
import { BODY_KINDS } from './f08-bodies.js';
import { STATUS_KINDS } from './f08-statuses.js';
import { WIRE_KINDS } from './f08-wire.js';
import { LoadGenerator } from './load-generator.js';
import { givenUp } from './given-up.js';
import { FaultField } from './fault-field.js';
import type { FaultKind } from './fault-kind.js';
import { peakMemoryMiB } from './memory.js';
import { PortalOfRecord } from './portal-of-record.js';
import { HOST_ORIGIN, ProxyProcess } from './proxy-process.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

const KINDS: readonly FaultKind[] = [...STATUS_KINDS, ...WIRE_KINDS, ...BODY_KINDS];
const MOST_MEMORY_MIB = 256;
/** The number of proxies with their portals that run at once. In the quick part all do, because most of them wait. */
const MOST_AT_ONCE = 3;
const SPELL_TIMEOUT_MS = 5 * 60_000;
const SKIP_WAITS = ['--experimental-strip-types', '--import', new URL('skip-waits.ts', import.meta.url).href];

/** A short call timeout, so that faults that last until the timeout are over soon. */
const SHORT_CALL_MS = 400;
const CALL_MS = 5_000;
/** The pause between two batches of a client. */
const PAUSE_MS = 20;
const LONG_SPELL_PAUSE_MS = 300;

export const faultyPortal: Scenario = {
  name: 'F8',
  title: `a faulty portal over sockets, ${String(KINDS.length)} kinds of fault`,
  runs: { full: KINDS.length * 200, quick: KINDS.length },
  async run(trial: Trial): Promise<Findings> {
    const each = Math.max(1, Math.round(trial.runs / KINDS.length));
    // A proxy without an earlier success is the most cautious one, but a start for each kind would take long.
    const groups = trial.isQuick ? shareOut(KINDS) : KINDS.map((kind) => [kind]);
    const found: Findings[] = [];
    const left = [...groups.entries()];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        found.push(await suffer(next[1], each, `portal-${String(next[0])}`, trial));
    };
    await Promise.all(Array.from({ length: trial.isQuick ? groups.length : MOST_AT_ONCE }, work));
    return { counts: { kinds: KINDS.length, ...sum(found) }, broken: found.flatMap(({ broken }) => broken) };
  },
};

/** One proxy and its portal through these kinds of fault, one after the other. */
async function suffer(kinds: readonly FaultKind[], each: number, name: string, trial: Trial): Promise<Findings> {
  const { evidence, random, defer, say } = trial;
  const portal = await PortalOfRecord.open(evidence);
  defer(() => portal.close());
  const callMs = kinds.some(({ isSlow }) => isSlow) ? SHORT_CALL_MS : CALL_MS;
  const proxy = await ProxyProcess.at(
    {
      portalUrl: portal.url,
      clientSecret: portal.clientSecret,
      name,
      node: SKIP_WAITS,
      environment: { DATABASE_URL: `file:${evidence.path(`${name}.sqlite`)}` },
      profile: { limits: { calls_per_second: 1000 }, timeouts: { call_ms: callMs } },
    },
    evidence,
  );
  defer(() => proxy.kill());
  await proxy.start();
  const field = await FaultField.open({ portal, proxy, random, callMs });
  defer(() => field.close());

  const verdicts: Findings[] = [];
  for (const kind of kinds) {
    const started = performance.now();
    const pause = isLong(kind) ? LONG_SPELL_PAUSE_MS : PAUSE_MS;
    const generator = new LoadGenerator({ proxies: [proxy], random, clients: 2, items: 20, pause, batch: 5 });
    generator.start();
    await field.suffer(kind, each, SPELL_TIMEOUT_MS);
    await generator.stop();
    const { counts, broken } = await judge({
      generator,
      portal,
      proxy,
      mayPark: (id) => kind.poison?.has(id) === true,
      isWireReordering: kind.isReordering === true,
      isQuiet: () => field.isQuiet,
    });
    await noteAnswers(proxy);
    const outOfTime = givenUp(readFileSync(evidence.path(`${name}.log`), 'utf8'));
    const again = field.resent.splice(0).filter((value) => !outOfTime.has(value));
    const seen = [
      ...broken,
      ...field.broken.splice(0),
      ...again.map((value) => `${value} was resent after a complete success`),
      ...strains(proxy, field),
    ];
    verdicts.push({ counts, broken: seen.map((sentence) => `${kind.name}: ${sentence}`) });
    if (!trial.isQuick)
      say(`${kind.name}: ${String(Math.round(performance.now() - started))} ms, ${JSON.stringify(counts)}`);
  }
  field.close();
  await proxy.kill();
  portal.close();
  // The journal of the portal continues over all kinds, so its last counts are the totals.
  const { 'portal calls': calls = 0, duplicates = 0 } = verdicts.at(-1)?.counts ?? {};
  return {
    counts: { faults: field.struck, ...sum(verdicts), 'portal calls': calls, duplicates },
    broken: verdicts.flatMap(({ broken }) => broken),
  };
}

/** Reads what a page reads, for the search for secrets. */
async function noteAnswers(proxy: ProxyProcess): Promise<void> {
  const headers = { Origin: HOST_ORIGIN, Authorization: `Bearer ${await proxy.tokenOf('judge')}` };
  for (const path of ['/v1/inventory', '/v1/history', '/readyz']) {
    const answer = await fetch(proxy.url + path, { headers });
    proxy.noteAnswer(answer.headers, await answer.text());
  }
  await proxy.noteMetrics();
}

/** T8 and T10 of the threats: no redirect is followed, and no response is too large. */
function strains(proxy: ProxyProcess, field: FaultField): string[] {
  const peak = peakMemoryMiB(proxy.pid);
  return [
    ...(field.callsElsewhere === 0 ? [] : [`${String(field.callsElsewhere)} calls went to another origin`]),
    ...(peak < MOST_MEMORY_MIB ? [] : [`the proxy took ${String(peak)} MiB`]),
  ];
}

/**
 * Groups the slow kinds, which need a proxy with a short timeout. A kind that takes long by itself gets its own group.
 */
function shareOut(kinds: readonly FaultKind[]): FaultKind[][] {
  const slow = kinds.filter(({ isSlow }) => isSlow === true);
  const short = kinds.filter((kind) => kind.isSlow !== true && !isLong(kind));
  return [slow, short, ...kinds.filter(isLong).map((kind) => [kind])];
}

/** The proxy retries only about once a second, so many refusals in a row take long. */
function isLong({ least }: FaultKind): boolean {
  return least !== undefined;
}

function sum(findings: readonly Findings[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { counts } of findings) {
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}
