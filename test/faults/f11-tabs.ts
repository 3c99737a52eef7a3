import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { startDemoServers } from '../journeys/demo-servers.js';
import { KillableBrowser } from './killable-browser.js';
import { PersonAtPage } from './person-at-page.js';
import type { Random } from './random.js';
import type { Findings, Scenario, Trial } from './scenario.js';

const TABS = 3;
const STEPS = 6;
const ELSEWHERE = 'data:text/html,elsewhere';

type Trouble = 'freeze' | 'steal' | 'quota' | 'delete' | 'block' | 'away' | 'offline';
const TROUBLES: readonly Trouble[] = ['freeze', 'steal', 'quota', 'delete', 'block', 'away', 'offline'];

/** Faults of the tabs of one browser. No tab is closed, so not even edits that storage rejected may be lost. */
class Tabs {
  readonly counts: Record<Trouble | 'back from the cache', number> = {
    freeze: 0,
    steal: 0,
    quota: 0,
    delete: 0,
    block: 0,
    away: 0,
    offline: 0,
    'back from the cache': 0,
  };
  /** A log of the faults, to find the cause of a loss. */
  readonly story: string[] = [];
  readonly #person: PersonAtPage;
  readonly #context: BrowserContext;
  readonly #random: Random;
  readonly #pages: Page[] = [];
  readonly #frozen = new Map<Page, CDPSession>();

  private constructor(person: PersonAtPage, context: BrowserContext, random: Random) {
    this.#person = person;
    this.#context = context;
    this.#random = random;
  }

  static async open(person: PersonAtPage, context: BrowserContext, random: Random): Promise<Tabs> {
    const tabs = new Tabs(person, context, random);
    for (let tab = 0; tab < TABS; tab += 1) tabs.#pages.push(await person.visit(context));
    return tabs;
  }

  async suffer(): Promise<void> {
    const trouble = this.#random.pick(TROUBLES);
    this.counts[trouble] += 1;
    const page = this.#awake();
    this.#note(`${trouble} in tab ${String(this.#pages.indexOf(page))}`);
    switch (trouble) {
      case 'freeze':
        await this.#flip(page);
        if (this.#frozen.size < TABS - 1) await this.#freeze(page);
        return this.#flip(this.#awake());
      case 'steal':
        await page.evaluate(stealLocks);
        return this.#flip(page);
      case 'quota':
        return this.#withoutRoom(page);
      case 'delete':
        await this.#flip(page);
        await page.evaluate(deleteStorage);
        return this.#flip(page);
      case 'block':
        return this.#whileBlocked(page);
      case 'away':
        await this.#flip(page);
        await page.goto(ELSEWHERE);
        // A page that is restored from the back/forward cache loads nothing.
        await page.goBack({ waitUntil: 'commit' });
        await page.waitForFunction(() => document.readyState === 'complete');
        this.counts['back from the cache'] += Number((await page.locator('[data-flipped]').count()) > 0);
        await this.#person.sitDown(page);
        return this.#flip(page);
      case 'offline':
        await this.#context.setOffline(true);
        await this.#flip(page);
        await this.#flip(this.#awake());
        return this.#context.setOffline(false);
    }
  }

  /** Ends all faults. */
  async recover(): Promise<void> {
    for (const session of this.#frozen.values()) await session.send('Page.setWebLifecycleState', { state: 'active' });
    this.#frozen.clear();
  }

  async close(): Promise<void> {
    for (const page of this.#pages.splice(0)) await page.close();
  }

  #awake(): Page {
    return this.#random.pick(this.#pages.filter((page) => !this.#frozen.has(page)));
  }

  async #flip(page: Page): Promise<void> {
    await this.#flipIn(page, true);
  }

  async #flipIn(page: Page, isPatient: boolean): Promise<void> {
    await this.#person.flip(page, isPatient);
    const { item, available, isSaid } = this.#person.flips.at(-1) ?? {};
    const tab = String(this.#pages.indexOf(page));
    this.#note(`tab ${tab}: ${String(item)} ${String(available)}${isSaid === true ? '' : ', not said to be kept'}`);
  }

  #note(what: string): void {
    this.story.push(`${new Date().toISOString().slice(14, 23)} ${what}`);
  }

  async #freeze(page: Page): Promise<void> {
    const session = await this.#context.newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    this.#frozen.set(page, session);
  }

  /** A page that cannot store edits shows that, and the person keeps it open. */
  async #withoutRoom(page: Page): Promise<void> {
    const session = await this.#context.newCDPSession(page);
    const { origin } = new URL(page.url());
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 0 });
    await this.#flipIn(page, false);
    await wait(this.#random.below(500));
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    await session.detach();
    await this.#untilKept(page);
  }

  /** A page with another script keeps the database open, which blocks its deletion. */
  async #whileBlocked(page: Page): Promise<void> {
    const blocker = await this.#context.newPage();
    await blocker.goto(new URL('robots.txt', page.url()).href);
    await blocker.evaluate(blockStorage);
    await this.#flipIn(page, false);
    await wait(this.#random.below(500));
    await blocker.close();
    await this.#untilKept(page);
  }

  async #untilKept(page: Page): Promise<void> {
    await page.waitForFunction(isKept, this.#person.flips.at(-1)?.item ?? '');
  }
}

export const troubledTabs: Scenario = {
  name: 'F11',
  title: 'tabs frozen, their locks stolen, storage full, database deleted, restored from the cache',
  runs: { full: 40, quick: 1 },
  async run({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
    const servers = await startDemoServers();
    defer(() => servers.close());
    evidence.mustNotAppear('the client secret', servers.clientSecret);
    evidence.mustNotAppear('the session secret', servers.sessionSecret);
    // A response that the test fulfils has no address, so the browser would block requests of its page to this machine.
    const browser = new KillableBrowser(evidence.path('profile'), ['--disable-features=LocalNetworkAccessChecks']);
    defer(() => browser.kill());
    const person = new PersonAtPage(servers, random);
    const context = await browser.start();
    // The page of the demo has `no-store`, which excludes it from the back/forward cache.
    await context.route(new URL('/', servers.hostUrl).href, async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers()).filter(([name]) => name !== 'cache-control');
      await route.fulfill({ response, headers: Object.fromEntries(headers) });
    });
    const total: Record<string, number> = {};
    const broken: string[] = [];

    for (let schedule = 1; schedule <= runs; schedule += 1) {
      const tabs = await Tabs.open(person, context, random);
      for (let step = 0; step < STEPS; step += 1) await tabs.suffer();
      await tabs.recover();
      const last = await person.visit(context);
      if (!(await person.settle(last))) broken.push(`after schedule ${String(schedule)} edits still wait`);
      await last.close();
      await tabs.close();
      const wrong = await person.judge(true);
      broken.push(...wrong.map((sentence) => `schedule ${String(schedule)}: ${sentence}`));
      if (wrong.length > 0) say(tabs.story.join('\n   '));
      for (const [name, count] of Object.entries(tabs.counts)) total[name] = (total[name] ?? 0) + count;
      say(`schedule ${String(schedule)}: ${JSON.stringify(tabs.counts)}, ${String(person.flips.length)} flips`);
    }
    evidence.note('records.log', servers.records());
    return { counts: { schedules: runs, ...total, flips: person.flips.length, lost: broken.length }, broken };
  },
};

/** Runs in the page. @returns whether the page shows the newest edit of the item as stored, sent or delivered */
function isKept(item: string): boolean {
  const toggle = document.querySelector(`[data-flipped][item="${item}"]`);
  const truth = toggle?.shadowRoot?.querySelector('[data-truth]')?.getAttribute('data-truth') ?? '';
  return ['on-device', 'received', 'on-portal'].includes(truth);
}

/** Runs in the page: another script steals every lock of the widget. */
async function stealLocks(): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  for (const { name = '' } of held) await navigator.locks.request(name, { steal: true }, () => undefined);
}

/** Runs in the page: the person clears the site data. */
function deleteStorage(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('vendor-inventory');
    request.onsuccess = () => {
      resolve();
    };
    request.onerror = () => {
      reject(new Error('the database was not deleted'));
    };
  });
}

/** Runs in a page without the elements. */
function blockStorage(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('vendor-inventory');
    request.onerror = () => {
      reject(new Error('no database'));
    };
    request.onsuccess = () => {
      // The connection stays open as long as the page, and ignores `versionchange`.
      Object.assign(globalThis, { held: request.result });
      indexedDB.deleteDatabase('vendor-inventory').onblocked = () => {
        resolve();
      };
    };
  });
}
