import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator, postEdits } from './load-generator.js';
import type { PortalCall } from './portal-of-record.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess, VENDOR } from './proxy-process.js';
import type { Random } from './random.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge, receiptsBy } from './verdict.js';

/** The vendor that changes its waiting edits again and again, and posts items of another vendor. */
const OTHER_VENDOR = 'rock-climbing';
/** The vendor whose items the portal refuses. */
const REFUSED_VENDOR = 'quarry';
const GENERATOR_ITEMS = 30;
/** The items that the portal refuses: it refuses each call with one of them. */
const REFUSED = Array.from({ length: 5 }, (_, at) => `loose-rock-${String(at)}`);
/** The items that the other vendor changes again and again while their edits wait. */
const REWRITTEN = Array.from({ length: 90 }, (_, at) => `rock-${String(at)}`);
const TIMEOUT_MS = 180_000;
/** The number of receipts in one request. */
const RECEIPTS = 50;
/** The longest time between two kills, in milliseconds. */
const LONGEST_LIFE_MS = 600;

/**
 * Three vendors share a credential, and each has a list of items. While the proxy is killed again and again, one posts
 * items that the portal refuses, and another changes its waiting edits and posts items of another list. The generator's
 * edits are settled nevertheless, no item of another list is accepted, and changed edits keep their position in the
 * queue.
 */
export const sharedCredential: Scenario = {
  name: 'F17',
  title: 'kills while other vendors on the same credential are refused and change waiting edits',
  runs: { full: 200, quick: 6 },
  async run({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
    const portal = await PortalOfRecord.open(evidence);
    defer(() => portal.close());
    portal.misbehaviour = refuse;
    const lists = evidence.path('lists');
    mkdirSync(lists, { recursive: true });
    const generatorItems = Array.from({ length: GENERATOR_ITEMS }, (_, at) => `boat-${String(at)}`);
    writeList(`${lists}/${VENDOR}.json`, generatorItems);
    writeList(`${lists}/${OTHER_VENDOR}.json`, REWRITTEN);
    writeList(`${lists}/${REFUSED_VENDOR}.json`, REFUSED);
    const environment = { ITEMS_SOURCE: `${lists}/{vendor}.json` };
    const proxy = await ProxyProcess.at(
      { portalUrl: portal.url, clientSecret: portal.clientSecret, environment },
      evidence,
    );
    defer(() => proxy.kill());
    await proxy.start();
    const generator = new LoadGenerator({ proxies: [proxy], random, clients: 4, items: GENERATOR_ITEMS });
    const otherVendor = new OtherVendor(proxy, random, generatorItems);
    generator.start();
    // Before its first success, a portal that refuses an item counts as refusing everything. The first kill may come
    // before the proxy has stored a success that the portal has already journalled.
    await untilDelivered(proxy, generator);
    otherVendor.start();

    for (let kill = 1; kill <= runs; kill += 1) {
      await wait(random.below(LONGEST_LIFE_MS));
      await proxy.kill();
      await proxy.start();
      if (kill % 50 === 0) say(`${String(kill)} kills, ${String(generator.made.length)} edits made`);
    }

    await generator.stop();
    // The other vendor continues: the generator's edits have to be settled nevertheless.
    const { counts, broken } = await judge({ generator, portal, proxy, timeoutMs: TIMEOUT_MS, mayPark: () => false });
    const late = await untilAllAt(portal, REWRITTEN);
    await otherVendor.stop();
    return {
      counts: { kills: runs, ...counts, ...otherVendor.counts },
      broken: [
        ...broken,
        ...otherVendor.broken,
        ...late.map((id) => `${id}: was changed again and again, and never delivered`),
      ],
    };
  },
};

/** Resolves when the proxy has stored that the portal accepts edits with its credential. */
async function untilDelivered(proxy: ProxyProcess, generator: LoadGenerator): Promise<void> {
  for (;;) {
    const ids = generator.acknowledged.slice(-RECEIPTS).map(({ edit_id }) => edit_id);
    const receipts = ids.length === 0 ? [] : await receiptsBy(proxy, ids);
    if (receipts.some(({ state }) => state === 'delivered')) return;
    await wait(10);
  }
}

async function refuse(call: PortalCall): Promise<void> {
  const body = (await call.body()).toString();
  if (!body.includes('loose-rock-')) return call.serve();
  call.response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"bad_item"}');
}

function writeList(path: string, ids: readonly string[]): void {
  writeFileSync(path, JSON.stringify(ids.map((id) => ({ id }))));
}

/** @returns the items that the portal does not have at the end of the timeout */
async function untilAllAt(portal: PortalOfRecord, ids: readonly string[]): Promise<readonly string[]> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const held = new Set<string>((await portal.items()).map(({ id }) => id));
    const missing = ids.filter((id) => !held.has(id));
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await wait(50);
  }
}

/** Posts without a pause: changed items of its list, items that are refused, and items of the generator. */
class OtherVendor {
  readonly broken: string[] = [];
  readonly counts = { rewritten: 0, 'of another list': 0 };
  readonly #proxy: ProxyProcess;
  readonly #random: Random;
  readonly #foreign: readonly string[];
  readonly #stop = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(proxy: ProxyProcess, random: Random, foreign: readonly string[]) {
    this.#proxy = proxy;
    this.#random = random;
    this.#foreign = foreign;
  }

  start(): void {
    this.#working = this.#work();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#working;
  }

  async #work(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#proxy.settled();
      if ((await this.#post(REWRITTEN)) === 202) this.counts.rewritten += 1;
      await this.#post([this.#random.pick(REFUSED)], REFUSED_VENDOR);
      const foreign = this.#random.pick(this.#foreign);
      const status = await this.#post([foreign]);
      if (status !== undefined) this.counts['of another list'] += 1;
      if (status === 202) this.broken.push(`${foreign}: accepted from a vendor whose list does not name it`);
      await wait(20);
    }
  }

  async #post(ids: readonly string[], vendor = OTHER_VENDOR): Promise<number | undefined> {
    const at = new Date().toISOString();
    const available = this.#random.below(2) === 0;
    const inventory = ids.map((id) => ({ id, available, updated_at: at, edit_id: crypto.randomUUID() }));
    const body = { inventory, sent_at: at };
    return (await postEdits(this.#proxy, 'climber', crypto.randomUUID(), body, vendor))?.status;
  }
}
