import { spawnSync } from 'node:child_process';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Benchmark } from './benchmark.js';
import { fill } from './outbox-load.js';
import { startLoadMaker, type LoadMaker } from './processes.js';
import { openProxyFixture, ORIGIN } from './proxy-fixture.js';
import { medianOfRounds } from './rounds.js';

const FEW = 1_000;
const MANY = 100_000;
const ROUNDS = 3;
/** No server listens on the discard port (RFC 863). */
const DEAD_PORTAL = 'http://127.0.0.1:9';

/** The resident memory of the proxy after some traffic, with the portal down and few or many waiting edits. */
export const memory: Benchmark = {
  name: 'memory',
  title: `memory with ${String(MANY)} waiting edits, x the same with ${String(FEW)}`,
  async run() {
    const load = startLoadMaker();
    try {
      const { few, many } = await medianOfRounds(ROUNDS, {
        few: () => megabytes(load, FEW),
        many: () => megabytes(load, MANY),
      });
      return [
        {
          what: 'resident memory of the proxy',
          ratio: many / few,
          target: { atMost: 1.15 },
          figures: `${many.toFixed(0)} MB, ${few.toFixed(0)} MB`,
        },
      ];
    } finally {
      await load.end();
    }
  },
};

async function megabytes(load: LoadMaker, waiting: number): Promise<number> {
  const fixture = await openProxyFixture({
    portalUrl: DEAD_PORTAL,
    async before(database) {
      const outbox = openSqliteOutbox(database);
      await fill(outbox, waiting);
      await outbox.close();
    },
  });
  try {
    const { port, pid } = fixture.proxy;
    const tokens = await fixture.tokens(4);
    await load.make({ port, origin: ORIGIN, tokens, items: 1, warmUp: 0, measured: 10_000 });
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(stdout) / 1024;
  } finally {
    await fixture.end();
  }
}
