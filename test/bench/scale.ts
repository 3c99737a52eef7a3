import { readdirSync, readFileSync } from 'node:fs';
import { openPostgresOutbox } from '../../src/proxy/node/database/postgres/outbox-postgres.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { PostgresServer } from '../support/postgres-server.js';
import type { Benchmark, Finding } from './benchmark.js';
import { drainOfLanes } from './drain-of-lanes.js';
import { acceptInto } from './outbox-load.js';
import { leaseLane } from '../support/lease-lane.js';

/** The numbers of waiting lanes, each with one edit. */
const WAITING = [50, 500, 5_000, 10_000] as const;
const CALLS = 200;
/** The CPU time that a call may take. */
const MOST_MS = 15;
/** The clock tick of Linux, a hundredth of a second. */
const TICK_MS = 10;

/**
 * The CPU time of the database for a delivered call (claim of a lane, attempt, outcome, release), with one lane per
 * vendor on PostgreSQL, for more and more waiting lanes. It must not grow with their number.
 */
export const scale: Benchmark = {
  name: 'scale',
  title: `CPU time of PostgreSQL for a delivered call, with ${WAITING.join(', ')} waiting lanes`,
  async run() {
    const server = await PostgresServer.start('-c', 'autovacuum=off');
    try {
      const cost = new Map<number, number>();
      for (const lanes of WAITING) {
        const outbox = await openPostgresOutbox(server.url, { schema: server.newSchema() });
        try {
          await acceptInto(outbox, lanes);
          // Autovacuum would run after that many writes, so it is not part of the measured calls.
          await server.query('VACUUM ANALYZE');
          const before = await processorOf(server);
          const calls = Math.min(CALLS, lanes);
          for (let call = 0; call < calls; call += 1) await deliverOne(outbox);
          cost.set(lanes, ((await processorOf(server)) - before) / calls);
        } finally {
          await outbox.close();
        }
      }
      return [...findingsOf(cost), await drainOfLanes(server)];
    } finally {
      await server.stop();
    }
  },
};

function findingsOf(cost: ReadonlyMap<number, number>): Finding[] {
  const [least = 50, ...more] = WAITING;
  const figures = Array.from(cost, ([lanes, ms]) => `${String(lanes)}: ${ms.toFixed(2)} ms`).join(', ');
  const of = (lanes: number): number => cost.get(lanes) ?? Infinity;
  return [
    ...more.map((lanes) => ({
      what: `a delivered call with ${String(lanes)} lanes by one with ${String(least)}`,
      ratio: of(lanes) / of(least),
      target: { atMost: 1.5 },
      figures,
    })),
    { what: 'milliseconds of the dearest', ratio: Math.max(...cost.values()), target: { atMost: MOST_MS }, figures },
  ];
}

async function deliverOne(outbox: Outbox): Promise<void> {
  const lease = await leaseLane(outbox, { now: Date.now(), leaseMs: 30_000, uncertainMs: 20_000 });
  if (lease === undefined) throw new Error('no lane has anything to do');
  const open = await outbox.beginAttempt(lease, await outbox.due(lease, Date.now(), 100), Date.now());
  await outbox.recordOutcomes(
    lease,
    open.map((edit) => ({ edit, kind: 'delivered' })),
    Date.now(),
  );
  await outbox.releaseLease(lease, { failures: 0, notBefore: 0 });
}

/** The CPU time of the server and its processes in milliseconds. */
async function processorOf(server: PostgresServer): Promise<number> {
  const [child] = await server.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  const parent = parentOf(child?.pid ?? 0);
  const family = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && (pid === parent || parentOf(pid) === parent));
  return family.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS;
}

/** The fields of `/proc/PID/stat` after the name of the program (proc(5)). */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process has ended.
    return [];
  }
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1] ?? 0);
}

/** The CPU time of a process and of its children that have ended, in ticks. */
function ticksOf(pid: number): number {
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(statOf(pid)[field] ?? 0), 0);
}
