import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Benchmark } from './benchmark.js';
import { fill } from './outbox-load.js';
import { openPortal } from './portal.js';
import { openProxyFixture } from './proxy-fixture.js';
import { median } from './rounds.js';

const WAITING = 10_000;
const ROUNDS = 3;
const LIMITS = { items: 100, in_flight: 1, calls_per_second: 10 } as const;

/** The time from the first to the last call for the queue of a portal after a long outage. */
export const deliveryPace: Benchmark = {
  name: 'delivery',
  title: `${String(WAITING)} waiting edits at ${String(LIMITS.calls_per_second)} calls of ${String(LIMITS.items)} a second`,
  async run() {
    const paces: number[] = [];
    const fillings: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { pace, filling } = await deliverAll();
      paces.push(pace);
      fillings.push(filling);
    }
    return [
      {
        what: 'calls a second by the limit',
        ratio: median(paces) / LIMITS.calls_per_second,
        target: { atLeast: 0.9 },
        figures: `${median(paces).toFixed(1)} calls/s`,
      },
      {
        what: 'items a second by the limit',
        ratio: (median(paces) * median(fillings)) / (LIMITS.calls_per_second * LIMITS.items),
        target: { atLeast: 0.9 },
        figures: `${(median(paces) * median(fillings)).toFixed(0)} items/s`,
      },
    ];
  },
};

async function deliverAll(): Promise<{ pace: number; filling: number }> {
  const portal = await openPortal();
  const fixture = await openProxyFixture({
    portalUrl: portal.url,
    profile: { limits: LIMITS },
    async before(database) {
      const outbox = openSqliteOutbox(database);
      await fill(outbox, WAITING);
      await outbox.close();
    },
  });
  try {
    await portal.has(WAITING);
    const { calls } = portal;
    const seconds = ((calls.at(-1)?.at ?? NaN) - (calls[0]?.at ?? NaN)) / 1000;
    return { pace: (calls.length - 1) / seconds, filling: WAITING / calls.length };
  } finally {
    await fixture.end();
    portal.close();
  }
}
