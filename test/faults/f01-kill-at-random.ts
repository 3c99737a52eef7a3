import { setTimeout as wait } from 'node:timers/promises';
import { LoadGenerator } from './load-generator.js';
import { UnknownOutcomes } from './needless-duplicates.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

/** The longest time between two kills, in milliseconds: from before the first claim to well into delivery. */
const LONGEST_LIFE_MS = 400;

export const killAtRandom: Scenario = {
  name: 'F1',
  title: 'SIGKILL at random times under load',
  runs: { full: 1000, quick: 15 },
  async run({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
    const portal = await PortalOfRecord.open(evidence);
    defer(() => portal.close());
    const proxy = await ProxyProcess.at({ portalUrl: portal.url, clientSecret: portal.clientSecret }, evidence);
    defer(() => proxy.kill());
    await proxy.start();
    const generator = new LoadGenerator({ proxies: [proxy], random, clients: 6, items: 30, bulk: 25 });
    const unknown = new UnknownOutcomes();
    unknown.listen(portal);
    generator.start();

    for (let kill = 1; kill <= runs; kill += 1) {
      await wait(random.below(LONGEST_LIFE_MS));
      await proxy.kill();
      const isUp = unknown.begin();
      await proxy.start();
      isUp();
      if (kill % 100 === 0) say(`${String(kill)} kills, ${String(generator.made.length)} edits made`);
    }

    await generator.stop();
    const { counts, broken } = await judge({ generator, portal, proxy, unknown });
    return { counts: { kills: runs, ...counts }, broken };
  },
};
