import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator } from './load-generator.js';
import { KILL_POINTS, type KillPoint, type Stage } from './kill-points.js';
import { auditBook } from './old-rows.js';
import { UnknownOutcomes } from './needless-duplicates.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

/** How long a life may go by before its point is reached. */
const TIMEOUT_MS = 120_000;
/** So that a token is renewed in each life that waits for it. */
const TOKEN_LIFETIME_SECONDS = 1;

/**
 * One store, one load generator and one portal live through all kills, so that a wound of one point meets the others. A point that
 * is not reached breaks the row: each life has to end by SIGKILL and by its own trap.
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
    // The same file each time: it has no tables before its creation has come to its end.
    for (const point of plan.filter(isCreation)) await killAt(point);
    await liveInPeace(stage);
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
    if (kills.has('in pruning')) broken.push(...auditBook(evidence.path('inventory.sqlite')));
    return {
      counts: { kills: sum(kills.values()), 'points reached': kills.size, ...counts },
      broken: [...broken, ...judged],
    };
  },
};

function isCreation({ name }: KillPoint): boolean {
  return name === 'in migration';
}

/** One life with its trap. @returns what went otherwise */
async function kill(
  point: KillPoint,
  { proxy, portal, ...rest }: Stage,
  unknown: UnknownOutcomes,
): Promise<string | undefined> {
  const trap = await point.arm({ proxy, portal, ...rest });
  unknown.listen(portal);
  // A life may be over before it has listened.
  proxy.start(trap.node).catch(() => undefined);
  await proxy.settled();
  if (point.stops === true) proxy.signal('SIGTERM');
  const late = new AbortController();
  const end = await Promise.race([proxy.gone(), wait(TIMEOUT_MS, 'no end' as const, { signal: late.signal })]);
  late.abort();
  portal.misbehaviour = undefined;
  await proxy.kill();
  // Whatever the portal was made to do with its calls, and whether it heard them.
  unknown.begin(1);
  if (end === 'SIGKILL' && trap.sprung() === 1) return undefined;
  return `${point.name}: the life came to ${String(end)}, its trap was sprung ${String(trap.sprung())} times`;
}

/** Until the credential has proven itself, which a portal that refuses items may then be believed for. */
async function liveInPeace({ proxy, portal }: Stage): Promise<void> {
  await proxy.start();
  while (!(await portal.journal()).some(({ applied }) => applied)) await wait(10);
  proxy.signal('SIGTERM');
  await proxy.gone();
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
