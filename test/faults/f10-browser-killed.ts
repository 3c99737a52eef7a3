import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { foundTown, type Town } from '../journeys/town.js';
import { KillableBrowser } from './killable-browser.js';
import type { Random } from './random.js';
import type { Findings, Scenario, Trial } from './scenario.js';

const ITEMS = ['boat-tour-1', 'cabin-7'];
/** Of six faults one kills the browser, less than two close a tab, more than three are flips without a network. */
const KILLS = 60 / 360;
const CLOSES = 100 / 360;
/** Of three visits one ends before it is known who is there. */
const UNKNOWN = 1 / 3;
const PATIENCE_MS = 60_000;

interface Flip {
  readonly item: string;
  readonly available: boolean;
  /** The page said that it is on the device or further. */
  readonly isSaid: boolean;
}

/** What a person does at the page, and what they were told. The oracle is the portal's journal. */
class Person {
  readonly flips: Flip[] = [];
  /** How often they were asked whether an edit is theirs. */
  claimed = 0;
  readonly #town: Town;
  readonly #random: Random;

  constructor(town: Town, random: Random) {
    this.#town = town;
    this.#random = random;
  }

  async visit(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(this.#town.hostUrl);
    await page.evaluate(addToggles, ITEMS);
    await page
      .locator('[data-flipped] [data-truth]')
      .nth(ITEMS.length - 1)
      .waitFor({ state: 'attached' });
    return page;
  }

  /** @param isPatient whether the person waits until they are told that it is kept */
  async flip(page: Page, isPatient: boolean): Promise<void> {
    const item = this.#random.pick(ITEMS);
    const told = await page.evaluate(flipInPage, { item, isPatient });
    this.flips.push({ item, ...told });
  }

  async flipSome(page: Page, most: number): Promise<void> {
    const count = 1 + this.#random.below(most);
    for (let flip = 1; flip <= count; flip += 1) await this.flip(page, flip < count || this.#random.next() < 0.7);
  }

  /**
   * Waits until nothing waits on the device, and answers for what was left by tabs that never knew who was there.
   * @returns whether it came to that
   */
  async settle(page: Page): Promise<boolean> {
    const until = Date.now() + PATIENCE_MS;
    const wishes = Object.fromEntries(this.flips.map(({ item, available }) => [item, available]));
    while (Date.now() < until) {
      this.claimed += await page.evaluate(answerInPage, wishes);
      if ((await page.evaluate(rowsInPage)) === 0) return true;
      await wait(100);
    }
    return false;
  }

  async judge(): Promise<string[]> {
    const answer = await fetch(`${this.#town.portalUrl}/sandbox/journal`);
    const { entries } = (await answer.json()) as { entries: Entry[] };
    const applied = entries
      .filter(({ kind, applied }) => kind === 'update' && applied)
      .flatMap(({ inventory }) => inventory ?? []);
    return ITEMS.flatMap((item) => {
      const flips = this.flips.filter((flip) => flip.item === item);
      if (flips.length === 0) return [];
      const lastSaid = flips.map(({ isSaid }) => isSaid).lastIndexOf(true);
      const may = new Set(flips.slice(Math.max(lastSaid, 0)).map(({ available }) => available));
      const arrived = applied.filter(({ id }) => id === item);
      const value = arrived.at(-1)?.available;
      const stamps = new Set(arrived.map(({ updated_at }) => updated_at)).size;
      return [
        ...(lastSaid >= 0 && (value === undefined || !may.has(value))
          ? [`${item} is ${String(value ?? 'unknown')} at the portal, which nobody wished last`]
          : []),
        ...(stamps > flips.length
          ? [`${item} was flipped ${String(flips.length)} times, and ${String(stamps)} edits arrived`]
          : []),
      ];
    });
  }
}

interface Entry {
  readonly kind: string;
  readonly applied: boolean;
  readonly inventory:
    readonly { readonly id: string; readonly available: boolean; readonly updated_at: string }[] | null;
}

export const browserKilled: Scenario = {
  name: 'F10',
  title: 'browser killed, tabs closed, flips without a network',
  runs: { full: 360, quick: 5 },
  async run({ runs, random, evidence, defer, say }: Trial): Promise<Findings> {
    const town = await foundTown();
    defer(() => town.close());
    evidence.mustNotAppear('the client secret', town.clientSecret);
    evidence.mustNotAppear('the session secret', town.sessionSecret);
    const browser = new KillableBrowser(evidence.path('profile'));
    defer(() => browser.kill());
    const person = new Person(town, random);
    const counts = { 'browsers killed': 0, 'tabs closed': 0, 'flips without a network': 0, 'visits of nobody': 0 };
    const broken: string[] = [];

    let context = await browser.start();
    for (let run = 1; run <= runs; run += 1) {
      const chance = random.next();
      // The page itself comes through, and nothing that says who is there.
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
    evidence.note('records.log', town.records());
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

/** Runs in the page: switches beside those of the host's page, at the same address. */
function addToggles(items: readonly string[]): void {
  const model = document.querySelector('main availability-toggle[session]');
  if (model === null) throw new Error('the page has no switch');
  for (const item of items) {
    const toggle = document.createElement('availability-toggle');
    for (const { name, value } of model.attributes) toggle.setAttribute(name, value);
    toggle.setAttribute('item', item);
    toggle.toggleAttribute('data-flipped', true);
    document.body.append(toggle);
  }
}

/** Runs in the page. */
async function flipInPage({ item, isPatient }: { item: string; isPatient: boolean }) {
  interface Updating extends Element {
    readonly updateComplete: Promise<unknown>;
  }
  const toggle = document.querySelector<Updating>(`availability-toggle[item="${item}"][data-flipped]`);
  const root = toggle?.shadowRoot;
  const control = root?.querySelector<HTMLInputElement>('[role=switch]');
  if (!toggle || !root || !control) throw new Error(`no switch for ${item}`);
  const wasUnset = control.hasAttribute('hidden');
  const available = wasUnset || !control.checked;
  (wasUnset ? root.querySelector<HTMLElement>('[part=choices] button') : control)?.click();
  const until = performance.now() + (isPatient ? 5_000 : 0);
  let isSaid = false;
  do {
    await toggle.updateComplete;
    const truth = root.querySelector('[data-truth]')?.getAttribute('data-truth') ?? '';
    isSaid = ['on-device', 'received', 'on-portal'].includes(truth);
    if (!isSaid && isPatient) await new Promise(requestAnimationFrame);
  } while (!isSaid && performance.now() < until);
  return { available, isSaid: isPatient && isSaid };
}

/** Runs in the page: whoever is asked whether an edit counts says what they wished last. @returns of how many */
function answerInPage(wishes: Readonly<Record<string, boolean>>): number {
  let answered = 0;
  for (const toggle of document.querySelectorAll('availability-toggle[data-flipped]')) {
    const wish = wishes[toggle.getAttribute('item') ?? ''];
    const control = toggle.shadowRoot?.querySelector<HTMLInputElement>('[role=switch]');
    const [keep, leave] =
      toggle.shadowRoot?.querySelectorAll<HTMLElement>('[part=conflict] .pill, [part=status] .pill') ?? [];
    if (keep === undefined || wish === undefined) continue;
    // Where nothing stands against it, whoever wants the other value sets that.
    (control?.checked === wish ? keep : (leave ?? control))?.click();
    answered += 1;
  }
  return answered;
}

/** Runs in the page. @returns how many edits wait on the device */
function rowsInPage(): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('vendor-inventory');
    request.onerror = () => {
      reject(new Error('no database'));
    };
    request.onsuccess = () => {
      const database = request.result;
      if (!database.objectStoreNames.contains('edits')) return resolve(0);
      const count = database.transaction('edits').objectStore('edits').count();
      count.onsuccess = () => {
        database.close();
        resolve(count.result);
      };
    };
  });
}
