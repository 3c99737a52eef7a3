import { setTimeout as wait } from 'node:timers/promises';
import { startDemoServers } from '../journeys/demo-servers.js';
import { KillableBrowser } from './killable-browser.js';
import { PersonAtPage } from './person-at-page.js';
import type { Findings, Scenario, Trial } from './scenario.js';

/** Of six faults one kills the browser, less than two close a tab, and more than three are edits without a network. */
const KILLS = 60 / 360;
const CLOSES = 100 / 360;
/** One of three visits ends before the person is known. */
const UNKNOWN = 1 / 3;

export const browserKilled: Scenario = {
  name: 'F10',
  title: 'browser killed, tabs closed, edits without a network',
  runs: { full: 360, quick: 5 },
  async run({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
    const servers = await startDemoServers();
    defer(() => servers.close());
    evidence.mustNotAppear('the client secret', servers.clientSecret);
    evidence.mustNotAppear('the session secret', servers.sessionSecret);
    const browser = new KillableBrowser(evidence.path('profile'));
    defer(() => browser.kill());
    const person = new PersonAtPage(servers, random);
    const counts = { 'browsers killed': 0, 'tabs closed': 0, 'flips without a network': 0, 'visits of nobody': 0 };
    const broken: string[] = [];

    let context = await browser.start();
    for (let run = 1; run <= runs; run += 1) {
      const chance = random.next();
      // The page itself loads, but neither the session nor the proxy answers.
      const isUnknown = random.next() < UNKNOWN;
      if (isUnknown) await context.route(/inventory-session|\/v1\//, (route) => route.abort());
      const page = await person.visit(context);
      if (isUnknown) counts['visits of nobody'] += 1;
      if (chance < KILLS) {
        await person.flipSome(page, 3);
        await wait(random.below(200));
        await browser.kill();
        context = await browser.start();
        counts['browsers killed'] += 1;
      } else if (chance < KILLS + CLOSES) {
        await person.flipSome(page, 3);
        await page.close();
        counts['tabs closed'] += 1;
      } else {
        await context.setOffline(true);
        const before = person.flips.length;
        await person.flipSome(page, 4);
        counts['flips without a network'] += person.flips.length - before;
        if (random.next() < 0.5) await page.close();
        await context.setOffline(false);
      }
      if (isUnknown) await context.unrouteAll();
      for (const open of context.pages().slice(2)) await open.close();
      if (run % 20 === 0 || run === runs) {
        const last = await person.visit(context);
        if (!(await person.settle(last))) broken.push(`after ${String(run)} faults edits still wait`);
        await last.close();
        broken.push(...(await person.judge()));
        say(`${String(run)} faults, ${String(person.flips.length)} flips`);
      }
    }
    evidence.note('records.log', servers.records());
    const said = person.flips.filter(({ isSaid }) => isSaid).length;
    return {
      counts: {
        ...counts,
        flips: person.flips.length,
        'said to be kept': said,
        claimed: person.claimed,
        lost: broken.length,
      },
      broken,
    };
  },
};
