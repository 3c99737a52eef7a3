import { setTimeout as wait } from 'node:timers/promises';
import { history as historyOf } from '../../src/contract/history.js';
import { PostgresServer } from '../support/postgres-server.js';
import { PortalOfRecord } from './portal-of-record.js';
import { tryInChild } from './property-row.js';
import { HOST_ORIGIN, ProxyProcess } from './proxy-process.js';
import type { Random } from './random.js';
import type { Findings, Scenario, Trial } from './scenario.js';

const MODEL = 'test/proxy/outbox/schedule-model.test.ts';
/** The number of runs in virtual time for each round of kills. */
const LIVES_PER_ROUND = 10;
const PROXIES = 2;
const SCHEDULES_PER_ROUND = 8;
/** The time until the schedules of a round are due. */
const DUE_IN_MS = 400;
const TIMEOUT_MS = 180_000;

/**
 * Schedules in virtual time over days of 23 and 25 hours, with outages and clock changes; then, round after round, two
 * real proxies on one PostgreSQL that are killed about the time at which schedules are due. Each closing ends once,
 * late if no proxy ran, and never if the schedule was removed.
 */
export const schedulesUnderFaults: Scenario = {
  name: 'F18',
  title: 'schedules over outages, clock changes, days of 23 and 25 hours, and kills of two proxies when they are due',
  runs: { full: 100, quick: 3 },
  async run(trial: Trial): Promise<Findings> {
    const { runs, random, evidence, defer, say } = trial;
    const model = await tryInChild({ ...trial, runs: runs * LIVES_PER_ROUND }, [MODEL]);
    const portal = await PortalOfRecord.open(evidence);
    defer(() => portal.close());
    const database = await PostgresServer.start();
    defer(() => database.stop());
    evidence.mustNotAppear('the password of the database', new URL(database.url).password);
    const sessionSecret = crypto.randomUUID() + crypto.randomUUID();
    const proxies = await Promise.all(
      Array.from({ length: PROXIES }, (_, at) =>
        ProxyProcess.at(
          {
            portalUrl: portal.url,
            clientSecret: portal.clientSecret,
            environment: { DATABASE_URL: database.url },
            name: `proxy-${String(at + 1)}`,
          },
          evidence,
          sessionSecret,
        ),
      ),
    );
    for (const proxy of proxies) defer(() => proxy.kill());
    await Promise.all(proxies.map((proxy) => proxy.start()));
    const counts = { kills: 0, schedules: 0, removed: 0 };
    const broken: string[] = [];
    for (let round = 1; round <= runs; round += 1) {
      broken.push(...(await killWhenDue(round, { proxies, portal, database, random, counts })));
      if (round % 10 === 0) say(`${String(round)} rounds, ${String(counts.kills)} kills`);
    }
    return { counts: { ...model.counts, ...counts }, broken: [...model.broken, ...broken] };
  },
};

interface Stage {
  readonly proxies: readonly ProxyProcess[];
  readonly portal: PortalOfRecord;
  readonly database: PostgresServer;
  readonly random: Random;
  readonly counts: { kills: number; schedules: number; removed: number };
}

/** One round: items are closed at once, and are due to open while both proxies are killed and started again. */
async function killWhenDue(round: number, { proxies, portal, database, random, counts }: Stage): Promise<string[]> {
  const [first] = proxies;
  if (first === undefined) throw new TypeError('there are two proxies');
  const names = Array.from({ length: SCHEDULES_PER_ROUND }, (_, at) => `round-${String(round)}-${String(at)}`);
  for (const name of names) {
    const body = { items: [name], until: '2040-01-01T00:00', time_zone: 'UTC' };
    const { status } = await call(first, 'PUT', `/v1/schedules/${name}`, body);
    if (status !== 201) throw new Error(`a schedule is answered with ${String(status)}`);
  }
  const [removed = ''] = names;
  await call(first, 'DELETE', `/v1/schedules/${removed}`, {});
  // The shortest schedule is a minute, for which a campaign does not wait.
  await database.query(
    `UPDATE vendor_inventory.schedule SET next_at = ${String(Date.now() + DUE_IN_MS)} WHERE id LIKE 'round-${String(round)}-%'`,
  );
  counts.schedules += names.length;
  counts.removed += 1;
  await Promise.all(
    proxies.map(async (proxy) => {
      await wait(random.below(2 * DUE_IN_MS));
      await proxy.kill();
      await proxy.start();
      counts.kills += 1;
    }),
  );
  const changes = await untilOpened(first, names.slice(1));
  const atPortal = await untilAtPortal(portal, names.slice(1));
  return names.flatMap((name) => {
    const made = changes.get(name) ?? [];
    const wanted = name === removed ? 'false' : 'false,true';
    return [
      ...(made.join() === wanted ? [] : [`${name}: its schedule made ${made.join()}, and not ${wanted}`]),
      ...(atPortal.get(name) === (name !== removed) ? [] : [`${name}: the portal has another value`]),
    ];
  });
}

/** @returns the values that schedules have set, by item and in order, once all items are open or the timeout ends */
async function untilOpened(proxy: ProxyProcess, names: readonly string[]): Promise<Map<string, boolean[]>> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const changes = await changesBySchedule(proxy);
    if (names.every((name) => changes.get(name)?.at(-1) === true) || Date.now() > deadline) {
      // A duplicate step would have run by now.
      await wait(DUE_IN_MS);
      return changesBySchedule(proxy);
    }
    await wait(50);
  }
}

/** @returns the items of the portal, once these are available there or the timeout ends */
async function untilAtPortal(portal: PortalOfRecord, names: readonly string[]): Promise<Map<string, boolean>> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const held = new Map<string, boolean>((await portal.items()).map((item) => [item.id, item.by_arrival.available]));
    if (names.every((name) => held.get(name) === true) || Date.now() > deadline) return held;
    await wait(50);
  }
}

async function changesBySchedule(proxy: ProxyProcess): Promise<Map<string, boolean[]>> {
  const changes = new Map<string, boolean[]>();
  let cursor = '';
  // The history begins with the newest rounds.
  for (let page = 0; page < 3; page += 1) {
    const answer = await call(proxy, 'GET', `/v1/history${cursor === '' ? '' : `?cursor=${cursor}`}`);
    const { history, next } = historyOf.parse(await answer.json());
    for (const { id, by, to } of history) if (by === 'schedule') changes.set(id, [to, ...(changes.get(id) ?? [])]);
    if (next === undefined) break;
    cursor = next;
  }
  return changes;
}

async function call(proxy: ProxyProcess, method: string, path: string, body?: object): Promise<Response> {
  return fetch(proxy.url + path, {
    method,
    headers: {
      Origin: HOST_ORIGIN,
      Authorization: `Bearer ${await proxy.tokenOf('planner')}`,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'X-Requested-With': 'inventory-widget' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
