import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import type { DemoServers } from '../journeys/demo-servers.js';
import type { Random } from './random.js';

const ITEMS = ['boat-tour-1', 'cabin-7'];
const TIMEOUT_MS = 180_000;

export interface Flip {
  readonly item: string;
  readonly available: boolean;
  /** Whether the page showed it as stored, sent or delivered. */
  readonly isSaid: boolean;
}

/**
 * The edits of a person at the switches of a page, and what the page showed of them. The portal's journal is the
 * reference.
 */
export class PersonAtPage {
  readonly flips: Flip[] = [];
  /** How often the page asked whether an orphaned edit belongs to the person. */
  claimed = 0;
  readonly #servers: DemoServers;
  readonly #random: Random;

  constructor(servers: DemoServers, random: Random) {
    this.#servers = servers;
    this.#random = random;
  }

  async visit(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await page.goto(this.#servers.hostUrl);
    await this.sitDown(page);
    return page;
  }

  /** Uses a page that is loaded. */
  async sitDown(page: Page): Promise<void> {
    await page.evaluate(addToggles, ITEMS);
    await page
      .locator('[data-flipped] [data-truth]')
      .nth(ITEMS.length - 1)
      .waitFor({ state: 'attached' });
  }

  /** @param isPatient whether the person waits until the page shows the edit as stored */
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
   * Waits until no edit waits on the device, and decides about orphaned edits of tabs without a known person.
   * @returns whether that was reached
   */
  async settle(page: Page): Promise<boolean> {
    const until = Date.now() + TIMEOUT_MS;
    const wanted = Object.fromEntries(this.flips.map(({ item, available }) => [item, available]));
    while (Date.now() < until) {
      this.claimed += await page.evaluate(answerInPage, wanted);
      if ((await page.evaluate(rowsInPage)) === 0) return true;
      await wait(100);
    }
    return false;
  }

  /** @param isAllKept whether no page was closed with unstored edits, so that the last edit counts in any case */
  async judge(isAllKept = false): Promise<string[]> {
    const answer = await fetch(`${this.#servers.portalUrl}/sandbox/journal`);
    const { entries } = (await answer.json()) as { entries: Entry[] };
    const applied = entries
      .filter(({ kind, applied }) => kind === 'update' && applied)
      .flatMap(({ inventory }) => inventory ?? []);
    return ITEMS.flatMap((item) => {
      const flips = this.flips.filter((flip) => flip.item === item);
      if (flips.length === 0) return [];
      const lastSaid = isAllKept ? flips.length - 1 : flips.map(({ isSaid }) => isSaid).lastIndexOf(true);
      const may = new Set(flips.slice(Math.max(lastSaid, 0)).map(({ available }) => available));
      const arrived = applied.filter(({ id }) => id === item);
      const value = arrived.at(-1)?.available;
      const stamps = new Set(arrived.map(({ updated_at }) => updated_at)).size;
      return [
        ...(lastSaid >= 0 && (value === undefined || !may.has(value))
          ? [
              `${item} is ${String(value ?? 'unknown')} at the portal, which is not the last value that they set (${sentLately(arrived)})`,
            ]
          : []),
        ...(stamps > flips.length
          ? [`${item} was flipped ${String(flips.length)} times, and ${String(stamps)} edits arrived`]
          : []),
      ];
    });
  }
}

function sentLately(arrived: readonly { readonly available: boolean; readonly updated_at: string }[]): string {
  return arrived
    .slice(-6)
    .map(({ available, updated_at }) => `${updated_at.slice(14, 23)} ${String(available)}`)
    .join(', ');
}

interface Entry {
  readonly kind: string;
  readonly applied: boolean;
  readonly inventory:
    readonly { readonly id: string; readonly available: boolean; readonly updated_at: string }[] | null;
}

/** Runs in the page: adds switches to those of the host's page. */
function addToggles(items: readonly string[]): void {
  if (document.querySelector('[data-flipped]') !== null) return;
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

/** Runs in the page: decides about each orphaned edit by the value that the person set last. @returns their number */
function answerInPage(wanted: Readonly<Record<string, boolean>>): number {
  let answered = 0;
  for (const toggle of document.querySelectorAll('availability-toggle[data-flipped]')) {
    const available = wanted[toggle.getAttribute('item') ?? ''];
    const control = toggle.shadowRoot?.querySelector<HTMLInputElement>('[role=switch]');
    const [keep, leave] =
      toggle.shadowRoot?.querySelectorAll<HTMLElement>('[part=conflict] .pill, [part=status] .pill') ?? [];
    if (keep === undefined || available === undefined) continue;
    // If there is no conflicting value, the other value has to be set.
    (control?.checked === available ? keep : (leave ?? control))?.click();
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
