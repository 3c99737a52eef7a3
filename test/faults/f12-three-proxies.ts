import { setTimeout as wait } from 'node:timers/promises';
import { inventoryUpdate } from '../../src/contract/portal.js';
import { PostgresServer } from '../support/postgres-server.js';
import { LoadGenerator } from './load-generator.js';
import type { Evidence } from './evidence.js';
import { UnknownOutcomes } from './needless-duplicates.js';
import { PortalOfRecord, type Misbehaviour } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Random } from './random.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

const PROXIES = 3;
/** The longest time between two kills, in milliseconds. */
const LONGEST_PEACE_MS = 600;
/** The longest outage of the database, in milliseconds. */
const LONGEST_OUTAGE_MS = 1500;
/**
 * A lane is idle for six call timeouts after its holder was killed. A short timeout lets it change its holder often.
 */
const CALL_MS = 300;
const PROFILE = { limits: { calls_per_second: 1000 }, timeouts: { call_ms: CALL_MS } };
/** A token is renewed at half of its lifetime. */
const TOKEN_SECONDS = 60;
const TIMEOUT_MS = 120_000;

/** Every 21st kill is one of the database, so 200 and 10 in the full campaign; every 7th in the quick part. */
export const killThreeProxies: Scenario = {
  name: 'F12',
  title: 'three proxies on one PostgreSQL, kills of proxies and of the database',
  runs: { full: 210, quick: 7 },
  async run({ runs, random, evidence, defer, say, isQuick }: Trial): Promise<Findings> {
    const began = performance.now();
    const portal = await PortalOfRecord.open(evidence, { tokenLifetimeSeconds: TOKEN_SECONDS });
    defer(() => portal.close());
    const unknown = new UnknownOutcomes(CALL_MS);
    const overlaps = watchOverlaps(portal, random, unknown);
    const database = await PostgresServer.start();
    defer(() => database.stop());
    const proxies = await openProxies(database.url, portal, evidence);
    for (const proxy of proxies) defer(() => proxy.kill());
    await Promise.all(proxies.map((proxy) => proxy.start()));
    const generator = new LoadGenerator({ proxies, random, clients: 18, items: 30, pause: 10 });
    generator.start();

    const every = isQuick ? 7 : 21;
    const restarts = new Map<ProxyProcess, Promise<void>>();
    const counts = { 'kills of proxies': 0, 'kills of the database': 0 };
    for (let kill = 1; kill <= runs; kill += 1) {
      await wait(random.below(LONGEST_PEACE_MS));
      if (kill % every === 0) {
        // Each proxy may have lost the connection on which it stores an outcome.
        const isUp = unknown.begin(PROXIES);
        await database.crash(random.pick(['SIGKILL', 'SIGQUIT']));
        await wait(random.below(LONGEST_OUTAGE_MS));
        await database.recover();
        isUp();
        counts['kills of the database'] += 1;
      } else {
        const proxy = random.pick(proxies);
        await restarts.get(proxy);
        const isUp = unknown.begin();
        await proxy.kill();
        restarts.set(
          proxy,
          startAgain(proxy).then(() => {
            isUp();
          }),
        );
        counts['kills of proxies'] += 1;
      }
      if (kill % 21 === 0) say(`${String(kill)} kills, ${String(generator.made.length)} edits made`);
    }

    await Promise.all(restarts.values());
    await generator.stop();
    const [proxy] = proxies;
    if (proxy === undefined) throw new TypeError('there are three proxies');
    const verdict = await judge({ generator, portal, proxy, unknown, timeoutMs: TIMEOUT_MS });
    const tokens = (await portal.journal()).filter(({ kind }) => kind === 'token').length;
    // A token is renewed at half of its lifetime, less a tenth. Some are lost with the proxy that requested them. A
    // token for each start would be many more.
    const mostTokens = 2 + runs / 10 + (performance.now() - began) / (TOKEN_SECONDS * 450);
    return {
      counts: { ...counts, ...verdict.counts, 'token requests': tokens, 'calls that met another': overlaps.length },
      broken: [
        ...verdict.broken,
        ...overlaps,
        ...(tokens > mostTokens ? [`${String(tokens)} token requests: the proxies do not share their token`] : []),
        ...(await wrongInTheDatabase(database, generator)),
        ...(await dumpTables(database, evidence)),
      ],
    };
  },
};

async function openProxies(url: string, portal: PortalOfRecord, evidence: Evidence): Promise<readonly ProxyProcess[]> {
  evidence.mustNotAppear('the password of the database', new URL(url).password);
  const sessionSecret = crypto.randomUUID() + crypto.randomUUID();
  return Promise.all(
    Array.from({ length: PROXIES }, (_, at) =>
      ProxyProcess.at(
        {
          portalUrl: portal.url,
          clientSecret: portal.clientSecret,
          environment: { DATABASE_URL: url },
          profile: PROFILE,
          name: `proxy-${String(at + 1)}`,
        },
        evidence,
        sessionSecret,
      ),
    ),
  );
}

/** Starts a proxy as a supervisor does: it exits without a database, and is started again. */
async function startAgain(proxy: ProxyProcess): Promise<void> {
  for (;;) {
    try {
      await proxy.start();
      return;
    } catch {
      await wait(100);
    }
  }
}

/**
 * Checks that no two calls have the same item at once, except calls of killed proxies. It is slow, so that kills occur
 * during calls.
 */
function watchOverlaps(portal: PortalOfRecord, random: Random, unknown: UnknownOutcomes): readonly string[] {
  const overlaps: string[] = [];
  const inFlight = new Map<string, number>();
  const watch: Misbehaviour = async (call) => {
    if (call.path !== '/v1/inventory') return call.serve();
    const update = inventoryUpdate.safeParse(JSON.parse((await call.body()).toString()));
    const ids = update.data?.inventory.map(({ id }) => id) ?? [];
    unknown.hear(call.request.socket, update.data?.inventory ?? []);
    for (const id of ids) {
      const others = inFlight.get(id) ?? 0;
      if (others > 0) overlaps.push(`${id}: two calls were open at once`);
      inFlight.set(id, others + 1);
    }
    call.response.once('close', () => {
      for (const id of ids) inFlight.set(id, (inFlight.get(id) ?? 1) - 1);
    });
    await wait(random.below(30));
    return call.serve();
  };
  portal.misbehaviour = watch;
  return overlaps;
}

interface EditRow {
  readonly edit_id: string;
  readonly vendor: string;
  readonly item_id: string;
  readonly seq: number;
  readonly stamp: number;
}

/** Each edit exists once. The timestamps of an item increase with every edit, and are those of the receipts. */
async function wrongInTheDatabase(database: PostgresServer, { made }: LoadGenerator): Promise<string[]> {
  const rows = await database.query<EditRow>(
    `SELECT edit_id, edit.vendor, item.id AS item_id, seq::float8 AS seq, stamp::float8 AS stamp
     FROM vendor_inventory.edit JOIN vendor_inventory.item ON item.key = edit.item ORDER BY edit.seq`,
  );
  const told = new Map(made.map(({ edit_id, receipt }) => [edit_id, receipt]));
  const broken: string[] = [];
  if (rows.length !== made.length) {
    broken.push(`${String(made.length)} edits were made, and ${String(rows.length)} are in the database`);
  }
  const last = new Map<string, number>();
  for (const { edit_id, vendor, item_id, stamp } of rows) {
    const item = `${vendor} ${item_id}`;
    if ((last.get(item) ?? 0) >= stamp) broken.push(`${item}: the stamp of ${edit_id} is no later than the one before`);
    last.set(item, stamp);
    const first = told.get(edit_id);
    if (first === undefined) broken.push(`edit ${edit_id} is in the database, and no client has a receipt of it`);
    else if (Date.parse(first.updated_at) !== stamp) broken.push(`the stamp of edit ${edit_id} has changed`);
  }
  return broken;
}

/** Adds every row of every table to the evidence, which is searched for secrets. */
async function dumpTables(database: PostgresServer, evidence: Evidence): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'vendor_inventory'`,
  );
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`SELECT t::text AS row FROM vendor_inventory.${name} AS t`);
    evidence.note('tables.txt', rows.map(({ row }) => `${name} ${row}\n`).join(''));
  }
  return tables.length > 0 ? [] : ['there are no tables to look for secrets in'];
}
