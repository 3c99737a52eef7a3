import { openPostgresOutbox } from '../../src/proxy/node/database/postgres/outbox-postgres.js';
import type { PostgresServer } from '../support/postgres-server.js';
import type { Finding } from './benchmark.js';
import { acceptInto } from './outbox-load.js';
import { openPortal } from './portal.js';
import { openProxyFixture } from './proxy-fixture.js';

const VENDORS = 2_000;
const PORTAL_ANSWERS_IN_MS = 5;
const LEAST_CALLS_A_SECOND = 60;

/** One waiting edit in each of many lanes, one per vendor, as a proxy has after an outage. */
export async function drainOfLanes(server: PostgresServer): Promise<Finding> {
  const portal = await openPortal(PORTAL_ANSWERS_IN_MS);
  const database = await server.newDatabase();
  const outbox = await openPostgresOutbox(database);
  await acceptInto(outbox, VENDORS);
  await outbox.close();
  const fixture = await openProxyFixture({
    portalUrl: portal.url,
    profile: { update: { path: '/v1/{vendor}/inventory' }, limits: { calls_per_second: 1000 } },
    environment: { DATABASE_URL: database },
  });
  try {
    await portal.has(VENDORS);
    const { calls } = portal;
    const seconds = ((calls.at(-1)?.at ?? NaN) - (calls[0]?.at ?? NaN)) / 1000;
    return {
      what: `calls a second for one edit of each of ${String(VENDORS)} vendors`,
      ratio: (calls.length - 1) / seconds,
      target: { atLeast: LEAST_CALLS_A_SECOND },
      figures: `${String(calls.length)} calls in ${seconds.toFixed(1)} s`,
    };
  } finally {
    await fixture.end();
    portal.close();
  }
}
