import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator } from './load-generator.js';
import { KILL_POINTS, type KillPoint, type Stage } from './kill-points.js';
import { auditOldRows } from './old-rows.js';
import { UnknownOutcomes } from './needless-duplicates.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

/** The time limit for a run to reach its point. */
const TIMEOUT_MS = 120_000;
/** Short, so that a token is renewed in each run that waits for that. */
const TOKEN_LIFETIME_SECONDS = 1;

/**
 * All kills use one database, one load generator and one portal, so that damage by one kill affects the later ones. A
 * point that is not reached fails the scenario: each run has to end by the SIGKILL of its own trap.
 */
export const killAtPoints: Scenario = {
  name: 'F2',
  title: `SIGKILL at ${String(KILL_POINTS.length)} named points`,
  runs: { full: KILL_POINTS.length * 25, quick: KILL_POINTS.length },
  async run({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
    const portal = await PortalOfRecord.open(evidence, { tokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS });
    defer(() => portal.close());
    const proxy = await ProxyProcess.at(
      { portalUrl: portal.url, clientSecret: portal.clientSecret, environment: { HISTORY_DAYS: '7' } },
      evidence,
    );
    defer(() => proxy.kill());
    const stage: Stage = { proxy, portal, random, evidence };
    const generator = new LoadGenerator({ proxies: [proxy], random, clients: 4, items: 30, pause: 10, bulk: 25 });
    const plan = Array.from({ length: runs }, (_, at) => KILL_POINTS[at % KILL_POINTS.length]).filter(
      (point) => point !== undefined,
    );
    const broken: string[] = [];
    const kills = new Map<string, number>();
    const unknown = new UnknownOutcomes();
    const killAt = async (point: KillPoint): Promise<void> => {
      const missed = await kill(point, stage, unknown);
      if (missed === undefined) kills.set(point.name, (kills.get(point.name) ?? 0) + 1);
      else broken.push(missed);
    };

    generator.start();
    // It is the same file each time, which has no tables before its creation is complete.
    for (const point of plan.filter(isCreation)) await killAt(point);
    await deliverOnce(stage);
    const rest = plan.filter((point) => !isCreation(point));
    for (const [at, point] of rest.entries()) {
      await killAt(point);
      if ((at + 1) % 50 === 0) say(`${String(at + 1)} kills, ${String(generator.made.length)} edits made`);
      await portal.journal();
    }

    await proxy.start();
    await generator.stop();
    const { counts, broken: judged } = await judge({ generator, portal, proxy, unknown });
    proxy.signal('SIGTERM');
    const end = await proxy.gone();
    if (end !== 0) broken.push(`the last stop ended with ${String(end)}`);
    if (kills.has('in pruning')) broken.push(...auditOldRows(evidence.path('inventory.sqlite')));
    return {
      counts: { kills: sum(kills.values()), 'points reached': kills.size, ...counts },
      broken: [...broken, ...judged],
    };
  },
};

function isCreation({ name }: KillPoint): boolean {
  return name === 'in migration';
}

/** One run with its trap. @returns a sentence if it did not end by the trap */
async function kill(
  point: KillPoint,
  { proxy, portal, ...rest }: Stage,
  unknown: UnknownOutcomes,
): Promise<string | undefined> {
  const trap = await point.arm({ proxy, portal, ...rest });
  unknown.listen(portal);
  // The process may be killed before it listens.
  proxy.start(trap.node).catch(() => undefined);
  await proxy.settled();
  if (point.stops === true) proxy.signal('SIGTERM');
  const late = new AbortController();
  const end = await Promise.race([proxy.gone(), wait(TIMEOUT_MS, 'no end' as const, { signal: late.signal })]);
  late.abort();
  portal.misbehaviour = undefined;
  await proxy.kill();
  // Whatever the portal did with the calls, and whether it received them.
  unknown.begin(1);
  if (end === 'SIGKILL' && trap.sprung() === 1) return undefined;
  return `${point.name}: the life came to ${String(end)}, its trap was sprung ${String(trap.sprung())} times`;
}

/** Runs until the credential has had a success, because only then the refusal of an item counts as a refusal. */
async function deliverOnce({ proxy, portal }: Stage): Promise<void> {
  await proxy.start();
  while (!(await portal.journal()).some(({ applied }) => applied)) await wait(10);
  proxy.signal('SIGTERM');
  await proxy.gone();
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
